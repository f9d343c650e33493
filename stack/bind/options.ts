// The `pulumi` block: resource options by Pulumi's own names.
import { camelCase, fieldOf, snakeCase, type Kind } from '../../provider';
import { checkShape, formatPropertyPath, nearest, parsePropertyPath, type Shape } from '../../provider/values';
import { argumentOf, keysOf } from '../layout';
import type { Alias, ResourceOptions } from '../plan';
import { holdsExpression, isReference, type Reference, type Value } from '../values/value';
import { entryOf, type Entry, type MapNode, type Node } from '../yaml/tree';
import { checkable, expectMap, findPlace, reportUnknownKey, type BindScope } from './scope';
import { bindValue } from './value';

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
  import: text,
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

const RELATIONS = ['dependsOn', 'parent', 'deletedWith', 'replaceWith'] as const;
export type RelatedOption = (typeof RELATIONS)[number];

/** Options of Pulumi YAML that a file of ours cannot have, and why. */
const REFUSED: { readonly [option: string]: string } = {
  provider: 'a stack file has one provider, which the configuration of the stack sets',
  providers: 'a stack file has one provider, which the configuration of the stack sets',
  version: 'the provider has the version of the package pulumi-oneops in package.json',
  pluginDownloadURL: 'the provider comes with the package pulumi-oneops in package.json',
  envVarMappings: 'a stack file has one provider, which the configuration of the stack sets',
};

const TAKEN = `the name "pulumi" is taken by the options of a component, and a component of that name is written below TEMPLATE/CLASS, such as user/oneops.1.User: { pulumi: { … } }`;

/** Keys at the start of property paths: arguments of the kind, and attributes of the class. */
interface KnownKeys {
  readonly of: Kind;
  readonly isAttribute: (name: string) => boolean;
}

interface BoundOptions {
  readonly options: ResourceOptions;
  readonly related: { readonly [R in RelatedOption]?: readonly Reference[] };
  readonly trigger?: Value;
}

const NO_OPTIONS: BoundOptions = { options: {}, related: {} };

/** Binds the `pulumi` block of a resource. `isAttribute`: names that go below `attributes`. */
export function bindOptions(
  scope: BindScope,
  of: Kind,
  body: MapNode | undefined,
  isAttribute: (name: string) => boolean = () => false,
): BoundOptions {
  const block = expectMap(scope, entryOf(body, 'pulumi')?.value, 'a map of Pulumi resource options');
  if (block === undefined) return NO_OPTIONS;
  const bound: { [option: string]: unknown } = {};
  const related: { [R in RelatedOption]?: readonly Reference[] } = {};
  let trigger: Value | undefined;
  for (const entry of block.entries) {
    const shape = Object.hasOwn(SHAPES, entry.key) ? SHAPES[entry.key] : undefined;
    const relation = RELATIONS.find((each) => each === entry.key);
    if (relation !== undefined) related[relation] = bindRelation(scope, relation, entry.value);
    else if (entry.key === 'replacementTrigger') trigger = bindValue(scope, entry.value, { type: 'open' });
    else if (shape !== undefined) bound[entry.key] = bindOption(scope, { of, isAttribute }, entry, shape);
    else reportNoOption(scope, entry, of.token === 'Component' && isAttribute(entry.key));
  }
  const options = Object.fromEntries(Object.entries(bound).filter(([, value]) => value !== undefined));
  return { options, related, ...(trigger === undefined ? {} : { trigger }) };
}

/** `isOfComponent`: the key is an attribute, so that the map may be meant as a component named `pulumi`. */
function reportNoOption(scope: BindScope, entry: Entry, isOfComponent: boolean): void {
  const known = [...Object.keys(SHAPES), ...RELATIONS, 'replacementTrigger'];
  const isTaken = isOfComponent && nearest(entry.key, known) === undefined;
  const why = Object.hasOwn(REFUSED, entry.key) ? REFUSED[entry.key] : isTaken ? TAKEN : undefined;
  if (why === undefined) reportUnknownKey(scope, entry, known);
  else scope.report.error(entry, 'unknown-key', `a stack file cannot set "${entry.key}": ${why}`, 'leave it out');
}

function bindOption(scope: BindScope, keys: KnownKeys, entry: Entry, shape: Shape): unknown {
  const value = bindValue(scope, entry.value, shape);
  if (value === undefined) return undefined;
  if (holdsExpression(value)) {
    scope.report.error(
      entry.value,
      'no-reference',
      `${entry.key} cannot contain a reference: options are read before anything is known`,
      'write the value itself; an overlay gives one stack another value',
    );
    return undefined;
  }
  if (entry.key === 'aliases') return bindAliases(scope, entry, value);
  const findings = checkShape(shape, checkable(value), []);
  for (const finding of findings) scope.report.add(finding, findPlace(entry, finding));
  if (findings.length > 0) return undefined;
  if (!PROPERTY_PATHS.includes(entry.key) || entry.value.form !== 'list') return value;
  return entry.value.items.map((item) =>
    item.form === 'scalar' ? bindPropertyPath(scope, keys, item, item.source) : undefined,
  );
}

const PATH_FORMS = 'write it as size, tags["a.b/c"] or clouds[0].priority';

/** `exec_cmd` → `execCmd`, `size` of a component → `attributes.size`. */
function bindPropertyPath(
  scope: BindScope,
  { of, isAttribute }: KnownKeys,
  place: Node,
  path: string,
): string | undefined {
  const [first, ...below] = parsePropertyPath(path) ?? [];
  if (first === undefined)
    return scope.report.error(place, 'unknown-property', `"${path}" is no property path`, PATH_FORMS);
  const head = String(first);
  const argument = argumentOf(of, head) ?? (fieldOf(of, camelCase(head)) ? camelCase(head) : undefined);
  if (head === '*' || head === 'name') return path;
  if (argument !== undefined) return formatPropertyPath([argument, ...below]);
  if (isAttribute(head)) return formatPropertyPath(['attributes', head, ...below]);
  const known = keysOf(of);
  const near = nearest(head, known);
  return scope.report.error(
    place,
    'unknown-property',
    `"${head}" is no property of ${snakeCase(of.token).replaceAll('_', ' ').trim()}`,
    near ? `did you mean "${near}"?` : undefined,
  );
}

function bindAliases(scope: BindScope, entry: Entry, value: Value): readonly Alias[] | undefined {
  if (!Array.isArray(value)) return scope.report.error(entry.value, 'wrong-type', 'must be a list of former names');
  return value.flatMap((alias: Value, index): readonly Alias[] => {
    if (typeof alias === 'string') return [alias.startsWith('urn:') ? alias : { name: alias }];
    const findings = checkShape(ALIAS, alias, [index]);
    for (const finding of findings) scope.report.add(finding, findPlace(entry, finding));
    return findings.length > 0 ? [] : [alias as Alias];
  });
}

/** The resources that an option names: one, or for `dependsOn` and `replaceWith` also a list. */
function bindRelation(scope: BindScope, relation: RelatedOption, node: Node): readonly Reference[] {
  const isList = node.form === 'list' && (relation === 'dependsOn' || relation === 'replaceWith');
  const places = isList ? node.items : [node];
  return places.flatMap((place) => {
    const value = bindValue(scope, place, text);
    if (isReference(value)) return [value];
    scope.report.error(place, 'wrong-type', 'must be a reference to a resource', 'write "${platforms.NAME}"');
    return [];
  });
}
