// The Assembly kind: an application definition of an organization (flows §3.1).
import { nameRules, routes } from '../../api/contract';
import { keepsAssembly } from '../deploy/run-elsewhere';
import { base, busy, map, member, referring, takingOver, text, textLike } from '../values/field';
import { kind, type Verbs } from '../kind';
import { crud, deleteOnce, DIRECT } from '../verbs/crud';

// A delete never deletes another user's environments (flows §3.1).

const assemblyVerbs: Verbs = crud(routes.assemblies, DIRECT, {
  async delete(work) {
    if (await keepsAssembly(work, 'it')) work.notice(`${work.id} stays as it is, since its environments do`);
    else await deleteOnce(() => work.api.call(routes.assemblies.delete, { address: work.at }));
  },
});

export const assembly = kind({
  token: 'Assembly',
  description: 'An application: its design, and the environments it is deployed to.',
  path: routes.assemblies.read.path,
  nameRule: nameRules.assembly,
  cascades: false,
  stage: 'none',
  fields: {
    description: text().optional().describe('What the application is.'),
    owner: textLike(
      /^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$/,
      'an e-mail address whose domain ends with a dot and two letters or more, as in team@acme.io',
    )
      .optional()
      .describe('E-mail address of its owner. Optional in the documented dialect only.'),
    comments: member(text()).optional().describe('Free text on the record.'),
    tags: base('{}', map()).optional().describe('Words by key, for reports.'),
    whenBusy: busy("What to do, by default, when another user's work is in the way of the assembly."),
    ...referring,
    ...takingOver,
  },
  found: { list: { route: routes.assemblies.list, isReviewed: false } },
  impact: {
    deleted: { severity: 'high', message: 'the assembly is deleted, with its design and its environments' },
  },
  inFile: { path: 'assembly' },
  verbs: assemblyVerbs,
  sample: {
    create: { description: 'Web shop', owner: 'team@acme.io', comments: 'first', tags: { tier: 'gold' } },
    update: { description: 'Web shop of Acme', owner: 'shop@acme.io', comments: 'second', tags: { tier: 'silver' } },
  },
});
