// A worker that reads hostile texts as the commands do, and answers with what went wrong. Its heap is limited by who starts it.
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { graphMermaid, graphOf, graphText } from '../../../cli/commands/files/graph';
import { readStack, type ReadStack } from '../../../stack/bind/stack';
import { bindConfig } from '../../../stack/bind/config';
import { resolvedLines } from '../../../stack/compose/resolved-file';
import { convert } from '../../../stack/convert/convert';
import { reportLines } from '../../../stack/convert/ledger';
import type { Finding } from '../../../stack/findings/finding';
import { findingsGithub, findingsSarif, renderFindings } from '../../../stack/findings/show';
import { formatYaml } from '../../../stack/yaml/format';
import { readYaml } from '../../../stack/yaml/read';
import { hostileTexts, PROFILES } from './hostile-texts';

/** A part of all texts: those of a seed. */
export interface Part {
  readonly seed: number;
  readonly count: number;
}

/** What went wrong with a text. */
export interface Fault {
  readonly text: string;
  readonly what: string;
}

const { progress } = workerData as { readonly progress: Int32Array };

parentPort?.on('message', ({ seed, count }: Part) => {
  const faults = fc.sample(hostileTexts, { seed, numRuns: count }).flatMap((text, index): readonly Fault[] => {
    Atomics.store(progress, 0, index);
    try {
      WAYS[index % WAYS.length]?.(text);
      return [];
    } catch (error) {
      return [{ text, what: error instanceof Error ? (error.stack ?? error.message) : String(error) }];
    }
  });
  parentPort?.postMessage(faults);
});

/** What commands do with a file. A text is read in one of these ways, the next one in the next. */
const WAYS: readonly ((text: string) => void)[] = [
  function checkRenderAndGraph(text) {
    const { root, plan } = checked(text);
    if (root !== undefined) resolvedLines(root, 'oneops.yaml');
    if (plan !== undefined) for (const draw of [graphText, graphMermaid]) draw(graphOf(plan));
  },
  function format(text) {
    const formatted = formatYaml(text);
    if (formatted !== undefined && formatYaml(formatted) !== formatted)
      throw new Error('fmt changes what it formatted');
  },
  function convertInAllForms(text) {
    converted(text, 'design');
    converted(text, 'boo');
    converted(text, 'boo', PROFILES);
    converted('boo: { a: x }', 'boo', text);
  },
];

function checked(text: string): ReadStack {
  const file = { name: 'oneops.yaml', text };
  const read = readStack([file], {
    env: { LEVEL: 'info' },
    choices: {
      stack: 'dev',
      include: (name) => ({ files: [{ name, content: { text: name === 'oneops.yaml' ? text : '{}' } }] }),
    },
    readFile: () => ({ text: 'Welcome\n' }),
  });
  const findings = [...read.findings, ...(read.plan === undefined ? [] : bindConfig(read.plan, {}).findings)];
  judge(findings, [file]);
  if ((read.plan === undefined) !== read.findings.some(({ severity }) => severity === 'error'))
    throw new Error('there is a plan exactly if nothing is wrong');
  return read;
}

function converted(text: string, from: 'boo' | 'design', profiles?: string): void {
  const given = profiles === undefined ? {} : { profiles: { name: 'profiles.ini', text: profiles } };
  const old = {
    name: 'old.yaml',
    text,
    from,
    assembly: 'shop',
    readPartial: () => ({ name: 'part.yaml', text }),
    ...given,
  };
  const { yaml, accounts, findings, files } = convert(old);
  judge(findings, files);
  reportLines(accounts);
  if (yaml !== undefined && readYaml({ name: 'oneops.yaml', text: yaml }).root === undefined)
    throw new Error(`convert wrote a file that is no YAML:\n${yaml}`);
}

/** Each finding has a code and a place in its file, and no text of one steers the terminal or comes from a failed program. */
function judge(findings: readonly Finding[], files: readonly { readonly name: string; readonly text: string }[]): void {
  for (const { at, code, message } of findings) {
    const length = files.find(({ name }) => name === at.file)?.text.replace(/^\uFEFF/, '').length ?? Infinity;
    const isPlaced = at.start.offset <= at.end.offset && at.end.offset <= length;
    if (!isPlaced || !/^[a-z-]+$/.test(code)) throw new Error(`${code} has no place: ${JSON.stringify(at)}`);
    if (/ at .*\(.*:\d+:\d+\)|TypeError|RangeError/.test(message)) throw new Error(message);
  }
  const shown = renderFindings(findings, files);
  if (/\p{Cc}/u.test(shown.replaceAll('\n', '')))
    throw new Error(`a finding steers the terminal: ${JSON.stringify(shown)}`);
  findingsSarif(findings, (file) => file);
  findingsGithub(findings, (file) => file);
}
