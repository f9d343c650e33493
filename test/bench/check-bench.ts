// How what `check` does with a file grows with its records.
import { readStack } from '../../stack';
import { stackText } from './host-bench';
import { measure } from './measure';
import { type Chapter } from './report';

/** Records of the two stacks: platforms with their components. */
const FEW = 500;
const MANY = 5000;
const COMPONENTS = 99;

/** Everything that `check` does with a text. */
function check(text: string): void {
  const { plan, findings } = readStack([{ name: 'oneops.yaml', text }], {
    readFile: () => ({ problem: 'there is no such file' }),
    choices: { stack: 'dev' },
  });
  if (plan === undefined) throw new Error(findings.map(({ message }) => message).join('\n'));
}

/** The exponent of growth between the two files: 1 is in proportion to the records. */
export async function benchCheck(): Promise<Chapter> {
  const [few = '', many = ''] = [FEW, MANY].map((records) =>
    stackText(records, COMPONENTS, 'oneops/tomcat:1', ', description: User'),
  );
  const contender = (name: string, text: string) => ({
    name,
    run: (count: number) => {
      for (let each = 0; each < count; each += 1) check(text);
      return Promise.resolve();
    },
  });
  const contenders = [contender('few', few), contender('many', many)];
  const { of, ratio } = await measure(contenders, { turns: 9, calls: 2 });
  return {
    heading: 'Checking a stack',
    about: 'CPU of `pulumi-oneops check`, garbage collection included. The ratio is the exponent of growth.',
    findings: [
      {
        what: `check of ${MANY} records`,
        against: `${FEW} records`,
        figure: of('many', 'cpu') / 1000,
        reference: of('few', 'cpu') / 1000,
        unit: 'ms',
        ratio: Math.log(ratio('many', 'few', 'cpu')) / Math.log(MANY / FEW),
        target: { atMost: 1.05 },
      },
    ],
  };
}
