// The findings of a text that is a whole stack, for examples and the corpus: reads no file, and no
// configuration or catalogue except the given ones.
import { readStack } from '../bind/stack';
import { bindConfig } from '../bind/config';
import type { Finding } from '../findings/finding';
import type { SourceFile } from '../yaml/source';
import { STANDARD_FILE } from '../yaml/text-file';

interface Surroundings {
  readonly files?: { readonly [name: string]: string };
  /** The configuration of the stack. */
  readonly config?: { readonly [name: string]: string };
}

/** The one file next to examples. */
const FILES = { 'motd.txt': 'Welcome\n' };

/** The one environment variable that examples can read. */
const ENV = { LEVEL: 'info' };

/** The setting of a stack that names an overlay. */
const OVERLAY = 'oneops:overlay';

/** Everything that is found in a text, its configuration included. */
export function examine(
  text: string,
  { files = FILES, config = {} }: Surroundings = {},
): { readonly file: SourceFile; readonly findings: readonly Finding[] } {
  const file = { name: STANDARD_FILE, text };
  const { findings, plan } = readStack([file], {
    env: ENV,
    choices: {
      config,
      stack: 'dev',
      stacks: ['dev', 'prod'],
      overlay: config[OVERLAY],
      include: (name) => {
        const found = name === STANDARD_FILE ? text : files[name as keyof typeof files];
        if (found === undefined) return { problem: 'there is no such file' };
        return { files: [{ name, content: { text: found } }] };
      },
    },
    readFile: (path) => {
      const found = files[path as keyof typeof files];
      return found === undefined ? { problem: 'there is no such file' } : { text: found };
    },
  });
  if (plan === undefined) return { file, findings };
  const set = Object.keys(config).filter((name) => name !== OVERLAY);
  return { file, findings: [...findings, ...bindConfig(plan, config, new Set(), { set }).findings] };
}
