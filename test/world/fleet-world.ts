// A folder with the projects of many stacks, a service that contains what they declare, and a stand-in for the CLI of Pulumi that keeps their states in files.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Fleet } from '../../drift';
import { exportOf, keptOf } from './drift-world';
import { emptyStack, run } from './engine-simulation';
import { resourcesOf, type StackSpec } from './stack-spec';
import { documentOf, yamlText } from './stack-yaml';
import { openCommandWorld, type CommandWorld, type Ended, type Typed } from './command-world';

/** A secret of every stack: no output may contain it. */
export const SECRET = 'canary-fleet-77ab';

/** What `pulumi` prints: of the files in `.state` of the folder it runs in. Each call is a line of `calls`. */
const PULUMI = `#!/bin/sh
stack=dev; before=
for word in "$@"; do [ "$before" = --stack ] && stack=$word; before=$word; done
case "$1 $2" in
  'stack ls') exec cat .state/ls.json ;;
  'stack export') file=.state/$stack.json ;;
  'config --json') file=.state/$stack.config.json; [ -f "$file" ] || { echo '{}'; exit; } ;;
  *) exit 1 ;;
esac
[ -f "$file" ] && exec cat "$file"
echo "error: no stack named '$stack' found" >&2
exit 6
`;

const smallStack = (assembly: string): StackSpec => ({
  assembly,
  variables: { KEY: { encryptedValue: SECRET }, LEVEL0: 'info 0' },
  platforms: {
    web: {
      pack: 'custom',
      components: { deployer: { type: 'user', attributes: { username: 'deployer', description: 'deploys' } } },
    },
  },
});

export interface FleetWorld extends Omit<CommandWorld, 'drift'> {
  /** `pulumi-oneops drift` with these words, and the stand-in on PATH. `typed`: on a terminal, what a person types there. */
  drift(words: readonly string[], environment?: { readonly [name: string]: string }, typed?: Typed): Promise<Ended>;
  /** Variables of a separate process: the service, and the stand-in on PATH. */
  readonly environment: { readonly [name: string]: string };
  /** The review of all stacks in `stacks`, as `--json` prints it. */
  fleet(...words: readonly string[]): Promise<Fleet>;
  /** Maria writes an attribute of the component of an assembly. */
  tamperIn(assembly: string, attributes: { readonly [name: string]: string }): Promise<void>;
  setVariable(assembly: string, name: string, attributes: { readonly [name: string]: string }): Promise<void>;
  remove(name: string): void;
  /** Writes the state of a stack into the backend, as `pulumi stack ls --all` names it. */
  keepInBackend(assemblies: readonly string[]): void;
}

/** Opens a world in which each assembly is the stack `dev` of another project, below `stacks`. */
export async function openFleetWorld(assemblies: readonly string[]): Promise<FleetWorld> {
  const at = await openCommandWorld('documented');
  const bin = join(at.folder, '.bin');
  at.write('.bin/pulumi', PULUMI);
  chmodSync(join(bin, 'pulumi'), 0o755);
  for (const assembly of assemblies) {
    const spec = smallStack(assembly);
    const { stack, errors } = await run({ ...at.world, api: at.world.api }, emptyStack, resourcesOf(spec));
    if (errors.length > 0) throw new Error(errors.join('\n'));
    const folder = `stacks/${assembly}`;
    at.write(`${folder}/Pulumi.yaml`, `name: ${assembly}\nruntime: oneops\n`);
    at.write(`${folder}/oneops.yaml`, yamlText(documentOf(spec)));
    at.write(`${folder}/.state/ls.json`, JSON.stringify([{ name: 'dev' }]));
    at.write(`${folder}/.state/dev.json`, JSON.stringify(exportOf(keptOf(stack))));
    at.world.nextRun();
  }
  at.world.requests();
  const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
  const drift: FleetWorld['drift'] = (words, environment = {}, typed = undefined) =>
    at.drift(words, { environment: { PATH, ...environment }, ...(typed === undefined ? {} : { typed }) });
  return {
    ...at,
    drift,
    environment: { ...at.settings, PATH },
    fleet: async (...words) => {
      const { stdout, stderr } = await drift(['--all', 'stacks/*', '--json', ...words]);
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as Fleet;
    },
    tamperIn: async (assembly, ciAttributes) => {
      at.world.clock.advance(1_000);
      await at.world.maria.at({ assembly }).set('web/deployer', ciAttributes);
      at.world.requests();
    },
    setVariable: async (assembly, variable, ciAttributes) => {
      at.world.clock.advance(1_000);
      await at.world.maria.at({ assembly }).set(`$${variable}`, ciAttributes);
      at.world.requests();
    },
    keepInBackend: (all) => {
      const nameOf = (assembly: string): string => `organization/${assembly}/dev`;
      at.write('.state/ls.json', JSON.stringify(all.map((assembly) => ({ name: nameOf(assembly) }))));
      for (const assembly of all)
        at.write(`.state/${nameOf(assembly)}.json`, at.read(`stacks/${assembly}/.state/dev.json`));
    },
    remove: (name) => rmSync(join(at.folder, name), { recursive: true }),
  };
}
