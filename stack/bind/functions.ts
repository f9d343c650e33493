// Calls of the `fn::` functions: checks the argument, and returns the value, or a call that the run
// resolves. `fn::invoke` asks a function of the service, as Pulumi YAML spells it.
import { checkArguments, functions, type ApiFunction, type Results, type ResultShape } from '../../provider/functions';
import { camelCase, snakeCase } from '../../provider';
import { SECRET_WORD } from '../../provider/secrets';
import { didYouMean } from '../../provider/values';
import {
  apply,
  fits,
  formWords,
  FILE_FUNCTIONS,
  functionFacts,
  isFunction,
  FunctionFault,
  type FunctionName,
} from '../values/functions';
import { formatSteps, parseSteps } from '../values/interpolation';
import {
  call,
  EXPRESSION,
  holdsExpression,
  isExpression,
  isFailed,
  referencesIn,
  secretValue,
  type Invoke,
  type Steps,
  type Value,
} from '../values/value';
import { entryOf, filledEntry, isNull, type Entry, type MapNode, type Node, type ScalarNode } from '../yaml/tree';
import { checkable, expectMap, findPlace, reportUnknownKey, type BindScope } from './scope';

type Returned = Pick<Invoke, 'steps' | 'secret'>;
type BindInner = (node: Node, secret: boolean) => Value | undefined;

/** Functions of Pulumi YAML that have another name here. */
const ELSEWHERE: { readonly [name: string]: string } = {
  'fn::stringAsset': 'fn::readFile',
  'fn::fileAsset': 'fn::readFile',
  'fn::sha1': 'fn::sha256',
};

/** The function that a map calls; `broken` for a wrong call, which is reported; else undefined. */
export function functionOf(scope: BindScope, map: MapNode): Entry | 'broken' | undefined {
  const entry = map.entries.find(({ key }) => key.startsWith('fn::'));
  if (!entry) return undefined;
  if (!isFunction(entry.key.slice(4))) {
    const known = Object.keys(FILE_FUNCTIONS).map((name) => `fn::${name}`);
    const hint = didYouMean(ELSEWHERE[entry.key] ?? entry.key, known);
    scope.report.error(entry, 'unknown-function', `unknown function "${entry.key}"`, hint);
    return 'broken';
  }
  const other = map.entries.find((each) => each !== entry);
  if (!other) return entry;
  scope.report.error(other, 'unknown-key', `"${other.key}" cannot be used together with ${entry.key}`);
  return 'broken';
}

/** The value of a call, perhaps in a secret; undefined for a wrong argument, which is reported. */
export function bindFunction(scope: BindScope, entry: Entry, inner: BindInner, secret: boolean): Value | undefined {
  const name = entry.key.slice(4);
  if (!isFunction(name) || entry.value.form === 'failed') return undefined;
  if (name === 'readFile') return bindFile(scope, entry);
  if (name === 'env') return bindEnv(scope, entry, secret);
  if (name === 'invoke') return bindInvoke(scope, entry, inner, secret);
  const argument = inner(entry.value, secret || name === 'secret');
  if (argument === undefined || !fits(functionFacts(name).takes, argument, (value) => isExpression(value as Value))) {
    if (argument === undefined || !isFailed(argument)) reportWrong(scope, entry, name);
    return undefined;
  }
  if (name === 'secret') return secretValue(argument);
  if (name === 'stackReference') return bindStackReference(scope, entry, argument);
  if (holdsExpression(argument)) return call(name, argument, entry.value);
  return computed(scope, entry, name, argument);
}

function computed(scope: BindScope, entry: Entry, name: FunctionName, argument: Value): Value | undefined {
  try {
    return apply(name, argument) as Value;
  } catch (error) {
    if (!(error instanceof FunctionFault)) throw error;
    return scope.report.error(entry.value, 'wrong-argument', `${entry.key}: ${error.message}`);
  }
}

function reportWrong(scope: BindScope, { key, value }: Entry, name: FunctionName): void {
  const { takes, argument } = functionFacts(name);
  const forms = typeof takes === 'string' ? undefined : `a list of ${takes.map(formWords).join(', ')}`;
  scope.report.error(value, 'wrong-type', `${key} takes ${argument}`, forms && `write ${forms}`);
}

/** A plain text that is needed before references have values. Anything else is reported. */
function plainText(scope: BindScope, { key, value: node }: Entry, what: string, isFirst = true): string | undefined {
  if (node.form === 'failed') return undefined;
  const why = isFirst ? ': it is read before anything else is known' : '';
  if (node.form !== 'scalar' || typeof node.value !== 'string' || node.value === '')
    scope.report.error(node, 'wrong-type', isFirst ? `${key} takes ${what}` : `must be ${what}`);
  else if (node.value.includes('${'))
    scope.report.error(node, 'no-reference', `${what} cannot contain a reference${why}`);
  else return node.value;
  return undefined;
}

/** The text of a file as it is: nothing in it is a reference. */
function bindFile(scope: BindScope, entry: Entry): string | undefined {
  const name = plainText(scope, entry, 'a file name');
  if (name === undefined) return undefined;
  const content = scope.readFile(name, entry.value.at.file);
  if ('text' in content) return content.text;
  return scope.report.error(entry.value, 'unreadable-file', `cannot read ${name}: ${content.problem}`);
}

/** The value of a declared environment variable. A name that looks like a secret's makes it one. */
function bindEnv(scope: BindScope, entry: Entry, secret: boolean): Value | undefined {
  const name = plainText(scope, entry, 'the name of an environment variable');
  if (name === undefined) return undefined;
  const declared = [...(scope.declaredEnv ?? [])];
  const value = scope.env?.[name];
  if (!declared.includes(name)) {
    const hint = didYouMean(name, declared, `add it to the list at the top: env: [${name}]`);
    scope.report.error(entry.value, 'undeclared-env', `the file does not declare the variable "${name}"`, hint);
  } else if (value === undefined)
    scope.report.error(entry.value, 'unset-env', `the environment variable "${name}" is not set`, `export ${name}=…`);
  else return secret || SECRET_WORD.test(name) ? secretValue(value) : value;
  return undefined;
}

/** The names under `env` at the top of the file. */
export function declaredEnv(scope: BindScope, root: MapNode): ReadonlySet<string> {
  const node = entryOf(root, 'env')?.value;
  const items = node?.form === 'list' ? node.items : [];
  const isName = (item: Node): boolean => item.form === 'scalar' && /^[A-Za-z_]\w*$/.test(item.source);
  if (node && node.form !== 'list' && node.form !== 'failed')
    scope.report.error(node, 'wrong-type', 'must be a list of names of environment variables', 'write env: [NAME]');
  for (const item of items.filter((each) => each.form !== 'failed' && !isName(each)))
    scope.report.error(item, 'bad-name', 'must be the name of an environment variable');
  return new Set(items.flatMap((item) => (item.form === 'scalar' ? [item.source] : [])));
}

/** An output of another stack. The name of the stack must be known before any resource. */
function bindStackReference(scope: BindScope, entry: Entry, argument: Value): Value | undefined {
  const [stack = null, output = null] = argument as readonly Value[];
  const late = referencesIn(stack).find(
    ({ steps: [first] }) => first !== undefined && first !== 'config' && first !== 'pulumi',
  );
  if (late !== undefined) {
    const message = 'the name of a stack can refer to config and pulumi only: it is needed before any resource exists';
    return scope.report.error(late.place ?? entry.value, 'no-reference', message);
  }
  return {
    [EXPRESSION]: 'invoke',
    function: 'stackReference',
    argument: { stack, output },
    steps: [],
    secret: false,
    place: entry,
  };
}

const INVOKE_KEYS = ['function', 'arguments', 'return'];

/** The question an `fn::invoke` asks; undefined when it is wrong, which has been reported. */
function bindInvoke(scope: BindScope, entry: Entry, inner: BindInner, secret: boolean): Value | undefined {
  const map = expectMap(scope, entry.value, 'a map of function, arguments and return');
  if (map === undefined) {
    if (isNull(entry.value)) scope.report.error(entry, 'required', '"function" is required');
    return undefined;
  }
  map.entries
    .filter(({ key }) => !INVOKE_KEYS.includes(key))
    .forEach((other) => reportUnknownKey(scope, other, INVOKE_KEYS));
  const of = functionNamed(scope, map, entry);
  if (of === undefined) return undefined;
  const argument = bindArguments(scope, of, { map, entry }, (node) => inner(node, secret));
  const returned = bindReturn(scope, of, entryOf(map, 'return'));
  if (argument === undefined || returned === undefined) return undefined;
  return { [EXPRESSION]: 'invoke', function: of.token, argument, ...returned, place: entry };
}

/** `getCloud`, or with the package in front, as Pulumi YAML has it. */
function functionNamed(scope: BindScope, map: MapNode, entry: Entry): ApiFunction | undefined {
  const named = filledEntry(map, 'function');
  if (named === undefined) return scope.report.error(entry, 'required', '"function" is required');
  const name = plainText(scope, named, 'the name of a function', false);
  if (name === undefined) return undefined;
  const token = name.replace(/^oneops:(index[:/])?/, '');
  const found = functions.find((each) => each.token === token);
  if (found) return found;
  const known = functions.map((each) => each.token);
  return scope.report.error(named.value, 'unknown-function', `unknown function "${name}"`, didYouMean(token, known));
}

/** Arguments by their own names; keys are written as the file writes keys, or as Pulumi does. */
function bindArguments(
  scope: BindScope,
  of: ApiFunction,
  { map, entry }: { readonly map: MapNode; readonly entry: Entry },
  inner: (node: Node) => Value | undefined,
): { readonly [name: string]: Value } | undefined {
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
  const values = Object.fromEntries(bound.filter((each): each is [string, Value] => each[1] !== undefined));
  const findings = checkArguments(of, checkable(values) as { readonly [name: string]: unknown });
  for (const finding of findings) scope.report.add(finding, findPlace(given ?? entry, finding));
  return entries.includes(undefined) || findings.length > 0 ? undefined : values;
}

function reportUnknownArgument(scope: BindScope, entry: Entry, of: ApiFunction, names: readonly string[]): void {
  if (names.length > 0) reportUnknownKey(scope, entry, names.map(snakeCase));
  else scope.report.error(entry, 'unknown-key', `unknown key "${entry.key}"`, `${of.token} takes no arguments`);
}

/** `ciId`, `clouds[0].name`: what of the result is meant; all of it without a `return`. */
function bindReturn(scope: BindScope, of: ApiFunction, entry: Entry | undefined): Returned | undefined {
  if (entry === undefined || isNull(entry.value)) return { steps: [], secret: false };
  const text = plainText(scope, entry, 'the name of a value of the result', false);
  if (text === undefined) return undefined;
  const steps = parseSteps(text);
  if (steps === undefined) return scope.report.error(entry.value, 'bad-return', `"${text}" is not the name of a value`);
  return stepsInto(scope, of, entry.value as ScalarNode, steps);
}

/** Steps by the result's own names, through lists and maps, as far as its form is described. */
function stepsInto(
  scope: BindScope,
  { token, description, result }: ApiFunction,
  node: ScalarNode,
  written: Steps,
): Returned | undefined {
  const steps: (string | number)[] = [];
  let secret = false;
  let shape: ResultShape = { type: 'record', of: { name: token, description, members: result } };
  for (const step of written) {
    if (shape.type === 'list' || shape.type === 'map') {
      steps.push(step);
      shape = shape.type === 'list' ? shape.items : shape.values;
      continue;
    }
    if (shape.type !== 'record') {
      const known = formatSteps(steps);
      return scope.report.error(node, 'unknown-return', `"${known}" of ${token} is a single value`, `write "${known}"`);
    }
    const members: Results = shape.of.members;
    const name = camelCase(String(step));
    const described: Results[string] | undefined = Object.hasOwn(members, name) ? members[name] : undefined;
    if (described === undefined) {
      const known = Object.keys(members);
      const whole = (last: string): string => formatSteps([...steps, last]);
      const message = `"${whole(String(step))}" is no value that ${token} returns`;
      const hint = didYouMean(String(step), known, `known are ${known.map(whole).join(', ')}`, whole);
      return scope.report.error(node, 'unknown-return', message, hint);
    }
    steps.push(name);
    secret ||= described.secret;
    shape = described.shape;
  }
  return { steps, secret };
}
