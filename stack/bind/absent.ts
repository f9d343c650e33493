// Names of things that the files declare and that do not exist in this stack: a condition switches them off, or an overlay removes them.
// It must not know who names them.
import { problem, warning } from '../../api/contract';
import type { SwitchedOff } from '../compose/composition';
import { wayOf, type Finding } from '../findings/finding';
import type { Placed } from '../reader/tree';
import type { BindScope } from './scope';

/** Why something does not exist, in the words of a finding. */
interface Absence {
  /** Completes the sentence `platform "db" …`. */
  readonly why: string;
  readonly hint: string;
  readonly related: NonNullable<Finding['related']>;
}

/** Why a thing does not exist. */
export function absenceOf({ how, place }: SwitchedOff): Absence {
  const { file, start } = place.at;
  const where = `${file}:${start.line}:${start.column}`;
  return how === 'condition'
    ? { why: 'is switched off', hint: `the condition that switches it off is at ${where}`, related: [] }
    : { why: 'is removed', hint: `what removes it is at ${where}`, related: wayOf(place) };
}

/** The path of a thing as references write it, without the template of a component that has a name. */
export const namesOfAbsent = ({ path }: SwitchedOff): readonly string[] =>
  path.filter((_, index) => !(path[index - 1] === 'components' && path.length - index === 2));

/** Reports a name whose thing does not exist in this stack. Returns false where the files declare no such thing: the caller reports it. */
export function reportAbsent(
  { off = [], report }: BindScope,
  {
    what,
    names,
    isCertain = true,
  }: { readonly what: string; readonly names: readonly string[]; readonly isCertain?: boolean },
  place: Placed,
): boolean {
  const found = off.find(
    (each) => each.path.at(-1) === names.at(-1) && namesOfAbsent(each).join('\n') === names.join('\n'),
  );
  if (found === undefined) return false;
  const { why, hint, related } = absenceOf(found);
  const make = isCertain ? problem : warning;
  report.add(make('switched-off', place.path, `${what} "${names.at(-1) ?? ''}" ${why}`, hint), place, related);
  return true;
}
