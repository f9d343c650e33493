// What each word of composition makes of a stack file, and what is found wrong with it.
import { posix } from 'node:path';
import fc from 'fast-check';
import { readText } from '../../test/read-text';
import type { ReadStack } from '../bind/stack';
import type { Choices } from './composition';
import { withKnownValues } from './known';
import { resolvedLines } from './resolved-file';
import { newReport } from '../findings/finding';
import { readYaml } from '../yaml/read';
import { sourceFile } from '../yaml/source';
import { entryOf, type MapNode, type Node } from '../yaml/tree';
import { compose } from './compose';

interface Setting extends Choices {
  readonly files?: { readonly [name: string]: string };
  readonly secretConfig?: ReadonlySet<string>;
  readonly env?: { readonly [name: string]: string };
}

const read = (text: string, { files = {}, secretConfig, env = {}, ...choices }: Setting = {}): ReadStack =>
  readText(text, {
    catalogue: 'off',
    readFile: () => ({ text: 'a file' }),
    env,
    ...(secretConfig ? { secretConfig } : {}),
    choices: {
      include: (pattern, from) => {
        const matches = new RegExp(`^${posix.join(posix.dirname(from), pattern).replaceAll('*', '[^/]*')}$`);
        const found = Object.keys(files).filter((name) => matches.test(name));
        if (found.length === 0) return { problem: 'no file matches' };
        return { files: found.map((name) => ({ name, content: { text: files[name] ?? '' } })) };
      },
      ...choices,
    },
  });

const rendered = ({ root, findings }: ReadStack): string => {
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return root === undefined
    ? ''
    : resolvedLines(root, 'oneops.yaml')
        .map(({ text }) => `${text}\n`)
        .join('');
};

/** Findings as `line:column code message`, with the lines of their other places. */
const found = ({ findings }: ReadStack): readonly string[] =>
  findings.map(({ at, code, message, related = [] }) =>
    [
      `${at.file === 'oneops.yaml' ? '' : at.file + ':'}${at.start.line}:${at.start.column} ${code} ${message}`,
      ...related.map((each) => `${each.at.file}:${each.at.start.line} ${each.text}`),
    ].join(' | '),
  );

const HEAD = 'assembly: { name: shop }\n';

const SERVICE = `${HEAD}templates:
  service:
    parameters:
      size: { type: string, default: M, allowed: [S, M, L], message: ask the platform team }
      threads: { type: integer }
    body:
      pack: oneops/tomcat:1
      components: { compute: { size: '\${param.size}' }, tomcat: { max_threads: '\${param.threads}' } }
`;

test('a template is used with its arguments, and own keys are laid over its body', () => {
  const web = `platforms:
  web: { use: service, with: { threads: 5 }, components: { tomcat: { min_spare_threads: 3 } } }
`;
  expect(rendered(read(SERVICE + web))).toBe(`assembly:
  name: shop
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute:
        size: M
      tomcat:
        max_threads: 5
        min_spare_threads: 3
`);
});

test('a mistake in the body of a template is reported once, with the places that use it', () => {
  const text =
    SERVICE.replace('max_threads:', 'max_thread: 1, max_threads:') +
    'platforms: { web: { use: service, with: { threads: 1 } } }\n';
  const wrong = readText(text.replace('oneops/tomcat:1', '{ a: 1 }'));
  expect(found(wrong)[0]).toMatch(/^8:13 required .* \| oneops.yaml:10 template service is used here$/);
});

test('templates use templates', () => {
  const text = (inner: string): string => `${HEAD}templates:
  inner: { parameters: { size: { type: string } }, body: { size: '\${param.size}' } }
  outer: { parameters: { size: { type: string } }, body: { pack: oneops/tomcat:1, components: { compute: ${inner} } } }
platforms: { web: { use: outer, with: { size: L } } }
`;
  expect(rendered(read(text("{ use: inner, with: { size: '${param.size}' } }")))).toContain('size: L\n');
});

test('each makes one entry for each element, with its key and value', () => {
  const text = `${SERVICE}platforms:
  '\${each.key}':
    each: { orders: { threads: 5 }, carts: { threads: 7, size: L } }
    when: "\${each.key} != 'none' and \${each.value.threads} > 4"
    use: service
    with: { threads: '\${each.value.threads}' }
environments:
  'shop-\${each.key}':
    each: [dev, prod]
    clouds: { east: { priority: 1 } }
`;
  const result = read(text);
  expect(rendered(result)).toMatch(
    /orders:\n.*\n.*\n.*\n.*size: M\n.*\n +max_threads: 5\n {2}carts:[^]*max_threads: 7\n[^]*shop-dev:[^]*shop-prod:/,
  );
  expect(result.plan?.resources.map(({ logicalName }) => logicalName)).toEqual(
    expect.arrayContaining(['orders', 'carts', 'shop-prod']),
  );
});

const withEach = (list: string): ReadStack =>
  read(
    `${SERVICE}platforms: { '\${each.key}': { each: ${list}, use: service, with: { threads: 1 } }, db: { pack: oneops/mysql:1 } }\n`,
  );

test.each(['[orders, carts, users]', '[carts, orders]', '[orders]', '{ users: {}, orders: {} }'])(
  'adding, removing and reordering elements touches only their own resources: %s',
  (list) => {
    const resources = ({ plan }: ReadStack): Map<string, string> =>
      new Map(
        plan?.resources
          // The release comes after everything in the design.
          .filter(({ kind }) => kind.token !== 'DesignRelease')
          .map(({ key, args, after, options, secrets }) => [key, JSON.stringify([args, after, options, secrets])]),
      );
    const before = resources(withEach('[orders, carts]'));
    for (const [key, text] of resources(withEach(list)))
      if (before.has(key)) expect([key, before.get(key)]).toEqual([key, text]);
  },
);

test('each takes a list or a map of the configuration', () => {
  const text = (type: string): string => `${HEAD}config: { names: { type: ${type} } }
variables: { '\${each.key}': { each: '\${config.names}', value: 'of \${each.key}' } }
`;
  expect(rendered(read(text('list'), { config: { names: '["A","B"]' } }))).toContain('A:\n    value: of A\n  B:');
  expect(found(read(text('list'), { config: { names: '["A"]' }, secretConfig: new Set(['names']) }))[0]).toMatch(
    /secret-decides/,
  );
});

const REVIEW = `config: { team: { type: string, default: blue }, key: { type: string, secret: true } }
assembly: { name: 'shop-\${pulumi.stack}', owner: team@acme.io }
environments:
  '\${config.team}-1': { clouds: [east] }
overlays: { pr-7: { environments: { '\${config.team}-1': { availability: redundant } } } }
outputs: { name: '\${assembly.name}' }
`;

test('names of the assembly and of environments are those of the stack, also below an overlay and in the plan', () => {
  const reading = read(REVIEW.replace(/, key.*? }/, ''), { stack: 'pr-7' });
  expect(rendered(reading)).toContain('  name: shop-pr-7\n');
  expect(rendered(reading)).toMatch(/ {2}blue-1:\n {4}clouds:\n {6}- east\n {4}availability: redundant\n/);
  expect(reading.plan?.resources.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['Assembly::shop-pr-7', 'Environment::blue-1', 'Deployment::blue-1']),
  );
});

test.each<[string, string, string, Choices, string]>([
  ['a name that the rules of names refuse', '', '', { stack: 'feature_7' }, '2:19 bad-name'],
  ['a stack that nobody chose', '', '', {}, '2:19 not-known-yet'],
  ['a secret', 'pulumi.stack', 'config.key', { stack: 'a' }, '2:19 secret-decides'],
  ['an output', 'pulumi.stack', 'variables.X.value', { stack: 'a' }, '2:19 not-known-yet'],
  ['two of one name', 'environments:', 'environments:\n  blue-1: {}', { stack: 'a' }, '5:3 duplicate-name'],
  ['a value that is not set', ', default: blue', '', { stack: 'a' }, '4:3 config-required'],
])('a name with a reference: %s is a finding at the name', (_, from, to, choices, expected) => {
  const { findings } = read(REVIEW.replace(from, to), choices);
  const errors = findings.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ at, code }) => `${at.start.line}:${at.start.column} ${code}`)).toEqual([expected]);
});

test('overlays: null removes, lists are replaced, and what each made can be changed', () => {
  const text = `${SERVICE}platforms:
  '\${each.key}': { each: [orders, carts], use: service, with: { threads: 1 } }
  db: { pack: oneops/mysql:1, links: [orders] }
environments:
  main: { clouds: [east] }
overlays:
  prod:
    platforms:
      carts: ~
      orders: { with: { size: L }, components: { tomcat: { max_threads: 9 } } }
    environments: { main: { clouds: [east, west] } }
  dev:
    environments: { main: { clouds: [north] } }
`;
  const prod = rendered(read(text, { stack: 'acme/shop/prod' }));
  expect(prod).toContain('size: L\n      tomcat:\n        max_threads: 9\n');
  expect(prod).not.toContain('carts');
  expect(prod).toContain('- east\n      - west\n');
  expect(rendered(read(text, { stack: 'prod', overlay: 'dev' }))).toContain('clouds:\n      - north\n');
  expect(rendered(read(text, { stack: 'other' }))).toContain('carts');
  expect(found(read(text, { overlay: 'pord' }))).toEqual(['15:1 unknown-overlay there is no overlay "pord"']);
  expect(found(read(text.replace('carts: ~', 'cart: ~'), { stack: 'prod' }))[0]).toMatch(
    /nothing-to-remove there is no "cart"/,
  );
});

test('files are included at the top and in maps; what two of them give is found at both places', () => {
  const files = {
    'shared/all.yaml': 'variables: { A: x }\ntemplates: { t: { body: { pack: oneops/tomcat:1 } } }\n',
    'platforms/one.yaml': 'web: { use: t }\n',
    'platforms/two.yaml':
      'db: { pack: oneops/mysql:1, components: { user: { ann: { username: ann, attachments: { motd: { path: /etc/motd, content: { fn::readFile: motd.txt } } } } } } }\n',
  };
  const text = `${HEAD}include: [shared/all.yaml]\nplatforms: { include: [platforms/*.yaml] }\n`;
  expect(rendered(read(text, { files }))).toContain('fn::readFile: platforms/motd.txt');
  expect(
    found(
      read(text, { files: { ...files, 'platforms/two.yaml': 'web: { links: [web] }\ndb: { pack: oneops/mysql:1 }' } }),
    ).filter((each) => /declared twice/.test(each)),
  ).toEqual([]);
  const twice = { ...files, 'shared/all.yaml': `${files['shared/all.yaml']}assembly: { name: other }\n` };
  expect(found(read(text, { files: twice }))).toEqual([
    'shared/all.yaml:3:13 duplicate-key "name" is declared twice | oneops.yaml:1 the first is here | oneops.yaml:2 shared/all.yaml is included here',
  ]);
  const ring = { 'shared/all.yaml': 'include: [../oneops.yaml]', 'oneops.yaml': text };
  expect(found(read(text, { files: ring })).join('\n')).toMatch(
    /cycle oneops.yaml includes itself: oneops.yaml -> shared\/all.yaml -> oneops.yaml/,
  );
  expect(found(read(text, { files: {} }))).toEqual([
    '2:11 unreadable-file cannot include shared/all.yaml: no file matches',
    '3:24 unreadable-file cannot include platforms/*.yaml: no file matches',
  ]);
  expect(read(`${HEAD}platforms: { include: a.yaml }\n`).findings).toMatchObject([
    { code: 'wrong-type', hint: 'files are included as a list: include: [a.yaml]' },
  ]);
});

test('a name that another file gives, too, is found with the file of the first one', () => {
  const user = 'components: { user: { username: ann, attachments: { motd: { path: /etc/motd, content: hi } } } }';
  const twice = 'components: { compute: { attachments: { motd: { path: /etc/motd, content: hi } } } }';
  const files = {
    'one.yaml': `\nplatforms: { web: { pack: oneops/tomcat:1, ${user} } }\n`,
    'two.yaml': `platforms: { web: { ${twice} }, Web: { pack: oneops/tomcat:1 } }\n`,
  };
  const { findings } = read(`${HEAD}include: [one.yaml, two.yaml]\n`, { files });
  expect(findings.map(({ at, code, hint }) => `${at.file} ${code}: ${hint}`)).toEqual([
    'two.yaml duplicate-name: the first is in one.yaml at 2:96; names of attachments are unique in a platform',
    'two.yaml duplicate-name: the first is in one.yaml at 2:14; the service does not distinguish upper and lower case in names',
  ]);
});

test.each([
  ['a default', `config: { v: { type: string, default: 1.10 } }`, `"\${config.v} == '1.10'"`],
  ['an allowed value', `config: { v: { type: string, default: 1.10, allowed: [1.10] } }`, `"\${config.v} == '1.10'"`],
  [
    'a text with quotes',
    `config: { v: { type: string, default: "it''s", allowed: ["it''s"] } }`,
    `'\${config.v} == "it''''s"'`,
  ],
])('%s of the type string is compared as its text, also a number without quotes', (_, config, when) => {
  const stack = read(`${HEAD}${config}\nvariables: { A: { value: x, when: ${when} } }\n`);
  expect(found(stack)).toEqual([]);
  expect(rendered(stack)).toContain('A: x');
});

test('names under env of an included file are added; in an overlay they replace the list', () => {
  const files = { 'more.yaml': 'env: [LEVEL, REGION]\nvariables: { B: { fn::env: LEVEL } }\n' };
  const text = (overlay: string): string =>
    `${HEAD}include: [more.yaml]\nenv: [REGION]\nvariables: { A: { fn::env: REGION } }\noverlays: { prod: ${overlay} }\n`;
  const env = { REGION: 'east', LEVEL: 'info', ZONE: 'a' };
  const of = (overlay: string) => read(text(overlay), { files, env, stack: 'prod' });
  expect(found(of('{}'))).toEqual([]);
  expect(rendered(of('{}'))).toContain('env:\n  - REGION\n  - LEVEL\n  - REGION\n');
  expect(found(of('{ env: [LEVEL, REGION, ZONE], variables: { C: { fn::env: ZONE } } }'))).toEqual([]);
  expect(found(of('{ env: [REGION] }'))).toEqual([
    'more.yaml:2:28 undeclared-env the file does not declare the variable "LEVEL" | oneops.yaml:2 more.yaml is included here',
  ]);
});

describe('what names a thing that does not exist in this stack', () => {
  const text = (db: string, part: string): string => `config: { t: { type: string, default: prod } }
${HEAD}platforms:
  db: { pack: oneops/mysql:1${db} }
  web: { pack: oneops/tomcat:1, links: [db], variables: { X: '$OO_GLOBAL{V}' }, components: { user: { ann: { username: a${part} }, bob: { username: b, depends: [ann] } } } }
variables: { V: { value: x${part} } }
environments:
  dev: { clouds: [east], platforms: { db: { availability: single } }, procedures: { p: { platform: db, component: mysql, action: status } } }
overlays: { p: { platforms: { db: ~, web: { components: { user: { ann: ~ } } } }, variables: { V: ~ } } }
`;
  const why = (result: ReadStack): readonly string[] =>
    result.findings.map(({ at, code, message, hint = '', related = [] }) =>
      [`${at.start.line} ${code} ${message}`, hint, ...related.map((each) => each.text)].join(' | '),
    );

  const SWITCHED = 'is switched off | the condition that switches it off is at oneops.yaml';
  const REMOVED = 'is removed | what removes it is at oneops.yaml';
  const OFF = ', when: "${config.t} == \'dev\'"';

  test.each<[string, string, Choices, string, string, readonly string[]]>([
    ['a condition switches it off', OFF, {}, SWITCHED, '', ['4:31', '6:29', '5:123']],
    ['an overlay removes it', '', { overlay: 'p' }, REMOVED, ' | overlay p is here', ['9:31', '9:96', '9:67']],
  ])('says that %s', (_, off, choices, how, way, [db = '', variable = '', ann = '']) => {
    const at = (place: string): string => `${how}:${place}${way}`;
    expect(why(read(text(off, off), choices))).toEqual([
      `5 switched-off platform "db" ${at(db)}`,
      `5 switched-off variable "V" ${at(variable)}`,
      `5 switched-off component "ann" ${at(ann)}`,
      `8 switched-off platform "db" ${at(db)}`,
      `8 switched-off platform "db" ${at(db)}`,
    ]);
  });
});

test('words of the top are no part of an overlay', () => {
  const text = `${HEAD}overlays: { prod: { templates: {} } }\n`;
  const { findings } = read(text, { stack: 'prod' });
  expect(findings).toMatchObject([
    {
      code: 'unknown-key',
      message: '"templates" cannot be part of an overlay',
      hint: 'write it at the top of the file',
    },
  ]);
});

test.each([
  ['a number', '${config.count}', ' 3'],
  ['a list', '${config.names}', '\n    - a\n    - b'],
  ['a part of a text', 'x ${config.count} ${pulumi.stack}', ' x 3 prod'],
  ['a secret', '${config.hidden}', ' (secret)'],
  ['what only a run knows', '${platforms.web.ciId}', ' ${platforms.web.ciId}'],
])('known values in the place of references: %s', (_, reference, expected) => {
  const config = 'count: { type: integer, default: 3 }, names: { type: list, default: [a, b] }';
  const text = `config: { ${config}, hidden: { type: string, secret: true } }\noutputs: { shown: '${reference}' }\n`;
  const { root } = read(`${HEAD}${text}platforms: { web: { pack: oneops/tomcat:1 } }\n`);
  const known = root && withKnownValues(root, { stack: 'prod' }, new Set());
  const lines = known && resolvedLines(known, 'oneops.yaml').map((line) => line.text);
  expect(lines?.join('\n')).toContain(`  shown:${expected}\n`);
});

test('templates that double themselves are stopped', () => {
  const doubling = Array.from(
    { length: 40 },
    (_, index) => `  t${index}: { body: { components: { a: { use: t${index + 1} }, b: { use: t${index + 1} } } } }`,
  );
  const text = `${HEAD}templates:\n${doubling.join('\n')}\n  t40: { body: { pack: x } }\nplatforms: { web: { use: t0 } }\n`;
  expect(found(read(text)).map((each) => each.split(' ')[1])).toEqual(['too-deep']);
});

test('a file may have all that each and templates may make: everything is carried out, or one finding says why not', () => {
  const switchedOff = (items: number): string => `${HEAD}templates:
  large: { parameters: { x: { type: string } }, body: { when: false, tags: { a: "${'${param.x}'.repeat(199)}", b: [${'x, '.repeat(items)}x] } } }
platforms:
  off: { use: large, with: { x: ${'x'.repeat(100_000)} } }
  web: { pack: oneops/tomcat:1, variables: { A: { when: "'a' == 'a'", value: x } } }
`;
  const codes = (items: number): readonly string[] =>
    read(switchedOff(items)).findings.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
  // The limit is among these.
  const found = Array.from({ length: 16 }, (_, items) => codes(985 + items).join(', '));
  expect([...new Set(found)]).toEqual(['', 'too-many-entries']);
});

test.each([
  ['string', "'${param.x}${param.x}'", 'some text'],
  ['list', "['${param.x}', '${param.x}']", '[a]'],
  ['map', "{ a: '${param.x}', b: '${param.x}' }", '{}'],
])('arguments of type %s that double themselves are stopped, with one finding', (type, twice, first) => {
  const templates = Array.from(
    { length: 40 },
    (_, index) =>
      `  t${index}: { parameters: { x: { type: ${type} } }, body: { use: t${index + 1}, with: { x: ${twice} } } }`,
  );
  const last = `  t40: { parameters: { x: { type: ${type} } }, body: { pack: x, description: '\${param.x}' } }`;
  const text = `${HEAD}templates:\n${templates.join('\n')}\n${last}\nplatforms: { web: { use: t0, with: { x: ${first} } } }\n`;
  expect(found(read(text))).toEqual([expect.stringContaining('too-many-entries')]);
});

test('loops that make too much are stopped, with one finding', () => {
  const names = Array.from({ length: 300 }, (_, index) => `a${index}`).join(', ');
  const inner = "{ 'u-${each.key}': { each: '${param.names}', username: x } }";
  const text = `config: { names: { type: list, default: [${names}] } }
${HEAD}templates: { t: { parameters: { names: { type: list } }, body: { pack: x, components: { user: ${inner} } } } }
platforms: { 'p-\${each.key}': { each: '\${config.names}', use: t, with: { names: '\${config.names}' } } }
`;
  expect(found(read(text))).toEqual([expect.stringContaining('too-many-entries')]);
});

const OFF = `when: "\${pulumi.stack} == 'b'"`;
test.each<readonly [string, string, string, boolean]>([
  ['components of a class that is written', `user/oneops.1.User: { ann: { ${OFF}, username: x } }`, 'a', false],
  ['components by name, one of a template', `user: { use: users, ann: { ${OFF}, username: x } }`, 'a', false],
  ['an attribute', `tomcat: { system_properties: { ${OFF}, A: x } }`, 'a', true],
  ['attributes of a class that is not known', `mine: { properties: { ${OFF}, A: x } }`, 'a', true],
  ['components, with an empty map in the overlay', `user: { ann: { ${OFF}, username: x } }`, 'c', true],
])('a template of which nothing is left: %s', (_, component, stack, isDeclared) => {
  const text = `${HEAD}templates: { users: { body: { '\${each.key}': { each: [], username: x } } } }
platforms: { web: { pack: oneops/tomcat:1, components: { ${component} } } }
overlays: { c: { platforms: { web: { components: { user: {} } } } } }\n`;
  expect(rendered(read(text, { stack })).includes(`      ${component.split(':')[0]}: {}\n`)).toBe(isDeclared);
});

test('a template inside of each has its own each', () => {
  const user = "{ user: { '${each.key}': { each: LIST, username: '${each.key}' } } }";
  const things = "{ '${each.key}': { each: { web: [ann, bob], api: [eve] }, BODY } }";
  const body = `{ pack: oneops/tomcat:1, components: ${user.replace('LIST', "'${param.users}'")} }`;
  const template = `templates: { t: { parameters: { users: { type: list } }, body: ${body} } }`;
  const used = things.replace('BODY', "use: t, with: { users: '${each.value}' }");
  expect(rendered(read(`${HEAD}${template}\nplatforms: ${used}\n`))).toMatch(
    /web:[^]*ann:\n +username: ann\n +bob:[^]*api:[^]*eve:\n +username: eve\n$/,
  );
});

test.each<[string, Choices, readonly string[]]>([
  ['a typo', { stacks: ['prod', 'dev'] }, ['2:13 overlay-without-stack there is no stack "pord"']],
  ['another name', { stacks: ['port-eu', 'pond-us', 'prod1'] }, []],
  ['an overlay that the settings of a stack choose', { stacks: ['prod', 'pord'] }, []],
  ['an overlay that is chosen now', { stacks: ['prod'], overlay: 'pord' }, []],
  ['a stack without settings', { stacks: ['prod'], stack: 'pord' }, []],
  [
    'a misspelt stack',
    { stacks: ['dev'], stack: 'pordd' },
    ['2:13 overlay-without-stack stack "pordd" has neither settings nor an overlay, and so does not get this one'],
  ],
])('the name of an overlay next to those of stacks: %s', (_, choices, findings) => {
  const text = 'assembly: { name: shop }\noverlays: { pord: { assembly: { description: other } } }\n';
  expect(found(read(text, choices))).toEqual(findings);
});

// The law of overlays: an overlay acts on what the file means without it, whatever the layers
// remove, replace or merge. RUNS in the environment says how many random files.

const RUNS = Number(process.env['RUNS'] ?? 300);

type Plain = null | string | number | boolean | readonly Plain[] | PlainMap;
interface PlainMap {
  readonly [key: string]: Plain;
}

function plain(node: Node): Plain {
  if (node.form === 'scalar') return node.value;
  if (node.form === 'list') return node.items.map(plain);
  if (node.form === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  throw new Error('a part of the tree is missing');
}

interface Resolved {
  readonly platforms: Plain;
  /** Findings other than those of nulls that remove nothing. */
  readonly findings: readonly string[];
}

function resolve(text: string, choices: Choices = { overlay: 'p' }): Resolved {
  const file = sourceFile('oneops.yaml', text);
  const report = newReport([file.name]);
  const { root } = readYaml(file);
  if (root?.form !== 'map') throw new Error('no map');
  const join = ([first]: readonly MapNode[]): MapNode => first ?? root;
  const composed = compose({ files: [file], roots: [root], report, choices, join });
  const platforms = entryOf(composed.root, 'platforms')?.value;
  return {
    platforms: platforms ? plain(platforms) : null,
    findings: report.findings().map(({ code, message }) => `${code} ${message}`),
  };
}

const withOverlay = (file: string, overlay: string): Resolved =>
  resolve(`${file}\noverlays: { p: { platforms: ${overlay} } }\n`);

const T = (body: string): string => `templates: { t: { body: ${body} } }\nplatforms: `;

test.each([
  [
    'a list in place of one of the configuration',
    "config: { l: { type: list, default: [a] } }\nplatforms: { web: { links: '${config.l}' } }",
    '{ web: { links: [b] } }',
    { web: { links: ['b'] } },
  ],
  [
    'a thing that each makes, with the overlay for it',
    "platforms: { '${each.key}': { each: [a, b], pack: 'of ${each.key}' } }",
    '{ a: { description: over } }',
    { a: { pack: 'of a', description: 'over' }, b: { pack: 'of b' } },
  ],
])('%s', (_, file, overlay, expected) => {
  expect(withOverlay(file, overlay)).toEqual({ platforms: expected, findings: [] });
});

test.each([
  ['next to use', '{ web: { use: t, components: { compute: { siez: ~ } } } }', '{}', 'there is no "siez" to remove'],
  [
    'in an overlay',
    '{ web: { use: t } }',
    '{ web: { components: { compute: { siez: ~ } } } }',
    'there is no "siez" that the overlay could remove',
  ],
])('a null that has nothing to remove is a finding: %s', (_, things, overlay, message) => {
  const { platforms, findings } = withOverlay(`${T('{ components: { compute: { size: S } } }')}${things}`, overlay);
  expect(platforms).toEqual({ web: { components: { compute: { size: 'S' } } } });
  expect(findings).toEqual([`nothing-to-remove ${message}`]);
});

test('a name that a template makes with each is changed next to use', () => {
  const template = T("{ user: { '${each.key}': { each: [ann], username: x } } }");
  expect(resolve(`${template}{ web: { use: t, user: { ann: { username: y } } } }`, {})).toEqual({
    platforms: { web: { user: { ann: { username: 'y' } } } },
    findings: [],
  });
});

/** What a layer gives: each key has one type. */
const word = fc.constantFrom('a', 'b', 'c');
const list = fc.array(word, { maxLength: 2 });
const scalar = fc.option(word);
const items = fc.option(list);
const inner = fc.record({ s: scalar, l: items }, { requiredKeys: [] });
const component = fc.record({ size: scalar, l: items, m: fc.option(inner) }, { requiredKeys: [] });
const keys = {
  s: scalar,
  l: items,
  m: fc.option(inner),
  deep: fc.option(fc.record({ m: fc.option(inner) }, { requiredKeys: [] })),
};
const layer = (used: readonly string[]): fc.Arbitrary<PlainMap> =>
  fc.record(
    {
      ...keys,
      components: fc.option(
        fc.dictionary(
          fc.constantFrom('c1', 'c2'),
          fc.option(
            used.length === 0
              ? component
              : fc.oneof(
                  component,
                  component.map((own) => ({ ...own, use: 'part' })),
                ),
          ),
          { maxKeys: 2 },
        ),
      ),
    },
    { requiredKeys: [] },
  );

/** The lowest layers have no null: there is nothing below them. */
const lowest = fc.record(
  {
    s: word,
    l: list,
    m: fc.record({ s: word, l: list }),
    components: fc.dictionary(fc.constantFrom('c1', 'c2'), fc.record({ size: word, l: list })),
  },
  { requiredKeys: [] },
);

const file = fc
  .record({
    t0: lowest,
    t1: layer(['part']),
    t2: layer([]),
    web: layer(['part']),
    way: fc.constantFrom('t0', 't1', 't2'),
  })
  .map(({ t0, t1, t2, web, way }) => ({
    templates: {
      part: { body: { size: 'part', l: ['p'], m: { s: 'p', l: ['q'] } } },
      t0: { body: t0 },
      t1: { body: { ...t1, use: 't0' } },
      t2: { body: { ...t2, use: 't1' } },
    },
    platforms: { web: { ...web, use: way } },
  }));

const isMap = (value: Plain | undefined): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The meaning of an overlay. */
function laidOver(base: Plain | undefined, over: Plain): Plain | undefined {
  if (over === null) return undefined;
  if (!isMap(over)) return over;
  const whole: { [key: string]: Plain } = { ...(isMap(base) ? base : {}) };
  for (const [key, value] of Object.entries(over)) {
    const laid = laidOver(whole[key], value);
    delete whole[key];
    if (laid !== undefined) whole[key] = laid;
  }
  return whole;
}

test('an overlay acts on what the file means without it', () => {
  fc.assert(
    fc.property(file, layer([]), (document, over) => {
      const text = JSON.stringify(document);
      const alone = resolve(text, {});
      const both = resolve(JSON.stringify({ ...document, overlays: { p: { platforms: { web: over } } } }));
      expect(both.platforms).toEqual(laidOver(alone.platforms, { web: over }));
    }),
    { numRuns: RUNS, seed: Number(process.env['SEED'] ?? 7) },
  );
});
