// Names of a stack: what each `${…}` and each `$OO_…{…}` means, and a finding for every name that
// means nothing, is switched off, or that something else has.
import { addressNames, camelCase, COMPUTED, snakeCase } from '../../provider';
import { didYouMean, nearest } from '../../provider/values';
import type { SwitchedOff } from '../compose/composition';
import { firstAt, wayOf, type Finding, type Report } from '../findings/finding';
import { formatSteps } from '../values/interpolation';
import {
  isFailed,
  PULUMI_NAMES,
  referencesIn,
  resourceKey,
  type Reference,
  type ResourceKey,
  type Steps,
  type Target,
  type Value,
} from '../values/value';
import { rangeText } from '../yaml/source';
import {
  entriesIn,
  nodesIn,
  partOf,
  valueBelow,
  type Entry,
  type MapNode,
  type Node,
  type Placed,
  type ScalarNode,
} from '../yaml/tree';
import type { Building, DraftResource, Edge } from './resource';
import type { BindScope } from './scope';

/** A name that references can have, and the names below it. */
export interface Names {
  readonly below: Map<string, Names>;
  resource?: DraftResource;
  target?: Target;
  off?: SwitchedOff;
}

const newName = (): Names => ({ below: new Map() });

export function namesOf(
  config: readonly string[],
  resources: readonly DraftResource[],
  off: readonly SwitchedOff[] = [],
): Names {
  const root = newName();
  for (const part of ['config', 'pulumi', 'clouds', 'variables', 'platforms', 'environments']) nameAt(root, [part]);
  for (const name of config) nameAt(root, ['config', name]).target = { of: 'config', name };
  for (const name of PULUMI_NAMES) nameAt(root, ['pulumi', name]).target = { of: 'pulumi', name };
  for (const each of off) nameAt(root, namesOfAbsent(each)).off = each;
  for (const resource of resources) nameAt(root, resource.names).resource = resource;
  return root;
}

function nameAt(root: Names, path: readonly string[]): Names {
  return path.reduce((name, step) => {
    const known = name.below.get(step) ?? newName();
    name.below.set(step, known);
    return known;
  }, root);
}

/**
 * Finds the name of each reference in a value, and puts its target into the reference: a value is
 * bound before all names are known, and is in nobody else's hands yet. Returns the resources that
 * are named. A name that means nothing is reported.
 */
export function findNames(report: Report, names: Names, value: Value): readonly Edge[] {
  return referencesIn(value).flatMap((reference): readonly Edge[] => {
    if (reference.target.of === 'name') findName(report, names, reference);
    const { target, place } = reference;
    return target.of === 'resource' ? [{ to: target.key, output: target.output, ...(place ? { place } : {}) }] : [];
  });
}

function findName(report: Report, names: Names, reference: Building<Reference>): void {
  if (isFailed(reference)) return;
  const found = find(names, reference.steps);
  if (found !== 'not read' && 'target' in found) {
    reference.target = found.target;
    reference.steps = found.steps;
    return;
  }
  if (found !== 'not read') reportFault(report, reference, 'resource' in found ? wholeResource(found.resource) : found);
  reference.target = { of: 'name', state: 'wrong' };
}

/** The resource that a reference in an option names. A reference to anything else is reported. */
export function findResource(report: Report, names: Names, wanted: Reference): ResourceKey | undefined {
  if (isFailed(wanted)) return undefined;
  const found = find(names, wanted.steps);
  if (found === 'not read') return undefined;
  if ('resource' in found) return found.resource.key;
  const notOne = { code: 'no-resource', why: 'is no resource', hint: 'write "${platforms.NAME}"' };
  reportFault(report, wanted, 'target' in found ? notOne : found);
  return undefined;
}

interface Fault {
  readonly code: string;
  /** Completes the sentence `"config.x" …`. */
  readonly why: string;
  readonly hint?: string;
  readonly related?: Finding['related'];
}

type Found =
  | { readonly target: Target; readonly steps: Steps }
  | { readonly resource: DraftResource }
  /** It can be missing because of a mistake that was reported. */
  | 'not read'
  | Fault;

function reportFault(report: Report, { steps, place, target }: Reference, { code, why, hint, related }: Fault): void {
  if (place === undefined) return;
  const secret = target.of === 'name' && target.state === 'written in a secret';
  const subject = secret ? 'a reference here' : `"${formatSteps(steps)}"`;
  const meant = code === 'unknown-reference' && steps.length === 1 ? parameterHint(place, hint) : hint;
  report.error(place, code, `${subject} ${why}`, secret ? undefined : meant, related);
}

/** In a template, a single word is most often a parameter without its `param.`. */
function parameterHint({ via = [] }: Placed, hint: string | undefined): string | undefined {
  const template = via.find(({ how }) => how === 'template');
  if (template === undefined || hint?.startsWith('did you mean')) return hint;
  return `a parameter of template "${template.name}" is written "\${param.NAME}"`;
}

const wholeResource = (resource: DraftResource): Fault => ({
  code: 'incomplete-reference',
  why: 'is a whole resource, not a value',
  hint: `name one of its outputs: ${formatSteps([...resource.names, 'ci_id'])}`,
});

/** `environments.NAME.platforms.NAME.addresses`: addresses of a platform after a deployment. */
function findAddresses(root: Names, [part, environment, word, platform, output, ...steps]: Steps): Found | undefined {
  const below = (name: Names | undefined, step: Steps[number] | undefined): Names | undefined =>
    name?.below.get(String(step));
  const place = below(below(root, 'environments'), environment);
  const deployment = below(place, 'deployment')?.resource;
  const platforms = below(root, 'platforms');
  if (part !== 'environments' || word !== 'platforms' || place === undefined) return undefined;
  if (output !== 'addresses') {
    const isMeant = below(platforms, platform)?.resource && nearest(String(output), ['addresses']) !== undefined;
    const hint = `did you mean "${formatSteps([part, environment ?? '', word, platform ?? '', 'addresses', ...steps])}"?`;
    return isMeant ? { code: 'unknown-reference', why: 'is no output of that platform', hint } : undefined;
  }
  if (below(platforms, platform)?.resource === undefined)
    return {
      code: 'unknown-reference',
      why: `is of platform "${platform}", which this file does not declare`,
      hint: didYouMean(String(platform), [...(platforms?.below.keys() ?? [])]),
    };
  return (
    deployment && {
      target: { of: 'resource', key: deployment.key, output },
      steps: [String(platform), ...steps],
    }
  );
}

function find(root: Names, steps: Steps): Found {
  const addresses = findAddresses(root, steps);
  if (addresses !== undefined) return addresses;
  let name = root;
  let isPartial = false;
  for (const [index, step] of steps.entries()) {
    const below = name.below.get(String(step));
    if (!below && isPartial) return 'not read';
    if (!below) return name.resource ? findOutput(name, name.resource, steps, index) : unknownName(name, steps, index);
    name = below;
    isPartial ||= name.resource?.body?.isPartial === true;
    if (name.off && !name.resource) return { code: 'switched-off', ...absenceOf(name.off) };
    if (name.target) return { target: name.target, steps: steps.slice(index + 1) };
  }
  if (name.resource) return { resource: name.resource };
  const known = [...name.below.keys()];
  const hint =
    known.length > 0 ? `known are ${known.map((next) => formatSteps([...steps, next])).join(', ')}` : undefined;
  return { code: 'incomplete-reference', why: 'is not a value', ...(hint ? { hint } : {}) };
}

function unknownName(name: Names, steps: Steps, index: number): Fault {
  const before = steps.slice(0, index);
  const known = [...name.below].filter(([, { off }]) => off === undefined).map(([key]) => key);
  const wanted = String(steps[index]);
  const word = nearest(wanted, known);
  // A name may only lack the part of the file that declares it: `size` is `config.size`.
  const part = index === 0 ? [...name.below].find(([, { below }]) => below.has(wanted))?.[0] : undefined;
  const near = part === undefined ? word && [word] : [part, wanted];
  const hint = near ? `did you mean "${formatSteps([...before, ...near])}"?` : hintWithout(before, known);
  return { code: 'unknown-reference', why: 'is nothing this file declares', hint };
}

function hintWithout(before: Steps, known: readonly string[]): string {
  if (before[0] === 'config') return 'declare it under config';
  const listed = known.length > 0 ? `known are ${known.join(', ')}` : 'the file declares none';
  return before.length === 0 ? `${listed}; write "$\${" where "\${" is only text` : listed;
}

/** Outputs have the arguments' names, written as the file does or as Pulumi does. */
function findOutput(name: Names, resource: DraftResource, steps: Steps, index: number): Found {
  const { kind, args, names, key } = resource;
  const wanted = camelCase(String(steps[index]));
  const computed = ['id', ...Object.keys(COMPUTED), ...Object.keys(kind.computed), ...Object.keys(kind.fills ?? {})];
  const declared = [...addressNames(kind), ...Object.keys(args)];
  if (computed.includes(wanted) || declared.includes(wanted)) {
    return { target: { of: 'resource', key, output: wanted }, steps: steps.slice(index + 1) };
  }
  if (Object.hasOwn(kind.fields, wanted)) {
    return {
      code: 'undeclared-output',
      why: `has no value: "${formatSteps(names)}" does not declare it`,
      hint: 'only what the file declares can be referred to',
    };
  }
  const attributes = args.attributes;
  const isAttribute =
    typeof attributes === 'object' && attributes !== null && Object.hasOwn(attributes, steps[index] ?? '');
  const known = [...[...computed, ...declared].map(snakeCase), ...name.below.keys()];
  const near = isAttribute ? `attributes.${steps[index]}` : nearest(String(steps[index]), known);
  const hint = near ? `did you mean "${formatSteps(names)}.${near}"?` : `known are ${known.join(', ')}`;
  return { code: 'unknown-reference', why: 'is no output of that resource', hint };
}

/** Why something does not exist; `why` completes the sentence `platform "db" …`. */
function absenceOf({ how, place }: SwitchedOff) {
  const where = rangeText(place.at);
  return how === 'condition'
    ? { why: 'is switched off', hint: `the condition that switches it off is at ${where}`, related: [] }
    : { why: 'is removed', hint: `what removes it is at ${where}`, related: wayOf(place) };
}

/** The path of a thing as in references: a named component is without its template. */
const namesOfAbsent = ({ path }: SwitchedOff): readonly string[] =>
  path.filter((_, index) => !(path[index - 1] === 'components' && path.length - index === 2));

/** A name that may be that of something that is switched off. */
interface Named {
  /** `platform`. */
  readonly what: string;
  readonly names: readonly string[];
  /** Whether the name is wrong then; it can be that of something of others. */
  readonly isCertain?: boolean;
}

/** Reports a name that a condition or an overlay took away; false for any other name. */
export function reportAbsent({ off = [], report }: BindScope, named: Named, place: Placed): boolean {
  const { what, names, isCertain = true } = named;
  const found = off.find(
    (each) => each.path.at(-1) === names.at(-1) && namesOfAbsent(each).join('\n') === names.join('\n'),
  );
  if (found === undefined) return false;
  const { why, hint, related } = absenceOf(found);
  const message = `${what} "${names.at(-1) ?? ''}" ${why}`;
  report[isCertain ? 'error' : 'warning'](place, 'switched-off', message, hint, related);
  return true;
}

/** Lists of a record that name records beside it, and the words for a name that is wrong there. */
const SIBLINGS = {
  links: {
    what: 'platform',
    verb: 'link to',
    code: 'unknown-link',
    where: '',
    declare: () => 'declare it under platforms',
  },
  depends: {
    what: 'component',
    verb: 'depend on',
    code: 'unknown-component',
    where: ' in this platform',
    declare: (name: string) => `declare it in this platform, as "${name}: {}" when the pack makes it`,
  },
} as const;

/**
 * What a record comes after because it names records beside it. The service drops links to unknown
 * platforms silently. `around`: what contains all of them.
 */
export function siblingEdges(
  scope: BindScope,
  { args, entries, kind, address: { name: own = '' }, logicalName, names }: DraftResource,
  list: keyof typeof SIBLINGS,
  siblings: readonly string[],
  around?: DraftResource,
): readonly Edge[] {
  const { what, verb, code, where, declare } = SIBLINGS[list];
  const named = args[list];
  const entry = entries[list];
  if (!Array.isArray(named) || entry?.value.form !== 'list') return [];
  const places = entry.value.items;
  return named.flatMap((name: Value, index): readonly Edge[] => {
    const place = places[index] ?? entry;
    if (typeof name !== 'string') return [];
    if (name === own) scope.report.error(place, 'link-to-itself', `"${name}" cannot ${verb} itself`, 'leave it out');
    else if (siblings.includes(name))
      return [{ to: resourceKey(kind.token, logicalName.slice(0, -own.length) + name), place }];
    else if (around?.body?.isPartial !== true && !reportAbsent(scope, { what, names: names.with(-1, name) }, place)) {
      const hint = didYouMean(name, siblings, declare(name));
      scope.report.error(place, code, `there is no ${what} "${name}"${where}`, hint);
    }
    return [];
  });
}

/** Reports names that differ from an earlier one in case only. */
export function reportNamesakes(scope: BindScope, entries: readonly Entry[], what: string, where: string): void {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    const before = first.get(entry.key.toLowerCase());
    if (before === undefined) first.set(entry.key.toLowerCase(), entry);
    else
      scope.report.error(
        entry,
        'duplicate-name',
        `${what} "${before.key}" is in ${where} already`,
        `${firstAt(before.at, entry.at)}; the service does not distinguish upper and lower case in names`,
      );
  }
}

const SERVICE_REFERENCE = /\$OO_(GLOBAL|LOCAL)\{([\w-]+)\}/g;

/**
 * Warns of `$OO_…{…}` for variables that the file does not declare: others may have made them.
 * `globals`: those of the assembly; undefined where others can declare more.
 */
export function reportServiceReferences(scope: BindScope, root: MapNode, globals: readonly string[] | undefined): void {
  const platforms = entriesIn(valueBelow(root, 'platforms'));
  const named = new Map(
    platforms.map(({ key, value }) => [key, entriesIn(valueBelow(value, 'variables')).map((own) => own.key)]),
  );
  const look = (node: Node | undefined, locals: readonly string[]): void => {
    for (const inner of node ? nodesIn(node) : [])
      if (inner.form === 'scalar' && inner.source.includes('$OO_'))
        for (const match of inner.source.matchAll(SERVICE_REFERENCE))
          reportUnknownVariable(scope, inner, match, match[1] === 'GLOBAL' ? globals : locals);
  };
  look(valueBelow(root, 'variables'), []);
  for (const { key, value } of platforms) look(value, named.get(key) ?? []);
  for (const { value } of entriesIn(valueBelow(root, 'environments'))) {
    look(valueBelow(value, 'variables'), []);
    for (const each of entriesIn(valueBelow(value, 'platforms'))) look(each.value, named.get(each.key) ?? []);
  }
}

function reportUnknownVariable(
  scope: BindScope,
  node: ScalarNode,
  { 0: written, 1: kind, 2: name = '', index }: RegExpExecArray,
  known: readonly string[] | undefined,
): void {
  if (known === undefined || known.includes(name)) return;
  const place = { ...node, at: partOf(node, index, index + written.length) };
  const what = 'variable';
  if (kind === 'GLOBAL' && reportAbsent(scope, { what, names: ['variables', name], isCertain: false }, place)) return;
  // A pack brings variables of its platform, which the file need not name.
  if (kind === 'LOCAL' && nearest(name, known) === undefined) return;
  const owner = kind === 'GLOBAL' ? 'the assembly' : 'the platform';
  scope.report.warning(
    place,
    'unknown-service-variable',
    `the file declares no variable "${name}" of ${owner}`,
    didYouMean(name, known, `declare it under variables: ${name}: …`, (near) => `$OO_${kind}{${near}}`),
  );
}
