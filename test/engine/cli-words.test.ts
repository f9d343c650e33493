// Every `pulumi …` command line of the pages and the examples: its commands and options exist in the CLI
// that comes with the repository.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findEngine, REPOSITORY } from '../world/engine';

interface CommandLine {
  readonly at: string;
  /** Words after `pulumi`. */
  readonly words: readonly string[];
}

const FILES = [
  'README.md',
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|mjs|sh|ya?ml)$|Jenkinsfile$|crontab$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  ),
];

const { resources } = JSON.parse(readFileSync(join(REPOSITORY, 'schema.json'), 'utf8')) as {
  readonly resources: { readonly [type: string]: { readonly listInputs?: { readonly properties: object } } };
};

/** The options with which the plugin lists records. */
const LIST_OPTIONS = Object.values(resources)
  .flatMap(({ listInputs }) => Object.keys(listInputs?.properties ?? {}))
  .map((name) => `--${name} `)
  .join('');

/** Where a command may begin in a script: first on its line, or after what precedes a command. */
const IN_SCRIPT = /(?:^|[$(&|;]|\bif|!|\bthen|run:|- |['"`])\s*(?:[A-Z_]+=\S+ +)*pulumi +([a-z][^\n`'"|&;<>)#]*)/gm;
const IN_PROSE = /`pulumi ([a-z][^`]*)`/g;

/** Command lines of a text. Lines that a backslash continues are one. */
function linesOf(file: string): readonly CommandLine[] {
  const text = readFileSync(join(REPOSITORY, file), 'utf8').replace(/\\\n\s*/g, ' ');
  const blocks = file.endsWith('.md')
    ? [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block)
    : [text];
  // Comments name commands in prose.
  const scripts = blocks.map((block) => block.replace(/^\s*(?:#|\/\/).*$/gm, ''));
  const found = [...scripts.flatMap((script) => [...script.matchAll(IN_SCRIPT)]), ...text.matchAll(IN_PROSE)];
  // What follows `--` is for a converter.
  return found.map(([, line = '']) => ({ at: file, words: (line.split(' -- ')[0] ?? '').trim().split(/\s+/) }));
}

const lines = FILES.flatMap(linesOf);

/** What a command prints as its help; undefined when there is no such command. */
function asked(pulumi: string, command: readonly string[]): string | undefined {
  // The help names --plan with this variable only; without it, the option works all the same.
  const env = { PULUMI_EXPERIMENTAL: 'true' };
  const { status, stdout } = spawnSync(pulumi, [...command, '--help'], { encoding: 'utf8', env });
  return status === 0 ? stdout : undefined;
}

test('every command and option exists', async () => {
  const { pulumi } = await findEngine();
  const texts = new Map<string, string>();
  const help = (command: readonly string[]): string => {
    const key = command.join(' ');
    const text = texts.get(key) ?? asked(pulumi, command) ?? help(command.slice(0, -1));
    texts.set(key, text);
    return text;
  };
  /** The command that the first words name, which may be aliases; undefined when they name none. */
  const commandOf = (named: readonly string[]): readonly string[] | undefined => {
    let command: readonly string[] = [];
    for (const word of named) {
      const isGroup = help(command).includes('[command]');
      // Of a word that is no command, the help is that of the command before it.
      if (!isGroup || help([...command, word]) === help(command)) return isGroup ? undefined : command;
      command = [...command, word];
    }
    return command;
  };
  const wrong = lines.flatMap(({ at, words }) => {
    const end = words.findIndex((word) => !/^[a-z][\w-]*$/.test(word));
    const command = commandOf(words.slice(0, end === -1 ? words.length : end));
    if (command === undefined) return [`${at}: there is no command "pulumi ${words.join(' ')}"`];
    // What `pulumi do` takes in addition to its own options follows from the schema of the plugin.
    const text = command[0] === 'do' ? `${help(command)} ${LIST_OPTIONS}` : help(command);
    return words
      .flatMap((word) => /^(--[a-z][a-z-]*|-[a-zA-Z])(?:=.*)?$/.exec(word)?.[1] ?? [])
      .filter((option) => !new RegExp(`(?:^|\\s)${option}(?=[\\s,=])`, 'm').test(text))
      .map((option) => `${at}: pulumi ${command.join(' ')} has no ${option}`);
  });
  expect(lines.length).toBeGreaterThan(150);
  expect([...new Set(wrong)]).toEqual([]);
});
