// The resources of a program as records to write: where each is in the file, and what the file says of it.
// It must not know how a file is written.
import {
  addressNames,
  argumentNames,
  check,
  declaredName,
  everyAddressName,
  formatId,
  isPlainObject,
  scopesOf,
  secretAttributes,
  secretNames,
  settledNames,
  type Inputs,
  type Kind,
} from '../../provider';
import { argumentsToWrite } from '../export/document';
import type { ExportedRecord } from '../export/exported-record';
import { FileText, SecretText } from '../export/file-text';
import { keysTo } from '../export/place';
import type { Steps } from '../values/value';
import { trying } from './attempt';
import { Unreadable } from './cursor';
import { optionsIn } from './options';
import type { DeclaredProgram, PclResource } from './program';
import type { PclAttribute, PclFault } from './tree';
import { hasSecret, cannotSay, fileValue, type Meaning, type PclNames } from './values';

/** A resource with the record that it declares. */
export interface PclRecord {
  readonly resource: PclResource;
  readonly record: ExportedRecord;
}

/** What a program comes to. */
interface PclRecords {
  readonly records: readonly PclRecord[];
  readonly names: PclNames;
  /** Configuration whose values are secrets. */
  readonly hidden: ReadonlySet<string>;
  readonly faults: readonly PclFault[];
}

/** The records of a program. */
export function pclRecords(program: DeclaredProgram): PclRecords {
  const faults: PclFault[] = [];
  const hidden = new Set<string>();
  const placed = placesOf(program);
  const meaning = (name: string): Meaning | undefined => {
    const config = program.config.get(name);
    if (config !== undefined) return { is: 'config', name: config.name };
    const value = program.variables.get(name);
    if (value !== undefined) return { is: 'variable', value };
    const stack = program.stacks.get(name);
    if (stack !== undefined) return { is: 'stack', name: stack };
    const place = placed(name);
    return place === undefined ? undefined : { is: 'resource', names: referenceTo(place), word: () => undefined };
  };
  const names: PclNames = { meaning, hide: (config) => void hidden.add(config), open: new Set() };
  const records: PclRecord[] = [];
  const taken = new Map<string, PclResource>();
  for (const resource of program.resources.values()) {
    const attempt = trying(faults, () => placed(resource.label, true));
    if (attempt === undefined) continue;
    const key = `${resource.of.token} ${attempt.id}`;
    const other = taken.get(key);
    if (other !== undefined) {
      const summary = `${resource.label} is the same ${resource.of.token} as ${other.label}: a stack file declares it once`;
      faults.push({ severity: 'error', start: resource.block.start, end: resource.block.end, summary });
      continue;
    }
    taken.set(key, resource);
    records.push({ resource, record: recordOf(resource, attempt, names, faults) });
  }
  return { records, names, hidden, faults };
}

/** Where a resource is: its kind in its scope, the words of its address, and its id without the organization. */
interface PclPlace {
  readonly of: Kind;
  readonly address: { readonly [name: string]: string };
  readonly id: string;
}

/** Finds places by the names of resources, each once. `mustBe`: throws Unreadable for a resource without one. */
function placesOf({
  resources,
  variables,
}: DeclaredProgram): (label: string, mustBe?: boolean) => PclPlace | undefined {
  const found = new Map<string, PclPlace | Unreadable | 'open'>();
  const word = (name: string, argument: string): string | undefined => placeOf(name)?.address[argument];
  const names: PclNames = {
    meaning(name) {
      const value = variables.get(name);
      if (value !== undefined) return { is: 'variable', value };
      return resources.has(name)
        ? { is: 'resource', names: [name], word: (argument) => word(name, argument) }
        : undefined;
    },
    hide: () => undefined,
    open: new Set(),
  };
  function placeOf(label: string, mustBe = false): PclPlace | undefined {
    const resource = resources.get(label);
    if (resource === undefined) return undefined;
    if (!found.has(label)) {
      found.set(label, 'open');
      found.set(
        label,
        attempted(() => placeIn(resource, names)),
      );
    }
    const place = found.get(label);
    if (place instanceof Unreadable && mustBe) throw place;
    return place === 'open' || place instanceof Unreadable ? undefined : place;
  }
  return placeOf;
}

function attempted(job: () => PclPlace): PclPlace | Unreadable {
  try {
    return job();
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
}

function placeIn({ of, args, logicalName, label, block }: PclResource, names: PclNames): PclPlace {
  const given = everyAddressName(of).filter((name) => args.has(name));
  const wanted = of.named ? [...new Set([...given, 'name'])] : given;
  const scope = scopesOf(of).find((each) => sameNames(addressNames(each), wanted));
  if (scope === undefined) {
    const forms = scopesOf(of).map((each) => addressNames(each).join(', '));
    return cannotSay(block, `${label} does not say where it is`, `a ${of.token} has ${forms.join(', or ')}`);
  }
  const address = Object.fromEntries(
    addressNames(scope).map((name) => {
      const attribute = args.get(name);
      return [name, attribute === undefined ? logicalName : wordIn(names, attribute)];
    }),
  );
  return { of: scope, address, id: formatId(scope, '', address).slice(1) };
}

const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name) => right.includes(name));

function wordIn(names: PclNames, { name, value }: PclAttribute): string {
  const word = fileValue(names, value);
  if (typeof word === 'string' && word !== '') return word;
  return cannotSay(
    value,
    `${name} is not known before the program runs: in a stack file it is the place of the record`,
  );
}

/** Steps of a reference to a record: without the template of a component, and to a deployment by what it is. */
function referenceTo({ of, address }: PclPlace): Steps {
  const keys = keysTo(of, address, (_, words, part) => [words[part] ?? '']) ?? [];
  return keys.at(-1) === 'deploy' ? [...keys.slice(0, -1), 'deployment'] : keys;
}

function recordOf(
  resource: PclResource,
  { of, address, id }: PclPlace,
  names: PclNames,
  faults: PclFault[],
): ExportedRecord {
  const { args, label, logicalName } = resource;
  const inputs: { [name: string]: unknown } = {};
  const settled = settledNames(of);
  for (const attribute of args.values()) {
    const { name, start, end } = attribute;
    if (name in address || settled.includes(name)) continue;
    const says = !argumentNames(of).includes(name)
      ? `a ${of.token} has no argument ${name}`
      : argumentsToWrite(of).includes(name)
        ? undefined
        : `a stack file does not have ${name}: it is filled in`;
    if (says !== undefined) {
      faults.push({ severity: 'error', start, end, summary: `${label}: ${says}` });
      continue;
    }
    const value = trying(faults, () => checked(attribute, fileValue(names, attribute.value)));
    if (value !== undefined && value !== null) inputs[name] = value;
  }
  const secrets = [...secretPaths(inputs), ...ownSecrets(of, inputs, address)];
  const declared = declaredName({ of, id: `acme/${id}` });
  // The CLI writes a name with dots with underscores.
  const isAlias = ![declared, declared.replaceAll('.', '_')].includes(logicalName);
  const options = { ...optionsIn(resource, names, faults, isAlias ? [logicalName] : []) };
  return {
    ...{ of, id, name: declared, address, secrets, packSecrets: [] },
    inputs: secrets.reduce<Inputs>(withoutValue, inputs),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

/** A secret has a name in the configuration, which no item of a list can have. */
function checked({ value, name }: PclAttribute, said: unknown): unknown {
  const isInList = (each: unknown): boolean =>
    Array.isArray(each) ? hasSecret(each) : isPlainObject(each) && !isText(each) && Object.values(each).some(isInList);
  return isInList(said) ? cannotSay(value, `an item of the list in ${name} is a secret`) : said;
}

const isText = (value: unknown): boolean => value instanceof FileText || value instanceof SecretText;

/** Paths of what the program has as secrets. */
function secretPaths(value: unknown): readonly (readonly string[])[] {
  if (value instanceof SecretText) return [[]];
  if (!isPlainObject(value) || isText(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretPaths(item).map((path) => [key, ...path]));
}

/** Paths of what the kind has as secrets, though the program does not; and of a secret that its record must have, and no read shows. */
function ownSecrets(of: Kind, inputs: Inputs, address: PclPlace['address']): readonly (readonly string[])[] {
  const { argument = '', names = [] } = secretAttributes(of, inputs) ?? {};
  const values = inputs[argument];
  const whole = secretNames(of).filter((name) => typeof inputs[name] === 'string');
  const inMap = names.filter((name) => isPlainObject(values) && typeof values[name] === 'string');
  const unseen = Object.entries(of.fields).flatMap(([name, { whenSecret }]) =>
    whenSecret === undefined || inputs[name] !== undefined || inputs[whenSecret] !== undefined ? [] : [[whenSecret]],
  );
  const lacking = check(of, { ...inputs, ...address }).flatMap(({ code, path: [name = ''] }) =>
    code === 'required' && secretNames(of).some((each) => each === name) ? [[String(name)]] : [],
  );
  return [...whole.map((name) => [name]), ...inMap.map((name) => [argument, name]), ...unseen, ...lacking];
}

function withoutValue(map: Inputs, [key = '', ...rest]: readonly string[]): Inputs {
  const { [key]: value, ...others } = map;
  if (rest.length === 0) return others;
  return isPlainObject(value) ? { ...others, [key]: withoutValue(value, rest) } : map;
}
