// `check` and files that nobody should have written: alias bombs, deep nesting, huge texts, tags, prototypes, and stack files with a piece changed.
// Whatever the text, it ends in findings within seconds, and each finding is shown at a place in the file.
import fc from 'fast-check';
import { examine, renderFindings } from '../../stack';

const CASES = Number(process.env['FINDING_CASES'] ?? 2000);

/** Longest that one text may take, in milliseconds. */
const WATCHDOG = 10_000;

const STACK = `config: { size: { type: string, default: M } }
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
    clouds: { east: { priority: 1 } }
    platforms: { web: { scale: { compute: { current: 2 } }, clouds: { east: { dpmt_order: 1 } } } }
    procedures: { restart: { platform: web, component: tomcat, action: restart } }
outputs: { id: '\${assembly.ciId}' }
`;

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

const inserted = fc
  .tuple(
    fc.nat(STACK.length),
    fc.nat(12),
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 12 })),
  )
  .map(
    ([at, removed, piece]) =>
      (text: string) =>
        text.slice(0, at) + piece + text.slice(at + removed),
  );
const words = STACK.match(/\w+/g) ?? [];
const renamed = fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words, ...HOSTILE)).map(
  ([from, to]) =>
    (text: string) =>
      text.replace(from, () => to),
);
const bombs = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 9 })).map(([levels, width]) => {
  const line = (level: number): string =>
    `x-${level}: &l${level} [${Array(width)
      .fill(level === 0 ? 'x' : `*l${level - 1}`)
      .join(', ')}]`;
  return `${STACK}${Array.from({ length: levels }, (_, level) => line(level)).join('\n')}\n`;
});
const nested = fc
  .tuple(fc.constantFrom('[', '{a: ', '- ', 'a:\n '), fc.integer({ min: 1, max: 600 }))
  .map(([piece, depth]) => `assembly: { name: shop }\nvariables:\n  A: ${piece.repeat(depth)}`);
const huge = fc
  .tuple(fc.constantFrom('x', '${', '$', '${config.size}', ' ', '\u00e9'), fc.integer({ min: 1000, max: 8000 }))
  .map(([piece, count]) => `${STACK}x-huge: "${piece.repeat(count)}"\nassembly2: ${piece.repeat(100)}\n`);
const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each).toString('utf8'));
const texts = fc.oneof(
  {
    weight: 60,
    arbitrary: fc
      .array(fc.oneof(inserted, renamed), { minLength: 1, maxLength: 4 })
      .map((changes) => changes.reduce((text, change) => change(text), STACK)),
  },
  { weight: 1, arbitrary: bombs },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: huge },
  { weight: 10, arbitrary: bytes },
);

test('the file that is changed is right', () => expect(examine(STACK).findings).toEqual([]));

test(`${CASES} texts end in findings with a place, and none in a crash`, () => {
  fc.assert(
    fc.property(texts, (text) => {
      const began = performance.now();
      const { file, findings } = examine(text);
      const length = text.replace(/^\uFEFF/, '').length;
      for (const { at, code, message } of findings) {
        expect(code).toMatch(/^[a-z-]+$/);
        expect(message).not.toMatch(/ at .*\(.*:\d+:\d+\)|TypeError|RangeError/);
        expect(at.start.offset).toBeLessThanOrEqual(at.end.offset);
        expect(at.end.offset).toBeLessThanOrEqual(length);
      }
      const shown = renderFindings(findings, [file]);
      expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      expect(performance.now() - began).toBeLessThan(WATCHDOG);
    }),
    { numRuns: CASES },
  );
}, 1_500_000);
