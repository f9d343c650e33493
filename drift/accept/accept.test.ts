// What accepting writes, byte for byte, and what it refuses.
import { parse } from 'yaml';
import { editedYaml, readStack, type StackEnvironment } from '../../stack';
import { sizeFinding } from '../../test/world/sample-review';
import type { DriftFinding } from '../review/review';
import { type Accepted, acceptFindings, UnusableFiles } from './accept';

const environment = { readFile: () => ({ text: 'from a file' }) };

/** In the white space of the YAML library: a change shows nothing else. */
const STACK = editedYaml(
  `# The shop.
config:
  owner: { type: string, default: team@acme.io }   # who is asked

assembly: { name: shop, owner: '\${config.owner}', description: "Web shop" }

variables:
  LOG_LEVEL: info   # of everything
  KEY: { 'fn::secret': '\${config.owner}' }

platforms:
  web:
    pack: oneops/tomcat:1            # source/pack:version
    links: [db]
    variables: { HEAP: 2g, STACK: 1m }
    components:
      compute: { size: M }           # the machine
      tomcat:
        # tuned by hand
        max_threads: 100
        java_options: '-Xmx1g'

      user:
        # who deploys
        deployer:
          username: deployer
          sudoer: true
          authorized_keys:
            - ssh-rsa AAA   # maria
            - ssh-rsa BBB   # paul
          attachments:
            # shown at login
            motd:
              path: /etc/motd
              content: |
                Welcome
                  to the shop
              runs_on: [after-add, after-update]
              # in the end
            token: { path: /etc/token, content: { 'fn::readFile': token.txt }, runs_on: "after-add,after-update" }
        robot: { username: robot }
  db:
    pack: oneops/mysql:1
    components:
      compute: &machine
        size: L
  cache:
    pack: oneops/custom:1
    components:
      compute: *machine

environments:
  prod:
    clouds: [east]
    platforms:
      web: { clouds: { east: { dpmt_order: 2 } } }
  dev:
    clouds: { east: { priority: 1 }, west: { priority: 2, pct_scale: 50 } }
`,
  () => undefined,
);

const finding = (kind: string, logicalName: string, attribute: string | undefined, value: unknown): DriftFinding => {
  const sample = sizeFinding({ kind, logicalName, address: `acme/shop/${logicalName}` });
  const { attribute: _, code: __, ...others } = sample;
  return {
    ...others,
    ...(attribute === undefined ? {} : { attribute }),
    live: value === undefined ? { is: 'absent' } : { is: 'value', value },
  };
};

interface Files {
  readonly [name: string]: string;
}

/** A world that includes files by their names. */
const worldOf = (files: Files): StackEnvironment => ({
  readFile: () => ({ problem: 'none' }),
  choices: { stack: 'prod', include: (name) => ({ files: [{ name, content: { text: files[name] ?? '' } }] }) },
});

const accept = (files: Files, found: DriftFinding): Accepted =>
  acceptFindings([found], [{ name: 'oneops.yaml', text: files['oneops.yaml'] ?? '' }], {
    ...{ environment: worldOf(files), organization: 'acme' },
  });

const run = (findings: readonly DriftFinding[], text = STACK) =>
  acceptFindings(findings, [{ name: 'oneops.yaml', text }], { environment, organization: 'acme' });

const changed = (...findings: readonly DriftFinding[]): string | undefined => {
  const { files, refused } = run(findings);
  expect(refused).toEqual([]);
  return files[0]?.text;
};

const attribute = (component: string, name: string, value: unknown): DriftFinding =>
  finding('Component', `web/${component}`, `attributes.${name}`, value);
const attached = (name: string, argument: string, value: unknown): DriftFinding =>
  finding('Attachment', `web/${name}`, argument, value);
const WELCOME = `|
                Welcome
                  to the shop
`;

const RUNS = ['before-add', 'after-update', 'after-add'];
const IN_BLOCK = '\n                ';

test.each<[string, DriftFinding, before: string, after: string]>([
  ['single quotes', attribute('tomcat', 'java_options', "it's: #1"), "'-Xmx1g'", "'it''s: #1'"],
  [
    'a number that is new',
    attribute('tomcat', 'min_spare_threads', '7'),
    "'-Xmx1g'",
    "'-Xmx1g'\n        min_spare_threads: 7",
  ],
  ['a flag', attribute('deployer', 'sudoer', 'false'), 'sudoer: true', 'sudoer: false'],
  ['a number in quotes', attribute('tomcat', 'java_options', '7'), "'-Xmx1g'", "'7'"],
  ['double quotes', finding('Assembly', 'shop', 'description', 'Shop'), '"Web shop"', '"Shop"'],
  ['a list in one line, in its order', attached('motd', 'runsOn', RUNS), 'after-update]', 'after-update, before-add]'],
  [
    'a block of lines',
    attached('motd', 'content', 'Bye\n\n  all\n'),
    `Welcome${IN_BLOCK}  to the shop`,
    `Bye\n${IN_BLOCK}  all`,
  ],
  [
    'a block without a last line break',
    attached('motd', 'content', 'Bye\nall'),
    WELCOME,
    `|-${IN_BLOCK}Bye${IN_BLOCK}all\n`,
  ],
  [
    'clouds in a list that get shares',
    finding('Environment', 'prod', 'clouds', { east: { pctScale: 50 }, west: { priority: 1 } }),
    '[east]',
    '{ east: { pct_scale: 50 }, west: { priority: 1 } }',
  ],
])('%s', (_, each, before, after) => expect(changed(each)).toBe(STACK.replace(before, after)));

test('clouds that an environment in one line no longer has', () => {
  const text = `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1 } }
environments: { prod: { description: live, clouds: { east: { priority: 1 } }, deploy: {} } }
`;
  const { files, refused } = run([finding('Environment', 'prod', 'clouds', undefined)], text);
  expect(refused).toEqual([]);
  expect(files[0]?.text).toBe(text.replace(' clouds: { east: { priority: 1 } },', ''));
});

const deleted = (kind: string, logicalName: string): DriftFinding => ({
  ...finding(kind, logicalName, undefined, undefined),
  classification: 'deleted',
});

test.each<[string, DriftFinding, before: string | RegExp, after: string]>([
  ['an attachment with its comments', deleted('Attachment', 'web/motd'), / {12}motd:\n[^]* # in the end\n/, ''],
  ['a variable in one line', deleted('Variable', 'platforms/web/variables/STACK'), ', STACK: 1m', ''],
  ['a component in one line', deleted('Component', 'web/robot'), '        robot: { username: robot }\n', ''],
  [
    'the only cloud configuration',
    deleted('CloudConfiguration', 'prod/web/east'),
    '{ clouds: { east: { dpmt_order: 2 } } }',
    '{ clouds: {} }',
  ],
  ['an environment', deleted('Environment', 'dev'), / {2}dev:\n.*\n/, ''],
])('deleted: %s', (_, each, before, after) => expect(changed(each)).toBe(STACK.replace(before, after)));

test('a deleted component goes with what is in it, and its template when it was the last', () => {
  const { files, accepted, held, refused } = run([
    deleted('Attachment', 'web/motd'),
    deleted('Component', 'web/deployer'),
    deleted('Component', 'web/robot'),
  ]);
  expect(refused).toEqual([]);
  expect({ accepted: accepted.length, held: held.length }).toEqual({ accepted: 3, held: 0 });
  expect(files[0]?.text).not.toMatch(/user:|deployer:|robot/);
});

const undeclared = (kind: string, address: string): DriftFinding => {
  const { logicalName: _, at: __, live: ___, ...others } = finding(kind, address, undefined, undefined);
  return { ...others, classification: 'undeclared' };
};

const SHARED = finding('Component', 'db/compute', 'attributes.size', 'M');
/** A release that waits. */
const WAITING: DriftFinding = {
  ...finding('Assembly', '', 'releases.7', 'waits to be deployed'),
  address: 'acme/shop',
  classification: 'undeployed',
  advice: { revert: 'pulumi up --refresh deploys it' },
};
const BY_HAND = 'write by hand, where it counts for this record alone';

/** Why a finding is refused, and at which line of the file, if it has one. */
const REFUSED: readonly (readonly [DriftFinding, string, number?])[] = [
  [
    finding('Assembly', 'shop', 'owner', 'x@y.io'),
    `its value comes from \${config.owner}: change it there; ${BY_HAND}: owner: x@y.io`,
    5,
  ],
  [attached('token', 'content', 'x'), `its value comes from fn::readFile: change it there; ${BY_HAND}: content: x`, 40],
  [SHARED, `it has the anchor &machine: what uses it would change, too; ${BY_HAND}: size: M`, 46],
  [
    { ...finding('Variable', 'variables/KEY', 'encryptedValue', ''), live: { is: 'secret' } },
    'it is a secret, which the service never returns: set it where it comes from, or revert',
  ],
  [{ ...attribute('compute', 'size', ''), live: { is: 'unknown' } }, 'the review does not know the live value'],
  [attribute('none', 'size', 'M'), 'the file does not declare Component acme/shop/web/none'],
  [
    finding('Environment', 'prod', 'designRelease', 'x'),
    '"designRelease" is nothing that a file says of an Environment; drift ignore leaves it as it is',
  ],
  [WAITING, '"releases.7" is nothing that a file says of an Assembly; pulumi up --refresh deploys it'],
  [
    finding('Environment', 'dev', 'clouds.east.priority', 2),
    'the file would no longer be valid: oneops.yaml:58:13 no cloud is active with priority 1',
    58,
  ],
  [
    deleted('Platform', 'db'),
    'it has the anchor &machine: what uses it would change, too; take "db" out by hand, where it counts for this record alone',
    42,
  ],
  [finding('Platform', 'web', 'version', '2'), 'it is in one text with the pack: write version 2 there', 13],
  [
    attribute('deployer', 'authorized_keys', ['ssh-rsa BBB']),
    `comments of its parts would get lost; ${BY_HAND}: \nauthorized_keys:\n  - ssh-rsa BBB`,
    28,
  ],
  [deleted('Assembly', 'shop'), 'the file cannot be without it', 5],
  [
    { ...attribute('compute', 'size', 'XL'), at: { file: 'index.ts', line: 3, column: 1 } },
    'it is declared in index.ts: give all files of the stack, or change a program by hand',
    3,
  ],
  [
    undeclared('Attachment', 'web/deployer/cron'),
    'the review does not say what it contains: import it, or declare it by hand',
  ],
];

test.each(REFUSED.map(([each, reason, line]) => [reason, line, each] as const))('refused: %s', (reason, line, each) => {
  const { files, accepted, refused } = run([each]);
  expect(refused.map((refusal) => [refusal.reason, refusal.at?.line])).toEqual([[reason, line]]);
  expect(accepted).toEqual([]);
  expect(files[0]?.text).toBe(STACK);
});

test('a value of a record that nobody declares goes below its component, which has a name of its own', () => {
  const { logicalName: _, ...others } = finding('Attachment', 'web/deployer/cron', 'path', '/etc/cron');
  const text = changed({ ...others, classification: 'unexpected' });
  expect(text).toMatch(/\n {12}token: .*\n {12}cron:\n {14}path: \/etc\/cron\n {8}robot: /);
});

test('a number of an environment, below its component there, is no text', () => {
  const { logicalName: _, ...others } = finding('EnvironmentComponent', '', 'attributes.max_threads', '7');
  const address = 'acme/shop/prod/web/components/tomcat';
  const text = changed({ ...others, address, classification: 'unexpected' }) ?? '';
  expect(text).toContain('components: { tomcat: { max_threads: 7 } }');
  const { files } = run([{ ...others, address, live: { is: 'value', value: '8' } }], text);
  expect(files[0]?.text).toBe(text.replace('max_threads: 7', 'max_threads: 8'));
});

test('a text, and nothing else, that is empty where another one is expected is declared as empty', () => {
  const emptied = (name: string): DriftFinding => ({
    ...finding('Environment', 'dev', name, undefined),
    classification: 'unexpected',
  });
  expect(parse(changed(emptied('subdomain')) ?? '')).toMatchObject({ environments: { dev: { subdomain: '' } } });
  expect(run([emptied('globalDns')]).files[0]?.text).not.toContain('globalDns');
});

test('one that is refused leaves the others as they are', () => {
  const { accepted, refused, files } = run([
    finding('Assembly', 'shop', 'owner', 'x@y.io'),
    finding('Component', 'web/compute', 'attributes.size', 'XL'),
    finding('Component', 'web/tomcat', 'attributes.max_threads', 100),
  ]);
  expect({ accepted: accepted.length, refused: refused.length }).toEqual({ accepted: 1, refused: 1 });
  expect(files[0]?.text).toBe(STACK.replace('size: M', 'size: XL'));
});

test('a value that already exists is held, and nothing is written', () => {
  const { held, files } = run([finding('Component', 'web/tomcat', 'attributes.max_threads', 100)]);
  expect(held.length).toBe(1);
  expect(files[0]?.text).toBe(STACK);
});

test('what somebody wrote into the file since the review stays', () => {
  const reviewed = {
    ...finding('Component', 'web/compute', 'attributes.size', 'L'),
    code: { is: 'value', value: 'M' },
  } as const;
  const now = (size: string): string => STACK.replace('size: M }', `size: ${size} }`);
  expect(run([reviewed], now('M')).accepted).toEqual([reviewed]);
  expect(run([reviewed], now('L'))).toMatchObject({ held: [reviewed], refused: [] });
  const edited = run([reviewed], now('XL'));
  expect(edited.refused.map(({ reason }) => reason)).toEqual([
    'the file says something else since the review: make a new one',
  ]);
  expect(edited.files.map(({ text }) => text)).toEqual([now('XL')]);
});

test('carriage returns and a byte order mark stay', () => {
  const text = `\uFEFF${STACK.replaceAll('\n', '\r\n')}`;
  const { files, refused } = run(
    [finding('Attachment', 'web/motd', 'content', 'a\nb\n'), finding('Platform', 'db', 'description', 'rows')],
    text,
  );
  expect(refused).toEqual([]);
  expect(files[0]?.text.startsWith('\uFEFF#')).toBe(true);
  expect(files[0]?.text.replaceAll('\r\n', '')).not.toContain('\n');
});

test('files that do not hold are refused with what is wrong', () => {
  expect(() => run([], 'assembly: [')).toThrow(UnusableFiles);
  expect(() => run([], 'assembly: {}\n')).toThrow('run "pulumi-oneops check oneops.yaml"');
});

// Accepting into composed files: a value that is written once is accepted, anything else is refused with what to write; no other resource changes.
describe('composed', () => {
  /** Lines that are new, by file. */
  const news = (files: Files, after: Accepted['files']): readonly string[] =>
    after.flatMap(({ name, text }) => {
      const before = (files[name] ?? '').split('\n');
      return text
        .split('\n')
        .filter((line) => !before.includes(line))
        .map((line) => `${name}: ${line.trim()}`);
    });

  const ALL: Files = {
    'oneops.yaml': `assembly: { name: shop, owner: team@acme.io }
include: [templates.yaml]
platforms:
  include: [cache.yaml]
  web: { use: service, with: { size: L }, components: { tomcat: { min_spare_threads: 3 } } }
  api:
    use: service
  '\${each.key}':
    each:
      orders: { threads: 200 }
      carts: { threads: 150 }
    pack: oneops/tomcat:1
    components:
      tomcat: { max_threads: '\${each.value.threads}' }
      compute: { size: S }
  queue: { use: single }
  copy: { use: single }
overlays:
  prod:
    platforms:
      api: { description: production }
`,
    'templates.yaml': `templates:
  service:
    parameters: { size: { type: string, default: M } }
    body:
      pack: oneops/tomcat:1
      components: { compute: { size: '\${param.size}' }, tomcat: { max_threads: 5 } }
  single:
    body: { pack: oneops/tomcat:1, components: { compute: { size: 'M' } } }
`,
    'cache.yaml': `# ours
cache:
  pack: oneops/tomcat:1
  components: { compute: { size: S }, user: { deployer: { username: deployer } } }
`,
  };

  test.each<[string, DriftFinding, readonly string[]]>([
    [
      'a value of an included file, in that file',
      finding('Component', 'cache/compute', 'attributes.size', 'L'),
      ['cache.yaml: components: { compute: { size: L }, user: { deployer: { username: deployer } } }'],
    ],
    [
      'a new value beside those of an included file',
      finding('Component', 'cache/deployer', 'attributes.sudoer', 'true'),
      ['cache.yaml: components: { compute: { size: S }, user: { deployer: { username: deployer, sudoer: true } } }'],
    ],
    [
      'a record of an included file that is gone',
      deleted('Component', 'cache/deployer'),
      ['cache.yaml: components: { compute: { size: S } }'],
    ],
  ])('%s', (_, found, lines) => {
    const { files, refused } = accept(ALL, found);
    expect([refused, news(ALL, files)]).toEqual([[], lines]);
  });

  test.each<[string, DriftFinding, string]>([
    ['an argument', finding('Component', 'web/compute', 'attributes.size', 'XL'), 'a template'],
    ['a body that others use', finding('Component', 'web/tomcat', 'attributes.max_threads', '9'), 'a template'],
    ['a record of the body that is gone', deleted('Component', 'web/compute'), 'a template'],
    ['what each makes', finding('Component', 'orders/compute', 'attributes.size', 'L'), 'each'],
  ])('%s is refused, with its line and what to do by hand', (_, found, how) => {
    const { files, refused } = accept(ALL, found);
    expect(refused).toMatchObject([
      {
        reason: expect.stringMatching(`comes from ${how}.* by hand`) as string,
        at: { line: expect.any(Number) as number },
      },
    ]);
    expect(news(ALL, files)).toEqual([]);
  });

  test('the law: the value is accepted or refused in words, the file differs in that value alone, and comments stay', () => {
    const planOf = (files: Files) => {
      const { plan } = readStack([{ name: 'oneops.yaml', text: files['oneops.yaml'] ?? '' }], worldOf(files));
      return new Map(plan?.resources.map(({ key, args }) => [key, JSON.stringify(args)]));
    };
    const before = planOf(ALL);
    let tried = 0;
    for (const [key, text] of before) {
      const [kind = '', logicalName = ''] = key.split('::');
      const { attributes = {} } = JSON.parse(text) as { readonly attributes?: object };
      for (const name of Object.keys(attributes)) {
        const { files, refused, accepted } = accept(ALL, finding(kind, logicalName, `attributes.${name}`, '77'));
        expect(accepted.length + refused.length).toBe(1);
        const after = Object.fromEntries(files.map((file) => [file.name, file.text]));
        const changed = [...planOf({ ...ALL, ...after })].filter(([other, now]) => before.get(other) !== now);
        expect(changed.map(([other]) => other)).toEqual(refused.length > 0 ? [] : [key]);
        for (const { name: file, text: put } of files) if (refused.length === 0) expectOneValue(ALL[file] ?? '', put);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(12);
  });

  /** Every value by its path, as text. */
  const leaves = (value: unknown, path = ''): readonly string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`))
      : [`${path}: ${JSON.stringify(value)}`];

  /** At most one value is another one, and each comment is still there. */
  function expectOneValue(before: string, after: string): void {
    const [old, now] = [leaves(parse(before)), leaves(parse(after))];
    expect(old.filter((each) => !now.includes(each)).length).toBeLessThan(2);
    expect(now.filter((each) => !old.includes(each)).length).toBeLessThan(2);
    const comments = (text: string): readonly string[] => text.match(/(?<=^|\s)#.*$/gm) ?? [];
    expect(comments(after)).toEqual(expect.arrayContaining([...comments(before)]));
  }
});

// Accepting into a file with overlays: a change is made where the value is written, and takes nothing else with it.
describe('overlaid', () => {
  const acceptIn = (text: string, name: string, attribute: string, value: unknown): Accepted =>
    accept({ 'oneops.yaml': text }, finding('Component', name, `attributes.${attribute}`, value));

  const FLOW = `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1, components: { tomcat: { max_threads: 5 }, compute: { size: S } } } }
overlays:
  dev: { platforms: { web: { components: { tomcat: { max_threads: 7 } } } } }
  # the big one
  prod:
    platforms: { web: { components: { tomcat: { min_spare_threads: 3 }, compute: { size: L } } } }
`;

  const BLOCK = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      tomcat:
        max_threads: 5
      compute: { size: S }
overlays:
  dev:
    platforms: { web: { components: { tomcat: { max_threads: 7 } } } }
  # the big one
  prod:
    platforms:
      web:
        components:
          tomcat:
            min_spare_threads: 3
          compute: { size: L }
`;

  test.each([
    ['a value below it', FLOW, 'max_threads', '6', 'threads: 5', 'threads: 6'],
    ['a value below it', BLOCK, 'max_threads', '6', 'threads: 5', 'threads: 6'],
    ['a value that leaves', FLOW, 'max_threads', undefined, '{ max_threads: 5 }', '{}'],
    ['a value that leaves', BLOCK, 'max_threads', undefined, 'tomcat:\n        max_threads: 5', 'tomcat: {}'],
    ['a new value', FLOW, 'java_options', '-Xmx1g', 'threads: 5 }', 'threads: 5, java_options: -Xmx1g }'],
    ['a new value', BLOCK, 'java_options', '-Xmx1g', 'threads: 5', 'threads: 5\n        java_options: -Xmx1g'],
  ])('%s', (_, text, attribute, value, before, after) => {
    const { files, refused } = acceptIn(text, 'web/tomcat', attribute, value);
    expect(refused).toEqual([]);
    expect(files[0]?.text).toBe(text.replace(before, after));
  });

  test('a value of an overlay is refused, with its line and what to write', () => {
    const { files, refused } = acceptIn(BLOCK, 'web/compute', 'size', 'XL');
    expect(refused).toMatchObject([
      { reason: expect.stringMatching(/an overlay; write by hand.*: size: XL$/) as string, at: { line: 19 } },
    ]);
    expect(files.map(({ text }) => text)).toEqual([BLOCK]);
  });
});
