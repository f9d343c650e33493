// Configuration: its declarations, the values that are given for it, and the places that use it as
// another type than the declared one.
import { type Diagnostic } from '../../api/contract';
import { check, type Inputs } from '../../provider';
import { withSettledUnknown } from '../../provider/kinds/settled';
import { checkShape, holdsUnknown, nearest, UNKNOWN, type Shape } from '../../provider/values';
import { newReport, type Report } from '../findings/finding';
import {
  aType,
  CONFIG_TYPES,
  configValue,
  valueFault,
  type ConfigDeclaration,
  type ConfigType,
  type ResourceDeclaration,
  type StackPlan,
  type ValueFault,
} from '../plan';
import { formatSteps } from '../values/interpolation';
import { CallFault, resolve, valueAt, type Carrier } from '../values/resolve';
import {
  EXPRESSION,
  holdsExpression,
  isExpression,
  isFailed,
  type Reference,
  referencesIn,
  type Value,
} from '../values/value';
import { entryOf, type Entry, type MapNode, type Placed } from '../yaml/tree';
import { entriesBelow, expectMap, findPlace, reportUnknownKey, type BindScope } from './scope';
import { bindValue } from './value';

/** The instruction for a person to change a value. */
export type HowToSet = (declaration: Pick<ConfigDeclaration, 'name' | 'secret'>) => string;

interface Setting {
  /** Default: with `pulumi config set`. */
  readonly howToSet?: HowToSet | undefined;
  /** Where the value of a name is written; default: nobody knows. */
  readonly placeOf?: (name: string) => Placed | undefined;
  /** Names of values that the settings hold in clear; default: none known. */
  readonly clear?: ReadonlySet<string> | undefined;
  /** Names that only this plan uses: those that it does not declare are reported. Default: none. */
  readonly set?: readonly string[];
}

const withPulumi: HowToSet = ({ name, secret }) => `set it with: pulumi config set ${secret ? '--secret ' : ''}${name}`;

/**
 * Checks the values given for a plan's configuration: `given` contains texts as Pulumi keeps them,
 * structured ones as JSON. Findings stand where the value is written, or else at the declarations,
 * or at the references whose values do not fit where they are used; none shows a secret. Values
 * have defaults filled in.
 * `later`: names of values that are known only in the run.
 */
export function bindConfig(
  plan: StackPlan,
  given: { readonly [name: string]: string | undefined },
  later: Pick<ReadonlySet<string>, 'has'> = new Set(),
  { howToSet = withPulumi, placeOf = () => undefined, clear = new Set(), set = [] }: Setting = {},
) {
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
    if (value === undefined && declaration.hasWrongDefault) continue;
    if (value === undefined) {
      const near = nearest(name, Object.keys(given));
      const hint = near ? `${command} ("${near}" is set)` : command;
      report.error(place, 'config-required', `config "${name}" is not set`, hint);
    } else if (fault) {
      const written = text === undefined ? undefined : placeOf(name);
      if (written && secret) report.hide(written.at);
      const related = written ? [{ at, text: `config "${name}" is declared here` }] : [];
      report.error(written ?? place, fault.code, `config "${name}" ${fault.message}`, command, related);
    } else values[name] = value;
  }
  reportSet(report, plan.config, clear, set);
  for (const reference of usedIn(plan)) reportMissingStep(report, reference, values);
  for (const declaration of plan.resources) reportUnfit(report, plan, declaration, values);
  return { findings: report.findings(), values };
}

/**
 * Warns of declared secrets that are set in clear, and of set names that a declaration nearly has.
 */
function reportSet(
  report: Report,
  config: StackPlan['config'],
  clear: ReadonlySet<string>,
  set: readonly string[],
): void {
  for (const { name, at } of config.filter(({ secret, name: own }) => secret && clear.has(own)))
    report.warning(
      { path: ['config', name], at },
      'secret-in-file',
      `the value of the secret "${name}" is in clear text in the settings of the stack`,
      `replace the secret, because others may have read it, and set it with pulumi config set --secret ${name}`,
    );
  const names = config.map(({ name }) => name);
  for (const name of set.filter((each) => !names.includes(each))) {
    const meant = config.find((each) => each.name === nearest(name, names));
    const message = `the settings of the stack give "${name}" a value, but only "${meant?.name}" is declared`;
    const hint = `set "${meant?.name}", and remove the other one: pulumi config rm ${name}`;
    if (meant) report.warning({ path: ['config', meant.name], at: meant.at }, 'unknown-config', message, hint);
  }
}

function reportMissingStep(report: Report, { target, steps, place }: Reference, values: Inputs): void {
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
    return report.error(error.place, 'wrong-argument', error.problem);
  }
}

const usedIn = ({ resources, outputs }: StackPlan): readonly Reference[] =>
  [...resources.map(({ args }) => args), ...outputs.map(({ value }) => value)].flatMap((value) => referencesIn(value));

/** Findings of a kind's own check, with values for the references. Sends no request. */
function checked(
  { kind, args }: ResourceDeclaration,
  lookup: Carrier<unknown>['lookup'],
  combine: Carrier<unknown>['combine'],
): readonly Diagnostic[] {
  const carrier = { lookup, combine, secret: () => UNKNOWN, invoke: () => UNKNOWN };
  return check(kind, withSettledUnknown(kind, resolve(args, carrier) as Inputs));
}

/** Reports values that do not fit once the configuration is known. The rest was checked before. */
function reportUnfit(report: Report, { config }: StackPlan, declaration: ResourceDeclaration, values: Inputs): void {
  // An empty text gives nothing away.
  const secrets = config.filter(({ name, secret }) => secret && values[name] !== '').map(({ name }) => name);
  const findings = checked(
    declaration,
    (target) =>
      target.of === 'config' && Object.hasOwn(values, target.name) && !secrets.includes(target.name)
        ? values[target.name]
        : UNKNOWN,
    (known, compute) => (holdsUnknown(known) ? UNKNOWN : (computed(report, () => compute(known)) ?? UNKNOWN)),
  );
  for (const finding of findings) {
    const reference = configReference(declaration.args, finding);
    report.add(finding, reference?.place ?? { path: finding.path, at: declaration.at });
  }
}

/** The reference to configuration nearest to what a finding is about. */
function configReference(args: { readonly [name: string]: Value }, { path }: Diagnostic): Reference | undefined {
  let value: Value | undefined = args;
  let found: Reference | undefined;
  for (let depth = 0; value !== undefined; depth++) {
    found = referencesIn(value).find(({ target }) => target.of === 'config') ?? found;
    if (depth >= path.length) break;
    value = valueAt(value, path.slice(depth, depth + 1)) as Value | undefined;
  }
  return found;
}

const OPEN: Shape = { type: 'open' };
const TEXT: Shape = { type: 'text' };

/** Readers of values by type. `configFault` checks the type. */
const SHAPES: { readonly [T in ConfigType]: Shape } = {
  string: TEXT,
  integer: { type: 'int' },
  number: TEXT,
  boolean: { type: 'flag' },
  list: { type: 'list', items: OPEN, encoding: 'json', unordered: false },
  map: OPEN,
};

const KEYS = ['type', 'default', 'secret', 'description', 'allowed'];

export const readConfig = (scope: BindScope, root: MapNode): readonly ConfigDeclaration[] =>
  entriesBelow(scope, root, 'config', 'a map of configuration by name').map((own) => readDeclaration(scope, own));

function readDeclaration(scope: BindScope, own: Entry): ConfigDeclaration {
  const hint = `${own.key}: { type: string }`;
  if (!/^[A-Za-z][\w-]*$/.test(own.key)) {
    scope.report.error(
      own,
      'bad-name',
      `"${own.key}" is not a name: must be a letter, then letters, digits, "-" and "_"`,
    );
  }
  const body = expectMap(scope, own.value, 'a map', hint);
  for (const entry of body?.entries ?? []) if (!KEYS.includes(entry.key)) reportUnknownKey(scope, entry, KEYS);
  const fact = (key: string, shape: Shape): unknown => {
    const entry = entryOf(body, key);
    const value = entry && plainValue(scope, entry, shape);
    if (entry === undefined || value === undefined) return undefined;
    const findings = checkShape(shape, value, []);
    for (const finding of findings) scope.report.add(finding, findPlace(entry, finding));
    return findings.length > 0 ? undefined : value;
  };
  const named = fact('type', { type: 'text', allowed: CONFIG_TYPES });
  if (body && !entryOf(body, 'type')) scope.report.error(own, 'required', '"type" is required', hint);
  const description = fact('description', TEXT);
  const declaration: ConfigDeclaration = {
    name: own.key,
    type: CONFIG_TYPES.find((each) => each === named) ?? 'string',
    secret: fact('secret', { type: 'flag' }) === true,
    ...(typeof description === 'string' ? { description } : {}),
    at: own.at,
  };
  return named === undefined ? declaration : withValues(scope, declaration, body);
}

/** The declaration with the values it allows, and its default: both are of its type. */
function withValues(scope: BindScope, declaration: ConfigDeclaration, body: MapNode | undefined): ConfigDeclaration {
  const { name, secret } = declaration;
  const list = entryOf(body, 'allowed');
  const items = list?.value.form === 'list' ? list.value.items : undefined;
  if (list && !items && list.value.form !== 'failed') scope.report.error(list.value, 'wrong-type', 'must be a list');
  const allowed = items?.map((item) => typedValue(scope, { ...item, key: 'allowed', value: item }, declaration));
  const whole = allowed ? { ...declaration, allowed } : declaration;
  const entry = entryOf(body, 'default');
  if (!entry) return whole;
  if (secret) {
    const hint = `pulumi config set --secret ${name}`;
    scope.report.warning(
      entry,
      'secret-in-file',
      `the default of the secret "${name}" is in clear text in the file`,
      hint,
    );
  }
  const value = typedValue(scope, entry, whole);
  return value === undefined ? { ...whole, hasWrongDefault: true } : { ...whole, default: value };
}

function typedValue(scope: BindScope, entry: Entry, declaration: ConfigDeclaration): unknown {
  const { type, secret } = declaration;
  const written = plainValue(scope, entry, SHAPES[type], secret);
  if (written === undefined) return undefined;
  // Read by its text, so that 7.0 is a number as well.
  const isNumber = type === 'number' && typeof written === 'string' && written.trim() !== '';
  const value = isNumber && Number.isFinite(Number(written)) ? Number(written) : written;
  const fault = configFault(declaration, value);
  if (fault) scope.report.error(entry.value, fault.code, fault.message);
  return fault ? undefined : value;
}

function plainValue(scope: BindScope, entry: Entry, shape: Shape, secret = false): Value | undefined {
  const value = bindValue(scope, entry.value, shape, secret);
  if (value === undefined || !holdsExpression(value)) return value;
  const why = 'a declaration is plain: it cannot contain a reference or a secret';
  if (!isFailed(value)) scope.report.error(entry.value, 'no-reference', why);
  return undefined;
}

/** The mistake in a value; values of secrets are not shown. */
function configFault(declaration: ConfigDeclaration, value: unknown): ValueFault | undefined {
  return valueFault(declaration, value, declaration.secret ? '' : `, not ${JSON.stringify(value)}`);
}

/** One value of each type whose values are not text. A text can stand for a value of any type. */
const EXAMPLES: { readonly [T in ConfigType]: unknown } = {
  string: UNKNOWN,
  integer: 1,
  number: 1,
  boolean: true,
  list: [],
  map: {},
};

type Types = ReadonlyMap<string, ConfigDeclaration>;

/** Reports every reference to configuration whose declared type does not fit where it is. */
export function reportByType(report: Report, plan: StackPlan): void {
  if (plan.config.length === 0) return;
  const types = new Map(plan.config.map((declaration) => [declaration.name, declaration]));
  for (const reference of usedIn(plan)) reportStep(report, reference, types);
  for (const declaration of plan.resources) reportWrongType(report, declaration, types);
}

function reportStep(report: Report, { target, steps: [first], place }: Reference, types: Types): void {
  if (target.of !== 'config' || first === undefined || !place) return;
  const { type } = types.get(target.name) ?? {};
  if (type === undefined || type === 'map' || (type === 'list' && typeof first === 'number')) return;
  const own = formatSteps(['config', target.name]);
  const [why, hint] =
    type === 'list'
      ? [`"${own}" is a list, whose parts are numbered`, `${own}[0] is its first part`]
      : [`"${own}" is ${aType(type)}, which has no parts`, `${own} is the whole value`];
  report.error(place, 'unknown-reference', why, hint);
}

function reportWrongType(report: Report, declaration: ResourceDeclaration, types: Types): void {
  const findings = checked(
    declaration,
    (target) => {
      const declared = target.of === 'config' ? types.get(target.name) : undefined;
      return declared ? EXAMPLES[declared.type] : UNKNOWN;
    },
    // A part of a value, or a text with one in it: its type is not declared.
    () => UNKNOWN,
  );
  for (const { code, path, message } of findings) {
    const value = valueAt(declaration.args, path) as Value | undefined;
    const reference = value === undefined ? undefined : wholeReference(value);
    if (code !== 'wrong-type' || reference?.place === undefined) continue;
    const { name } = reference.target;
    report.error(reference.place, code, `"config.${name}" is ${aType(types.get(name)?.type ?? 'string')}: ${message}`);
  }
}

function wholeReference(value: Value): (Reference & { readonly target: { readonly of: 'config' } }) | undefined {
  if (!isExpression(value) || value[EXPRESSION] !== 'reference') return undefined;
  const { target, steps } = value;
  return target.of === 'config' && steps.length === 0 ? { ...value, target } : undefined;
}
