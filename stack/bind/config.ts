// Values given for a plan's configuration: checked against their declarations, and against what the plan uses them for.
// It must not know where values are kept, nor YAML.
import { problem, type Diagnostic } from '../../api/contract';
import { check, nearest, UNKNOWN, withSettledUnknown } from '../../provider';
import { newReport, type Finding, type Report } from '../findings/finding';
import type { Placed } from '../reader/tree';
import { configValue } from '../values/config-value';
import type { ConfigDeclaration, ResourceDeclaration, StackPlan } from '../values/plan';
import { CallFault, resolve, valueAt, type Carrier } from '../values/resolve';
import { referencesIn, type Reference, type Value } from '../values/value';
import { configFault } from './config-declarations';
import { formatSteps } from '../values/interpolation';

/** Values for a plan's configuration, defaults filled in. */
interface BoundConfig {
  readonly findings: readonly Finding[];
  readonly values: { readonly [name: string]: unknown };
}

/** What a person does to give a value another value. */
export type HowToSet = (declaration: Pick<ConfigDeclaration, 'name' | 'secret'>) => string;

/** Where and how a person sets the configuration. */
interface Setting {
  /** Default: with `pulumi config set`. */
  readonly howToSet?: HowToSet | undefined;
  /** Where the value of a name is written; default: nobody knows. */
  readonly placeOf?: (name: string) => Placed | undefined;
}

const withPulumi: HowToSet = ({ name, secret }) => `set it with: pulumi config set ${secret ? '--secret ' : ''}${name}`;

/**
 * Checks the values given for a plan's configuration: `given` contains texts as Pulumi keeps them, structured ones as JSON. Findings stand
 * where the value is written, or else at the declarations, or at the references whose values do not fit where they are used; none shows a secret.
 * `later`: names of values that are known only in the run.
 */
export function bindConfig(
  plan: StackPlan,
  given: { readonly [name: string]: string | undefined },
  later: ReadonlySet<string> = new Set(),
  { howToSet = withPulumi, placeOf = () => undefined }: Setting = {},
): BoundConfig {
  const places = [...plan.config, ...plan.resources, ...plan.outputs];
  const report = newReport([...new Set(places.map(({ at }) => at.file))]);
  plan.hidden.forEach((range) => report.hide(range));
  const values: { [name: string]: unknown } = {};
  for (const declaration of plan.config.filter(({ name }) => !later.has(name))) {
    const { name, secret, at } = declaration;
    const place = { path: ['config', name], at };
    const text = Object.hasOwn(given, name) ? given[name] : undefined;
    const value = text === undefined ? declaration.default : configValue(declaration.type, text);
    const command = howToSet({ name, secret });
    const fault = value === undefined ? undefined : configFault(declaration, value);
    if (value === undefined)
      report.error(
        place,
        'config-required',
        `config "${name}" is not set`,
        hintOfUnset(command, name, Object.keys(given)),
      );
    else if (fault) {
      const written = text === undefined ? undefined : placeOf(name);
      if (written && secret) report.hide(written.at);
      const found = problem(fault.code, place.path, `config "${name}" ${fault.message}`, command);
      report.add(found, written ?? place, written ? [{ at, text: `config "${name}" is declared here` }] : []);
    } else values[name] = value;
  }
  const used = [...plan.resources.map(({ args }) => args), ...plan.outputs.map(({ value }) => value)];
  for (const reference of used.flatMap((value) => referencesIn<Reference>(value))) {
    reportMissingStep(report, reference, values);
  }
  for (const declaration of plan.resources) reportUnfit(report, plan, declaration, values);
  return { findings: report.findings(), values };
}

/** Names of the values that settings have in clear: an empty text is no secret. */
export const clearNames = (
  values: { readonly [name: string]: string },
  secrets: ReadonlySet<string>,
): ReadonlySet<string> => new Set(Object.keys(values).filter((name) => values[name] !== '' && !secrets.has(name)));

/** A warning for each declared secret whose value a person has set in clear; `clear`: names of the values that are. */
export function clearSecrets({ config }: StackPlan, clear: ReadonlySet<string>): readonly Finding[] {
  const report = newReport([]);
  for (const { name, at } of config.filter(({ secret, name: own }) => secret && clear.has(own)))
    report.warning(
      { path: ['config', name], at },
      'secret-in-file',
      `the value of the secret "${name}" is in clear text in the settings of the stack`,
      `replace the secret, because others may have read it, and set it with pulumi config set --secret ${name}`,
    );
  return report.findings();
}

/** A warning at each declaration whose name the settings of a stack nearly have. */
export function misspeltConfig({ config, hidden }: StackPlan, given: readonly string[]): readonly Finding[] {
  const report = newReport([]);
  hidden.forEach((range) => report.hide(range));
  const names = config.map(({ name }) => name);
  for (const name of given.filter((each) => !names.includes(each))) {
    const meant = config.find((each) => each.name === nearest(name, names));
    const message = `the settings of the stack give "${name}" a value, but only "${meant?.name}" is declared`;
    const hint = `set "${meant?.name}", and remove the other one: pulumi config rm ${name}`;
    if (meant) report.warning({ path: ['config', meant.name], at: meant.at }, 'unknown-config', message, hint);
  }
  return report.findings();
}

function hintOfUnset(command: string, name: string, given: readonly string[]): string {
  const near = nearest(name, given);
  return near ? `${command} ("${near}" is set)` : command;
}

interface Values {
  readonly [name: string]: unknown;
}

function reportMissingStep(report: Report, { target, steps, place }: Reference, values: Values): void {
  if (target.of !== 'config' || steps.length === 0 || !place || !Object.hasOwn(values, target.name)) return;
  if (valueAt(values[target.name], steps) !== undefined) return;
  const name = formatSteps(['config', target.name, ...steps]);
  report.error(place, 'unknown-reference', `"${name}" is not in the configuration`);
}

/** A computed value; undefined when a call has none, which is reported. */
function computed(report: Report, compute: () => unknown): unknown {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    report.error(error.place, 'wrong-argument', error.problem);
    return undefined;
  }
}

/** What the kind's own check says once configuration is known; everything without it was checked when the file was read. */
function reportUnfit(
  report: Report,
  { config }: StackPlan,
  { kind, args, at }: ResourceDeclaration,
  values: Values,
): void {
  const secrets = config.filter(({ secret }) => secret).map(({ name }) => name);
  const carrier: Carrier<unknown> = {
    lookup: (target) =>
      target.of === 'config' && Object.hasOwn(values, target.name) && !secrets.includes(target.name)
        ? values[target.name]
        : UNKNOWN,
    combine: (known, compute) =>
      known.includes(UNKNOWN) ? UNKNOWN : (computed(report, () => compute(known)) ?? UNKNOWN),
    secret: () => UNKNOWN,
    // Nothing is asked before everything is found right.
    invoke: () => UNKNOWN,
  };
  const inputs = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolve(value, carrier)]));
  for (const finding of check(kind, withSettledUnknown(kind, inputs))) {
    const reference = configReference(args, finding);
    report.add(finding, reference?.place ?? { path: finding.path, at });
  }
}

/** The reference to configuration nearest to what a finding is about. */
function configReference(args: { readonly [name: string]: Value }, { path }: Diagnostic): Reference | undefined {
  let value: Value | undefined = args;
  let found: Reference | undefined;
  for (let depth = 0; value !== undefined; depth++) {
    found = referencesIn<Reference>(value).find(({ target }) => target.of === 'config') ?? found;
    if (depth >= path.length) break;
    value = valueAt(value, path.slice(depth, depth + 1)) as Value | undefined;
  }
  return found;
}
