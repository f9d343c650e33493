// Where design records stand, how a path leads to them, and how they are written (service-facts §2.1.7, flows §2 row 19).
// It must not know what platforms, components or variables hold.
import type { SentRecord } from '../../api/contract';
import { sentOwners } from '../attributes';
import { type Context, refused } from '../handler';
import { isComponentClass, locate, locateAssembly } from '../locate';
import { isLeaving, type RecordPatch, stage, type Stage, type StoredRecord, type Values } from '../store';

/** What finding a record takes: part of every Context. */
export type Finder = Pick<Context, 'store' | 'organization' | 'query'>;

/** A design, found by its assembly: all of its records stand in this namespace or below it. */
export interface Design {
  readonly assembly: StoredRecord;
  /** `/<o>/<a>`: platforms, global variables, the release. */
  readonly namespace: string;
}

/** A platform of a design. */
export interface DesignPlatform extends Design {
  readonly platform: StoredRecord;
  /** `/<o>/<a>/_design/<p>`: components, local variables, attachments, monitors. */
  readonly inside: string;
}

/** Label of the implementation that design components and variables carry (service-facts §2.1.2). */
export const IMPLEMENTATION = 'oo::chef-11.18.12';

/** Namespace of what a design platform holds. */
export const insideOf = (design: Design, platformName: string): string => `${design.namespace}/_design/${platformName}`;

/** Throws a Refusal (404) when there is no such assembly. */
export function locateDesign(context: Finder, assembly: string): Design {
  const record = locateAssembly(context, assembly);
  return { assembly: record, namespace: `${record.namespace}/${record.name}` };
}

/** Throws a Refusal (404) when there is no such assembly or platform; one that waits for its deletion's commit is still there. */
export function locatePlatform(
  context: Finder,
  address: { readonly assembly: string; readonly platform: string },
): DesignPlatform {
  const design = locateDesign(context, address.assembly);
  const place = { noun: 'platform', namespace: design.namespace, className: 'catalog.Platform' };
  const platform = locate(context, address.platform, place);
  return { ...design, platform, inside: insideOf(design, platform.name) };
}

/** A component by ciId or name; query `class_name` tells apart those that share a name. Throws a Refusal (404). */
export function locateComponent(
  context: Finder,
  inside: string,
  identifier: string,
  className = context.query['class_name'],
): StoredRecord {
  return locate(context, identifier, {
    noun: 'component',
    namespace: inside,
    className: className === undefined || className === '' ? isComponentClass : className,
  });
}

/** What identifies the record of an update: the path, or, where the path has no place for it, the body's ciId, else its name (dialect row 3). */
export function identifierOf(inPath: string | undefined, sent: SentRecord): string {
  return inPath ?? (sent.ciId === undefined ? (sent.ciName ?? '') : String(sent.ciId));
}

function designStage({ voice, store, user, now }: Context, design: Design): Stage {
  return stage(store, design.namespace, { user, now, commentsCount: voice.designCommentsStored });
}

/**
 * Writes in a design. Staged, the changes wait in the open release for its commit; else they are closed at once in a release of their own
 * (dialect row 19). Comments count as a change where the dialect stores them on their own (row 24).
 */
export function writeDesign<T>(context: Context, design: Design, write: (stage: Stage) => T): T {
  const writer = designStage(context, design);
  const result = write(writer);
  if (!context.voice.designStaged) writer.commit();
  return result;
}

/** Changes one record of a design, as `writeDesign` does, and returns it as it now reads. */
export function updateDesign(context: Context, design: Design, record: StoredRecord, patch: RecordPatch): StoredRecord {
  const writer = designStage(context, design);
  return context.voice.designStaged ? writer.update(record, patch) : writer.updateAtOnce(record, patch);
}

/** What a body changes of a record: the checked values, owners and comments where it has any. */
export function patchOf(sent: SentRecord, values: Values, owners = sentOwners(sent.ciAttrProps)): RecordPatch {
  const { comments } = sent;
  return {
    values,
    ...(owners === undefined ? {} : { owners }),
    ...(comments === undefined || comments === null ? {} : { comments }),
  };
}

/** A record as it now reads, after a write; throws when it is gone, which no write that asks for it may cause. */
export function reread(context: Pick<Context, 'store'>, record: StoredRecord): StoredRecord {
  const current = context.store.records.current(record);
  if (current === undefined) throw new Error(`record ${record.id} vanished while it was written`);
  return current;
}

/** Throws a Refusal (422) when nothing may be added to a platform any more. */
export function checkStaying(platform: StoredRecord): void {
  if (isLeaving(platform))
    throw refused(`platform ${platform.name} is to be deleted: commit or discard the design first`);
}
