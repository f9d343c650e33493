// `fn::invoke`: a function of the service, as Pulumi YAML spells it. Everything that can be wrong with it is reported before anything is sent.
// It must not know any single function, nor how functions are called.
import {
  camelCase,
  checkArguments,
  functions,
  nearest,
  snakeCase,
  type ApiFunction,
  type Results,
} from '../../provider';
import { entryOf, isNull, type Entry, type MapNode, type Node, type ScalarNode } from '../reader/tree';
import { EXPRESSION, type Steps } from '../values/value';
import { checkable, type Draft } from './draft';
import { formatSteps, parseSteps } from '../values/interpolation';
import { findPlace } from './place';
import { expectMap, reportUnknownKey, type BindScope } from './scope';

const KEYS = ['function', 'arguments', 'return'];

/** The question an `fn::invoke` asks; undefined when it is wrong, which has been reported. */
export function bindInvoke(
  scope: BindScope,
  entry: Entry,
  inner: (node: Node, secret: boolean) => Draft | undefined,
  secret: boolean,
): Draft | undefined {
  const map = expectMap(scope, entry.value, 'a map of function, arguments and return');
  if (map === undefined) {
    if (isNull(entry.value)) scope.report.error(entry, 'required', '"function" is required');
    return undefined;
  }
  map.entries.filter(({ key }) => !KEYS.includes(key)).forEach((other) => reportUnknownKey(scope, other, KEYS));
  const of = functionNamed(scope, map, entry);
  if (of === undefined) return undefined;
  const argument = bindArguments(scope, of, { map, entry }, (node) => inner(node, secret));
  const returned = bindReturn(scope, of, entryOf(map, 'return'));
  if (argument === undefined || returned === undefined) return undefined;
  return { [EXPRESSION]: 'invoke', function: of.token, argument, ...returned, place: entry };
}

/** `getCloud`, or with the package in front, as Pulumi YAML has it. */
function functionNamed(scope: BindScope, map: MapNode, entry: Entry): ApiFunction | undefined {
  const node = entryOf(map, 'function')?.value;
  if (node === undefined || isNull(node)) {
    scope.report.error(entry, 'required', '"function" is required');
    return undefined;
  }
  const name = plainText(scope, node, 'the name of a function');
  if (name === undefined) return undefined;
  const token = name.replace(/^oneops:(index[:/])?/, '');
  const found = functions.find((each) => each.token === token);
  if (found) return found;
  const known = functions.map((each) => each.token);
  const near = nearest(token, known);
  scope.report.error(
    node,
    'unknown-function',
    `unknown function "${name}"`,
    near ? `did you mean "${near}"?` : `known are ${known.join(', ')}`,
  );
  return undefined;
}

/** Text without references: what is requested must be known before anything is. */
function plainText(scope: BindScope, node: Node, what: string): string | undefined {
  if (node.form === 'failed') return undefined;
  if (node.form !== 'scalar' || typeof node.value !== 'string' || node.value === '') {
    scope.report.error(node, 'wrong-type', `must be ${what}`);
    return undefined;
  }
  if (!node.value.includes('${')) return node.value;
  scope.report.error(node, 'no-reference', `${what} cannot contain a reference`);
  return undefined;
}

/** Arguments by their own names; keys are written as the file writes keys, or as Pulumi does. */
function bindArguments(
  scope: BindScope,
  of: ApiFunction,
  { map, entry }: { readonly map: MapNode; readonly entry: Entry },
  inner: (node: Node) => Draft | undefined,
): { readonly [name: string]: Draft } | undefined {
  const given = entryOf(map, 'arguments');
  const written = expectMap(scope, given?.value, 'a map of arguments');
  if (given !== undefined && written === undefined && !isNull(given.value)) return undefined;
  const names = Object.keys(of.arguments);
  const entries = (written?.entries ?? []).map((each) => {
    const name = camelCase(each.key);
    if (names.includes(name)) return [name, inner(each.value)] as const;
    reportUnknownArgument(scope, each, of, names);
    return undefined;
  });
  const bound = entries.filter((each) => each !== undefined);
  const values = Object.fromEntries(bound.filter((each): each is [string, Draft] => each[1] !== undefined));
  const findings = checkArguments(of, checkable(values) as { readonly [name: string]: unknown });
  for (const finding of findings) scope.report.add(finding, findPlace(given ?? entry, finding));
  return entries.includes(undefined) || findings.length > 0 ? undefined : values;
}

function reportUnknownArgument(scope: BindScope, entry: Entry, of: ApiFunction, names: readonly string[]): void {
  if (names.length > 0) reportUnknownKey(scope, entry, names.map(snakeCase));
  else scope.report.error(entry, 'unknown-key', `unknown key "${entry.key}"`, `${of.token} takes no arguments`);
}

/** `ciId`, `clouds[0].name`: what of the result is meant; all of it without a `return`. */
function bindReturn(
  scope: BindScope,
  of: ApiFunction,
  entry: Entry | undefined,
): { readonly steps: Steps; readonly secret: boolean } | undefined {
  if (entry === undefined || isNull(entry.value)) return { steps: [], secret: false };
  const text = plainText(scope, entry.value, 'the name of a value of the result');
  if (text === undefined) return undefined;
  const steps = parseSteps(text);
  if (steps === undefined) {
    scope.report.error(entry.value, 'bad-return', `"${text}" is not the name of a value`);
    return undefined;
  }
  return stepsInto(scope, of, entry.value as ScalarNode, steps);
}

/** Steps by the result's own names, as far as its form is described. */
function stepsInto(
  scope: BindScope,
  { token, result }: ApiFunction,
  node: ScalarNode,
  written: Steps,
): { readonly steps: Steps; readonly secret: boolean } | undefined {
  const steps: (string | number)[] = [];
  let members: Results | undefined = result;
  let secret = false;
  let rest: Steps = written;
  while (rest.length > 0) {
    const [step, ...after]: Steps = rest;
    if (members !== undefined) {
      const name = camelCase(String(step));
      const described: Results[string] | undefined = Object.hasOwn(members, name) ? members[name] : undefined;
      if (described === undefined) {
        reportUnknownReturn(scope, node, token, { before: steps, step: String(step), known: Object.keys(members) });
        return undefined;
      }
      steps.push(name);
      secret ||= described.secret;
      [members, rest] = inside(described.shape, after, steps);
    } else {
      const known = formatSteps(steps);
      scope.report.error(node, 'unknown-return', `"${known}" of ${token} is a single value`, `write "${known}"`);
      return undefined;
    }
  }
  return { steps, secret };
}

/** Passes the indexes and names that lead through lists and maps; what is left leads into members, or into a single value. */
function inside(
  shape: Results[string]['shape'],
  rest: Steps,
  steps: (string | number)[],
): [Results | undefined, Steps] {
  if (rest.length === 0) return [undefined, rest];
  if (shape.type === 'record') return [shape.of.members, rest];
  if (shape.type !== 'list' && shape.type !== 'map') return [undefined, rest];
  const [step, ...after] = rest;
  steps.push(step as string | number);
  return inside(shape.type === 'list' ? shape.items : shape.values, after, steps);
}

function reportUnknownReturn(
  scope: BindScope,
  node: ScalarNode,
  token: string,
  { before, step, known }: { readonly before: Steps; readonly step: string; readonly known: readonly string[] },
): void {
  const near = nearest(step, known);
  const whole = (last: string): string => formatSteps([...before, last]);
  scope.report.error(
    node,
    'unknown-return',
    `"${whole(step)}" is no value that ${token} returns`,
    near ? `did you mean "${whole(near)}"?` : `known are ${known.map(whole).join(', ')}`,
  );
}
