// How an assembly is made, by request or as a copy (service-facts §2.2.4, §4.4).
import { type ClassMetadata } from '../../api/contract';
import { knownClass, newValues, relaxed, type SentAttributes } from '../attributes';
import { type Context, refused } from '../handler';
import { checkedName } from '../locate';
import type { StoredRecord } from '../store';

export const ASSEMBLY_CLASS = 'account.Assembly';

/** Metadata of assemblies; the owner is required where the dialect asks for one (row 8). */
export function assemblyMetadata(context: Pick<Context, 'catalogue' | 'rules'>): ClassMetadata {
  const metadata = knownClass(context.catalogue, ASSEMBLY_CLASS);
  return context.rules.assemblyOwnerRequired ? metadata : relaxed(metadata, ['owner']);
}

/** Makes an assembly of an organization. Throws a RefusedRequest (422): name, duplicate, attributes. */
export function makeAssembly(
  context: Pick<Context, 'store' | 'catalogue' | 'rules' | 'user' | 'now'>,
  organization: string,
  wanted: { readonly name: string | undefined; readonly attributes: SentAttributes; readonly comments: string },
): StoredRecord {
  const { store } = context;
  const name = checkedName('assembly', wanted.name);
  const namespace = `/${organization}`;
  if (store.records.exists({ namespace, className: ASSEMBLY_CLASS, nameInAnyCase: name })) {
    throw refused(`an assembly named ${name} exists already (400)`);
  }
  const owner = store.records.byName('/', 'account.Organization', organization, 'committed');
  if (owner === undefined) throw new Error(`organization ${organization} vanished`);
  const values = newValues(assemblyMetadata(context), ASSEMBLY_CLASS, wanted.attributes);
  const { comments } = wanted;
  const assembly = store.records.insert({ namespace, className: ASSEMBLY_CLASS, name, values, comments }, context);
  store.relations.insert({ namespace, name: 'base.Manages', fromId: owner.id, toId: assembly.id }, context);
  return assembly;
}
