// The `pulumi` block: resource options by Pulumi's own names.
// It must not know what an option does.
import { camelCase, checkShape, fieldOf, nearest, snakeCase, type Kind, type Shape } from '../../provider';
import type { Entry, MapNode, Node } from '../reader/tree';
import { entryOf } from '../reader/tree';
import type { Alias, ResourceOptions } from '../values/plan';
import { holdsExpression, type Mention } from '../values/value';
import { checkable, isMention, type Draft } from './draft';
import { findPlace } from './place';
import { expectMap, tellUnknownKey, type Scope } from './scope';
import { bindValue } from './values';
import { argumentOf, keysOf } from './vocabulary';

const texts: Shape = { type: 'list', items: { type: 'text' }, encoding: 'json', unordered: true };
const text: Shape = { type: 'text' };
const member = (shape: Shape) => ({ shape, wire: '' });
const duration: Shape = {
  type: 'text',
  pattern: /^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/,
  says: 'a duration like 30m or 1h30m',
};

const SHAPES: { readonly [option: string]: Shape } = {
  protect: { type: 'flag' },
  retainOnDelete: { type: 'flag' },
  deleteBeforeReplace: { type: 'flag' },
  ignoreChanges: texts,
  replaceOnChanges: texts,
  additionalSecretOutputs: texts,
  hideDiffs: texts,
  aliases: { type: 'list', items: { type: 'open' }, encoding: 'json', unordered: true },
  customTimeouts: {
    type: 'object',
    members: { create: member(duration), update: member(duration), delete: member(duration) },
  },
};

const ALIAS: Shape = {
  type: 'object',
  members: { name: member(text), type: member(text), stack: member(text), project: member(text) },
};

const PROPERTY_PATHS = ['ignoreChanges', 'replaceOnChanges', 'additionalSecretOutputs', 'hideDiffs'];

/** Options of a resource, and the resources `dependsOn` names. */
interface BoundOptions {
  readonly options: ResourceOptions;
  readonly dependsOn: readonly Mention[];
}

/** Binds the `pulumi` block of a resource's map. `attributes`: names that stand beside the fields but belong below `attributes`. */
export function bindOptions(
  scope: Scope,
  of: Kind,
  body: MapNode | undefined,
  isAttribute: (name: string) => boolean = () => false,
): BoundOptions {
  const block = expectMap(scope, entryOf(body, 'pulumi')?.value, 'a map of Pulumi resource options');
  const bound: { [option: string]: unknown } = {};
  const dependsOn: Mention[] = [];
  for (const entry of block?.entries ?? []) {
    const shape = SHAPES[entry.key];
    if (entry.key === 'dependsOn') dependsOn.push(...bindDependsOn(scope, entry.value));
    else if (shape === undefined || !Object.hasOwn(SHAPES, entry.key))
      tellUnknownKey(scope, entry, [...Object.keys(SHAPES), 'dependsOn']);
    else bound[entry.key] = bindOption(scope, of, entry, shape, isAttribute);
  }
  return { options: Object.fromEntries(Object.entries(bound).filter(([, value]) => value !== undefined)), dependsOn };
}

function bindOption(
  scope: Scope,
  of: Kind,
  entry: Entry,
  shape: Shape,
  isAttribute: (name: string) => boolean,
): unknown {
  const value = bindValue(scope, entry.value, shape);
  if (value === undefined) return undefined;
  if (holdsExpression(value)) {
    scope.report.error(
      entry.value,
      'no-reference',
      `${entry.key} cannot hold a reference: options are settled before anything is known`,
    );
    return undefined;
  }
  if (entry.key === 'aliases') return bindAliases(scope, entry, value);
  const findings = checkShape(shape, checkable(value), []);
  for (const finding of findings) scope.report.tell(finding, findPlace(entry, finding));
  if (findings.length > 0) return undefined;
  if (!PROPERTY_PATHS.includes(entry.key) || entry.value.form !== 'list') return value;
  return entry.value.items.map((item) =>
    item.form === 'scalar' ? bindPropertyPath(scope, of, item, item.source, isAttribute) : undefined,
  );
}

/** `exec_cmd` → `execCmd`, `size` of a component → `attributes.size`. */
function bindPropertyPath(
  scope: Scope,
  of: Kind,
  place: Node,
  path: string,
  isAttribute: (name: string) => boolean,
): string | undefined {
  const [head = ''] = path.split(/[.[]/, 1);
  const rest = path.slice(head.length);
  const argument = argumentOf(of, head) ?? (fieldOf(of, camelCase(head)) ? camelCase(head) : undefined);
  if (head === '*' || head === 'name') return path;
  if (argument !== undefined) return argument + rest;
  if (isAttribute(head)) return `attributes.${path}`;
  const known = keysOf(of);
  const near = nearest(head, known);
  scope.report.error(
    place,
    'unknown-property',
    `"${head}" is no property of ${snakeCase(of.token).replaceAll('_', ' ').trim()}`,
    near ? `did you mean "${near}"?` : undefined,
  );
  return undefined;
}

function bindAliases(scope: Scope, entry: Entry, value: Draft): readonly Alias[] | undefined {
  if (!Array.isArray(value)) {
    scope.report.error(entry.value, 'wrong-type', 'must be a list of former names');
    return undefined;
  }
  return value.flatMap((alias: Draft, index): readonly Alias[] => {
    if (typeof alias === 'string') return [alias.startsWith('urn:') ? alias : { name: alias }];
    const findings = checkShape(ALIAS, alias, [index]);
    for (const finding of findings) scope.report.tell(finding, findPlace(entry, finding));
    return findings.length > 0 ? [] : [alias as Alias];
  });
}

function bindDependsOn(scope: Scope, node: Node): readonly Mention[] {
  const places = node.form === 'list' ? node.items : [node];
  return places.flatMap((place) => {
    const value = bindValue(scope, place, text);
    if (isMention(value)) return [value];
    scope.report.error(place, 'wrong-type', 'must be a reference to a resource', 'write "${platforms.NAME}"');
    return [];
  });
}
