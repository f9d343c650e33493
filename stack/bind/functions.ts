// The closed set of `fn::` functions: what each takes, and its value.
// It must not know kinds, nor how values of fields are bound.
import { nearest } from '../../provider';
import type { Entry, MapNode, Node } from '../reader/tree';
import { apply } from '../values/resolve';
import { call, holdsExpression, isExpression, secret as secretValue } from '../values/value';
import type { Draft } from './draft';
import { bindInvoke } from './invoke';
import type { Scope } from './scope';

type BindInner = (node: Node, secret: boolean) => Draft | undefined;

const FUNCTIONS: { readonly [name: string]: string } = {
  'fn::file': 'a file name',
  'fn::secret': 'a value',
  'fn::join': 'a list of a separator and a list',
  'fn::json': 'a value',
  'fn::base64': 'a text',
  'fn::invoke': 'a map of function, arguments and return',
};

/** Pulumi YAML's words for the same. */
const ELSEWHERE: { readonly [name: string]: string } = {
  'fn::readFile': 'fn::file',
  'fn::stringAsset': 'fn::file',
  'fn::toJSON': 'fn::json',
  'fn::toBase64': 'fn::base64',
};

/** The function a map calls; `broken` when it tries to and cannot, which has been told; undefined for any other map. */
export function functionOf(scope: Scope, map: MapNode): Entry | 'broken' | undefined {
  const entry = map.entries.find(({ key }) => key.startsWith('fn::'));
  if (!entry) return undefined;
  if (!Object.hasOwn(FUNCTIONS, entry.key)) {
    const known = Object.keys(FUNCTIONS);
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
  scope.report.error(other, 'unknown-key', `"${other.key}" cannot stand beside ${entry.key}`);
  return 'broken';
}

/** The value of a call; undefined when its argument is wrong, which has been told. `secret`: it stands in a secret. */
export function bindFunction(scope: Scope, entry: Entry, inner: BindInner, secret: boolean): Draft | undefined {
  const wrong = (): undefined => {
    scope.report.error(entry.value, 'wrong-type', `${entry.key} takes ${FUNCTIONS[entry.key]}`);
  };
  if (entry.key === 'fn::file') return bindFile(scope, entry, wrong);
  if (entry.key === 'fn::invoke') return bindInvoke(scope, entry, inner, secret);
  const argument = inner(entry.value, secret || entry.key === 'fn::secret');
  if (argument === undefined) return wrong();
  switch (entry.key) {
    case 'fn::secret':
      return secretValue(argument);
    case 'fn::join': {
      const [separator, items] = Array.isArray(argument) ? (argument as readonly Draft[]) : [];
      const fits =
        Array.isArray(argument) &&
        argument.length === 2 &&
        isTextLike(separator) &&
        (Array.isArray(items) || isUnknownYet(items));
      return fits ? applied('join', argument) : wrong();
    }
    case 'fn::base64':
      return isTextLike(argument) ? applied('base64', argument) : wrong();
    default:
      return applied('json', argument);
  }
}

function applied(name: 'join' | 'json' | 'base64', argument: Draft): Draft {
  return holdsExpression(argument) ? call(name, argument) : (apply(name, argument) as string);
}

const isUnknownYet = (value: Draft | undefined): boolean => value !== undefined && isExpression(value);
const isTextLike = (value: Draft | undefined): boolean =>
  typeof value === 'string' || typeof value === 'number' || isUnknownYet(value);

/** A file's content is text as it is: nothing in it is a reference. */
function bindFile(scope: Scope, entry: Entry, wrong: () => undefined): string | undefined {
  const { value: node } = entry;
  if (node.form === 'failed') return undefined;
  if (node.form !== 'scalar' || typeof node.value !== 'string' || node.value === '') return wrong();
  if (node.value.includes('${')) {
    scope.report.error(
      node,
      'no-reference',
      'a file name cannot hold a reference: it is read before anything else is known',
    );
    return undefined;
  }
  const content = scope.readFile(node.value, node.at.file);
  if ('text' in content) return content.text;
  scope.report.error(node, 'unreadable-file', `cannot read ${node.value}: ${content.problem}`);
  return undefined;
}
