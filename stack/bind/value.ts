// Binds a node as the value of a field: source text for texts, references for `${…}`, the service's
// own text forms for lists and maps.
import { camelCase, snakeCase } from '../../provider';
import { decodeShape, type Shape } from '../../provider/values';
import { functionFacts } from '../values/functions';
import { findInRaw, splitText, type Interpolation } from '../values/interpolation';
import {
  call as callOf,
  EXPRESSION,
  failed,
  isExpression,
  type Reference,
  textTemplate,
  type Value,
  written,
} from '../values/value';
import { rangeWithin } from '../yaml/source';
import { isNull, type MapNode, type Node, type Placed, type ScalarNode } from '../yaml/tree';
import { bindFunction, functionOf } from './functions';
import { reportUnknownKey, type BindScope } from './scope';
import { isMasked, reportNamedSecrets, reportSecretInside } from './secrets';

const OPEN: Shape = { type: 'open' };

/**
 * The node as a value of `shape`; undefined for nothing. A node of another shape is returned as it
 * is: the check of the kind reports it. `secret` hides its lines from every finding.
 */
export function bindValue(scope: BindScope, node: Node, shape: Shape, secret = false): Value | undefined {
  if (secret) hideSecret(scope, node);
  if (node.form === 'failed') return failed(node);
  if (isNull(node)) return undefined;
  if (node.form === 'scalar') {
    if (secret && isMasked(node)) {
      scope.report.error(
        node,
        'masked-secret',
        'this is a mask, not the secret itself',
        'write ${config.NAME} and declare NAME under config, or leave it out',
      );
      return failed(node);
    }
    if (!secret && typeof node.value === 'string') reportSecretInside(scope, node);
    return bindScalar(scope, node, shape, secret);
  }
  if (node.form === 'list') {
    const items = shape.type === 'list' ? shape.items : OPEN;
    if (!secret) reportNamedSecrets(scope, node);
    return node.items.map((item) => bindValue(scope, item, items, secret) ?? null);
  }
  const call = functionOf(scope, node);
  if (call === 'broken') return failed(node);
  if (call) {
    const value = bindFunction(scope, call, (inner, inSecret) => bindValue(scope, inner, OPEN, inSecret), secret);
    return value === undefined ? failed(node) : fitted(value, shape, node);
  }
  return bindMap(scope, node, shape, secret);
}

/** The value of a call as a written value of that shape: decoded from text, or a number as text. */
function fitted(value: Value, shape: Shape, place: Placed): Value {
  const isText = shape.type === 'text' || shape.type === 'open';
  if (typeof value === 'string') return isText ? value : ((decodeShape(shape, value) as Value | undefined) ?? value);
  if (shape.type !== 'text' || value === null) return value;
  if (typeof value !== 'object') return String(value);
  const isOpen = isExpression(value) && value[EXPRESSION] === 'call' && value.name !== 'text';
  return isOpen && functionFacts(value.name).returns === 'any' ? callOf('text', value, place) : value;
}

export function hideSecret(scope: BindScope, node: Node): void {
  if (node.form === 'scalar' && /^["']?\$\{[^{}]*\}["']?$/.test(node.raw)) return;
  scope.report.hide(node.at);
}

function bindScalar(scope: BindScope, node: ScalarNode, shape: Shape, secret: boolean): Value | undefined {
  const text = typeof node.value === 'string' ? bindText(scope, node, secret) : undefined;
  if (text !== undefined && typeof text !== 'string') return text;
  switch (shape.type) {
    case 'text':
      return text ?? node.source;
    case 'flag':
    case 'int':
    case 'list':
    case 'map':
    case 'object':
      // Design exports have the texts of the service: "", "3", "a,b", '{"k":"v"}'.
      if (text === undefined) return node.value;
      return text === '' ? undefined : (decodeShape(shape, text) as Value);
    case 'open':
      if (text !== undefined) return text;
      // A number whose text would be another one stays text: 7.0, 1.10, 0755.
      return typeof node.value === 'number' && String(node.value) !== node.source ? node.source : node.value;
  }
}

/** A text with its references: plain text, one reference alone, or both mixed. */
function bindText(scope: BindScope, node: ScalarNode, secret: boolean): string | Value {
  const parts = splitText(node.source).map((part) =>
    typeof part === 'string' ? part : bindInterpolation(scope, node, part, secret),
  );
  const [first, ...others] = parts;
  if (first === undefined) return '';
  return others.length === 0 ? first : textTemplate(parts);
}

function bindInterpolation(scope: BindScope, node: ScalarNode, found: Interpolation, secret: boolean): Reference {
  const via = node.via ? { via: node.via } : {};
  const inRaw = findInRaw(node.raw, node.source, found);
  const at = inRaw ? rangeWithin(node.at, node.raw, inRaw.start, inRaw.end) : node.at;
  const place: Placed = { path: node.path, at, ...via };
  if (found.steps) return written(found.steps, place, secret);
  const shown = secret ? 'this' : `"${node.source.slice(found.start, found.end)}"`;
  const hint = 'write "$${" where "${" is only text';
  if (found.fault === 'unclosed')
    scope.report.error(place, 'unclosed-reference', '"${" is never closed', `close it with "}", or ${hint}`);
  else
    scope.report.error(
      place,
      'bad-reference',
      `${shown} is not a reference`,
      `a reference is ${'${config.NAME}'}; ${hint}`,
    );
  return failed(place);
}

function bindMap(scope: BindScope, node: MapNode, shape: Shape, secret: boolean): Value {
  if (!secret && shape.type !== 'object') reportNamedSecrets(scope, node);
  const entries = node.entries.map((entry): [string, Value | undefined] | undefined => {
    if (shape.type !== 'object') {
      const values = shape.type === 'map' ? shape.values : OPEN;
      // `east:` with nothing after it is a member of a map of objects, with nothing declared.
      const nothing = values.type === 'object' ? {} : undefined;
      return [entry.key, bindValue(scope, entry.value, values, secret) ?? nothing];
    }
    // Members are written in snake_case only.
    const name = camelCase(entry.key);
    const member =
      Object.hasOwn(shape.members, name) && snakeCase(name) === entry.key ? shape.members[name] : undefined;
    if (member) return [name, bindValue(scope, entry.value, member.shape, secret)];
    reportUnknownKey(scope, entry, Object.keys(shape.members).map(snakeCase));
    return undefined;
  });
  return Object.fromEntries(
    entries.filter((entry) => entry !== undefined).filter((entry): entry is [string, Value] => entry[1] !== undefined),
  );
}
