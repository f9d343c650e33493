// What the declared types of the configuration show to be wrong whatever its values are: a step into a text, a map where a text belongs.
// It must not know any value of the configuration.
import { check, UNKNOWN, withSettledUnknown } from '../../provider';
import type { Report } from '../findings/finding';
import { formatSteps } from '../values/interpolation';
import type { ConfigDeclaration, ConfigType, ResourceDeclaration, StackPlan } from '../values/plan';
import { resolve, valueAt, type Carrier } from '../values/resolve';
import { EXPRESSION, isExpression, referencesIn, type Reference, type Value } from '../values/value';

/** One value of each type whose values are not text. A text can stand for a value of any type. */
const EXAMPLES: { readonly [T in ConfigType]: unknown } = {
  string: UNKNOWN,
  integer: 1,
  number: 1,
  boolean: true,
  list: [],
  map: {},
};

/** Types of values that nothing is below. */
const WITHOUT_PARTS: readonly ConfigType[] = ['string', 'integer', 'number', 'boolean'];

type Types = ReadonlyMap<string, ConfigDeclaration>;

/** Reports every reference to configuration whose declared type does not fit where it is. */
export function reportByType(report: Report, { config, resources, outputs }: StackPlan): void {
  if (config.length === 0) return;
  const types = new Map(config.map((declaration) => [declaration.name, declaration]));
  const used = [...resources.map(({ args }) => args), ...outputs.map(({ value }) => value)];
  for (const reference of used.flatMap((value) => referencesIn<Reference>(value))) reportStep(report, reference, types);
  for (const declaration of resources) reportWrongType(report, declaration, types);
}

function reportStep(report: Report, { target, steps: [first], place }: Reference, types: Types): void {
  if (target.of !== 'config' || first === undefined || !place) return;
  const { type } = types.get(target.name) ?? {};
  if (type === undefined) return;
  const isPartOfList = type === 'list' && typeof first === 'number';
  if (type === 'map' || isPartOfList) return;
  const own = formatSteps(['config', target.name]);
  const why = WITHOUT_PARTS.includes(type)
    ? `"${own}" is ${aType(type)}, which has no parts`
    : `"${own}" is a list, whose parts are numbered`;
  report.error(
    place,
    'unknown-reference',
    why,
    `${own}${type === 'list' ? '[0] is its first part' : ' is the whole value'}`,
  );
}

function reportWrongType(report: Report, { kind, args }: ResourceDeclaration, types: Types): void {
  const exampleOf = ({ type, secret }: ConfigDeclaration): unknown => (secret ? UNKNOWN : EXAMPLES[type]);
  const carrier: Carrier<unknown> = {
    lookup(target) {
      const declared = target.of === 'config' ? types.get(target.name) : undefined;
      return declared ? exampleOf(declared) : UNKNOWN;
    },
    // A part of a value, or a text with one in it: its type is not declared.
    combine: () => UNKNOWN,
    secret: () => UNKNOWN,
    invoke: () => UNKNOWN,
  };
  const inputs = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolve(value, carrier)]));
  for (const finding of check(kind, withSettledUnknown(kind, inputs))) {
    const value = valueAt(args, finding.path) as Value | undefined;
    const reference = value === undefined ? undefined : wholeReference(value);
    if (finding.code !== 'wrong-type' || reference?.place === undefined) continue;
    const { name } = reference.target;
    const type = types.get(name)?.type ?? 'string';
    report.error(reference.place, 'wrong-type', `"config.${name}" is ${aType(type)}: ${finding.message}`);
  }
}

/** A value that is one reference to a whole value of the configuration. */
function wholeReference(value: Value): (Reference & { readonly target: { readonly of: 'config' } }) | undefined {
  if (!isExpression<Reference>(value) || value[EXPRESSION] !== 'reference') return undefined;
  const { target, steps } = value;
  return target.of === 'config' && steps.length === 0 ? { ...value, target } : undefined;
}

const aType = (type: ConfigType): string => `${type === 'integer' ? 'an' : 'a'} ${type}`;
