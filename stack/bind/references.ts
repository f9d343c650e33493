// What each `${…}` means: names of the file to targets, and a finding for every name that means nothing.
// It must not know where in a value a reference is, nor the order of resources.
import { problem } from '../../api/contract';
import { addressNames, camelCase, COMPUTED, nearest, snakeCase, UNKNOWN } from '../../provider';
import type { SwitchedOff } from '../compose/composition';
import type { Finding, Report } from '../findings/finding';
import type { Placed } from '../reader/tree';
import {
  EXPRESSION,
  mapReferences,
  PULUMI_NAMES,
  type Mention,
  type Reference,
  type ResourceKey,
  type Steps,
  type Target,
  type Value,
} from '../values/value';
import { absenceOf, namesOfAbsent } from './absent';
import type { Draft } from './draft';
import { formatSteps } from '../values/interpolation';
import type { DraftResource } from './resource';

/** A name and what is below it. */
interface Name {
  readonly below: Map<string, Name>;
  resource?: DraftResource;
  target?: Target;
  /** Why it does not exist. */
  off?: SwitchedOff;
}

/** All names references can have. */
export type Names = Name;

const newName = (): Name => ({ below: new Map() });

/** The names of a stack: configuration, Pulumi's own, and every resource with its outputs. */
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

function nameAt(root: Name, path: readonly string[]): Name {
  return path.reduce((name, step) => {
    const known = name.below.get(step) ?? newName();
    name.below.set(step, known);
    return known;
  }, root);
}

/** The value with every mention resolved; one that means nothing is reported and becomes unknown. */
export function resolveMentions(report: Report, names: Names, value: Draft): Value {
  return mapReferences<Mention | Reference, Reference>(value, (each) => {
    if (each[EXPRESSION] === 'reference') return each;
    if (each.steps.length === 0) return UNKNOWN;
    const found = find(names, each.steps);
    if (found === 'not read') return UNKNOWN;
    if ('target' in found)
      return { [EXPRESSION]: 'reference', target: found.target, steps: found.steps, place: each.place };
    reportFault(report, each, 'resource' in found ? wholeResource(found.resource) : found);
    return UNKNOWN;
  });
}

/** The resource a mention in `dependsOn` names; undefined when it names none, which has been reported. */
export function resolveDependency(report: Report, names: Names, wanted: Mention): ResourceKey | undefined {
  if (wanted.steps.length === 0) return undefined;
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

function reportFault(report: Report, { steps, place, secret }: Mention, { code, why, hint, related }: Fault): void {
  const subject = secret ? 'a reference here' : `"${formatSteps(steps)}"`;
  const meant = code === 'unknown-reference' && steps.length === 1 ? parameterHint(place, hint) : hint;
  report.add(problem(code, place.path, `${subject} ${why}`, secret ? undefined : meant), place, related);
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

function find(root: Name, steps: Steps): Found {
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

function unknownName(name: Name, steps: Steps, index: number): Fault {
  const before = steps.slice(0, index);
  const known = [...name.below].filter(([, { off }]) => off === undefined).map(([key]) => key);
  const wanted = String(steps[index]);
  const near = (index === 0 ? inAPart(name, wanted) : undefined) ?? nearestSteps(wanted, known);
  const hint = near ? `did you mean "${formatSteps([...before, ...near])}"?` : hintWithout(before, known);
  return { code: 'unknown-reference', why: 'is nothing this file declares', hint };
}

/** A name that only lacks the part of the file that declares it: `size` is `config.size`. */
function inAPart(root: Name, wanted: string): Steps | undefined {
  const part = [...root.below].find(([, { below }]) => below.has(wanted));
  return part && [part[0], wanted];
}

function nearestSteps(wanted: string, known: readonly string[]): Steps | undefined {
  const near = nearest(wanted, known);
  return near === undefined ? undefined : [near];
}

function hintWithout(before: Steps, known: readonly string[]): string {
  if (before[0] === 'config') return 'declare it under config';
  const listed = known.length > 0 ? `known are ${known.join(', ')}` : 'the file declares none';
  return before.length === 0 ? `${listed}; write "$\${" where "\${" is only text` : listed;
}

/** Outputs have the arguments' names, written as the file does or as Pulumi does. */
function findOutput(name: Name, resource: DraftResource, steps: Steps, index: number): Found {
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
