// The Platform kind: one deployable part of an assembly's design, made from a pack (flows §3.2).
// It must not know the engine or the file that declares it.
import { nameRules, problem, routes } from '../../../api/contract';
import { base, fixed, heldInRelations, member, referring, refersTo, set, takingOver, text, version } from '../../field';
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
    /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
    comments: member(text()).optional(),
    /** Platforms it uses; they start before it does. */
    links: base('[]', heldInRelations('LinksTo', member(refersTo('Platform', set())))).optional(),
    ...referring,
    ...takingOver,
  },
  impact: {
    deleted: { severity: 'high', message: 'the platform is deleted: its instances go from every environment' },
    makesInstances: ({ operation, address }, { assembly }) =>
      operation !== 'update' && operation !== 'delete' && address.startsWith(`${assembly}/`),
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
    create: {
      source: 'oneops',
      pack: 'custom',
      version: '1',
      description: 'front',
      links: ['db'],
      comments: 'made first',
    },
    update: { description: 'front end', links: [], comments: 'made later' },
    replace: { pack: 'apache' },
  },
  rule: (args) =>
    args.links && new Set(args.links).size !== args.links.length
      ? [problem('duplicate-link', ['links'], 'the same platform is linked twice')]
      : [],
});
