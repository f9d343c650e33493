// What a run of the engine is: limited to some resources, by `--target` or `--exclude`, or the destroy of a whole stack. Nothing of the protocol says so,
// but the command line and the environment of the CLI do, which is an ancestor of this process.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as far as it is of interest: what started it, and its command line. */
interface Started {
  readonly parent: number;
  readonly words: readonly string[];
}

const FLAG = /^--(target|exclude|target-replace|exclude-protected)(=|$)|^-[dfjry]*t/;
const VARIABLE = /^PULUMI_OPTION_(TARGET|EXCLUDE)/;

/** Whether a run may be limited: also where no CLI is found among the ancestors, such as below a program that embeds the engine. */
export function mayBeTargeted(
  environment: { readonly [name: string]: string | undefined } = process.env,
  processAt: (id: number) => Started | undefined = startedProcess,
): boolean {
  if (Object.entries(environment).some(([name, value]) => VARIABLE.test(name) && value !== '')) return true;
  const command = commandOf(process.pid, processAt);
  return command === undefined || isTargeted(command);
}

/** Whether a run surely destroys the whole stack: nothing is left out, and the command is `pulumi destroy`. */
export function isWholeDestroy(
  environment: { readonly [name: string]: string | undefined } = process.env,
  processAt: (id: number) => Started | undefined = startedProcess,
): boolean {
  if (mayBeTargeted(environment, processAt)) return false;
  const words = commandOf(process.pid, processAt) ?? [];
  const command = words.slice(1).find((word) => COMMANDS.includes(word));
  return DESTROYS.includes(command ?? '');
}

const DESTROYS = ['destroy', 'down', 'dn'];
const COMMANDS = [...DESTROYS, 'up', 'update', 'preview', 'pre', 'refresh', 'import', 'watch', 'state', 'stack'];

/** Whether a command of the CLI limits its run. */
const isTargeted = (words: readonly string[]): boolean => words.some((word) => FLAG.test(word));

/** The command line of the CLI above a process. */
function commandOf(id: number, processAt: (id: number) => Started | undefined): readonly string[] | undefined {
  for (let started = processAt(id); started !== undefined && started.parent > 1;) {
    started = processAt(started.parent);
    const [program = ''] = started?.words ?? [];
    if (/(^|[\\/])pulumi(\.exe)?$/.test(program)) return started?.words;
  }
  return undefined;
}

function startedProcess(id: number): Started | undefined {
  try {
    // The name of the program is in parentheses and may contain any character.
    const [, parent] = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return { parent: Number(parent), words: readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0') };
  } catch {
    return listedProcess(id);
  }
}

function listedProcess(id: number): Started | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(id)], { encoding: 'utf8' }).trim();
    const [parent = '', ...words] = line.split(/\s+/);
    return { parent: Number(parent), words };
  } catch {
    return undefined;
  }
}
