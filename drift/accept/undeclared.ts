// A value of a record of which a file declares nothing, as an entry of the file: where it belongs, and in which words.
import { declaredName } from '../../provider/import';
import {
  addressNames,
  argumentFor,
  distinguishedBy,
  fieldOf,
  type Kind,
  parentAddress,
  parseId,
  scopeOfId,
  snakeCase,
} from '../../provider';
import { kindOf } from '../../provider/kinds';
import { type Entry, resourceKey, type WrittenResource } from '../../stack';
import type { DriftFinding } from '../review/review';
import type { StackReading, PlanChange } from './readings';
import { isEntry, setIn, spell } from './settings';
import type { Obstacle } from './written-value';

export interface Addition {
  readonly own: Entry;
  readonly keys: readonly string[];
  readonly value: unknown;
  readonly change: PlanChange;
}

/** The entry for a value of a record that comes with one that the file declares. */
export function settingOf(reading: StackReading, finding: DriftFinding, organization: string): Addition | Obstacle {
  const { kind: token, address: id, attribute = '', live } = finding;
  const of = kindOf(token);
  const scope = of && scopeOfId(of, id);
  const parsed = scope && parseId(scope, id);
  if (scope === undefined || parsed?.organization !== organization) return { reason: `${id} is no id of a ${token}` };
  if (live?.is !== 'value') return { reason: 'the review does not say what it contains: declare it by hand' };
  const [argument = '', ...steps] = attribute.split('.');
  const place = placeBelow(reading, scope, parsed.address);
  const field = fieldOf(scope, argument);
  if (place === undefined || field === undefined)
    return { reason: `a file has no place for "${attribute}" of a ${token}, or does not declare the record it is in` };
  const value = setIn(undefined, steps.length === 0 ? [] : [steps.join('.')], live.value);
  const args = { [argument]: value };
  const form = scope.inFile?.written?.(args);
  const isOpen = field.shape.type === 'open';
  const written =
    form !== undefined && 'text' in form
      ? spell({ type: 'text' }, form.text)
      : isOpen
        ? spell(field.shape, value)
        : { [snakeCase(argument)]: spell(field.shape, value) };
  const key = resourceKey(token, declaredName({ of: scope, id }));
  return { ...place, value: written, change: { of: 'new', key, args } };
}

/** The keys of a part of an address, with that of the sort of its record: `user`, `deployer` of a component. */
function keysOfPart(
  { plan, written }: StackReading,
  address: { readonly [name: string]: string },
  part: string,
): readonly string[] {
  const isIt = ({ address: at }: WrittenResource): boolean =>
    Object.entries(at).every(([name, word]) => address[name === 'name' ? part : name] === word);
  const keys = written.filter(isIt).map(({ key }) => key);
  const found = plan.resources.find(({ kind, key }) => argumentFor(kind) === part && keys.includes(key));
  const sort = found?.args[distinguishedBy(found.kind) ?? ''];
  const own = address[part] ?? '';
  return typeof sort === 'string' && sort !== own ? [sort, own] : [own];
}

/** Keys of a record below the nearest record around it that the file declares. */
function placeBelow(
  reading: StackReading,
  of: Kind,
  address: { readonly [name: string]: string },
): { readonly own: Entry; readonly keys: readonly string[] } | undefined {
  const { within, inFile } = of;
  if (within === undefined || inFile === undefined) return undefined;
  const around = parentOf(reading, of, address);
  const isWhole = within.inFile !== undefined && inFile.path.startsWith(`${within.inFile.path}.`);
  const path = isWhole ? inFile.path.slice((within.inFile?.path.length ?? 0) + 1) : inFile.path;
  const outer = Object.keys(parentAddress(of, address) ?? {}).length;
  const names = addressNames(of).slice(outer);
  const steps = path.split('.');
  // A path says the outermost place only: what is farther in has the words of the address before it.
  const farther = names.splice(0, names.length - steps.filter((key) => key === '*').length);
  const inner = names.values();
  const keys = [
    ...farther.flatMap((name) => [`${name}s`, ...keysOfPart(reading, address, name)]),
    ...steps.flatMap((key) => (key === '*' ? keysOfPart(reading, address, inner.next().value ?? '') : [key])),
  ];
  if (around !== undefined) return isEntry(around.own) ? { own: around.own, keys } : undefined;
  const above = placeBelow(reading, within, parentAddress(of, address) ?? {});
  return above && { own: above.own, keys: [...above.keys, ...keys] };
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
