// The Component kind: a part of a platform, born with its pack or added from a template (flows §3.3).
import { nameRules, routes } from '../../../api/contract';
import { base, fixed, heldInRelations, member, open, refersTo, set, takingOver, text } from '../../field';
import { judgeComponent } from '../../catalogue';
import { kind } from '../../kind';
import { hasOwnComments } from '../../verbs/comments';
import { isLocked } from '../../verbs/live';
import { componentVerbs } from './flow';
import { platform } from '../platform';

/** A part of a platform: a machine, a user, a server, a volume. */
export const component = kind({
  token: 'Component',
  path: routes.components.read.path,
  named: true,
  within: platform,
  nameRule: nameRules.component,
  cascades: true,
  stage: 'design',
  found: {
    list: {
      route: routes.components.list,
      isReviewed: true,
      isGiven: (record) => !isLocked(record) && !hasOwnComments(record),
    },
  },
  fields: {
    /** The pack's template it is made from: `compute`, `user`, `tomcat`. */
    type: fixed(text()),
    /** Attributes of its class, by the service's own names. What is not named keeps the template's value. */
    attributes: open().optional(),
    /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
    comments: member(text()).optional(),
    /** Components of the same template it depends on, by name. */
    depends: base('[]', heldInRelations('DependsOn', member(refersTo('Component', set())))).optional(),
    ...takingOver,
  },
  impact: {
    // A machine; of everything else, each machine has one.
    makesInstances: ({ operation, address, attributes }, { assembly }) =>
      operation === 'create' &&
      address.startsWith(`${assembly}/`) &&
      attributes.some(({ path, after }) => path.join() === 'type' && after.value === 'compute'),
    deleted: {
      severity: 'medium',
      message: 'the component is taken out: its instances go from every environment',
      ofPack: "the component came with the pack: it is set back to the pack's defaults",
    },
  },
  inFile: {
    path: 'platforms.*.components.*',
    apart: ['type', 'attributes'],
    written: ({ type, attributes = {} }) =>
      typeof type === 'string'
        ? { below: type, first: attributes as { readonly [name: string]: unknown }, omits: ['type', 'attributes'] }
        : { reason: 'its template is not known' },
  },
  computed: {},
  verbs: componentVerbs,
  judge: judgeComponent,
  sample: {
    create: {
      type: 'user',
      attributes: { username: 'deployer', sudoer: false, authorized_keys: ['ssh-rsa AAA'] },
      depends: ['parent'],
      comments: 'made first',
    },
    update: {
      attributes: { username: 'deployer', description: 'deploys', sudoer: true, authorized_keys: [] },
      depends: [],
      comments: 'made later',
    },
    replace: { type: 'job', attributes: { minute: '5' }, depends: ['nightly'] },
  },
});
