// Relay verbs: changes take effect immediately; the relay that comes with each environment is updated and given back (service-facts §2.6).
import { routes, type Record as WireRecord } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import { adopt } from '../../verbs/adopt';
import { crud, type Recording } from '../../verbs/crud';
import { liveOf } from '../../verbs/live';
import { AlreadyThere } from '../../verbs/presence';
import { readRecord } from '../../verbs/records';
import type { Live } from '../../address/live';
import type { Verbs, Work } from '../../model';

/** Texts by wire name. */
interface Texts {
  readonly [wireName: string]: string;
}

/** The relay that comes with each environment. */
export const BORN_RELAY = 'default';

/** Whether a relay came with its environment and was not written since: such a record names no last writer (service-facts §2.1.1). */
export const isUntouched = ({ ciName, updatedBy }: Pick<WireRecord, 'ciName' | 'updatedBy'>): boolean =>
  ciName === BORN_RELAY && !updatedBy;

const recording: Recording = { wrapper: 'cms_ci', locked: false, memberNames: [] };

const plain = crud(routes.relays, recording);

const isBorn = ({ address }: Pick<Work, 'address'>): boolean => address['name'] === BORN_RELAY;

/** Values of a relay that are no constants: the relay of the environment mails the owner of the assembly. */
async function bornTexts(work: Work, names: readonly string[]): Promise<Texts> {
  if (!isBorn(work) || !names.includes('emails')) return {};
  const { ciAttributes } = await work.api.call(routes.assemblies.read, { address: work.at });
  return { emails: ciAttributes['owner'] ?? '' };
}

/** Values that an attribute has when nobody sets it, by wire name (service-facts §2.6). */
export const CLASS_VALUES = {
  enabled: 'true',
  severity: 'info,warning,critical',
  source: 'deployment,procedure,ci',
  ns_paths: '',
  text_regex: '',
  correlation: 'true',
} as const;

/** Attributes whose value is a list of words. */
const LISTS: readonly string[] = ['severity', 'source', 'ns_paths', 'emails'];

const plainText = (name: string, text: string | null | undefined): string =>
  LISTS.includes(name)
    ? (text ?? '')
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean)
        .sort()
        .join(',')
    : (text ?? '');

/** The names of texts that a record does not have, lists compared without order. */
const differing = (texts: Texts, { ciAttributes }: WireRecord): readonly string[] =>
  Object.keys(texts).filter((name) => plainText(name, texts[name]) !== plainText(name, ciAttributes[name]));

const picked = (texts: Texts, names: readonly string[]): Texts =>
  Object.fromEntries(names.map((name) => [name, texts[name] ?? '']));

const liveRelay = (record: WireRecord, origin: Live['origin']): Live => ({ ...liveOf(record), origin });

async function write(work: Work, live: Live, changes: Texts): Promise<Live> {
  return { ...(await plain.update({ ...work, live, changes })), origin: live.origin };
}

const adopted = adopt<WireRecord>({
  find: (work) => readRecord(work, routes.relays),
  isGiven: (work) => Promise.resolve(isBorn(work)),

  live: (work, record) => {
    const origin = work.known?.['origin'] ?? (isBorn(work) ? 'pack' : 'created');
    return liveRelay(record, origin === 'pack' ? 'pack' : 'created');
  },

  /** The relay of the environment may have been deleted, or never created: an environment of an assembly without an owner has none. */
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
    const live = liveRelay(record, 'pack');
    const names = differing(work.wire, record);
    const born = { ...CLASS_VALUES, ...(await bornTexts(work, Object.keys(work.wire))) };
    const set = differing(picked(born, Object.keys(work.wire)), record);
    if (names.some((name) => set.includes(name)) || (names.length === 0 && set.length > 0))
      throw new AlreadyThere(live);
    return names.length === 0 ? live : write(work, live, picked(work.wire, names));
  },

  write: (work) => write(work, work.live, work.changes),

  async giveBack(work, record) {
    const names = Object.keys(work.wire);
    const born: Texts = { ...CLASS_VALUES, ...(await bornTexts(work, names)) };
    const changed = differing(picked(born, names), record).filter((name) => name !== 'emails' || born['emails'] !== '');
    if (changed.length > 0) await write(work, liveRelay(record, 'pack'), picked(born, changed));
  },

  base: (work, _, names) => bornTexts(work, names),
});

/** Verbs of the Relay kind. */
export const relayVerbs: Verbs = {
  ...adopted,
  delete: (work) => (work.known?.['origin'] === 'pack' ? adopted.delete(work) : plain.delete(work)),
};
