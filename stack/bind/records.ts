// Records that stand by name below one key of the record they lie in: `relays: { ops: { … } }`.
// It must not know which kinds are written so, nor what they mean.
import { addressNames, argumentFor, declaredName, formatId, kindInFile, scopeWithin, type Kind } from '../../provider';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { bindResource, type DraftResource } from './resource';
import { expectMap, type Scope } from './scope';

/** The record that others lie in, and the map in which the file says so. */
export interface Holder {
  readonly draft: DraftResource;
  readonly body: MapNode | undefined;
}

/** How records of a kind are written. */
interface Form {
  /** Where the file declares the kind, as the kind says. */
  readonly path: string;
  /** What the map holds, for findings: `mail relays by name`. */
  readonly what: string;
  readonly hint?: string;
}

/** The last key of a kind's path that is no name: `relays` of `environments.*.relays.*`. */
const collectionKey = (path: string): string => path.split('.').findLast((key) => key !== '*') ?? '';

/** Binds the records of a kind that stand by name in the map of the record they lie in. */
export function bindRecords(scope: Scope, { draft: holder, body }: Holder, form: Form): readonly DraftResource[] {
  const key = collectionKey(form.path);
  const kind = kindInFile(form.path);
  const of = scopeWithin(kind, holder.kind) ?? kind;
  const map = expectMap(scope, entryOf(body, key)?.value, `a map of ${form.what}`, form.hint);
  return (map?.entries ?? []).map((own) => {
    const address = addressIn(of, holder, own);
    return bindResource(scope, {
      kind: of,
      logicalName: declaredName({ of, id: formatId(of, '', address) }),
      names: [...holder.names, key, own.key],
      address,
      own,
      body: expectMap(scope, own.value, 'a map', form.hint),
      within: holder.key,
    });
  });
}

function addressIn(of: Kind, holder: DraftResource, own: Entry): { readonly [name: string]: string } {
  const { name = '', ...outer } = holder.address;
  const known = { ...outer, [argumentFor(holder.kind)]: name, name: own.key };
  return Object.fromEntries(
    addressNames(of).map((argument) => [argument, known[argument as keyof typeof known] ?? '']),
  );
}
