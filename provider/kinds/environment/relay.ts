// The Relay kind: who gets mails about an environment, and which ones (service-facts §2.6, §4.7.5).
import { nameRules, problem, routes, type Record as WireRecord } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import { base, baseTexts, csv, csvLike, flag, takingOver, text } from '../../values/field';
import { kind, type List, type Verbs, type Work } from '../../kind';
import { adopt } from '../../verbs/adopt';
import { crud } from '../../verbs/crud';
import { liveOf } from '../../verbs/live';
import { AlreadyThere } from '../../verbs/presence';
import { readRecord } from '../../verbs/records';
import { environment } from './kind';
import { picked, type Texts } from '../../values/plain';
import { namesDiffering } from '../../values/wire';

/** The relay that comes with each environment. */
const BORN_RELAY = 'default';

const plain = crud(routes.relays, { wrapper: 'cms_ci', memberNames: [] });

const isBorn = ({ address }: Pick<Work, 'address'>): boolean => address['name'] === BORN_RELAY;

/** Variable defaults: the relay of the environment mails the owner of the assembly. */
async function bornTexts(work: Work, names: readonly string[]): Promise<Texts> {
  if (!isBorn(work) || !names.includes('emails')) return {};
  const { ciAttributes } = await work.api.call(routes.assemblies.read, { address: work.at });
  return { emails: ciAttributes['owner'] ?? '' };
}

/** The attributes of a relay; the values that it has when nobody sets any (service-facts §2.6). */
const attributes = {
  emails: csvLike(/^[^@\s,]+@[^@\s,]+$/, 'an e-mail address: NAME@DOMAIN')
    .optional()
    .describe('Addresses that get the mails. Default for the relay `default`: the owner of the assembly.'),
  enabled: base('true', flag()).optional().describe('Whether mails are sent.'),
  severity: base('info,warning,critical', csv(['info', 'warning', 'critical']))
    .optional()
    .describe('Severities that are sent.'),
  source: base('deployment,procedure,ci', csv(['deployment', 'procedure', 'ci']))
    .optional()
    .describe('Sources that are reported: deployments, procedures, the health of instances (`ci`).'),
  nsPaths: csv()
    .optional()
    .describe('Namespaces whose notifications are sent (`/acme/shop/prod/bom/web/1`); default: all.'),
  textRegex: text().optional().describe('Regular expression that a notification must match.'),
  correlation: base('true', flag()).optional().describe('Whether only changes of a state are sent.'),
};

const BASES = baseTexts(attributes);

const differing = (texts: Texts, { ciAttributes }: Pick<WireRecord, 'ciAttributes'>): readonly string[] =>
  namesDiffering(attributes, texts, ciAttributes);

/** Whether a relay was not written since its creation (service-facts §2.1.1), or was given back. */
const isAsBorn: NonNullable<List['isGiven']> = (record, assembly) =>
  record.ciName === BORN_RELAY &&
  (!record.updatedBy ||
    (assembly !== undefined &&
      differing({ ...BASES, emails: assembly.ciAttributes['owner'] ?? '' }, record).length === 0));

const adopted = adopt<WireRecord>({
  find: (work) => readRecord(work, routes.relays),
  isGiven: isBorn,
  live: (_, record) => liveOf(record),

  /** An environment of an assembly without an owner has no default relay. */
  async make(work) {
    const wire = { ...(await bornTexts(work, 'emails' in work.wire ? [] : ['emails'])), ...work.wire };
    if (wire['emails']) return plain.create({ ...work, wire });
    throw new LifecycleError(
      'the environment has no relay "default", and its assembly has no owner to mail',
      'declare emails for it, or an owner for the assembly',
    );
  },

  /** Overwrites values that no user set. When a user set other values, the lifecycle decides. */
  async take(work, record) {
    const live = liveOf(record);
    const names = differing(work.wire, record);
    const born = { ...BASES, ...(await bornTexts(work, Object.keys(work.wire))) };
    const set = differing(picked(born, Object.keys(work.wire)), record);
    if (names.some((name) => set.includes(name)) || (names.length === 0 && set.length > 0))
      throw new AlreadyThere(live);
    return names.length === 0 ? live : plain.update({ ...work, live, changes: picked(work.wire, names) });
  },

  write: (work) => plain.update(work),

  async giveBack(work, record) {
    const names = Object.keys(work.wire);
    const born: Texts = { ...BASES, ...(await bornTexts(work, names)) };
    const changed = differing(picked(born, names), record).filter((name) => name !== 'emails' || born['emails'] !== '');
    if (changed.length > 0) await plain.update({ ...work, live: liveOf(record), changes: picked(born, changed) });
  },

  base: (work, _, names) => bornTexts(work, names),
});

const relayVerbs: Verbs = {
  ...adopted,
  delete: (work) => (work.known?.['origin'] === 'pack' ? adopted.delete(work) : plain.delete(work)),
};

export const relay = kind({
  token: 'Relay',
  description:
    'A mail relay of an environment: sends notifications to e-mail addresses, without a deployment. The relay `default` comes with the environment and mails the owner of the assembly: it is updated, and given back.',
  path: routes.relays.read.path,
  id: '{assembly}/{environment}/relays/{name}',
  within: environment,
  nameRule: nameRules.relay,
  stage: 'none',
  found: { list: { route: routes.relays.list, isReviewed: true, isGiven: isAsBorn } },
  fields: {
    ...attributes,
    ...takingOver,
  },
  impact: {
    severity: { emails: 'medium', enabled: 'medium' },
    deleted: {
      severity: 'medium',
      message: 'the relay is deleted: nobody gets its mails any more',
      ofPack: 'the relay of the environment mails the owner of the assembly again',
    },
  },
  inFile: { path: 'environments.*.relays.*', written: () => ({}) },
  rule: (args) =>
    (args.emails ?? []).length > 0 || (args as { readonly name?: unknown }).name === BORN_RELAY
      ? []
      : [problem('required', ['emails'], '"emails" is required', 'emails: [ops@example.com]')],
  verbs: relayVerbs,
  sample: {
    create: {
      emails: ['ops@acme.io', 'web@acme.io'],
      enabled: false,
      severity: ['warning', 'critical'],
      source: ['deployment'],
      nsPaths: ['/acme/shop/prod/bom/web/1'],
      textRegex: 'failed',
      correlation: false,
    },
    update: { emails: ['ops@acme.io'], severity: ['critical'], textRegex: 'failed.*' },
  },
});
