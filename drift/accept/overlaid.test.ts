// Accepting into files that are laid over each other: a change is made where the value is written, and takes nothing else with it.
import { classMetadata, templateClass } from '../../api/contract';
import { sampleFinding } from '../../test/sample-review';
import type { DriftFinding } from '../review/review';
import { acceptFindings, type Accepted } from './accept';

const finding = (logicalName: string, attribute: string, value: unknown, file = 'oneops.yaml'): DriftFinding => {
  const { code: _, ...others } = sampleFinding({
    kind: 'Component',
    logicalName,
    address: `acme/shop/${logicalName}`,
    at: { file, line: 1, column: 1 },
  });
  return { ...others, attribute, live: value === undefined ? { is: 'absent' } : { is: 'value', value } };
};

const WEB = `platforms:
  web: { pack: oneops/tomcat:1, components: { compute: { size: M }, user: { deployer: { username: deployer } } } }
`;

const accept = (text: string, found: DriftFinding): Accepted =>
  acceptFindings([found], [{ name: 'oneops.yaml', text }], {
    environment: {
      classMetadata,
      templateClass,
      readFile: () => ({ problem: 'none' }),
      choices: { stack: 'prod', include: (name) => ({ files: [{ name, content: { text: WEB } }] }) },
    },
    organization: 'acme',
  });

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

test.each<[string, string, string, unknown, readonly [flow: readonly string[], block: readonly string[]]]>([
  [
    'a value below it',
    'tomcat',
    'max_threads',
    '6',
    [
      ['threads: 5', 'threads: 6'],
      ['threads: 5', 'threads: 6'],
    ],
  ],
  [
    'a value that leaves',
    'tomcat',
    'max_threads',
    undefined,
    [
      ['{ max_threads: 5 }', '{}'],
      ['tomcat:\n        max_threads: 5', 'tomcat: {}'],
    ],
  ],
  [
    'a new value',
    'tomcat',
    'java_options',
    '-Xmx1g',
    [
      ['threads: 5 }', 'threads: 5, java_options: -Xmx1g }'],
      ['threads: 5', 'threads: 5\n        java_options: -Xmx1g'],
    ],
  ],
])('%s', (_, component, attribute, value, [flow, block]) => {
  for (const [text, [before = '', after = '']] of [
    [FLOW, flow],
    [BLOCK, block],
  ] as const) {
    const { files, refused } = accept(text, finding(`web/${component}`, `attributes.${attribute}`, value));
    expect(refused).toEqual([]);
    expect(files[0]?.text).toBe(text.replace(before, after));
  }
});

test('a value of an overlay is refused, with its line and what to write', () => {
  const { files, refused } = accept(BLOCK, finding('web/compute', 'attributes.size', 'XL'));
  expect(refused).toMatchObject([
    { reason: expect.stringMatching(/an overlay; write by hand.*: size: XL$/) as string, at: { line: 19 } },
  ]);
  expect(files.map(({ text }) => text)).toEqual([BLOCK]);
});

const INCLUDING = `include: [ web.yaml ]
assembly: { name: shop, owner: team@acme.io }
platforms: { web: { components: { compute: { ram: 2 }, tomcat: { max_threads: 5 } } } }
`;

test.each([
  ['web/compute', 'size', 'XL', 'oneops.yaml', ['size: M', 'size: XL']],
  ['web/compute', 'size', undefined, 'oneops.yaml', ['{ size: M }', '{}']],
  ['web/deployer', 'username', 'robot', 'web.yaml', ['username: deployer', 'username: robot']],
] as const)('a value of an included file, %s %s %s, is edited there', (name, attribute, value, file, [old, put]) => {
  const { files, refused } = accept(INCLUDING, finding(name, `attributes.${attribute}`, value, file));
  expect(refused).toEqual([]);
  expect(files.map(({ text }) => text)).toEqual([INCLUDING, WEB.replace(old, put)]);
});

test('a value next to those of an included file is edited', () => {
  const { files, refused } = accept(INCLUDING, finding('web/tomcat', 'attributes.max_threads', '6'));
  expect(refused).toEqual([]);
  expect(files[0]?.text).toBe(INCLUDING.replace('threads: 5', 'threads: 6'));
});
