// What reading a stack costs: everything that `check` does with a file, next to bare parsing of the resolved file.
import { parse } from 'yaml';
import { classMetadata, templateClass } from '../../api/contract';
import { readStack, resolvedLines } from '../../stack';
import { type Chapter, type Finding } from './finding';
import { measure } from './measure';

/** Records of each stack: its platforms with their components. */
const RECORDS = 5000;
const COMPONENTS = 99;
const PLATFORMS = RECORDS / (COMPONENTS + 1);

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

const LONG = `assembly: { name: shop }
platforms:
${numbers(PLATFORMS)
  .map(
    (platform) => `  p${platform}:
    pack: oneops/tomcat:1
    components:
      user:
${numbers(COMPONENTS)
  .map((user) => `        u${user}: { username: user-${user}, description: of platform p${platform} }`)
  .join('\n')}`,
  )
  .join('\n')}
`;

/** The same records from some 20 lines. */
const SHORT = `assembly: { name: shop }
config:
  platforms: { type: list, default: [${numbers(PLATFORMS)
    .map((number) => `p${number}`)
    .join()}] }
  users: { type: list, default: [${numbers(COMPONENTS)
    .map((number) => `u${number}`)
    .join()}] }
templates:
  service:
    parameters:
      name: { type: string }
    body:
      pack: oneops/tomcat:1
      components:
        user:
          '\${each.key}':
            each: '\${config.users}'
            username: 'user-\${each.key}'
            description: 'of platform \${param.name}'
platforms:
  '\${each.key}':
    each: '\${config.platforms}'
    use: service
    with: { name: '\${each.key}' }
`;

/** Everything that \`check\` does with a text. */
const read = (text: string): ReturnType<typeof readStack> =>
  readStack([{ name: 'oneops.yaml', text }], {
    classMetadata,
    templateClass,
    readFile: () => ({ problem: 'there is no such file' }),
    choices: { stack: 'dev' },
  });

/** Both files, each next to bare parsing of what it comes to. */
export async function benchCheck(): Promise<Chapter> {
  const findings: Finding[] = [];
  for (const [what, text] of [
    [`check of ${RECORDS} records`, LONG],
    [`check of ${RECORDS} records from ${SHORT.trimEnd().split('\n').length} lines`, SHORT],
  ] as const) {
    const { root, findings: found } = read(text);
    if (root === undefined) throw new Error(found.map(({ message }) => message).join('\n'));
    const resolved = resolvedLines(root, 'oneops.yaml')
      .map((line) => `${line.text}\n`)
      .join('');
    const contenders = {
      check: () => read(text),
      parse: () => parse(resolved) as unknown,
    };
    const { measured, ratio } = await measure(
      Object.entries(contenders).map(([name, run]) => ({
        name,
        run: (count: number) => {
          for (let each = 0; each < count; each += 1) run();
          return Promise.resolve();
        },
      })),
      { turns: 9, calls: 2 },
    );
    const milliseconds = (name: string): number =>
      (measured.find((each) => each.name === name)?.cpu ?? Number.NaN) / 1000;
    findings.push({
      what,
      against: 'bare parsing of the resolved file',
      figure: milliseconds('check'),
      reference: milliseconds('parse'),
      unit: 'ms',
      ratio: ratio('check', 'parse', 'cpu'),
      target: { atMost: 2.5 },
    });
  }
  return {
    heading: 'Checking a stack',
    about:
      'Everything that `pulumi-oneops check` does with a text: grammar, composition, values, references, the catalogue and the order of resources. ' +
      'The reference is the YAML library alone, which parses the resolved file into plain data. CPU of the process, garbage collection included.',
    findings,
  };
}
