// The Assembly kind: an application definition of an organization (flows §3.1).
// It must not know the engine or the file that declares it.
import { nameRules, routes } from '../../../api/contract';
import { base, control, map, member, oneOf, referring, takingOver, text, textLike } from '../../field';
import { kind } from '../../kind';
import { assemblyVerbs } from './flow';

/** An application: its design, and the environments it is deployed to. */
export const assembly = kind({
  token: 'Assembly',
  path: routes.assemblies.read.path,
  named: true,
  nameRule: nameRules.assembly,
  cascades: false,
  stage: 'none',
  fields: {
    /** What the application is. */
    description: text().optional(),
    /** E-mail address of its owner. Optional in the documented dialect; the live service demands one. */
    owner: textLike(
      /^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$/,
      'an e-mail address whose domain ends with a dot and two letters or more, as in team@acme.io',
    ).optional(),
    /** Free text on the record. */
    comments: member(text()).optional(),
    /** Words by key, for reports. */
    tags: base('{}', map()).optional(),
    /** What its design release, environments and deployments do when another user's work is in the way, where they do not say. */
    whenBusy: control(oneOf(['fail', 'wait', 'proceed'])).optional(),
    ...referring,
    ...takingOver,
  },
  holds: 'design',
  found: { list: { route: routes.assemblies.list, isReviewed: false } },
  impact: {
    deleted: { severity: 'high', message: 'the assembly is deleted, with its design and its environments' },
  },
  companion: 'DesignRelease',
  inFile: { path: 'assembly' },
  computed: {},
  verbs: assemblyVerbs,
  sample: {
    create: { description: 'Web shop', owner: 'team@acme.io', comments: 'first', tags: { tier: 'gold' } },
    update: { description: 'Web shop of Acme', owner: 'shop@acme.io', comments: 'second', tags: { tier: 'silver' } },
  },
});
