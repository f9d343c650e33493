// The generated files are what a fresh run makes of the kinds, byte for byte, and good for what they are read by.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functions } from '../../provider/functions';
import { formatId, parseId, scopesOf, snakeCase } from '../../provider';
import { kinds } from '../../provider/kinds';
import providers from '../../provider/faces/dynamic';
import { type Frozen, frozenNow, titleOf } from './frozen';

const ROOT = join(__dirname, '..', '..');
// In a separate process: TypeScript takes several times as long to load inside jest.
const printed = execFileSync(process.execPath, [join(__dirname, 'run.cjs'), '--print'], {
  encoding: 'utf8',
  maxBuffer: 1e8,
});
const files = new Map(Object.entries(JSON.parse(printed) as { readonly [path: string]: string }));

test.each([...files.keys()])('%s is up to date: run npm run generate', (path) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(files.get(path));
});

interface Property {
  readonly description?: string;
  readonly secret?: boolean;
  readonly replaceOnChanges?: boolean;
  readonly enum?: unknown;
  readonly $ref?: string;
}

interface PackageSchema {
  readonly types: { readonly [name: string]: object };
  readonly resources: {
    readonly [name: string]: {
      readonly description: string;
      readonly properties: { readonly [name: string]: Property };
      readonly inputProperties: { readonly [name: string]: Property };
    };
  };
}

const schema = JSON.parse(files.get('schema.json') ?? '') as PackageSchema;

test('every kind is a resource, with its marks, and with a text over everything', () => {
  for (const of of kinds) {
    const resource = schema.resources[`oneops:index:${of.token}`];
    expect(resource?.description).toMatch(/\w/);
    const written = Object.keys(of.fields).filter((name) => !(name in (of.fills ?? {})));
    expect(Object.keys(resource?.inputProperties ?? {})).toEqual(expect.arrayContaining(written));
    for (const name of written) {
      const property = resource?.inputProperties[name];
      expect([name, property?.secret === true]).toEqual([name, of.fields[name]?.secret]);
      expect([name, property?.replaceOnChanges === true]).toEqual([name, of.fields[name]?.fixed]);
    }
    for (const [name, { description }] of Object.entries({ ...resource?.properties, ...resource?.inputProperties })) {
      expect(`${of.token}.${name}: ${description ?? 'nothing'}`).not.toMatch(/: nothing$|: $/);
    }
  }
});

test('references lead to types that exist, and no property carries an enum', () => {
  const text = files.get('schema.json') ?? '';
  const references = [...text.matchAll(/"#\/types\/([^"]+)"/g)].map((match) => match[1] as string);
  expect(references.length).toBeGreaterThan(3);
  for (const reference of references) expect(Object.keys(schema.types)).toContain(reference);
  for (const { properties, inputProperties } of Object.values(schema.resources)) {
    for (const property of [...Object.values(properties), ...Object.values(inputProperties)])
      expect(property).not.toHaveProperty('enum');
  }
});

test('names Pulumi keeps for itself are no properties', () => {
  for (const { properties } of Object.values(schema.resources)) {
    expect(Object.keys(properties).filter((name) => ['id', 'urn', 'pulumi'].includes(name))).toEqual([]);
  }
});

test('the stack schema knows the keys of every kind by their names in a file', () => {
  const { definitions } = JSON.parse(files.get('schemas/stack.schema.json') ?? '') as {
    readonly definitions: { readonly [name: string]: { readonly properties: { readonly [key: string]: unknown } } };
  };
  for (const of of kinds.filter(({ inFile }) => inFile !== undefined)) {
    const name = of.token === 'DesignRelease' ? 'design' : `${of.token.charAt(0).toLowerCase()}${of.token.slice(1)}`;
    const keys = Object.keys(definitions[name]?.properties ?? {});
    const wanted = Object.entries(of.fields).filter(
      ([field, { channel, quiet }]) =>
        (channel !== 'control' || quiet || of.inFile?.given?.includes(field)) &&
        !['type', 'attributes', 'platformAvailability'].includes(field) &&
        !(field in (of.settles ?? {})),
    );
    const missing = wanted.map(([field]) => snakeCase(field)).filter((key) => !keys.includes(key));
    expect({ definition: name, missing }).toEqual({ definition: name, missing: [] });
  }
});

test('every function is in the schema and in the SDK, with a text over everything', () => {
  const all = schema as unknown as {
    readonly functions: {
      readonly [name: string]: {
        readonly description: string;
        readonly inputs?: { readonly properties: { readonly [name: string]: Property } };
        readonly outputs: { readonly properties: { readonly [name: string]: Property } };
      };
    };
    readonly types: { readonly [name: string]: { readonly properties?: { readonly [name: string]: Property } } };
  };
  expect(Object.keys(all.functions)).toEqual(functions.map(({ token }) => `oneops:index:${token}`));
  for (const { token, arguments: args, result } of functions) {
    const found = all.functions[`oneops:index:${token}`];
    expect(found?.description).toMatch(/\w/);
    expect(Object.keys(found?.inputs?.properties ?? {})).toEqual(Object.keys(args));
    expect(Object.keys(found?.outputs.properties ?? {})).toEqual(Object.keys(result));
    for (const [name, { secret }] of Object.entries(result))
      expect([name, found?.outputs.properties[name]?.secret === true]).toEqual([name, secret]);
    expect(files.get('sdk/functions.ts')).toContain(`export function ${token}Output(`);
  }
  const described = [...Object.entries(all.functions), ...Object.entries(all.types)].flatMap(([name, each]) => {
    const { inputs, outputs, properties } = each as Partial<
      (typeof all.functions)[string] & (typeof all.types)[string]
    >;
    const members = { ...inputs?.properties, ...outputs?.properties, ...properties };
    return Object.entries(members).map(([member, { description }]) => [`${name}.${member}`, description ?? '']);
  });
  const own = described.filter(([name]) => /:get|Record\.|ComputeReport/.test(name ?? ''));
  expect(own.length).toBeGreaterThan(150);
  expect(own.filter(([, text]) => text === '').map(([name]) => name)).toEqual([]);
});

test('the public classes mention nothing of our own machinery in their types', () => {
  const text = files.get('sdk/resources.ts') ?? '';
  expect(text).not.toMatch(/zod|Kind\b|Shape|Field</);
  expect([...text.matchAll(/^import .* from '([^']+)';$/gm)].map((match) => match[1])).toEqual([
    '@pulumi/pulumi/output',
    '@pulumi/pulumi/resource',
    './hold',
    './registration',
  ]);
});

// What state holds for ever: ids, type names and provider texts of every kind. The golden file may grow and never change.

const GOLDEN = join(__dirname, '..', 'golden', 'frozen.json');
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as { readonly [title: string]: Frozen };
const now = frozenNow();

test.each(Object.keys(golden))('%s is what it was', (title) => {
  expect(now[title]).toEqual(golden[title]);
});

test('every kind is in sdk/golden/frozen.json: run npm run generate', () => {
  expect(Object.keys(golden).sort()).toEqual(Object.keys(now).sort());
});

test('every provider text that state holds finds its provider', () => {
  const names = Object.values(golden).map(({ provider }) => /\.(\w+);$/.exec(provider)?.[1]);
  expect(Object.keys(providers).sort()).toEqual([...new Set(names)].sort());
});

test('an id leads back to its address', () => {
  for (const of of kinds.flatMap(scopesOf)) {
    const id = golden[titleOf(of)]?.id ?? '';
    const parsed = parseId(of, id);
    expect(parsed && formatId(of, parsed.organization, parsed.address)).toBe(id);
  }
});
