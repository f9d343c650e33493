// Registration of a resource with the engine, for classes and the YAML stack (architecture §3).
import { RunError } from '@pulumi/pulumi/errors';
import { type Input, isSecret, output, Output, secret } from '@pulumi/pulumi/output';
import {
  type Alias,
  CustomResource,
  type CustomResourceOptions,
  type ProviderResource,
  type Resource,
  type ResourceTransformation,
  rootStackResource,
} from '@pulumi/pulumi/resource';
import {
  argumentNames,
  COMPUTED,
  dynamicType,
  fieldOf,
  formatId,
  IGNORED,
  type Ignored,
  KEPT,
  type Kind,
  openName,
  OPTIONS,
  pluginType,
  providerText,
  secretNames,
  type StateRecord,
  timeoutArgument,
} from '../provider';
import { settledNames, withHiddenNames } from '../provider/kinds/settled';
import { kindOf } from '../provider/kinds';
import { secretAttributes } from '../provider/secrets';
import { present, type Values } from '../provider/values';
import { type Links, nearestParent, parentLinks, scopeOf, withNames } from './links';
import { faceOfRun, serviceOf } from './provider';
import { madeOf, predecessors, recordOf, type Registering, settledArguments } from './settled';
import { stackComponentOf } from './state-records';
import { type ProgramResource, treeOfRun, valueOf } from './tree';
import { judgeDeclared, warnOfReadableSecrets } from './warnings';

type Registration = [
  type: string,
  name: string,
  properties: { [name: string]: Input<unknown> },
  options: CustomResourceOptions,
];

/** A kind by its token. Throws when there is none: a bug in a class. */
function knownKind(token: string): Kind {
  const of = kindOf(token);
  if (of === undefined) throw new TypeError(`there is no kind ${token}`);
  return of;
}

/** The kind of a resource in its scope, and the names and parents that its arguments give. */
function placed(token: string, name: string, given: Values): { readonly of: Kind; readonly links: Links } {
  const of = scopeOf(knownKind(token), name, given);
  return { of, links: parentLinks(of, name, given, treeOfRun()) };
}

/** What the SDK registers. Arguments are values, outputs, or resources in place of names. */
export function registration(
  token: string,
  name: string,
  args: object = {},
  options: CustomResourceOptions = {},
): Registration {
  const given = args as Values;
  const { of, links } = placed(token, name, given);
  const container = nearestParent(of, links);
  const type = faceOfRun() === 'plugin' ? pluginType(token) : dynamicType(token);
  const provider = options.provider ?? options.parent?.getProvider(type) ?? container?.provider;
  const component = stackComponentOf(options.parent);
  const own = { of, args: given, address: links.words, tree: treeOfRun(), component };
  const named = namedByTexts(own, container, container ? container.service : serviceOf(provider));
  return [
    type,
    name,
    propertiesOf(own, links),
    optionsOf(own, links, {
      ...options,
      ...(provider ? { provider } : {}),
      ...placeOf(container, options),
      ...(named.length > 0 ? { dependsOn: [options.dependsOn ?? [], named] as Input<Input<Resource>[]> } : {}),
      transformations: [...(options.transformations ?? []), asTransformed(own, name, links)],
    }),
  ];
}

/**
 * What follows from options, as all transformations left them: those of parents and of the stack
 * come after the resource's own, in a list that the SDK is reading.
 */
function asTransformed(own: Registering, name: string, links: Links): ResourceTransformation {
  const { of, args: given } = own;
  const container = nearestParent(of, links);
  const follow: ResourceTransformation = ({ resource, props, opts }) => {
    const options: CustomResourceOptions = { ...opts, ...withoutStar(of, opts) };
    if (options.import !== undefined && faceOfRun() !== 'plugin') throw noImport(of.token, name);
    refuseDeletedWith(own, name, links, options);
    refuseComingLate(own, name, links, options);
    if (isRetained(container, options)) treeOfRun().retain(resource);
    const { deleteBeforeReplace, replaceOnChanges } = options;
    const byOptions = {
      [KEPT]: keptBy({ ...options, retainOnDelete: treeOfRun().isRetained(resource) }),
      [OPTIONS]: hiddenOptions(own, resource, { deleteBeforeReplace, replaceOnChanges }),
      ...timeoutArgument(of, given, options),
      ...ignoredBy(given[IGNORED], options),
    };
    return { props: { ...props, ...byOptions }, opts: options };
  };
  return function begin(given) {
    const { __transformations: all } = given.resource as { readonly __transformations?: ResourceTransformation[] };
    // Without the list, what later transformations say is not seen.
    if (!Array.isArray(all)) return follow(given);
    all.push((transformed) => {
      // What is in the resource inherits the list.
      all.splice(0, Infinity, ...all.slice(0, -1).filter((each) => each !== begin));
      return follow(transformed);
    });
    return undefined;
  };
}

/** Options that the engine hands to nobody, and what the state says of the name. */
async function hiddenOptions(own: Registering, resource: Resource, options: Values): Promise<Values | undefined> {
  const byState = await own.tree.optionsByState();
  const { of, address } = await recordOf(own, {});
  const { services, ...known } = byState(of, formatId(of, '', address));
  // Another provider of the program may be at another service.
  const all = { ...options, ...known, ...(services && { services: inherited(resource).__prov ? [] : services }) };
  return Object.values(all).some(Boolean) ? all : undefined;
}

/** `*` means what a program gives: nothing would be committed or deployed without the rest. */
function withoutStar(of: Kind, options: CustomResourceOptions): CustomResourceOptions {
  const given = argumentNames(of).filter((name) => !settledNames(of).includes(name));
  const paths = (['ignoreChanges', 'replaceOnChanges'] as const).flatMap((option) => {
    const all = options[option]?.flatMap((path) => (path === '*' ? given : [path]));
    return all === undefined ? [] : [[option, all] as const];
  });
  return Object.fromEntries(paths);
}

/** The engine would forget what stays in the service, because no delete of the other record takes it along. */
function refuseDeletedWith(
  { of }: Registering,
  name: string,
  links: Links,
  { deletedWith }: CustomResourceOptions,
): void {
  const other = deletedWith && treeOfRun().of(deletedWith as CustomResource);
  if (other === undefined) return;
  const above = withContainers(nearestParent(of, links));
  const place = above.indexOf(other);
  if (place >= 0 && [{ of }, ...above.slice(0, place)].every((each) => each.of.cascades)) return;
  throw new RunError(
    `${of.token} "${name}": it is not deleted with ${other.of.token} "${other.logicalName}", so that it may stay in the service: leave the option deletedWith out`,
  );
}

/** What a run ignores, with the rules of a stack: the engine gives a dynamic provider no paths. */
function ignoredBy(rules: unknown, { ignoreChanges = [] }: CustomResourceOptions): Values {
  const own = faceOfRun() === 'plugin' ? [] : ignoreChanges;
  const all = { ...Object.fromEntries(own.map((path) => [path, {}])), ...(rules as Ignored | undefined) };
  return Object.keys(all).length === 0 ? {} : { [IGNORED]: all };
}

/** The engine imports without the inputs that name the provider, so its own error misleads. */
const noImport = (token: string, name: string): RunError =>
  new RunError(
    [
      `${token} "${name}": the option import does not work with the dynamic provider`,
      '  to take the record over, leave the option out and import it by a file, under the same name:',
      `    pulumi-oneops import-file ${token}:ADDRESS=${name} --output import.json`,
      '    pulumi import --file import.json --generate-code=false --protect=false',
    ].join('\n'),
  );

interface Announced {
  readonly name: string;
  readonly args?: object | undefined;
  readonly options?: CustomResourceOptions | undefined;
  /** Whether its arguments were compared with the catalogue before. */
  readonly isJudged?: boolean;
}

/** Remembers a constructed resource, as a parent and for its release: last act of a constructor. */
export function announce(
  resource: CustomResource,
  token: string,
  { name, args = {}, options = {}, isJudged = false }: Announced,
): void {
  if (options.urn !== undefined || options.id !== undefined) return;
  const { of, links } = placed(token, name, args as Values);
  const provider = inherited(resource).__prov;
  const container = nearestParent(of, links);
  const declared: ProgramResource = {
    of,
    logicalName: name,
    resource,
    provider,
    service: container ? container.service : serviceOf(provider),
    container,
    address: links.words,
    args: args as Values,
  };
  treeOfRun().add(declared);
  if (isJudged) return;
  judgeDeclared(declared, container ?? treeOfRun().parentOf(declared));
  warnOfReadableSecrets(declared);
}

/** Arguments with secrets marked; a slot for each output; and the text the engine loads us by. */
function propertiesOf(own: Registering, links: Links): Registration[2] {
  const { of, args: given } = own;
  const slots = [...argumentNames(of), ...Object.keys(COMPUTED), ...Object.keys(of.computed)];
  const properties: Registration[2] = {
    ...Object.fromEntries(slots.map((name) => [name, undefined])),
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, withNames(fieldOf(of, name), value)])),
    ...withHiddenNames(of, settledArguments(own)),
    ...links.address,
    ...(faceOfRun() === 'plugin' ? {} : { __provider: providerText(of.token) }),
  };
  for (const name of secretNames(of)) {
    if (properties[name] !== undefined && properties[name] !== null) properties[name] = secret(properties[name]);
  }
  return { ...properties, ...withSecretAttributes(of, given), ...secretsMoved(of, given) };
}

/**
 * The engine's parent of a record: the resource of the record that contains it, unless the program
 * names another. The aliases keep resources of an import, of a moved state, and of a program that
 * begins or ceases to name a parent. The parent's protection is not inherited: a program protects
 * each record by itself.
 */
function placeOf(container: ProgramResource | undefined, options: CustomResourceOptions): CustomResourceOptions {
  const { parent, protect = false, aliases = [] } = options;
  if (parent !== undefined && treeOfRun().of(parent as CustomResource) === undefined) return {};
  const chosen = parent ?? container?.resource;
  if (chosen === undefined) return {};
  const others = [rootStackResource, ...(container ? [container.resource] : [])].filter((other) => other !== chosen);
  return {
    parent: chosen,
    ...(parent === undefined ? { protect } : {}),
    aliases: [...aliases, ...others.map((other) => ({ parent: other }))],
  };
}

function optionsOf(own: Registering, links: Links, options: CustomResourceOptions): CustomResourceOptions {
  const { of } = own;
  const secrets = [...new Set([...(options.additionalSecretOutputs ?? []), ...secretNames(of)])];
  const before = predecessors(own);
  const isPlugin = faceOfRun() === 'plugin';
  const deletedWith = 'deletedWith' in options ? options.deletedWith : takenAlongBy(of, links);
  return {
    ...options,
    // Without this, a change of the face would make new resources and delete the old ones.
    aliases: [...(options.aliases ?? []), { type: isPlugin ? dynamicType(of.token) : pluginType(of.token) }],
    ...(secrets.length > 0 ? { additionalSecretOutputs: secrets } : {}),
    ...(deletedWith ? { deletedWith } : {}),
    // The SDK's type lacks what it does: promises of lists among the list.
    ...(before ? { dependsOn: [options.dependsOn ?? [], before] as unknown as Input<Input<Resource>[]> } : {}),
  };
}

/** Resources declared before that texts name: the container, where no object gives it, and records of the same kind. */
function namedByTexts(
  { of, args, address, tree }: Registering,
  container: ProgramResource | undefined,
  service: unknown,
): readonly CustomResource[] {
  const names = Object.entries(of.fields).flatMap(([name, { refersTo }]) => (refersTo === of.token ? args[name] : []));
  const referred = names.map((name) => tree.at({ of, address: { ...address, name: name as string }, service }));
  return [container ? undefined : tree.parentOf({ of, address, service }), ...referred].flatMap(
    (found) => found?.resource ?? [],
  );
}

/**
 * The record whose delete deletes this one, too: the outermost of the same stage, since a component
 * of a pack is only given back, or else the parent. None where that belongs to another stack.
 */
function takenAlongBy(of: Kind, links: Links): CustomResource | undefined {
  if (!of.cascades) return undefined;
  let ancestor = nearestParent(of, links);
  for (let next = ancestor; next !== undefined && next.of.stage === of.stage; next = next.container) ancestor = next;
  return (ancestor?.args['existing'] ?? false) === false ? ancestor?.resource : undefined;
}

/** A record of the program, and those around it by objects, the nearest first. */
const withContainers = (declared: ProgramResource | undefined): readonly ProgramResource[] =>
  declared === undefined ? [] : [declared, ...withContainers(declared.container)];

/** Nothing of a design can come after what waits for the commit of that design: the run would wait for ever. */
function refuseComingLate(
  { of, args, tree }: Registering,
  name: string,
  links: Links,
  options: CustomResourceOptions,
): void {
  const assembly = of.stage === 'design' ? withContainers(nearestParent(of, links)).at(-1) : undefined;
  if (assembly === undefined) return;
  // What the other records of the design come after was looked at when they were declared.
  for (const other of madeOf([args, options.dependsOn], tree, (each) => each.of.stage !== 'design')) {
    const around = withContainers(other);
    if (other.of.stage === 'design' || other === assembly || around.at(-1) !== assembly) continue;
    // An environment that stays at a release, and what is in it, waits for no commit.
    if (around.some(({ args: { designRelease } }) => designRelease !== undefined)) continue;
    throw new RunError(
      `${of.token} "${name}" comes after ${other.of.token} "${other.logicalName}", which waits for the commit of all of the design: take dependsOn, or the output it is made of, out`,
    );
  }
}

/** What the SDK keeps on a resource after it has looked at its options and its Pulumi parents. */
const inherited = (resource: object): { readonly __protect?: boolean; readonly __prov?: ProviderResource } => resource;

/** How the engine keeps the record, by its own options or those of its Pulumi parent. */
function keptBy({ protect, retainOnDelete, parent }: CustomResourceOptions): StateRecord['kept'] {
  if (protect ?? (parent && inherited(parent).__protect)) return 'protect';
  return retainOnDelete ? 'retain' : '';
}

/** Whether the engine forgets the record, by its own option or that of the record around it. */
const isRetained = (
  container: ProgramResource | undefined,
  { retainOnDelete, parent }: CustomResourceOptions,
): boolean => {
  const around = parent ?? container?.resource;
  return retainOnDelete ?? (around !== undefined && treeOfRun().isRetained(around));
};

/** Options of a resource that another one declares with itself: its place and former names. */
export function companionOptions(options: CustomResourceOptions = {}): CustomResourceOptions {
  const { parent, provider, aliases } = options;
  return {
    ...(parent ? { parent } : {}),
    ...(provider ? { provider } : {}),
    ...(aliases ? { aliases: aliases.map((alias) => output(alias).apply(companionAlias)) } : {}),
  };
}

function companionAlias(alias: unknown): string | Alias {
  if (typeof alias === 'string')
    return [dynamicType, pluginType].reduce((urn, type) => urn.replace(type('Assembly'), type('DesignRelease')), alias);
  const { type: _, ...rest } = alias as Alias;
  return rest;
}

class DeclaredResource extends CustomResource {
  constructor(token: string, name: string, args: object, options: CustomResourceOptions) {
    super(...registration(token, name, args, options));
    announce(this, token, { name, args, options, isJudged: true });
  }
}

/**
 * Registers a resource of a kind (`Attachment`) under a logical name. Its arguments are those of
 * its class. The caller declares the release of an Assembly.
 */
export function declareResource(
  token: string,
  name: string,
  args: object,
  options: CustomResourceOptions = {},
): CustomResource {
  return new DeclaredResource(token, name, args, options);
}

// Which entries of a resource's open map are kept as secrets, also of an output or a promise.

/** The open map, each secret entry marked on its own: the others stay readable in previews. */
function withSecretAttributes(of: Kind, given: Values): { readonly [argument: string]: Input<unknown> } {
  const argument = openName(of);
  const values = argument === undefined ? undefined : given[argument];
  if (argument === undefined || !present(values)) return {};
  const isLater = isComing(values) || isComing(given['type']);
  return { [argument]: isLater ? markedOnceKnown(of, argument, given) : marked(of, argument, given) };
}

/**
 * Arguments that another one replaces when their value is a secret: the plain value of a variable.
 * Whether an output is a secret is known late, so both are promises, and one of them stays empty.
 */
function secretsMoved(of: Kind, given: Values): { readonly [argument: string]: Input<unknown> } {
  const moved = Object.entries(of.fields).flatMap(([name, { whenSecret }]) => {
    if (whenSecret === undefined || !isComing(given[name]) || present(given[whenSecret])) return [];
    const whole = output(given[name]);
    const known = isSecret(whole);
    return [
      [name, known.then((isOne) => (isOne ? undefined : whole))] as const,
      [whenSecret, known.then((isOne) => (isOne ? whole : undefined))] as const,
    ];
  });
  return Object.fromEntries(moved);
}

const isComing = (value: unknown): boolean => Output.isInstance(value) || value instanceof Promise;

function marked(of: Kind, argument: string, inputs: Values): unknown {
  const found = secretAttributes(of, inputs)?.names;
  if (found === undefined) return inputs[argument];
  const values = inputs[argument] as Values;
  const names = found.filter((name) => values[name] !== undefined);
  return { ...values, ...Object.fromEntries(names.map((name) => [name, secret(values[name])])) };
}

/**
 * The same for a value to wait for. A promise: an output would be secret as a whole with one secret
 * entry. Each entry stays an output, so that the engine knows its origin. Unknown in a preview, it
 * is handed on as it is.
 */
async function markedOnceKnown(of: Kind, argument: string, given: Values): Promise<unknown> {
  const type = await valueOf(given['type']);
  const values = await given[argument];
  if (!Output.isInstance(values)) return marked(of, argument, { type, [argument]: values });
  const whole = output(values as Input<Values | undefined>);
  const map = await valueOf(whole);
  const names = map === undefined ? undefined : secretAttributes(of, { type, [argument]: map })?.names;
  if (map === undefined || names === undefined) return whole;
  const entries = Object.keys(map).map((name) => [name, whole.apply((known) => known?.[name])] as const);
  return Object.fromEntries(entries.map(([name, entry]) => [name, names.includes(name) ? secret(entry) : entry]));
}
