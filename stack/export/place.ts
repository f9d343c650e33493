// Which keys of a stack file lead to a record: from the path that its kind has in a file, and the words of its address.
// It must not know any single kind.
import { addressNames, argumentFor, kinds, parentAddress, type Kind } from '../../provider';
import type { ExportedRecord } from './exported-record';

interface Address {
  readonly [name: string]: string;
}

/** The keys of one part of an address, below the key of its collection: `[user, deployer]` of a component. */
type KeysOfPart = (of: Kind, address: Address, part: string) => readonly string[];

/** Keys that lead to a record; undefined for a kind that no file declares. */
export function keysTo(of: Kind, address: Address, keysOfPart: KeysOfPart): readonly string[] | undefined {
  const { within, inFile } = of;
  if (inFile === undefined) return undefined;
  if (within === undefined) return inFile.path.split('.').map((key) => (key === '*' ? (address['name'] ?? '') : key));
  const outer = parentAddress(of, address) ?? {};
  const around = isAtTop(within) ? [] : keysTo(within, outer, keysOfPart);
  if (around === undefined) return undefined;
  const path = pathBelow(of, within);
  const farther = fartherNames(of);
  const inner = addressNames(of)
    .slice(addressNames(within).length + farther.length)
    .values();
  return [
    ...around,
    // A path names the outermost place only: what is farther in has the words of the address before it.
    ...(isInside(of, within) ? [] : farther).flatMap((name) => [`${name}s`, ...keysOfPart(of, address, name)]),
    ...path.flatMap((key) => (key === '*' ? keysOfPart(of, address, inner.next().value ?? '') : [key])),
  ];
}

/** Names of an address that a record says itself, because no key around it does: `platform` and `component` of a procedure. */
export const namesSaidInside = (of: Kind): readonly string[] =>
  of.within !== undefined && of.inFile !== undefined && !isAtTop(of.within) && isInside(of, of.within)
    ? fartherNames(of)
    : [];

/** Names of an address between the record that contains a kind and the names in the kind's path. */
function fartherNames(of: Kind): readonly string[] {
  const { within } = of;
  if (within === undefined) return [];
  const names = addressNames(of).slice(addressNames(within).length);
  return names.slice(0, names.length - pathBelow(of, within).filter((key) => key === '*').length);
}

/** Whether the path of a kind begins with that of the record that contains it. */
const isInside = ({ inFile }: Kind, within: Kind): boolean =>
  inFile?.path.startsWith(`${within.inFile?.path}.`) === true;

/** Whether the file as a whole describes the one record of a kind, so that what is in it is at the top. */
const isAtTop = (of: Kind): boolean => of.inFile?.path.includes('*') === false;

/** The keys of a kind's path, below those of the record it is in. */
function pathBelow(of: Kind, within: Kind): readonly string[] {
  const { inFile } = of;
  const path = inFile?.path ?? '';
  return (isInside(of, within) ? path.slice((within.inFile?.path.length ?? 0) + 1) : path).split('.');
}

/** Kinds of which an argument distinguishes records of one name: a file writes its value before the name. */
const SORTED = kinds.filter(({ named, distinguishedBy }) => named && distinguishedBy !== undefined);

/** What a part of an address names, without what is around it in an environment; undefined unless records of its kind are distinguished. */
function placeOf(
  of: Kind,
  address: Address,
  part: string,
): { readonly around: string; readonly name: string } | undefined {
  const sorted =
    part === 'name'
      ? SORTED.find(({ token }) => token === of.token)
      : SORTED.find((each) => argumentFor(each) === part);
  if (sorted === undefined) return undefined;
  const outer = addressNames(sorted).slice(0, -1);
  return { around: outer.map((name) => address[name]).join('/'), name: address[part] ?? '' };
}

/** Keys of parts of addresses among records: where an argument distinguishes records, its value comes before the name of all that have it. */
export function keysAmong(records: readonly ExportedRecord[]): KeysOfPart {
  const sorts = new Map<string, string>();
  const shared = new Set<string>();
  for (const { of, address, inputs } of records) {
    const place = placeOf(of, address, addressNames(of).at(-1) ?? '');
    const sort = of.distinguishedBy === undefined ? undefined : inputs[of.distinguishedBy];
    if (place === undefined || typeof sort !== 'string') continue;
    sorts.set(`${place.around}/${place.name}`, sort);
    if (sort !== place.name) shared.add(`${place.around}/${sort}`);
  }
  return (of, address, part) => {
    const place = placeOf(of, address, part);
    const name = address[part] ?? '';
    const sort = place && sorts.get(`${place.around}/${name}`);
    return place !== undefined && sort !== undefined && shared.has(`${place.around}/${sort}`) ? [sort, name] : [name];
  };
}
