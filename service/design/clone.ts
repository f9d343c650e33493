// Copies of assemblies and platforms (service-facts §4.4, §4.5.1).
import { routes } from '../../api/contract';
import { committedRecord, mergedRecord } from '../answers';
import { type Context, type HandlerTable, handlersOf, notFound, RefusedRequest, refused } from '../handler';
import { checkedName } from '../locate';
import type { StoredRecord } from '../store';
import { copyDesign, stayingPlatforms } from './copy-design';
import { makeAssembly } from './make-assembly';
import { reread } from '../staged-collection';
import { type Design, locateDesign, locateDesignPlatform, writeDesign } from './place';
import { saveDesign } from './saved-designs';

/** A copy that cannot be made is reported as something that does not exist (service-facts §4.4). */
function toldAsMissing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RefusedRequest) throw new RefusedRequest(404, error.messages);
    throw error;
  }
}

/** The organization a copy goes to. Throws a RefusedRequest (404) for one that does not exist or not the user's. */
function targetOrganization(context: Context, name: string | null | undefined): string {
  if (name === null || name === undefined || name === '') return context.organization;
  const mine = context.account?.organizations ?? null;
  const record = context.store.records.byName('/', 'account.Organization', name, 'committed');
  if (record === undefined || (mine !== null && !mine.includes(name)))
    throw notFound(`organization ${JSON.stringify(name)} not found`);
  return name;
}

/** Copies all of a design, global variables too, into one that is empty, as changes of its open release. */
export function fillDesign(context: Context, from: Design, to: Design, view: 'merged' | 'committed'): void {
  const { store } = context;
  const platforms = stayingPlatforms(store, from, view).map((platform) => ({ platform, name: platform.name }));
  writeDesign(context, to, (stage) => copyDesign({ store, stage, from, to, view, platforms, variables: true }));
}

interface Copy {
  readonly name: string;
  readonly organization: string;
  readonly description: string;
}

/** A new assembly with all the other has, uncommitted values too. */
function copyAssembly(context: Context, from: Design, { name, organization, description }: Copy): StoredRecord {
  const attributes = { description, owner: from.assembly.values['owner'] ?? '' };
  const assembly = makeAssembly(context, organization, { name, attributes, comments: '' });
  fillDesign(context, from, { assembly, namespace: `/${organization}/${assembly.name}` }, 'merged');
  return assembly;
}

/** A copy of a platform under a name. Throws a RefusedRequest (422): name, duplicate. */
function copyPlatform(
  context: Context,
  from: Design & { readonly platform: StoredRecord },
  to: Design,
  name: string,
): StoredRecord {
  const { store } = context;
  const nameInAnyCase = checkedName('platform', name);
  if (store.records.exists({ namespace: to.namespace, className: 'catalog.Platform', nameInAnyCase }))
    throw refused(`a platform named ${name} exists already`);
  const platforms = [{ platform: from.platform, name }];
  const [copy] = writeDesign(context, to, (stage) =>
    copyDesign({ store, stage, from, to, view: 'merged', platforms, variables: false }),
  );
  if (copy === undefined) throw new Error('the copy of one platform made none');
  return reread(context, copy);
}

const isGiven = (text: string | boolean | null | undefined): boolean =>
  text !== undefined && text !== null && text !== false && text !== '';

/** Handlers of copies. */
export const cloneHandlers: HandlerTable = {
  ...handlersOf(routes.assemblies, {
    clone: (context) => {
      const from = locateDesign(context, context.address.assembly);
      const { ciName: name, description, to_org: toOrganization, export: exported } = context.body;
      return toldAsMissing(() => {
        const organization = targetOrganization(context, toOrganization);
        const copy = { name, organization, description: description || `Created from ${from.assembly.name}` };
        return committedRecord(
          context,
          isGiven(exported) ? saveDesign(context, from, copy) : copyAssembly(context, from, copy),
        );
      });
    },
  }),
  ...handlersOf(routes.platforms, {
    clone: (context) => {
      const from = locateDesignPlatform(context, context.address);
      const { to_assembly_id: assembly, to_ci_name: name } = context.body;
      return toldAsMissing(() =>
        mergedRecord(context, copyPlatform(context, from, locateDesign(context, String(assembly)), name)),
      );
    },
  }),
};
