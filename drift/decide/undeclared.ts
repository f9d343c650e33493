// Records that nobody declares, as entries of the file: where they belong, and what is said of them.
import {
  declaredName,
  fieldOf,
  isPlainObject,
  kindOf,
  parentAddress,
  scopeOfId,
  parseId,
  snakeCase,
  type Kind,
} from '../../provider';
import { entryOf, resourceKey, type Entry, type WrittenResource } from '../../stack';
import type { DriftFinding } from '../review/review';
import { addBelow, spell, type Edit } from './edits';
import { isEntry, mapNode, type StackReading } from './file-tree';
import type { Obstacle } from './splice';
import type { PlanChange } from './plan-change';

interface Addition {
  readonly edit: Edit;
  readonly change: PlanChange;
}

interface Args {
  readonly [name: string]: unknown;
}

/** The entry for an undeclared record, when the review says what it holds and the file has a place for it. */
export function additionOf(reading: StackReading, finding: DriftFinding, organization: string): Addition | Obstacle {
  const { kind, address, live } = finding;
  const of = kindOf(kind);
  const scope = of && scopeOfId(of, address);
  const parsed = scope && parseId(scope, address);
  if (scope === undefined || parsed?.organization !== organization)
    return { reason: `${address} is no id of a ${kind}` };
  if (live?.is !== 'value' || !isPlainObject(live.value))
    return { reason: 'the review does not say what it holds: import it, or declare it by hand' };
  const args = Object.fromEntries(
    Object.entries(live.value).filter(([name, value]) => fieldOf(scope, name) && value !== null && value !== undefined),
  );
  const { name = '' } = parsed.address;
  const parent = parentOf(reading, scope, parsed.address);
  if (parent === undefined || !isEntry(parent.own)) return { reason: 'the file does not declare what it lies in' };
  const place = placeIn(reading, { ...parent, own: parent.own }, scope, { name, args });
  if ('reason' in place) return place;
  const key = resourceKey(kind, declaredName({ of: scope, id: address }));
  return { edit: addBelow(reading, place.own, place.keys, place.value), change: { of: 'new', key, args } };
}

function parentOf(
  { written }: StackReading,
  of: Kind,
  address: { readonly [name: string]: string },
): WrittenResource | undefined {
  const inside = parentAddress(of, address) ?? {};
  return written.find(
    (each) =>
      each.key.startsWith(`${of.within?.token}::`) &&
      Object.entries(inside).every(([part, word]) => each.address[part] === word),
  );
}

interface Place {
  readonly own: Entry;
  readonly keys: readonly string[];
  readonly value: unknown;
}

function placeIn(
  reading: StackReading,
  { own, body }: Pick<WrittenResource, 'body'> & { readonly own: Entry },
  of: Kind,
  { name, args }: { readonly name: string; readonly args: Args },
): Place | Obstacle {
  const form = of.inFile?.written?.(args);
  const collection = of.inFile?.path.split('.').findLast((key) => key !== '*');
  if (form === undefined || collection === undefined)
    return { reason: `a ${of.token} is not written by itself: declare it by hand` };
  if ('reason' in form) return form;
  // A child of the record that the file describes is at the top of the file.
  const isAtTop = kindOf(of.within?.token ?? '')?.inFile?.path.includes('*') === false;
  const place = isAtTop ? (reading.roots.get(own.at.file) as Entry) : own;
  if ('text' in form) return { own: place, keys: [collection, name], value: spell({ type: 'text' }, form.text) };
  const { below, first = {}, omits = [] } = form;
  const declared = Object.entries(args)
    .filter(([argument]) => !omits.includes(argument))
    .map(([argument, value]) => [snakeCase(argument), spell(fieldOf(of, argument)?.shape ?? { type: 'open' }, value)]);
  const value = { ...(spell({ type: 'open' }, first) as Args), ...Object.fromEntries(declared) } as Args;
  if (below === undefined) return { own: place, keys: [collection, name], value };
  const isThere = entryOf(mapNode(entryOf(body, collection)), below) !== undefined;
  return { own: place, keys: [collection, below, ...(below === name && !isThere ? [] : [name])], value };
}
