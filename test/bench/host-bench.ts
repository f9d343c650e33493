// Memory of the process that declares a stack file, as the language host does, with an engine that
// answers immediately. Runs itself in a process for each size: only the peak of a process shows.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setHeapFlags } from '../../cli/start';
import { loadStack } from '../../stack';
import { registerInTurns } from '../../stack/run/register';
import { recorded } from '../recording-monitor';
import type { Chapter } from './report';

/** Resources of the two files, about. */
const FEW = 1000;
const MANY = 3000;
const COMPONENTS = 24;

/** MB that a resource may add to the peak. */
const LIMIT = 0.08;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

/**
 * A stack file of about that many records: platforms of a pack, each with so many users, who may
 * have more attributes.
 */
export function stackText(records: number, components: number, pack: string, more = ''): string {
  const platforms = numbers(records / (components + 1)).map((number) => {
    const user = (name: number): string => `        p${number}u${name}: { username: user-${name}${more} }`;
    const users = numbers(components).map(user).join('\n');
    return `  p${number}:\n    pack: ${pack}\n    components:\n      user:\n${users}\n`;
  });
  return `assembly: { name: shop, owner: team@acme.io }\nplatforms:\n${platforms.join('')}`;
}

/** Declares a stack in this process and prints the resources, and the peak in bytes. */
async function declare(size: number): Promise<void> {
  setHeapFlags();
  const directory = mkdtempSync(join(tmpdir(), 'oneops-memory-'));
  writeFileSync(join(directory, 'oneops.yaml'), stackText(size, COMPONENTS, 'oneops/custom:1'));
  const loaded = loadStack({ files: ['oneops.yaml'], directory, config: {} });
  rmSync(directory, { recursive: true });
  if ('problem' in loaded) throw new Error(loaded.problem);
  const all = await recorded(() => registerInTurns(loaded));
  process.stdout.write(JSON.stringify({ resources: all.length, peak: process.resourceUsage().maxRSS * 1024 }));
}

function declared(size: number): { readonly resources: number; readonly peak: number } {
  const words = [...process.execArgv, __filename, String(size)];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as ReturnType<typeof declared>;
}

export function benchHost(): Promise<Chapter> {
  const [few, many] = [declared(FEW), declared(MANY)];
  const figure = (many.peak - few.peak) / (many.resources - few.resources) / 1e6;
  return Promise.resolve({
    heading: 'Memory of the language host',
    about: 'What each further resource adds to the peak of the process that declares a stack file.',
    findings: [
      {
        what: `a resource, between files of ${few.resources} and ${many.resources}`,
        against: 'the limit',
        figure,
        reference: LIMIT,
        unit: 'MB',
        ratio: figure / LIMIT,
        target: { atMost: 1 },
      },
    ],
  });
}

if (require.main === module) void declare(Number(process.argv[2]));
