// Calls of the `fn::` functions: checks the argument, and returns the value, or a call that the run resolves.
// It must not know what a single function computes, nor how values of fields are bound.
import { nearest, SECRET_WORD } from '../../provider';
import { entryOf, type Entry, type MapNode, type Node } from '../reader/tree';
import {
  apply,
  formWords,
  FUNCTION_NAMES,
  FunctionFault,
  functionFacts,
  hasForm,
  type Form,
  type FunctionName,
} from '../values/functions';
import { call, EXPRESSION, holdsExpression, isExpression, referencesIn, secretValue } from '../values/value';
import { isFailed, type Draft } from './draft';
import { bindInvoke } from './invoke';
import type { BindScope } from './scope';

type BindInner = (node: Node, secret: boolean) => Draft | undefined;

/** Functions of Pulumi YAML that have another name here. */
const ELSEWHERE: { readonly [name: string]: string } = {
  'fn::stringAsset': 'fn::readFile',
  'fn::fileAsset': 'fn::readFile',
  'fn::sha1': 'fn::sha256',
};

/** The function a map calls; `broken` when the call is wrong, which was reported; undefined for any other map. */
export function functionOf(scope: BindScope, map: MapNode): Entry | 'broken' | undefined {
  const entry = map.entries.find(({ key }) => key.startsWith('fn::'));
  if (!entry) return undefined;
  if (!FUNCTION_NAMES.has(entry.key.slice(4))) {
    const known = [...FUNCTION_NAMES.keys()].map((name) => `fn::${name}`);
    const near = ELSEWHERE[entry.key] ?? nearest(entry.key, known);
    scope.report.error(
      entry,
      'unknown-function',
      `unknown function "${entry.key}"`,
      near ? `did you mean "${near}"?` : `known are ${known.join(', ')}`,
    );
    return 'broken';
  }
  const other = map.entries.find((each) => each !== entry);
  if (!other) return entry;
  scope.report.error(other, 'unknown-key', `"${other.key}" cannot be used together with ${entry.key}`);
  return 'broken';
}

/** The value of a call; undefined when its argument is wrong, which was reported. `secret`: the call is part of a secret. */
export function bindFunction(scope: BindScope, entry: Entry, inner: BindInner, secret: boolean): Draft | undefined {
  const name = FUNCTION_NAMES.get(entry.key.slice(4));
  if (name === undefined || entry.value.form === 'failed') return undefined;
  if (name === 'readFile' || name === 'file') return bindFile(scope, entry, name === 'file' ? 'anywhere' : 'project');
  if (name === 'env') return bindEnv(scope, entry, secret);
  if (name === 'invoke') return bindInvoke(scope, entry, inner, secret);
  const argument = inner(entry.value, secret || name === 'secret');
  if (argument === undefined || !fits(functionFacts(name).takes, argument)) {
    if (argument === undefined || !isFailed(argument)) reportWrong(scope, entry, name);
    return undefined;
  }
  if (name === 'secret') return secretValue(argument);
  if (name === 'stackReference') return bindStackReference(scope, entry, argument);
  if (holdsExpression(argument)) return call(name, argument, entry.value);
  return computed(scope, entry, name, argument);
}

function computed(scope: BindScope, entry: Entry, name: FunctionName, argument: Draft): Draft | undefined {
  try {
    return apply(name, argument) as Draft;
  } catch (error) {
    if (!(error instanceof FunctionFault)) throw error;
    scope.report.error(entry.value, 'wrong-argument', `${entry.key}: ${error.message}`);
    return undefined;
  }
}

function reportWrong(scope: BindScope, { key, value }: Entry, name: FunctionName): void {
  const { takes, argument } = functionFacts(name);
  const forms = typeof takes === 'string' ? undefined : `a list of ${takes.map(formWords).join(', ')}`;
  scope.report.error(value, 'wrong-type', `${key} takes ${argument}`, forms && `write ${forms}`);
}

/** Whether an argument has the form a function takes, as far as it is known. */
function fits(takes: Form | readonly Form[], argument: Draft): boolean {
  if (typeof takes === 'string') return isExpression(argument) || hasForm(takes, argument);
  if (!Array.isArray(argument)) return false;
  const items = argument as readonly Draft[];
  return items.length === takes.length && takes.every((form, index) => fits(form, items[index] ?? null));
}

/** A plain text that is needed before anything else is known; undefined for anything else, which is reported. */
function plainText(scope: BindScope, { key, value: node }: Entry, what: string): string | undefined {
  if (node.form !== 'scalar' || typeof node.value !== 'string' || node.value === '')
    scope.report.error(node, 'wrong-type', `${key} takes ${what}`);
  else if (node.value.includes('${'))
    scope.report.error(
      node,
      'no-reference',
      `${what} cannot contain a reference: it is read before anything else is known`,
    );
  else return node.value;
  return undefined;
}

/** The text of a file as it is: nothing in it is a reference. */
function bindFile(scope: BindScope, entry: Entry, where: 'project' | 'anywhere'): string | undefined {
  const name = plainText(scope, entry, 'a file name');
  if (name === undefined) return undefined;
  const content = scope.readFile(name, entry.value.at.file, where);
  if ('text' in content) return content.text;
  scope.report.error(entry.value, 'unreadable-file', `cannot read ${name}: ${content.problem}`);
  return undefined;
}

/** The value of a declared environment variable. A name that looks like a secret's makes it one. */
function bindEnv(scope: BindScope, entry: Entry, secret: boolean): Draft | undefined {
  const name = plainText(scope, entry, 'the name of an environment variable');
  if (name === undefined) return undefined;
  const declared = [...(scope.declaredEnv ?? [])];
  const value = scope.env?.[name];
  if (!declared.includes(name)) {
    const near = nearest(name, declared);
    const hint = near ? `did you mean "${near}"?` : `add it to the list at the top: env: [${name}]`;
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

/** An output of another stack, which the engine reads. The name of the stack must be known before any resource. */
function bindStackReference(scope: BindScope, entry: Entry, argument: Draft): Draft | undefined {
  const [stack = null, output = null] = argument as readonly Draft[];
  const late = referencesIn(stack).find(
    (each) => each[EXPRESSION] === 'mention' && each.steps[0] !== 'config' && each.steps[0] !== 'pulumi',
  );
  if (late !== undefined) {
    const message = 'the name of a stack can refer to config and pulumi only: it is needed before any resource exists';
    scope.report.error(late.place ?? entry.value, 'no-reference', message);
    return undefined;
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
