// `pulumi-oneops setup`: brings the plugins of this package into the cache of Pulumi's CLI.
import { shellWord } from '../../../provider/values';
import { commandOf } from '../../command';
import { usablePulumi, cachedTemplates, cacheFolder, cachePlugin, PLUGINS, type CachedPlugin } from '../../pulumi-cli';
import { flag } from '../../options';

export const command = commandOf({
  usage: ['setup [--json]'],
  about: `Installs the plugins of this package into the plugin cache of Pulumi's CLI, below PULUMI_HOME or ~/.pulumi:
  language oneops    runs a stack file: "runtime: oneops" in Pulumi.yaml is
                     enough, without a plugins: block and without node_modules
  resource oneops    carries resources out, for programs of every language
  converter oneops   pulumi import --from oneops, pulumi convert --from oneops
  converter boo      pulumi convert --from boo
Templates for "pulumi new" are next to the language host. Nothing is downloaded. It can be repeated: a plugin that exists already stays as it is, and one with other content is replaced.

pulumi plugin rm converter boo removes one again; the others in the same way.`,
  options: { json: flag('what was done, as JSON') },
  exits: { done: 'all are in the cache', failed: `Pulumi's CLI is missing, too old or refuses` },
  most: 0,
  async run({ print }) {
    const pulumi = await usablePulumi('setup');
    const plugins: CachedPlugin[] = [];
    for (const plugin of PLUGINS) plugins.push(await cachePlugin(plugin));
    const done = { pulumi, cache: cacheFolder(), plugins, templates: cachedTemplates() };
    print(done, () => `${textOf(pulumi, plugins).join('\n')}\n`);
  },
});

const textOf = (pulumi: string, plugins: readonly CachedPlugin[]): readonly string[] => [
  `Pulumi ${pulumi}, plugins in ${cacheFolder()}`,
  ...plugins.flatMap(({ kind, name, version, outcome, otherVersions }) => [
    `  ${kind} ${name} ${version}: ${outcome === 'unchanged' ? 'already there' : outcome}`,
    ...otherVersions.map(
      (other) =>
        `    the cache also holds ${other}, and a project gets the newest:\n    pulumi plugin rm ${kind} ${name} ${other} removes it`,
    ),
  ]),
  'A project needs nothing but "runtime: oneops" in its Pulumi.yaml.',
  ...cachedTemplates().map((template) => `pulumi new ${asWord(template)} begins one`),
];

/** A path as one word of a command, for the shells of this system. */
function asWord(path: string): string {
  if (process.platform !== 'win32') return shellWord(path);
  return /^[\w.:\\/-]+$/.test(path) ? path : `"${path}"`;
}
