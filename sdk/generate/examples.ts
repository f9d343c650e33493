// Examples of a kind: its ids, and its sample as a program and as a stack file.
import { mapValues } from '../../api/contract';
import { addressNames, argumentFor, formatId, pluginType, snakeCase, type Kind } from '../../provider';
import { settledNames } from '../../provider/kinds/settled';
import { argumentsInFile, kinds } from '../../provider/kinds';
import { secretAttributes } from '../../provider/secrets';
import { isPlainObject } from '../../provider/values';
import { documentText, keysTo, namesSaidInside } from '../../stack';

type Address = Parameters<typeof formatId>[2];

/** Names of the records that others are in, by argument. */
const PARENTS: Address = {
  assembly: 'shop',
  platform: 'web',
  component: 'compute',
  environment: 'prod',
  cloud: 'east',
};

/** Names of records of which the example is about one, where they are not those above. */
const OWN: Address = {
  component: 'deployer',
  attachment: 'motd',
  variable: 'LEVEL',
  procedure: 'restart',
  instanceReplacement: 'image',
};

const ORGANIZATION = 'acme';

const addressIn = (of: Kind, nameOf: (argument: string) => string): Address =>
  Object.fromEntries(addressNames(of).map((argument) => [argument, nameOf(argument)]));

function ownName(of: Kind): string {
  const argument = argumentFor(of);
  return of.sample.name ?? OWN[argument] ?? PARENTS[argument] ?? 'sample';
}

const exampleAddress = (of: Kind): Address =>
  addressIn(of, (argument) => (argument === 'name' ? ownName(of) : (PARENTS[argument] ?? argument)));

/** `{organization}/{assembly}/{name}` */
export const idPattern = (of: Kind): string =>
  formatId(
    of,
    '{organization}',
    addressIn(of, (argument) => `{${argument}}`),
  );

/** `acme/shop/web` */
export const exampleId = (of: Kind): string => formatId(of, ORGANIZATION, exampleAddress(of));

/** The sample of a kind, without what nobody writes. */
const sampleArguments = (of: Kind): readonly (readonly [string, unknown])[] =>
  Object.entries(of.sample.create).filter(([name]) => !settledNames(of).includes(name));

/** The sample as a program declares it. */
export function exampleProgram(of: Kind): string {
  const { name, ...parents } = exampleAddress(of);
  const lines = [...Object.entries(parents), ...sampleArguments(of)].map(
    ([argument, value]) => `  ${argument}: ${literal(value)},\n`,
  );
  const args = lines.length === 0 ? '' : `, {\n${lines.join('')}}`;
  return `import * as oneops from 'pulumi-oneops';\n\nnew oneops.${of.token}('${name ?? Object.values(parents).at(-1)}'${args});`;
}

/** `pulumi import oneops:index:Platform web acme/shop/web` */
export const importLine = (of: Kind): string =>
  `pulumi import ${pluginType(of.token)} ${logicalName(of)} ${exampleId(of)}`;

const logicalName = (of: Kind): string => {
  const address = exampleAddress(of);
  return address['name'] ?? Object.values(address).at(-1) ?? 'sample';
};

/** The sample as a program in Pulumi YAML declares it. */
export function examplePulumiYaml(of: Kind): string {
  const properties: Entries = {
    ...exampleAddress(of),
    ...mapValues(of.sample.create, (value, name) =>
      of.fields[name]?.secret === true ? { 'fn::secret': value } : value,
    ),
  };
  const resource: Entries = { type: `oneops:${of.token}`, properties };
  return documentText({ resources: { [logicalName(of)]: resource } });
}

/** Longest line of an example. */
const WIDTH = 100;

/** A value as TypeScript; maps that do not fit into a line have a line for each member. */
function literal(value: unknown, indent = '  '): string {
  if (typeof value === 'string') return `'${escaped(value)}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  if (!isPlainObject(value)) return String(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(each, `${indent}  `)}`,
  );
  const line = members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  if (line.length < WIDTH) return line;
  return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
}

const escaped = (text: string): string =>
  JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");

/** Entries of a stack file, or of a part of it. */
interface Entries {
  [key: string]: unknown;
}

/**
 * The sample as a complete stack file, with the records that it names. Undefined for kinds that no
 * file declares, or whose required arguments have an own form in files.
 */
export function exampleStackFile(of: Kind): string | undefined {
  const { inFile } = of;
  if (inFile === undefined || (inFile.apart ?? []).some((name) => of.fields[name]?.required)) return undefined;
  const address = exampleAddress(of);
  const file: Entries = { assembly: { name: PARENTS['assembly'] } };
  for (const other of kinds.filter((each) => each !== of && argumentFor(each) in address))
    declare(file, other, PARENTS[argumentFor(other)], (name) => isNeeded(other, name));
  // Values of an environment differ from a record of the design, so the design has it.
  const designed = kinds.find((each) => `environments.*.${each.inFile?.path}` === inFile.path);
  if (designed && !(argumentFor(designed) in address))
    declare(file, designed, address['name'], (name) => isNeeded(designed, name));
  declare(file, of, address['name'], (name) => of.fields[name]?.refersTo === undefined);
  return documentText(file);
}

/** An environment without clouds runs nothing, and a single one scales nothing. */
const isNeeded = (of: Kind, name: string): boolean =>
  of.fields[name]?.required === true || ['clouds', 'availability', 'location'].includes(name);

/** Adds a record to a file, under the keys that lead to it. */
function declare(file: Entries, of: Kind, ownName: string | undefined, counts: (name: string) => boolean): void {
  const address: Address = { ...exampleAddress(of), ...(ownName === undefined ? {} : { name: ownName }) };
  const keys = keysTo(of, address, (_, words, part) => [words[part] ?? '']);
  if (keys === undefined) return;
  const said = namesSaidInside(of).map((argument) => [argument, address[argument]] as const);
  Object.assign(keys.reduce(entryAt, file), Object.fromEntries(said), entriesOf(of, counts));
}

function entryAt(entries: Entries, key: string): Entries {
  const inner = (entries[key] ?? {}) as Entries;
  entries[key] = inner;
  return inner;
}

/** Arguments of the sample under their keys in a file. */
function entriesOf(of: Kind, counts: (name: string) => boolean): Entries {
  const inFile = argumentsInFile(of);
  return Object.fromEntries(
    sampleArguments(of)
      .filter(([name]) => inFile.includes(name) && counts(name))
      .map(([name, value]) => [snakeCase(name), inSnakeCase(of, name, value)]),
  );
}

/** A value as a file has it: secrets are marked, and members of objects have the file's names. */
function inSnakeCase(of: Kind, name: string, value: unknown): unknown {
  const { shape, secret } = of.fields[name] ?? {};
  if (secret) return { 'fn::secret': value };
  const open = secretAttributes(of, of.sample.create);
  if (open?.argument === name)
    return mapValues(value as Entries, (each, key) => (open.names.includes(key) ? { 'fn::secret': each } : each));
  if (shape?.type !== 'map' || shape.values.type !== 'object') return value;
  return mapValues(value as Entries, (members) =>
    Object.fromEntries(Object.entries(members as Entries).map(([member, each]) => [snakeCase(member), each])),
  );
}
