// Memory of the process that declares a stack: a YAML stack in the language host's way next to a plain program of as many resources.
// `node --expose-gc --require ./test/run-source.cjs test/bench/engine/host-memory.ts 1000,3000`. The engine is one that answers immediately.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CustomResource } from '@pulumi/pulumi/resource';
import { setHeapFlags } from '../../../cli/heap-flags';
import { loadStack } from '../../../stack';
import { registerInTurns } from '../../../stack/run/register';
import { recorded } from '../../recording-monitor';

const COMPONENTS = 24;

/** A stack of about that many resources, most of them components. */
function stackText(size: number): string {
  const platforms = Array.from({ length: Math.ceil(size / (COMPONENTS + 1)) }, (_, number) => [
    `  p${number}:`,
    '    pack: oneops/custom:1',
    '    components:',
    '      user:',
    ...Array.from({ length: COMPONENTS }, (__, user) => `        p${number}u${user}: { username: user-${user} }`),
  ]);
  return ['assembly: { name: shop, owner: team@acme.io }', 'platforms:', ...platforms.flat(), ''].join('\n');
}

async function declareYaml(size: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'oneops-memory-'));
  writeFileSync(join(directory, 'oneops.yaml'), stackText(size));
  const loaded = loadStack({ files: ['oneops.yaml'], directory, config: {} });
  rmSync(directory, { recursive: true });
  if ('problem' in loaded) throw new Error(loaded.problem);
  await registerInTurns({ ...loaded, secretConfig: new Set(), pathOf: (file) => join(directory, file) });
}

/** A resource with as many arguments as a component of the stack. */
class Plain extends CustomResource {
  constructor(name: string) {
    super('pulumi-nodejs:dynamic:Resource', name, { name, username: name, __provider: 'text' });
  }
}

function declarePlain(size: number): Promise<void> {
  for (let number = 0; number < size; number += 1) new Plain(`plain-${number}`);
  return Promise.resolve();
}

const WAYS: { readonly [way: string]: (size: number) => Promise<void> } = { yaml: declareYaml, plain: declarePlain };

/** Peak of a process beyond what it has before it declares anything, for each resource, and what is alive at the end. */
async function measure(way: string, size: number): Promise<void> {
  // As bin/pulumi-language-oneops does; a program is a process of Node without flags.
  if (way === 'yaml') setHeapFlags();
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const all = await recorded(() => WAYS[way]?.(size));
  const perResource = (process.resourceUsage().maxRSS * 1024 - before) / all.length;
  globalThis.gc?.();
  const alive = process.memoryUsage().heapUsed / 1e6;
  process.stdout.write(
    `${way}, ${all.length} resources: peak ${(perResource / 1e6).toFixed(3)} MB each above the start, ${alive.toFixed(0)} MB alive in all at the end${way === 'yaml' ? `, target 0.08: ${perResource <= 80_000 ? 'met' : 'missed'}` : ''}\n`,
  );
}

const [sizes = '1000,3000', way] = process.argv.slice(2);
if (way !== undefined) {
  void measure(way, Number(sizes));
} else {
  for (const size of sizes.split(','))
    for (const each of Object.keys(WAYS))
      execFileSync(process.execPath, [...process.execArgv, __filename, size, each], { stdio: 'inherit' });
}
