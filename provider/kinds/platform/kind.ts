// The Platform kind: one deployable part of an assembly's design, made from a pack (flows §3.2).
// It must not know the engine or the file that declares it.
import { nameRules, problem, routes } from '../../../api/contract';
import { base, control, fixed, flag, member, refersTo, set, text, unstamped, version } from '../../field';
import { judgePack } from '../../catalogue';
import { kind } from '../../kind';
import { platformVerbs } from './flow';
import { assembly } from '../assembly/kind';

/** A part of the design: a pack's components, ready to be configured. */
export const platform = kind({
  token: 'Platform',
  path: routes.platforms.read.path,
  named: true,
  within: assembly,
  nameRule: nameRules.platform,
  cascades: true,
  stage: 'design',
  found: { list: { route: routes.platforms.list, isReviewed: true } },
  fields: {
    /** Register the pack comes from. */
    source: fixed(text()),
    /** Pack: `tomcat`, `mysql`, `custom`. */
    pack: fixed(text()),
    /** Version of the pack. */
    version: version(),
    /** Major version of the platform itself. */
    majorVersion: base('1', fixed(version())).optional(),
    /** What the platform is for. */
    description: text().optional(),
    /** Platforms it uses; they start before it does. */
    links: base('[]', unstamped(member(refersTo('Platform', set())))).optional(),
    /** Refer to a platform that another stack owns: nothing of it is written or deleted. */
    existing: control(flag()).optional(),
    /** Take over a platform of this name and write the declared values to it. */
    adopt: control(flag()).optional(),
    /** Write declared values even when somebody else changed them since our last read. */
    overwrite: control(flag()).optional(),
  },
  impact: {
    deleted: { severity: 'high', message: 'the platform is deleted: its instances go from every environment' },
    takesDown: ({ operation, address }, { assembly, platform }) =>
      operation === 'replace' && address === `${assembly}/${platform}`,
  },
  inFile: {
    path: 'platforms.*',
    written: ({ source, pack, version }) =>
      [source, pack, version].every((part) => typeof part === 'string')
        ? {
            first: { pack: `${String(source)}/${String(pack)}:${String(version)}` },
            omits: ['source', 'pack', 'version'],
          }
        : { reason: 'its pack is not known' },
  },
  computed: {},
  verbs: platformVerbs,
  judge: judgePack,
  sample: {
    create: { source: 'oneops', pack: 'custom', version: '1', description: 'front', links: ['db'] },
    update: { description: 'front end', links: [] },
    replace: { pack: 'apache' },
  },
  rule: (args) =>
    args.links && new Set(args.links).size !== args.links.length
      ? [problem('duplicate-link', ['links'], 'the same platform is linked twice')]
      : [],
});
