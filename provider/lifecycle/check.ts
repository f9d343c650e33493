// Check and diff of arguments, without the API. Pure; for every face and the YAML reader.
import { allRoutes, type Diagnostic, problem, RESERVED_NAMES, warning } from '../../api/contract';
import { type Field, snakeCase } from '../values/field';
import { addressNames, argumentNames, everyAddressName, type Kind, scopeAt } from '../kind';
import { asUsed } from './refer';
import { oncePer, holdsUnknown, present, presentIn, type Values } from '../values/plain';
import { checkShape, sameValue, unknownKey } from '../values/shape';

export type Inputs = Values;

/** A difference between two declarations, or between declared and live (architecture §2). */
export interface Change {
  readonly path: readonly string[];
  readonly was?: unknown;
  readonly now?: unknown;
  readonly replaces: boolean;
}

/** Everything wrong with a kind's arguments. Pure; unknown values pass. */
export function check(of: Kind, inputs: Inputs): Diagnostic[] {
  const known = argumentNames(of);
  const findings: Diagnostic[] = [];
  for (const name of Object.keys(presentIn(inputs)))
    if (!known.includes(name)) findings.push(unknownKey(name, known, []));
  const scope = scopeAt(of, inputs);
  if (scope === undefined) findings.push(twoScopes(of, inputs));
  for (const name of addressNames(scope ?? of)) findings.push(...checkAddressPart(of, name, inputs[name]));
  for (const [name, field] of Object.entries(asUsed(of, inputs).fields))
    findings.push(...checkField(field, name, inputs[name]));
  if (findings.length === 0 && of.rule)
    findings.push(...of.rule(presentIn(inputs)).filter((finding) => !concernsUnknown(finding, inputs)));
  return findings;
}

/** Names that no one scope of the kind has together. */
function twoScopes(of: Kind, inputs: Inputs): Diagnostic {
  const given = everyAddressName(of).filter((name) => name !== 'name' && inputs[name] !== undefined);
  return problem(
    'two-scopes',
    [given.at(-1) ?? 'name'],
    `${given.map((name) => `"${name}"`).join(' and ')} cannot be given together: each is a different place`,
    'give the nearest of them only',
  );
}

/** Whether a finding is about a value that is not known yet. */
export const concernsUnknown = (finding: Diagnostic, inputs: Inputs): boolean => {
  const first = finding.path[0];
  return typeof first === 'string' && holdsUnknown(inputs[first]);
};

export function checkField(field: Field, name: string, value: unknown): Diagnostic[] {
  if (!present(value)) return field.required ? [problem('required', [name], `"${name}" is required`)] : [];
  return checkShape(field.shape, value, [name], field.secret);
}

function checkAddressPart(of: Kind, name: string, value: unknown): Diagnostic[] {
  if (!present(value) || value === '') return [problem('required', [name], `"${name}" is required`)];
  if (typeof value !== 'string') return [problem('wrong-type', [name], `must be text, not ${JSON.stringify(value)}`)];
  if (holdsUnknown(value)) return [];
  if (/[/\\\s]|^\.{1,2}$/.test(value)) {
    const rule = (name === 'name' && of.nameRule?.says) || 'words without white space, "/" and "\\"';
    return [problem('bad-name', [name], `${JSON.stringify(value)} is not a name: must be ${rule}`)];
  }
  if (name !== 'name' || !of.nameRule) return [];
  if ([...RESERVED_NAMES, ...takenNames(of)].includes(value))
    return [problem('reserved-name', [name], `"${value}" is a name the service keeps for itself`)];
  return of.nameRule.pattern.test(value)
    ? []
    : [problem('bad-name', [name], `"${value}" is not a name: must be ${of.nameRule.says}`)];
}

/**
 * Differences between two sets of arguments, by meaning; `olds` may be outputs. An unknown counts
 * as different, and replaces where its key does (engine-facts A §7). A record that is or was only
 * referred to is never replaced.
 */
export function diff(of: Kind, olds: Inputs, news: Inputs): Change[] {
  const changes: Change[] = [];
  for (const name of everyAddressName(of)) {
    if (olds[name] !== news[name]) changes.push({ path: [name], was: olds[name], now: news[name], replaces: true });
  }
  for (const [name, field] of Object.entries(asUsed(of, olds, news).fields)) {
    if (field.pending || field.quiet || sameValue(field.shape, olds[name], news[name])) continue;
    changes.push({ path: [name], was: olds[name], now: news[name], replaces: field.fixed });
  }
  return changes;
}

// Names that are addresses of the service itself: a record `new` could not be read.

const reads = allRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path);

/** Words that the service reads in place of a record's name, at the end of a kind's path. */
const takenNames: (of: Pick<Kind, 'path'>) => readonly string[] = oncePer(({ path }) => {
  const start = path.slice(0, path.lastIndexOf('/') + 1);
  return reads
    .filter((read) => read.startsWith(start))
    .map((read) => read.slice(start.length))
    .filter((word) => word !== '' && !/[/{]/.test(word));
});

// Settings that have no effect because of another setting of the same record.

/** One warning about given settings of these names. `because`: what switches them off. */
export function idle(
  settings: object,
  names: readonly string[],
  because: string,
  path: readonly string[] = [],
): readonly Diagnostic[] {
  const given = Object.keys(presentIn(settings)).filter((name) => names.includes(name));
  const [first, ...others] = given;
  if (first === undefined) return [];
  const words = given.map((name) => `"${snakeCase(name)}"`).join(', ');
  const message = `${words} ${others.length > 0 ? 'have' : 'has'} no effect: ${because}`;
  return [warning('idle-setting', [...path, first], message, others.length > 0 ? 'leave them out' : 'leave it out')];
}

/** Settings without effect; nothing is said of unknown ones. */
export function idleSettings(of: Kind, inputs: Inputs): readonly Diagnostic[] {
  const used = asUsed(of, inputs);
  if (used.idle === undefined) return [];
  const known = Object.entries(inputs).filter(([, value]) => value !== undefined && !holdsUnknown(value));
  return used.idle(Object.fromEntries(known));
}
