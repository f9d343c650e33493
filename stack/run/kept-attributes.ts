// The entries of drift.yaml in a run: what they ignore is left as it is, as `ignoreChanges` of the
// resource would leave it.
import { addressNames, addressOf, camelCase, fieldOf, formatId, scopeAt, type Inputs } from '../../provider';
import {
  coversPath,
  formatPropertyPath,
  holdsUnknown,
  isPlainObject,
  matchesAny,
  parsePropertyPath,
  UNKNOWN,
  type PropertyPath,
} from '../../provider/values';
import { attributeSpellings, hasExpired, ignoredAttributes, type DriftFile, type IgnoredAttribute } from './drift-file';
import type { KeptAttribute, ResourceDeclaration, StackPlan } from '../plan';
import { resolve, type Carrier } from '../values/resolve';

interface Configured {
  readonly plan: StackPlan;
  readonly config: { readonly [name: string]: unknown };
}

/** The run that entries hold for. `day`: `2027-01-31`. */
interface RunOf {
  readonly stack: string;
  readonly project: string;
  readonly day: string;
}

/**
 * The plan with `ignoreChanges` for fitting entries of the file, where names are known; and a
 * warning for each entry that has ended.
 */
export function withRules(
  { plan, config }: Configured,
  file: DriftFile,
  { stack, project, day }: RunOf,
): { readonly plan: StackPlan; readonly warnings: readonly string[] } {
  const ended = file.ignore.filter((entry) => hasExpired(entry, day));
  const ignored = ignoredAttributes(file, { stack, day });
  const over = ignoredAttributes({ ...file, ignore: ended }, { stack, day: '' });
  if (ignored.length + over.length === 0) return { plan, warnings: [] };
  const carrier = knownCarrier(plan, config, { stack, project });
  const warnings: string[] = [];
  const resources = plan.resources.map((declaration) => {
    const record = recordOf(declaration, carrier);
    if (record === undefined) return declaration;
    const kept = keptOf(record, ignored);
    const free = keptOf(record, over).filter(({ path }) => kept.every((other) => other.path !== path));
    warnings.push(...free.map((each) => endedText(record, each)));
    if (kept.length === 0) return declaration;
    const paths = [...(declaration.options.ignoreChanges ?? []), ...kept.map(({ path }) => path)];
    return { ...declaration, kept, options: { ...declaration.options, ignoreChanges: [...new Set(paths)] } };
  });
  return { plan: { ...plan, resources }, warnings };
}

const endedText = ({ kind, record }: KnownRecord, { path, rule }: KeptAttribute): string =>
  `${path} of ${kind} ${record} is no longer ignored: ${rule}. A run writes it as the file declares; a plan that was saved before the rule ended is refused, make another one`;

interface KnownRecord {
  readonly kind: string;
  /** Id below its organization. */
  readonly record: string;
  readonly of: ResourceDeclaration['kind'];
  readonly inputs: Inputs;
}

function recordOf({ kind, args }: ResourceDeclaration, carrier: Carrier<unknown>): KnownRecord | undefined {
  const inputs = resolve(args, carrier) as Inputs;
  const of = scopeAt(kind, inputs) ?? kind;
  if (addressNames(of).some((name) => typeof inputs[name] !== 'string' || holdsUnknown(inputs[name]))) return undefined;
  return { kind: of.token, record: formatId(of, '', addressOf(of, inputs)).slice(1), of, inputs };
}

function keptOf(record: KnownRecord, entries: readonly IgnoredAttribute[]): readonly KeptAttribute[] {
  const found = new Map<string, KeptAttribute>();
  for (const entry of entries) {
    if (!matchesAny([entry.kind], record.kind) || !matchesAny([entry.record], record.record)) continue;
    for (const steps of pathsOf(record, entry.attribute)) {
      const path = formatPropertyPath(steps);
      if (!found.has(path))
        found.set(path, { path, rule: ruleText(entry), ...(entry.until === undefined ? {} : { until: entry.until }) });
    }
  }
  return [...found.values()];
}

/** `drift.yaml:4, by ann@acme.io, until 2027-01-31: load test`. */
const ruleText = ({ at, owner, reason, until }: IgnoredAttribute): string =>
  `${at.file}:${at.start.line}, by ${owner}${until === undefined ? '' : `, until ${until}`}: ${reason}`;

/** The outermost declared attributes that a pattern fits; else the attribute it names. */
function pathsOf({ of, inputs }: KnownRecord, pattern: string): readonly PropertyPath[] {
  const own = Object.entries(inputs).filter(([name]) => (fieldOf(of, name)?.channel ?? 'control') !== 'control');
  const declared = own.flatMap(([name, value]) => pathsIn([name], value, fieldOf(of, name)?.shape.type === 'open'));
  const fits = (path: PropertyPath): boolean =>
    [path.join('.'), formatPropertyPath(path)].flatMap(attributeSpellings).some((text) => matchesAny([pattern], text));
  const fitting = declared.filter(fits);
  if (fitting.length > 0)
    return fitting.filter((path) => fitting.every((other) => other === path || !coversPath(other, path)));
  const [first, ...below] = pattern.includes('*') ? [] : (parsePropertyPath(pattern) ?? []);
  const path = [camelCase(String(first ?? '')), ...below];
  if ((fieldOf(of, String(path[0]))?.channel ?? 'control') === 'control') return [];
  // The engine refuses a path below what is not there.
  const holder = path.slice(0, -1).reduce<unknown>((value, key) => isPlainObject(value) && value[key], inputs);
  return isPlainObject(holder) ? [path] : [];
}

/** The paths of a value, and of values in its maps; a map spread over a record has none. */
const pathsIn = (path: PropertyPath, value: unknown, isSpread = false): readonly PropertyPath[] => [
  ...(isSpread ? [] : [path]),
  ...(isPlainObject(value) ? Object.entries(value).flatMap(([key, item]) => pathsIn([...path, key], item)) : []),
];

/** Values that are known before the run; of another resource those that it declares itself. */
function knownCarrier(
  plan: StackPlan,
  config: Configured['config'],
  pulumi: { readonly [name: string]: string },
): Carrier<unknown> {
  const declared = new Map(plan.resources.map((each) => [each.key, each]));
  const carrier: Carrier<unknown> = {
    lookup: (target) => {
      if (target.of === 'config') return config[target.name] ?? UNKNOWN;
      if (target.of === 'pulumi') return pulumi[target.name] ?? UNKNOWN;
      const value = declared.get(target.key)?.args[target.output];
      return value === undefined ? UNKNOWN : resolve(value, carrier);
    },
    combine: (value, compute) => (holdsUnknown(value) ? UNKNOWN : compute(value)),
    secret: (value) => value,
    invoke: () => UNKNOWN,
  };
  return carrier;
}
