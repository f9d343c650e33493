// Accepting into composed files: a value is written where it comes from if it is nobody else's, else where it counts alone; no other resource changes.
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
    'an argument, where it is given',
    finding('web/compute', 'attributes.size', 'XL'),
    ['oneops.yaml: web: { use: service, with: { size: XL }, components: { tomcat: { min_spare_threads: 3 } } }'],
  ],
  [
    'an element of each, at the element',
    finding('orders/tomcat', 'attributes.max_threads', '250'),
    ['oneops.yaml: orders: { threads: 250 }'],
  ],
  [
    'a value of an included file, in that file',
    finding('cache/compute', 'attributes.size', 'L'),
    ['cache.yaml: components: { compute: { size: L }, user: { deployer: { username: deployer } } }'],
  ],
  [
    'a new value beside those of an included file',
    finding('cache/deployer', 'attributes.sudoer', 'true'),
    ["cache.yaml: components: { compute: { size: S }, user: { deployer: { username: deployer, sudoer: 'true' } } }"],
  ],
  [
    'a record of an included file that is gone',
    finding('cache/deployer', undefined, undefined),
    ['cache.yaml: components: { compute: { size: S } }'],
  ],
  [
    'the default of a parameter, which only one platform has',
    finding('api/compute', 'attributes.size', 'XL'),
    ['templates.yaml: parameters: { size: { type: string, default: XL } }'],
  ],
])('%s', (_, found, lines) => {
  const { files, refused, overridden } = accept(ALL, found);
  expect([refused, overridden, news(ALL, files)]).toEqual([[], [], lines]);
});

test.each<[string, DriftFinding, readonly string[], string]>([
  [
    'a body that others use: beside the word that uses it',
    finding('web/tomcat', 'attributes.max_threads', '9'),
    [
      "oneops.yaml: web: { use: service, with: { size: L }, components: { tomcat: { min_spare_threads: 3, max_threads: '9' } } }",
    ],
    'it comes from a template, written at templates.yaml:6; Component::api/tomcat would change, too',
  ],
  [
    'and with the keys that lead to it',
    finding('api/tomcat', 'attributes.max_threads', '9'),
    ['oneops.yaml: tomcat:', "oneops.yaml: max_threads: '9'"],
    'it comes from a template, written at templates.yaml:6; Component::web/tomcat would change, too',
  ],
  [
    'a value that is no longer set',
    finding('web/tomcat', 'attributes.max_threads', undefined),
    [
      'oneops.yaml: web: { use: service, with: { size: L }, components: { tomcat: { min_spare_threads: 3, max_threads: null } } }',
    ],
    'it comes from a template, written at templates.yaml:6; Component::api/tomcat would change, too',
  ],
  [
    'a record of the body that is gone',
    finding('web/compute', undefined, undefined),
    [
      'oneops.yaml: web: { use: service, with: { size: L }, components: { tomcat: { min_spare_threads: 3 }, compute: null } }',
    ],
    'it comes from a template, written at templates.yaml:6; Component::api/compute would no longer be declared',
  ],
  [
    'a value that two take from one template',
    finding('copy/compute', 'attributes.size', 'L'),
    ['oneops.yaml: copy: { use: single, components: { compute: { size: L } } }'],
    'it comes from a template, written at templates.yaml:8; Component::queue/compute would change, too',
  ],
  [
    'what each makes: in the overlay of this stack',
    finding('orders/compute', 'attributes.size', 'L'),
    ['oneops.yaml: orders:', 'oneops.yaml: components:', 'oneops.yaml: compute:', 'oneops.yaml: size: L'],
    'it comes from each, written at oneops.yaml:15; Component::carts/compute would change, too',
  ],
])('what others have, too: %s', (_, found, lines, reason) => {
  const { files, refused, overridden } = accept(ALL, found);
  expect([refused, news(ALL, files)]).toEqual([[], lines]);
  expect(overridden).toEqual([expect.objectContaining({ reason: expect.stringContaining(reason) as string })]);
});

test.each<[string, Files, DriftFinding, string]>([
  [
    'what each makes, without an overlay for the stack',
    { ...ALL, 'oneops.yaml': (ALL['oneops.yaml'] ?? '').replace('  prod:', '  other:') },
    finding('orders/compute', 'attributes.size', 'L'),
    'it comes from each, written at oneops.yaml:15; Component::carts/compute would change, too: give each element a value, or write an overlay for this stack',
  ],
])('%s is refused, with its place and what to do', (_, files, found, reason) => {
  const { refused, files: after } = accept(files, found);
  expect(refused).toMatchObject([{ reason, at: { file: 'oneops.yaml', line: 10 } }]);
  expect(news(files, after)).toEqual([]);
});

test('the law: the value is accepted or refused in words, nothing else changes, and the file is changed in one place', () => {
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
      for (const { name: file, text: put } of files) if (refused.length === 0) expectOnePlace(ALL[file] ?? '', put);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(12);
});

/** What is before a change and what is after it make up the old text, but for at most one value. */
function expectOnePlace(before: string, after: string): void {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1;
  expect(before.length - end - start).toBeLessThan(12);
}
