// Declared records as rules look at them: from the plan of stack files, from a preview, and from what the engine hands to a policy pack.
// It must not know any rule.
import { declaredCode, type SourceRecord } from '../drift';
import type { EngineResource } from '../preview';
import {
  addressNames,
  addressOf,
  formatId,
  inheritedValues,
  isPlainObject,
  kindOf,
  scopeAt,
  secretIn,
  UNKNOWN,
  type Kind,
} from '../provider';
import type { Finding, Range, ResourceDeclaration, StackPlan } from '../stack';
import type { PolicyViolation } from './judge';
import type { JudgedRecord } from './rules';

type Path = readonly string[];
type Values = { readonly [name: string]: unknown };

/** What surrounds a plan. */
interface PlanSource {
  readonly directory: string;
  readonly organization: string;
  readonly project?: string;
  readonly stack?: string;
  readonly secretConfig?: ReadonlySet<string>;
}

/** The records that a plan declares; those whose names are not known before a run are left out. */
export function declaredRecords(
  plan: StackPlan,
  config: { readonly [name: string]: unknown },
  source: PlanSource,
): readonly JudgedRecord[] {
  const declared = new Map(plan.resources.map((each) => [keyOf(each.kind, each.logicalName), each]));
  return judgedRecords(declaredCode(plan, config, { files: [], config: {}, ...source }).records).map((record) => ({
    ...record,
    isProtected: declared.get(keyOf(record.kind, record.logicalName))?.options.protect === true,
  }));
}

/** The records of a file or a state. What a run fills in from another record is judged here, too. */
export function judgedRecords(records: readonly SourceRecord[]): readonly JudgedRecord[] {
  const all = records.map((record) => ({
    ...record,
    of: record.kind,
    address: addressOf(record.kind, record.inputs),
    args: record.inputs,
  }));
  return all.map((own) => {
    const { kind, id, logicalName, inputs, hidden } = own;
    const args = withoutSecrets({ ...inheritedValues(own, all), ...inputs }, hidden);
    return { kind, id, logicalName, hidden, args };
  });
}

const keyOf = ({ token }: Pick<Kind, 'token'>, logicalName: string): string => `${token} ${logicalName}`;

/** A violation as a finding at its line of the stack's files; undefined for one that no file declares. */
export function findingAt(plan: StackPlan, violation: PolicyViolation): Finding | undefined {
  const { kind, logicalName, policy, rule, message, path = [], level } = violation;
  const declaration = plan.resources.find((each) => each.kind.token === kind && each.logicalName === logicalName);
  if (declaration === undefined) return undefined;
  return {
    severity: level === 'mandatory' ? 'error' : 'warning',
    code: `policy-${policy}`,
    path,
    message,
    hint: `policy ${policy} (${level}) demands this by the rule ${rule}: pulumi-oneops policies ${rule}`,
    at: rangeOf(declaration, path),
    secret: false,
  };
}

/** The place of an argument, or of what contains it; that of the resource where no argument is written. */
function rangeOf({ places, at }: ResourceDeclaration, path: Path): Range {
  for (let length = path.length; length > 0; length -= 1) {
    const wanted = path.slice(0, length).join('.');
    const place = places.find((each) => each.path.join('.') === wanted);
    if (place) return place.key;
  }
  return at;
}

/** A resource of the engine as a record; undefined for one of another provider, and while its names are not known. */
export function recordOfResource(resource: EngineResource, organization: string): JudgedRecord | undefined {
  const kind = kindOf(resource.token);
  if (kind === undefined) return undefined;
  const hidden = hiddenIn(resource.inputs);
  const args = withoutSecrets(resource.inputs, hidden);
  const scope = scopeAt(kind, args) ?? kind;
  if (addressNames(scope).some((name) => typeof args[name] !== 'string' || args[name] === UNKNOWN)) return undefined;
  return {
    kind: scope,
    id: formatId(scope, organization, addressOf(scope, args)),
    logicalName: resource.logicalName,
    args,
    hidden,
    ...(resource.isProtected === undefined ? {} : { isProtected: resource.isProtected }),
    ...(resource.leaves === undefined ? {} : { leaves: resource.leaves }),
  };
}

/** Where the engine's marks of secrets are. Of a preview, which shows no secret, its word for one. */
function hiddenIn(value: unknown, path: Path = []): readonly Path[] {
  if (secretIn(value) !== undefined || value === '[secret]') return [path];
  if (Array.isArray(value)) return value.some((item) => hiddenIn(item).length > 0) ? [path] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => hiddenIn(item, [...path, name]));
}

/** The values with the sentinel for unknowns at each secret place: no rule sees a secret, and no message can contain one. */
function withoutSecrets(values: Values, hidden: readonly Path[]): Values {
  const at = (value: unknown, path: Path): unknown => {
    if (hidden.some((each) => each.length === path.length && each.every((step, index) => step === path[index])))
      return UNKNOWN;
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, at(item, [...path, name])]));
  };
  return at(values, []) as Values;
}
