// Where design records are, how a path leads to them, and how they are written (service-facts
// §2.1.7, flows §2 row 19).
import { type Context, refused } from '../runtime/handler';
import { locate, locateAssembly, locateComponent } from '../runtime/locate';
import { isLeaving, stage, type ReleaseWriter, type Store, type StoredRecord, type Tie, type View } from '../store';

type Finder = Pick<Context, 'store' | 'organization' | 'query'>;

/** A design, found by its assembly: all of its records are in this namespace or below it. */
export interface Design {
  readonly assembly: StoredRecord;
  /** `/<o>/<a>`: platforms, global variables, the release. */
  readonly namespace: string;
}

export interface DesignPlatform extends Design {
  readonly platform: StoredRecord;
  /** `/<o>/<a>/_design/<p>`: components, local variables, attachments, monitors. */
  readonly inside: string;
}

export interface ComponentPlace extends DesignPlatform {
  readonly component: StoredRecord;
}

export type DesignPlatformAddress = { readonly assembly: string; readonly platform: string };

export type DesignComponentAddress = DesignPlatformAddress & { readonly component: string };

/** Implementation of design components and variables (service-facts §2.1.2). */
export const IMPLEMENTATION = 'oo::chef-11.18.12';

export const insideOf = (design: Design, platformName: string): string => `${design.namespace}/_design/${platformName}`;

/** The platforms of a design that stay. */
export const platformsOf = (
  store: Store,
  { namespace }: Pick<Design, 'namespace'>,
  view: View = 'staying',
): StoredRecord[] => store.records.list({ namespace, className: 'catalog.Platform' }, view);

/** Where variables of a design or of a platform are, and what they are values for. */
export interface VariableScope {
  readonly namespace: string;
  readonly className: string;
  readonly holder: StoredRecord;
  readonly tie: Tie;
}

export const globalVariables = ({ namespace, assembly: holder }: Design): VariableScope => ({
  namespace,
  className: 'catalog.Globalvar',
  holder,
  tie: { name: 'base.ValueFor', to: holder.id },
});

export const localVariables = ({ inside: namespace, platform: holder }: DesignPlatform): VariableScope => ({
  namespace,
  className: 'catalog.Localvar',
  holder,
  tie: { name: 'catalog.ValueFor', to: holder.id },
});

/** The design of an assembly, or a saved design by its own record. */
export const designOf = (assembly: StoredRecord): Design => ({
  assembly,
  namespace: `${assembly.namespace}/${assembly.name}`,
});

export const locateDesign = (context: Finder, assembly: string): Design => designOf(locateAssembly(context, assembly));

/** A platform, also one that is being deleted. Throws a RefusedRequest (404). */
export function locateDesignPlatform(context: Finder, address: DesignPlatformAddress): DesignPlatform {
  const design = locateDesign(context, address.assembly);
  const place = { noun: 'platform', namespace: design.namespace, className: 'catalog.Platform' };
  const platform = locate(context, address.platform, place);
  return { ...design, platform, inside: insideOf(design, platform.name) };
}

export function locateComponentPlace(context: Context<DesignComponentAddress>): ComponentPlace {
  const place = locateDesignPlatform(context, context.address);
  return { ...place, component: locateComponent(context, place.inside, context.address.component) };
}

/**
 * Writes in a design. Staged, the changes wait in the open release for its commit; else they are
 * closed immediately in a separate release (dialect row 19). Comments count as a change where the
 * dialect stores them on their own (row 24).
 */
export function writeDesign<T>(context: Context<unknown>, design: Design, write: (stage: ReleaseWriter) => T): T {
  const { rules, store, user, now } = context;
  const writer = stage(store, design.namespace, { user, now, commentsCount: rules.designCommentsStored });
  const result = write(writer);
  if (!rules.designStaged) writer.commit();
  return result;
}

/** Throws a RefusedRequest (422) when nothing may be added to a platform any more. */
export function checkStaying(platform: StoredRecord): void {
  if (isLeaving(platform))
    throw refused(`platform ${platform.name} is to be deleted: commit or discard the design first`);
}

/** Throws a RefusedRequest (422) when nothing may be added to a component any more. */
export function checkComponentStaying({ platform, component }: ComponentPlace): void {
  checkStaying(platform);
  if (isLeaving(component)) throw refused(`component ${component.name} is to be deleted`);
}
