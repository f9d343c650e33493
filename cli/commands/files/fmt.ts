// `pulumi-oneops fmt`: writes stack files in one layout.
import { formatYaml, readYaml, sourceFile, STANDARD_FILE } from '../../../stack';
import { commandOf } from '../../command';
import { filesOr, textFrom } from '../../here/project';
import { readStackHere } from '../../here/read-stack';
import { replaceFile } from '../../here/replace-file';
import { findingsText } from '../../here/terminal';
import { EXIT } from '../../exit';
import { flag } from '../../options';

interface Outcome {
  readonly file: string;
  readonly result: 'formatted' | 'unchanged' | 'faulty';
}

export const command = commandOf({
  usage: ['fmt [FILE...] [options]'],
  about: `Writes YAML files in one layout: indentation of two spaces, {…} and […] in one line where
they fit 120 columns. Keys keep their order, values their text, and comments stay. Formatting a
formatted file changes nothing. Without a FILE, takes the files that Pulumi.yaml in this folder names,
or ${STANDARD_FILE}, and those that they include.`,
  options: {
    check: flag('writes nothing, and lists the files that have another layout'),
    json: flag('the files and what became of them as JSON'),
  },
  exits: {
    done: 'formatted',
    differs: 'with --check: a file has another layout',
    wrong: 'a file cannot be read, or is not valid YAML; or wrong use',
  },
  run({ values: { check }, positionals, print }) {
    const names = positionals.length > 0 ? positionals : allFilesHere();
    const texts = names.map((name) => ({ name, text: textFrom(name) }));
    const outcomes = texts.map(({ name, text }) => formatFile(name, text, check));
    print(outcomes, (all) => all.map((outcome) => lineOf(outcome, check)).join(''));
    if (outcomes.some(({ result }) => result === 'faulty')) return EXIT.wrong;
    return check && outcomes.some(({ result }) => result === 'formatted') ? EXIT.differs : EXIT.done;
  },
});

function allFilesHere(): readonly string[] {
  const own = filesOr([]);
  const { files } = readStackHere(own, { catalogue: 'off' });
  return [...new Set([...own, ...files.map(({ name }) => name)])];
}

function lineOf({ file, result }: Outcome, isCheck: boolean): string {
  const written = isCheck ? `has another layout; run: pulumi-oneops fmt ${file}` : 'formatted';
  return `${file}: ${{ formatted: written, unchanged: 'unchanged', faulty: 'left as it is' }[result]}\n`;
}

function formatFile(file: string, text: string, isCheck: boolean): Outcome {
  const { findings } = readYaml(sourceFile(file, text));
  const formatted = findings.length > 0 ? undefined : formatYaml(text);
  if (formatted === undefined) {
    const reason = `${file}: cannot be formatted without changing a value or a comment\n`;
    const shown = findingsText({ findings, files: [{ name: file, text }] });
    process.stderr.write(shown === '' ? reason : shown);
    return { file, result: 'faulty' };
  }
  if (formatted === text) return { file, result: 'unchanged' };
  if (!isCheck) replaceFile(file, formatted);
  return { file, result: 'formatted' };
}
