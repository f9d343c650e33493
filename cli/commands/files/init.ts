// `pulumi-oneops init`: writes a working project from options, or from answers on a terminal.
import { basename, resolve } from 'node:path';
import { readStack, renderFindings, STANDARD_FILE } from '../../../stack';
import { commandOf } from '../../command';
import { UsageError } from '../../exit';
import {
  expectNew,
  firstSteps,
  programFiles,
  projectFiles,
  serviceSettings,
  type ProjectFacts,
  writeNewFiles,
} from './new-project';
import { flag, text } from '../../options';
import { textOf } from '../../prompts';

export const command = commandOf({
  usage: ['init [DIR] [options]'],
  about: `Writes a project into a folder, by default the current one: Pulumi.yaml and
${STANDARD_FILE}. If one of these files exists, nothing is written. On a terminal, asks for what no
option says. Sends no request.`,
  options: {
    name: text('NAME', 'name of the assembly and of the Pulumi project; default: the name of the folder'),
    owner: text('MAIL', 'who owns the assembly; required without a terminal'),
    organization: text('NAME', 'organization of the service; can be set later'),
    pack: text('PACK', 'pack of the first platform; default: oneops/tomcat:1'),
    cloud: text('NAME', 'also declares an environment "dev" on this cloud'),
    typescript: flag('writes a program in TypeScript in place of the stack file, and the package.json that it needs'),
    json: flag('the written files as JSON'),
  },
  exits: {
    done: 'written',
    failed: 'a file exists already, or cannot be written, or not all questions were answered',
    wrong: 'a value cannot be used, or wrong use',
  },
  most: 1,
  async run({ values, positionals: [given], print }) {
    const folder = resolve(given ?? '.');
    const name = basename(folder)
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^[^A-Za-z]+|-$/g, '');
    const facts = await answered({ ...values }, { name: name || 'shop', pack: 'oneops/tomcat:1' });
    const files = values.typescript ? programFiles(facts, folder) : projectFiles(facts);
    expectNew(folder, files);
    expectRight(projectFiles(facts));
    const written = writeNewFiles(folder, files);
    print({ folder, files: written }, () => nextSteps(given, written, facts));
  },
});

type Given = Partial<ProjectFacts>;

/** What options say, then what a person answers, then defaults. */
async function answered(
  given: Given,
  defaults: { readonly name: string; readonly pack: string },
): Promise<ProjectFacts> {
  const asked = process.stdin.isTTY && process.stderr.isTTY ? await ask(given, defaults) : {};
  const { name = defaults.name, owner, pack = defaults.pack, organization, cloud } = { ...given, ...asked };
  if (owner === undefined || owner === '')
    throw new UsageError('init needs the owner of the assembly: --owner team@acme.io');
  if (cloud !== undefined && /[/\\\s]/.test(cloud))
    throw new UsageError(
      `nothing was written: --cloud ${JSON.stringify(cloud)} is no name of a cloud; name one without blanks and slashes`,
    );
  return { name, owner, pack, ...(organization ? { organization } : {}), ...(cloud ? { cloud } : {}) };
}

async function ask(given: Given, { name, pack }: { readonly name: string; readonly pack: string }): Promise<Given> {
  const questions: readonly (readonly [key: keyof ProjectFacts, question: string, standard?: string])[] = [
    ['name', 'name of the assembly', name],
    ['owner', 'mail address of its owner'],
    ['organization', 'organization of the service (empty: set it later)', ''],
    ['pack', 'pack of the first platform', pack],
    ['cloud', 'cloud of an environment "dev" (empty: no environment)', ''],
  ];
  const terminal = { input: process.stdin, output: process.stderr };
  const answers: { -readonly [key in keyof ProjectFacts]?: string } = {};
  for (const [key, question, standard] of questions.filter(([each]) => given[each] === undefined)) {
    const wrongWith = (text: string): string | undefined =>
      text === '' && standard === undefined ? 'it has no default: type an answer' : undefined;
    const answer = await textOf(`${question}${standard ? ` [${standard}]` : ''}`, wrongWith, terminal);
    if (answer === undefined) throw new Error('nothing was written: not all questions were answered');
    answers[key] = answer || (standard ?? '');
  }
  return answers;
}

/** Throws UsageError with the findings of a stack file that the given values make wrong. */
function expectRight(files: readonly { readonly name: string; readonly text: string }[]): void {
  const stack = files.filter((file) => file.name === STANDARD_FILE);
  const { findings, plan } = readStack(stack, {
    readFile: () => ({ problem: 'no file is read' }),
  });
  if (plan === undefined) throw new UsageError(`nothing was written\n${renderFindings(findings, stack).trimEnd()}`);
  if (findings.length > 0) process.stderr.write(renderFindings(findings, stack));
}

const nextSteps = (folder: string | undefined, written: readonly string[], { organization }: ProjectFacts): string =>
  [
    `written: ${written.join(', ')}`,
    'next:',
    ...[...firstSteps(written, folder), 'pulumi stack init dev', ...serviceSettings(organization), 'pulumi up'].map(
      (command) => `  ${command}`,
    ),
    '',
  ].join('\n');
