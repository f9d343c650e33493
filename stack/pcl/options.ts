// The options of a resource as the file has them, below `pulumi`.
// It must not know what an option does.
import type { FileContents } from '../write/stack-text';
import { FileText } from '../export/file-text';
import { formatSteps } from '../values/interpolation';
import { trying } from './attempt';
import type { PclResource } from './program';
import type { PclAttribute, Expression, PclFault } from './tree';
import { cannotSay, fileValue, type PclNames } from './values';

/** Reads the value of an option. */
type Read = (names: PclNames, expression: Expression) => unknown;

const aResource: Read = (names, expression) => {
  const meaning = expression.form === 'reference' ? names.meaning(expression.root) : undefined;
  if (meaning?.is === 'resource') return new FileText(`\${${formatSteps(meaning.names)}}`);
  return cannotSay(
    expression,
    'this resource is not part of the code',
    'give the option to the resource in the file that declares both',
  );
};

const each =
  (read: Read): Read =>
  (names, expression) =>
    expression.form === 'list' ? expression.items.map((item) => read(names, item)) : [read(names, expression)];

/** `[description, attributes["size"]]`: the paths of properties, not their values. */
const aPath: Read = (names, expression) =>
  expression.form === 'reference' ? formatSteps([expression.root, ...expression.steps]) : fileValue(names, expression);

const OPTIONS: { readonly [name: string]: Read } = {
  ...Object.fromEntries(
    [
      'protect',
      'retainOnDelete',
      'deleteBeforeReplace',
      'import',
      'customTimeouts',
      'replacementTrigger',
      'aliases',
    ].map((name) => [name, fileValue] as const),
  ),
  ...Object.fromEntries(
    ['ignoreChanges', 'replaceOnChanges', 'additionalSecretOutputs', 'hideDiffs'].map((name) => [name, each(aPath)]),
  ),
  parent: aResource,
  deletedWith: aResource,
  dependsOn: each(aResource),
  replaceWith: each(aResource),
};

/** The options of a resource. `formerly`: names that its record has in the state. */
export function optionsIn(
  { options, label }: PclResource,
  names: PclNames,
  faults: PclFault[],
  formerly: readonly string[],
): FileContents {
  const said = options.flatMap((option): (readonly [string, unknown])[] => {
    const value = trying(faults, () => optionIn(names, option, label));
    return value === undefined || value === null ? [] : [[option.name, value]];
  });
  const { aliases = [], ...others } = Object.fromEntries(said);
  const all = [...formerly, ...[aliases].flat()];
  return { ...others, ...(all.length === 0 ? {} : { aliases: all }) };
}

function optionIn(names: PclNames, { name, value, start, end }: PclAttribute, label: string): unknown {
  const read = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  return read === undefined
    ? cannotSay({ start, end }, `${label}: a stack file has no option ${name}`)
    : read(names, value);
}
