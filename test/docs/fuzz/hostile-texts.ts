// Texts that nobody should have written: right files with pieces changed, and bombs of aliases, depth, size and composition.
import fc from 'fast-check';

/** A stack file with what every text of a stack can hold; it is right. */
export const STACK = `config: { size: { type: string, default: M } }
assembly: { name: shop, owner: team@acme.io }
variables: { LEVEL: info, KEY: { fn::secret: abc } }
platforms:
  web: &web
    pack: oneops/tomcat:1
    links: [db]
    components:
      compute: { size: '\${config.size}', monitors: { load: { cmd: a } } }
      user: { deployer: { username: deployer, attachments: { motd: { path: /etc/motd, content: { fn::readFile: motd.txt } } } } }
  db: { <<: *web, pack: oneops/mysql:1, links: [], components: {} }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 } }
    platforms: { web: { scale: { compute: { current: 2 } }, clouds: { east: { dpmt_order: 1 } } } }
    procedures: { restart: { platform: web, component: tomcat, action: restart } }
outputs: { id: '\${assembly.ciId}' }
`;

/** A stack file with every word of composition; it is right. */
export const COMPOSED = `config: { names: { type: list, default: [red, blue] }, tier: { type: string, default: S, allowed: [S, L] } }
include: [motd.yaml]
assembly: { name: shop, owner: team@acme.io }
env: [LEVEL]
templates:
  service:
    parameters: { size: { type: string, default: M, allowed: [S, M, L], message: no } }
    body: { pack: oneops/tomcat:1, components: { compute: { size: '\${param.size}' } } }
platforms:
  web: { use: service, with: { size: '\${config.tier}' }, components: { tomcat: { max_threads: 200 } } }
  api: { use: service, when: "\${config.tier} in ['S', 'L']", description: { fn::env: LEVEL } }
  '\${each.key}': { each: { one: { size: L }, two: { size: S } }, use: service, with: { size: '\${each.value.size}' } }
environments:
  'n-\${each.key}': { each: '\${config.names}', clouds: { east: { priority: 1 } } }
overlays:
  dev: { platforms: { web: { links: [one] }, two: ~ } }
outputs: { id: '\${assembly.ciId}', text: { fn::join: [',', { fn::split: ['.', a.b] }] } }
`;

/** A Boo template. */
const BOO = `boo:
  api_key: '{{api_key}}'
  environment_name: 'dev'
assembly: { name: 'shop', tags: {"team": "web"} }
platforms:
  web:
    pack: oneops/tomcat
    pack_version: '1'
    variables: { LEVEL: info, HTTPS: yes }
    encrypted_variables: { KEY: '{{key}}' }
    links: [db]
    components:
      secgroup: { inbound: '["22 22 tcp 0.0.0.0/0"]' }
{{#large}}
      compute: { size: L }
{{/large}}
{{^large}}
      compute: { size: M }
{{/large}}
{{#users}}
      {{.}}: { username: '{{.}}' }
{{/users}}
      user: { one: { username: 'one', authorized_keys: '["{{file(~/.ssh/id_rsa.pub)}}"]' }, two: { sibling_depends_on: '["one"]' } }
  db: { pack: oneops/mysql:1 }
scale: { web: { scaling: { compute: { current: '2', min: '2', max: '5' } } } }
environment:
  availability: 'redundant'
  platforms: { web: { auto_healing: { autorepair: false } } }
  clouds:
    {{cloud}}: { priority: '1', dpmt_order: '1' }
`;

/** A design export of the service. */
const DESIGN = `platforms:
  web:
    pack: oneops/tomcat:1
    variables: { LEVEL: info }
    encrypted_variables: { KEY: '::ENCRYPTED::abc' }
    links: [db]
    components:
      tomcat/Tomcat: { max_threads: '200' }
      user/User:
        one: { username: one }
        two: { username: two, depends: [one] }
  db: { pack: oneops/mysql:1 }
`;

/** Profiles of Boo. */
export const PROFILES = '[default]\napi_key = a\nlarge = 1\nusers = ["ada",{"name":"bob"}]\n[prod]\ncloud = east\n';

const HOSTILE = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '<<',
  '*web',
  '&web',
  '!!binary ',
  '!x ',
  '${',
  '${config.constructor}',
  '${platforms.__proto__.name}',
  '{ fn::fromJSON: "[" }',
  '{ fn::invoke: { function: constructor } }',
  '{ __proto__: x }',
  'null',
  '[]',
  '{}',
  '~',
  '.inf',
  '-0',
  '1e999',
  '9'.repeat(400),
  '${each.key}',
  '${each.value}',
  '${param.size}',
  'each: [a, b], ',
  'use: service, ',
  'include: [oneops.yaml], ',
  "when: '${config.tier} == 1', ",
  '{{',
  '}}',
  '{{#large}}',
  '{{#users}}',
  '{{/users}}',
  '{{.}}',
  '{{> part}}',
  '::ENCRYPTED::',
  '[',
  '{',
  '"',
  '\t',
  '\u0000',
  '\uFEFF',
  '\uFFFD',
  '\uD800',
  '\r',
  '---\n',
  '%YAML 9\n',
  '? ',
  '- ',
  ': ',
  '|\n',
];

/** A right text with one to four pieces replaced. */
function changed(text: string): fc.Arbitrary<string> {
  const words = text.match(/\w+/g) ?? [];
  const piece = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 12 }));
  const inserted = fc.tuple(fc.nat(text.length), fc.nat(12), piece).map(
    ([at, removed, put]) =>
      (before: string) =>
        before.slice(0, at) + put + before.slice(at + removed),
  );
  const renamed = fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words, ...HOSTILE)).map(
    ([from, to]) =>
      (before: string) =>
        before.replace(from, () => to),
  );
  return fc
    .array(fc.oneof(inserted, renamed), { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((before, change) => change(before), text));
}

const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');
const small = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 9 }));

/** Each level names the one below it several times. */
const aliases = small.map(
  ([levels, width]) =>
    STACK +
    times(
      levels,
      (level) =>
        `x-${level}: &l${level} [${Array(width)
          .fill(level === 0 ? 'x' : `*l${level - 1}`)
          .join(', ')}]\n`,
    ),
);
const merges = small.map(
  ([levels, width]) =>
    STACK +
    times(levels, (level) => {
      const own = times(width, (index) => `k${level}-${index}: ${level === 0 ? 'x' : `*m${level - 1}`}, `);
      return `x-m${level}: &m${level} { ${own}${level === 0 ? '' : `<<: *m${level - 1}`} }\n`;
    }),
);
const nested = fc
  .tuple(
    fc.constantFrom(
      '[',
      '{a: ',
      '- ',
      'a:\n ',
      '? ',
      '{ fn::secret: ',
      '{ fn::toJSON: ',
      "'${each.key}': { each: [a, b], ",
    ),
    fc.integer({ min: 1, max: 3000 }),
  )
  .map(([piece, depth]) => `assembly: { name: shop }\nvariables:\n  A: ${piece.repeat(depth)}`);
const huge = fc
  .tuple(
    fc.constantFrom('x', '${', '$', '${config.size}', ' ', '\u00e9', '{{', '(', "''"),
    fc.integer({ min: 1000, max: 100_000 }),
  )
  .map(([piece, count]) => `${STACK}x-huge: "${piece.repeat(count)}"\nassembly2: ${piece.repeat(100)}\n`);

/** Templates that use the one below several times, with arguments that double. */
const templates = small.map(
  ([levels, width]) =>
    'assembly: { name: shop, owner: team@acme.io }\ntemplates:\n' +
    times(levels, (level) => {
      const used = (index: number): string =>
        level === 0
          ? `k${index}: '\${param.text}'`
          : `k${index}: { use: t${level - 1}, with: { text: '\${param.text}\${param.text}' } }`;
      return `  t${level}: { parameters: { text: { type: string } }, body: { pack: oneops/tomcat:1, components: { user: { ${times(width, (index) => `${used(index)}, `)} } } } }\n`;
    }) +
    `platforms: { web: { use: t${levels - 1}, with: { text: xxxxxxxx } } }\n`,
);

/** Loops in loops over a long list. */
const loops = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 200 })).map(([levels, width]) => {
  const names = times(width, (index) => `a${index}, `);
  const inner = (level: number): string =>
    level === 0
      ? '{ username: x }'
      : `{ 'u${level}-\${each.key}': { each: '\${config.names}', ${level === 1 ? 'username: x' : `attachments: ${inner(level - 1)}`} } }`;
  return `config: { names: { type: list, default: [${names}] } }
assembly: { name: shop, owner: team@acme.io }
platforms: { 'p-\${each.key}': { each: '\${config.names}', pack: oneops/tomcat:1, components: { user: ${inner(levels)} } } }
`;
});

/** Arguments that contain the argument of the template above twice: as a text, as a list, as a map, in a condition. */
const DOUBLE = [
  `'\${param.text}\${param.text}'`,
  `['\${param.text}', '\${param.text}']`,
  `{ a: '\${param.text}', b: '\${param.text}' }`,
];
const doubled = fc
  .tuple(fc.constantFrom(...DOUBLE), fc.integer({ min: 1, max: 40 }), fc.boolean())
  .map(([twice, levels, decides]) => {
    const type = twice.startsWith('[') ? 'list' : twice.startsWith('{') ? 'map' : 'string';
    const last = decides ? `when: "'a' in \${param.text}"` : "description: '${param.text}'";
    const template = (level: number): string =>
      `  t${level}: { parameters: { text: { type: ${type} } }, body: { pack: oneops/tomcat:1, ${level === 0 ? last : `use: t${level - 1}, with: { text: ${twice} }`} } }\n`;
    return `assembly: { name: shop, owner: team@acme.io }\ntemplates:\n${times(levels, template)}platforms: { web: { use: t${levels - 1}, with: { text: ${twice.replaceAll('${param.text}', 'xxxxxxxx')} } } }\n`;
  });
const sections = fc
  .tuple(
    fc.constantFrom('{{#a}}', '{{^a}}', '{{a}}', '{{{a}}}', '{{!', '{{file(a)}}'),
    fc.integer({ min: 1, max: 2000 }),
  )
  .map(([piece, count]) => `boo:\n  a: '${piece.repeat(count)}'\n${`${piece}\n`.repeat(count)}`);
const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each).toString('utf8'));

/** Hostile texts. */
export const hostileTexts = fc.oneof(
  ...[STACK, COMPOSED, BOO, DESIGN].map((text) => ({ weight: 60, arbitrary: changed(text) })),
  ...[aliases, merges, nested, huge, templates, loops, doubled, sections].map((arbitrary) => ({
    weight: 1,
    arbitrary,
  })),
  { weight: 30, arbitrary: bytes },
);
