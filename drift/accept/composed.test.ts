// Accepting into composed files: a value that is written once is accepted, anything else is refused with what to write; no other resource changes.
import { parse } from 'yaml';
import { classMetadata, templateClass } from '../../api/contract';
import { readStack, type StackEnvironment } from '../../stack';
import { sampleFinding } from '../../test/sample-review';
import type { DriftFinding } from '../review/review';
import { acceptFindings, type Accepted } from './accept';

interface Files {
  readonly [name: string]: string;
}

const worldOf = (files: Files, stack = 'prod'): StackEnvironment => ({
  classMetadata,
  templateClass,
  readFile: () => ({ problem: 'none' }),
  choices: {
    stack,
    include: (name) => ({ files: [{ name, content: { text: files[name] ?? '' } }] }),
  },
});

const finding = (
  logicalName: string,
  attribute: string | undefined,
  value: unknown,
  kind = 'Component',
): DriftFinding => {
  const {
    attribute: _,
    code: __,
    ...others
  } = sampleFinding({ kind, logicalName, address: `acme/shop/${logicalName}` });
  return {
    ...others,
    ...(attribute === undefined ? { classification: 'deleted' } : { attribute }),
    live: value === undefined ? { is: 'absent' } : { is: 'value', value },
  };
};

const accept = (files: Files, found: DriftFinding): Accepted =>
  acceptFindings([found], [{ name: 'oneops.yaml', text: files['oneops.yaml'] ?? '' }], {
    environment: worldOf(files),
    organization: 'acme',
  });

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
include: [ templates.yaml ]
platforms:
  include: [ cache.yaml ]
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
    finding('cache/compute', 'attributes.size', 'L'),
    ['cache.yaml: components: { compute: { size: L }, user: { deployer: { username: deployer } } }'],
  ],
  [
    'a new value beside those of an included file',
    finding('cache/deployer', 'attributes.sudoer', 'true'),
    ['cache.yaml: components: { compute: { size: S }, user: { deployer: { username: deployer, sudoer: "true" } } }'],
  ],
  [
    'a record of an included file that is gone',
    finding('cache/deployer', undefined, undefined),
    ['cache.yaml: components: { compute: { size: S } }'],
  ],
])('%s', (_, found, lines) => {
  const { files, refused } = accept(ALL, found);
  expect([refused, news(ALL, files)]).toEqual([[], lines]);
});

test.each<[string, DriftFinding, string]>([
  ['an argument', finding('web/compute', 'attributes.size', 'XL'), 'a template'],
  ['a body that others use', finding('web/tomcat', 'attributes.max_threads', '9'), 'a template'],
  ['a record of the body that is gone', finding('web/compute', undefined, undefined), 'a template'],
  ['what each makes', finding('orders/compute', 'attributes.size', 'L'), 'each'],
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
      const { files, refused, accepted } = accept(ALL, finding(logicalName, `attributes.${name}`, '77', kind));
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
