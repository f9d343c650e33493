// A kind's sample, and what it is in, as a stack file: every key in a separate line.
import { addressOf, formatId, scopeAt, snakeCase, type Inputs, type Kind } from '../../provider';
import type { Shape } from '../../provider/values';
import { attributeKeys, keysOf, yamlText } from './stack-yaml';
import { kindOf, surroundings } from './world';

const isMap = (value: unknown): value is Inputs => typeof value === 'object' && value !== null && !Array.isArray(value);

const merged = (left: Inputs, right: Inputs): Inputs =>
  Object.entries(right).reduce<Inputs>((soFar, [key, value]) => {
    const before = soFar[key];
    return { ...soFar, [key]: isMap(before) && isMap(value) ? merged(before, value) : value };
  }, left);

const below = (keys: readonly string[], value: unknown): Inputs =>
  keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Inputs;

/** Arguments that the file says in another way, or not at all. */
const ELSEWHERE: { readonly [token: string]: readonly string[] } = {
  Platform: ['source', 'pack', 'version'],
  Environment: ['designRelease', 'clouds', 'platformAvailability'],
};

/** Keys that lead to the sample's own entry; none for a kind that no file declares. */
export const keysOfSample = (of: Kind, id: string, inputs: Inputs): readonly string[] =>
  keysOf(of, id, (name) => (typeof inputs['type'] === 'string' ? inputs['type'] : name === 'os' ? 'os' : 'user')) ?? [];

/** The file of a sample says a variable with all that it has, and not by its value alone. */
export const keysWithin = (of: Kind, path: readonly string[]): readonly string[] =>
  of.token === 'Variable' ? path : attributeKeys(of, path);

/** A value with the members of its objects in the file's words. */
function inWords(shape: Shape, value: unknown): unknown {
  if (!isMap(value)) return value;
  const entries = Object.entries(value);
  if (shape.type === 'map')
    return Object.fromEntries(entries.map(([name, entry]) => [name, inWords(shape.values, entry)]));
  if (shape.type !== 'object') return value;
  return Object.fromEntries(
    entries.map(([name, entry]) => [snakeCase(name), inWords(shape.members[name]?.shape ?? { type: 'open' }, entry)]),
  );
}

/** The file of a sample with this id and these checked inputs, and of what it lives in. */
export function yamlOfSample(of: Kind, id: string, inputs: Inputs): string {
  const around = [...surroundings(kindOf('Component')), ...surroundings(of)].map((each) => {
    const kind = scopeAt(kindOf(each.token), each.inputs) ?? kindOf(each.token);
    return entryOf(kind, formatId(kind, 'acme', addressOf(kind, each.inputs)), each.inputs);
  });
  return yamlText([...around, entryOf(of, id, inputs)].reduce(merged));
}

/** A record as its entry in the file, without what is not said of it. */
const entryOf = (of: Kind, id: string, inputs: Inputs): Inputs =>
  below(
    keysOfSample(of, id, inputs),
    Object.fromEntries(Object.entries(bodyOf(of, inputs)).filter(([, value]) => value !== undefined)),
  );

function bodyOf(of: Kind, inputs: Inputs): Inputs {
  const {
    source,
    pack,
    version,
    name,
    value,
    attributes,
    depends,
    comments,
    clouds,
    platformAvailability = {},
  } = inputs;
  if (of.token === 'Variable') return { value, comments };
  if (of.token === 'Component') return { ...(attributes as Inputs), depends, comments };
  if (of.token === 'EnvironmentComponent') return { ...(attributes as Inputs), comments };
  const own = Object.entries(inputs)
    .filter(([argument]) => argument in of.fields && !ELSEWHERE[of.token]?.includes(argument))
    .map(([argument, each]): [string, unknown] => {
      const field = of.fields[argument];
      if (field?.secret) return [snakeCase(argument), { 'fn::secret': each }];
      return [snakeCase(argument), field === undefined ? each : inWords(field.shape, each)];
    });
  return {
    ...(of.token === 'Assembly' ? { name } : {}),
    ...(of.token === 'Platform' ? { pack: `${String(source)}/${String(pack)}:${String(version)}` } : {}),
    ...(of.token === 'Environment'
      ? { clouds: linksOf(clouds as Inputs), platforms: availabilityOf(platformAvailability as Inputs) }
      : {}),
    ...Object.fromEntries(own),
  };
}

const linksOf = (clouds: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(clouds).map(([cloud, link]) => [
      cloud,
      Object.fromEntries(Object.entries(link as Inputs).map(([name, value]) => [snakeCase(name), value])),
    ]),
  );

/** An environment's platforms with what the file says of their availability. */
const availabilityOf = (platforms: Inputs): Inputs =>
  Object.fromEntries(Object.entries(platforms).map(([name, availability]) => [name, { availability }]));
