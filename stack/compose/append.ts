// `append`: the list that it adds to, where that is written as a reference to configuration, and what is said where there is no list.
// It must not know layers.
import { problem } from '../../api/contract';
import type { Entry, ListNode, MapNode } from '../reader/tree';
import type { Composition } from './composition';
import { knownValue, nodeOf, onlyReference } from './known';

/** The list that `base` means, and to which `more` adds; undefined when there is none, which was reported. `known` contains the configuration. */
export function listToAppendTo(
  composition: Composition,
  known: MapNode,
  { base, more }: { readonly base: Entry; readonly more: Entry },
): ListNode | undefined {
  const { value } = base;
  if (value.form === 'failed') return undefined;
  const steps = value.form === 'scalar' ? onlyReference(value.source) : undefined;
  const found = steps && knownValue(composition, known, steps);
  const list = found && 'value' in found ? nodeOf(found.value, value) : undefined;
  if (list?.form === 'list') return list;
  composition.isWrong = true;
  const unknown = found && 'code' in found ? found : { code: 'wrong-type', message: undefined, hint: undefined };
  const because =
    unknown.message === undefined
      ? `it is ${value.form === 'list' ? 'a list' : value.form === 'map' ? 'a map' : 'a single value'}`
      : unknown.message;
  const message = `"append" needs a list that is known before the run: ${because}`;
  composition.report.add(
    problem(unknown.code, more.path, message, unknown.hint ?? `write the whole list: ${more.key}: [ … ]`),
    more,
    [{ at: base.at, text: `"${base.key}" is here` }],
  );
  return undefined;
}
