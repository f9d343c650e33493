// The generated files are what a fresh run makes of the kinds, byte for byte, and right for those
// who read them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Ajv from 'ajv';
import type { CompletionList, Hover } from 'vscode-languageserver/node';
import { functions } from '../../provider/functions';
import { formatId, parseId, scopesOf, snakeCase } from '../../provider';
import { kinds } from '../../provider/kinds';
import providers from '../../provider/faces/dynamic';
import { type Frozen, frozenNow, titleOf } from './frozen';
import { allFunctions, allResources, membersOf } from './model';
import { examine, EXPLANATIONS, readStack } from '../../stack';
import { right, wrong } from '../../test/findings-corpus';
import { cursorIn, type LanguageClient, startLanguageServer } from '../../test/language-client';

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

interface Properties {
  readonly [name: string]: { readonly secret?: boolean; readonly replaceOnChanges?: boolean };
}

const schema = JSON.parse(files.get('schema.json') ?? '') as {
  readonly types: { readonly [name: string]: object };
  readonly resources: {
    readonly [name: string]: { readonly properties: Properties; readonly inputProperties: Properties };
  };
  readonly functions: {
    readonly [name: string]: {
      readonly inputs?: { readonly properties: Properties };
      readonly outputs: { readonly properties: Properties };
    };
  };
};

test('everything that is generated has a text', () => {
  const { functions: called, records } = allFunctions();
  const all = [
    ...allResources().flatMap(({ of, args, outputs }) => [of, ...args, ...outputs, ...args.flatMap(membersOf)]),
    ...called.flatMap((each) => [each, ...each.args, ...each.results]),
    ...records.flatMap((each) => [each, ...each.members]),
  ];
  expect(all.length).toBeGreaterThan(700);
  expect(all.filter(({ description }) => description === '')).toEqual([]);
});

test('every kind is a resource, with its marks', () => {
  for (const of of kinds) {
    const { inputProperties = {} } = schema.resources[`oneops:index:${of.token}`] ?? {};
    const written = Object.entries(of.fields).filter(([name]) => !(name in (of.fills ?? {})));
    for (const [name, { secret, fixed }] of written) {
      const property = inputProperties[name];
      const marks = [property !== undefined, property?.secret === true, property?.replaceOnChanges === true];
      expect([of.token, name, ...marks]).toEqual([of.token, name, true, secret, fixed]);
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

test('no schema of what a command prints names what only the compiler knows', () => {
  for (const [path, text] of files)
    if (path.startsWith('schemas/')) expect([path, /__@|Zod/.exec(text)]).toEqual([path, null]);
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

test('every function is in the schema and in the SDK, with its marks', () => {
  expect(Object.keys(schema.functions)).toEqual(functions.map(({ token }) => `oneops:index:${token}`));
  for (const { token, arguments: args, result } of functions) {
    const { inputs, outputs } = schema.functions[`oneops:index:${token}`]!;
    expect(Object.keys(inputs?.properties ?? {})).toEqual(Object.keys(args));
    const marks = Object.entries(outputs.properties).map(([name, { secret }]) => [name, secret === true]);
    expect(marks).toEqual(Object.entries(result).map(([name, { secret }]) => [name, secret]));
    expect(files.get('sdk/functions.ts')).toContain(`export function ${token}Output(`);
  }
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

// What state holds for ever: ids, type names and provider texts of every kind. The golden file may
// grow and never change.

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

// The stack schema refuses values that the reader refuses; what it takes is in the corpus of right files, below.
describe('stack file', () => {
  const schema = JSON.parse(
    readFileSync(join(__dirname, '..', '..', 'schemas', 'stack.schema.json'), 'utf8'),
  ) as object;
  const isValid = new Ajv({ strict: false }).compile(schema);

  const reads = (stack: object): boolean =>
    readStack([{ name: 'oneops.yaml', text: JSON.stringify(stack) }], {
      readFile: () => ({ problem: 'there is none' }),
    }).findings.every(({ severity }) => severity === 'warning');

  const assembly = { name: 'shop' };
  const attached = (attachment: object): object => ({
    assembly,
    platforms: {
      web: {
        pack: 'oneops/tomcat:1',
        components: { compute: { attachments: { motd: { content: 'hello', source: 'http://x.io', ...attachment } } } },
      },
    },
  });
  const onClouds = (link: object): object => ({ assembly, environments: { prod: { clouds: { east: link } } } });

  test.each<[string, object]>([
    ['a list among headers', attached({ headers: { X: [3] } })],
    ['a text for a whole number', attached({ priority: 'one' })],
    ['a priority of a cloud as a word', onClouds({ priority: 'first' })],
    ['a parameter without a type', { assembly, templates: { t: { parameters: { a: {} }, body: {} } } }],
    ['a configuration value without a type', { assembly, config: { n: { default: 'a' } } }],
    ['other keys', { assembly, anything: 1 }],
  ])('%s', (_, stack) => {
    expect([reads(stack), isValid(stack)]).toEqual([false, false]);
  });

  // What an editor shows of a stack file: completion, hover and findings of the real
  // yaml-language-server, one process for all rows.
  describe('stack file editor', () => {
    const ROOT = join(__dirname, '..', '..');

    let client: LanguageClient;
    let opened = 0;

    /** The line that files begin with; the schema of the package is where this repository has it. */
    const MODELINE = `# yaml-language-server: $schema=${pathToFileURL(join(ROOT, 'schemas', 'stack.schema.json')).href}\n`;

    beforeAll(async () => {
      const server = join(ROOT, 'node_modules', 'yaml-language-server', 'bin', 'yaml-language-server');
      client = await startLanguageServer([server, '--stdio'], () => [{ schemaStore: { enable: false } }, {}, {}, {}]);
    });

    afterAll(async () => expect(await client.end()).toBe(0));

    async function open(text: string): Promise<string> {
      const uri = `file:///stack/file-${(opened += 1)}.yaml`;
      await client.open(uri, MODELINE + text.replace(/^# yaml-language-server.*/, ''));
      return uri;
    }

    /** A composed file. In the tables, `|` is the cursor. */
    const TEXT = `config:
  size: { type: string, default: M }
assembly: { name: shop }
templates:
  service:
    parameters: { size: { type: string } }
    body:
      pack: oneops/tomcat:1
      links: []
platforms:
  web:
    use: service
    with: { size: L }
  api:
    pack: oneops/tomcat:1
    components:
      tomcat:
        max_threads: 100
        install_type: repository
      compute: { size: M }
      user:
        deployer:
          username: deployer
          sudoer: true
      os: { monitors: { queue: { duration: 5 } } }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 } }
    platforms:
      api:
        scale: { compute: { current: 2 } }
        components:
          tomcat:
            max_threads: 300
    deploy: { when_busy: wait }
variables:
  KEY: { fn::toBase64: a }
  OLD: { fn::toBase64: a }
overlays:
  big:
    platforms:
      api: { components: { compute: { size: L } } }
`;

    /** Place; what is offered there; what is said there. */
    const PLACES: readonly (readonly [string, readonly string[], string])[] = [
      ['|templates:', ['clouds', 'outputs', 'include'], 'Bodies that several things share'],
      ['type: |string, default', ['integer', 'map'], '`boolean`'],
      ['      pack: oneops/tomcat:1\n      |links', ['components', 'variables'], 'they start before it does'],
      ['    use: service\n    |with', ['components', 'each', 'when'], 'Arguments of the template'],
      ['    pack: oneops/tom|cat:1\n    comp', ['oneops/mysql:1', 'oneops/tomcat:1'], 'source/pack:version'],
      [
        '    components:\n      |tomcat',
        ['volume', 'artifact', 'tomcat-daemon'],
        'A Tomcat servlet container. Template of tomcat.',
      ],
      [
        '      tomcat:\n        |max_threads: 100',
        ['port', 'java_options', 'attachments', 'depends'],
        'from 1 on. Default: 50.',
      ],
      ['install_type: |repository', ['repository', 'binary'], '`binary`'],
      ['      compute: { size: |M', ['XS', 'XXL'], 'Size of the machine'],
      ['          |username: deployer', ['home_directory', 'login_shell'], 'Required.'],
      ['sudoer: |true', ['true', 'false'], 'Default: '],
      ['queue: { |dur', ['heartbeat', 'thresholds'], 'Minutes without samples'],
      ['  prod:\n    |avail', ['relays', 'procedures', 'profile'], 'Whether platforms run alone'],
      ['    availability: |redundant', ['redundant', 'single'], '`single`'],
      ['east: { |priority', ['pct_scale', 'dpmt_order'], '1 primary, 2 secondary.'],
      ['          tomcat:\n            |max_threads: 300', ['port', 'touch'], 'from 1 on. Default: 50.'],
      ['when_busy: |wait', ['fail', 'proceed', 'wait'], '`proceed`'],
      ['  KEY: { |fn::toB', ['fn::readFile', 'fn::invoke', 'fn::sha256'], 'Takes a text. Result: the text in Base64.'],
      ['      api: { |components: { compute', ['links', 'variables', 'pack'], 'Components by template'],
      ['compute: { |size: L', ['attachments'], 'Size of the machine'],
    ];

    describe('in an open file', () => {
      let uri: string;

      beforeAll(async () => {
        uri = await open(TEXT);
      });

      test.each(PLACES)('%j', async (snippet, offered, described) => {
        const { line, character } = cursorIn(TEXT, snippet);
        const position = { line: line + 1, character };
        const { items } = await client.ask<CompletionList>('textDocument/completion', uri, { position });
        expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining([...offered]));
        const hover = await client.ask<Hover | null>('textDocument/hover', uri, { position });
        expect((hover?.contents as { readonly value: string } | undefined)?.value).toContain(described);
      });
    });

    const codes = EXPLANATIONS.flatMap(({ explanations }) => explanations);
    const ofPage = (page: string): readonly (readonly [string, string])[] =>
      [...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/```yaml\n([^]*?)```/g)]
        .map(([, text = ''], index) => [`${page} ${index}`, text] as const)
        .filter(([, text]) => /^assembly:/m.test(text));

    const RIGHT = [
      ...right.map(({ title, text }) => [title, text] as const),
      ...codes.map((each) => [each.id, each.right] as const),
      ...ofPage('yaml.md'),
      ...ofPage('yaml-environments.md'),
      ...ofPage('yaml-options.md'),
      ...ofPage('composition.md'),
    ];

    /** The findings that the server publishes for each text: `line message`. */
    async function findingsOf(
      texts: readonly (readonly [string, string])[],
    ): Promise<readonly (readonly [string, string[]])[]> {
      const opened = await Promise.all(texts.map(async ([title, text]) => [title, await open(text)] as const));
      return Promise.all(
        opened.map(async ([title, uri]) => {
          const findings = await client.findings(uri);
          return [
            title,
            findings.map(({ range, message }) => `${range.start.line} ${JSON.stringify(message)}`),
          ] as const;
        }),
      );
    }

    test('what check finds right, the schema finds right', async () => {
      const found = await findingsOf(RIGHT);
      expect(found.length).toBeGreaterThan(100);
      expect(found.filter(([, findings]) => findings.length > 0)).toEqual([]);
    });

    test('what the schema finds wrong, check finds wrong in the same line', async () => {
      const found = await findingsOf(wrong.map(({ title, text }) => [title, text] as const));
      const unlike = found.filter(([, findings], index) => {
        const { findings: own } = examine(wrong[index]?.text ?? '');
        // The schema knows nothing of indentation: it finds what follows from it.
        if (own.some(({ code }) => code === 'bad-indent')) return false;
        const lines = own.map(({ at }) => at.start.line);
        return findings.some((finding) => !lines.includes(Number.parseInt(finding, 10)));
      });
      expect(unlike).toEqual([]);
      const known = found.filter(([, findings]) => findings.length > 0).length;
      expect(known).toBeGreaterThan(40);
    });
  });
});
