// Restores the declared values of findings, through the provider's own lifecycle.
import type { Api } from '../../api/client';
import { layered, fillPath, pathIn } from '../../api/contract';
import { messageOf } from '../../api/errors';
import { fieldOf, type Inputs, LifecycleError, parseId, scopeOfId } from '../../provider';
import { kinds, kindOf } from '../../provider/kinds';
import { lifecycle, type Lifecycle, type Row } from '../../provider/lifecycle';
import { masked, textsIn } from '../../provider/secrets';
import { knowing, newSession, type Clock } from '../../provider/session';
import { holdsUnknown, sameValue, valueIn, withAt } from '../../provider/values';
import type { DriftFinding, Shown } from '../review/review';
import type { AppliedRecord, SourceRecord } from '../review/sources';
import { settingsFor } from '../accept/settings';
import { findingSubject } from '../review/earlier';

export interface RevertContext {
  readonly api: Api;
  /** Everything declared: by the file, or, without one, by the state. */
  readonly declared: readonly SourceRecord[];
  /** The records of the state, if there is one. */
  readonly applied?: readonly AppliedRecord[];
  readonly clock?: Clock;
  tell(message: string): void;
}

/** One record to write: what it is to be, and what it was read as. */
export interface Reversal {
  readonly findings: readonly DriftFinding[];
  readonly record: SourceRecord;
  /** Present for a record that nobody declares: it is deleted, or given back, as it was read. */
  readonly remove?: Inputs;
  /** Without `remove`, undefined: it no longer exists, and is created again. */
  readonly update?: { readonly olds: Inputs; readonly news: Inputs };
  /** Its request: method, path and body, secrets masked. */
  readonly request: string;
}

interface RevertPlan {
  readonly reversals: readonly Reversal[];
  /** They are as declared already. */
  readonly held: readonly DriftFinding[];
  readonly refused: readonly { readonly finding: DriftFinding; readonly reason: string }[];
}

/**
 * Reads each record again, and says which requests would set the attributes back, parents before
 * what is in them. Sends GETs only. A record that changed since the review is refused.
 */
export async function planRevert(world: RevertContext, findings: readonly DriftFinding[]): Promise<RevertPlan> {
  const plans: RevertPlan[] = [];
  const order = new Map(world.declared.map(({ kind, id }, index) => [`${kind.token} ${id}`, index]));
  const subjects = [...new Set(findings.map(({ kind, address }) => `${kind} ${address}`))];
  subjects.sort((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0));
  for (const subject of subjects) {
    const own = findings.filter(({ kind, address }) => `${kind} ${address}` === subject);
    try {
      plans.push(await planOne(world, own, plans));
    } catch (error) {
      // What one record's own rules forbid leaves the others their plan.
      if (!(error instanceof LifecycleError)) throw error;
      plans.push(refusing(own, messageOf(error)));
    }
  }
  return {
    reversals: plans.flatMap(({ reversals }) => reversals),
    held: plans.flatMap(({ held }) => held),
    refused: plans.flatMap(({ refused }) => refused),
  };
}

const NOTHING: RevertPlan = { reversals: [], held: [], refused: [] };

const refusing = (findings: readonly DriftFinding[], reason: string): RevertPlan => ({
  ...NOTHING,
  refused: findings.map((finding) => ({ finding, reason })),
});

async function planOne(
  world: RevertContext,
  findings: readonly DriftFinding[],
  before: readonly RevertPlan[],
): Promise<RevertPlan> {
  const refuse = (reason: string): RevertPlan => refusing(findings, reason);
  const [first] = findings;
  if (first !== undefined && first.classification === 'undeclared') return planRemoval(world, first, findings);
  const record = first && recordOf(world.declared, findings);
  if (record === undefined) return refuse(stepOf(first) ?? 'nothing declares it: there is nothing to go back to');
  if (holdsUnknown(record.inputs['name'])) return refuse('its name is known only in a run');
  const live = await lifeOf(world, record).read(record.id, record.inputs, reportingRow(world));
  if (live === undefined) {
    const reason = whyNotCreated(record, findings);
    if (reason !== undefined) return refuse(reason);
    const isInside = before.some(({ reversals }) => reversals.some((each) => liesIn(record, each)));
    const request = isInside
      ? `POST ${record.kind.token} ${record.id}, as declared, once its parent exists`
      : await requestOf(world, record, (life) => life.create(record.inputs, reportingRow(world)));
    return { ...NOTHING, reversals: [{ findings, record, request }] };
  }
  const gone = findings.filter(({ classification }) => classification === 'deleted');
  const others = gone.length === 0 ? [] : await differing(world, record, live.inputs);
  const again = `somebody created it again since the review, with another ${others.join(', ')}: make a new one`;
  const held: DriftFinding[] = others.length === 0 ? gone : [];
  const refused = others.length === 0 ? [] : gone.map((finding) => ({ finding, reason: again }));
  const reverted: DriftFinding[] = [];
  let [olds, news]: [Inputs, Inputs] = [live.outputs, live.inputs];
  for (const finding of findings.filter((each) => !gone.includes(each))) {
    const judged = judge(finding, record, live.inputs);
    if (judged === 'held') held.push(finding);
    else if ('reason' in judged) refused.push({ finding, ...judged });
    else {
      reverted.push(finding);
      const { argument, steps, value, secret } = judged;
      news = { ...news, [argument]: withAt(news[argument], steps, value) };
      // What cannot be read is written when it seems to be new.
      if (secret) olds = { ...olds, [argument]: withAt(olds[argument], steps, undefined) };
    }
  }
  if (reverted.length === 0) return { ...NOTHING, held, refused };
  const { replaces } = await lifeOf(world, record).diff(record.id, live.inputs, news);
  const isReplaced = ({ attribute = '' }: DriftFinding): boolean => replaces.includes(attribute.split('.')[0] ?? '');
  if (replaces.length > 0) {
    const reason = 'it cannot be changed in place: pulumi up --refresh replaces the record';
    const fixed = reverted.some(isReplaced) ? reverted.filter(isReplaced) : reverted;
    const others = await planOne(world, [...reverted.filter((finding) => !fixed.includes(finding)), ...held], before);
    return { ...others, refused: [...refused, ...fixed.map((finding) => ({ finding, reason }))] };
  }
  const update = { olds, news };
  const request = await requestOf(world, record, (life) => life.update(record.id, olds, news, reportingRow(world)));
  return { reversals: [{ findings: reverted, record, update, request }], held, refused };
}

/** Why a record that no longer exists is not created again. */
function whyNotCreated({ kind, inputs }: SourceRecord, findings: readonly DriftFinding[]): string | undefined {
  if (findings.every(({ classification }) => classification !== 'deleted')) return 'it was deleted after the review';
  const unknown = Object.entries(inputs).find(
    ([name, value]) => fieldOf(kind, name)?.channel !== 'control' && holdsUnknown(value),
  );
  return unknown && `${unknown[0]} is known only in a run: use pulumi up --refresh`;
}

/** Deletes what somebody added, if it is still the same; what came with a parent is restored. */
async function planRemoval(
  world: RevertContext,
  finding: DriftFinding,
  findings: readonly DriftFinding[],
): Promise<RevertPlan> {
  if (finding.elsewhere)
    return refusing(findings, 'it is not inside a record that this stack created: its owner deletes it');
  const record = undeclaredRecord(finding);
  const live = record && (await lifeOf(world, record).read(record.id, undefined, reportingRow(world)));
  if (record === undefined || live === undefined) return { ...NOTHING, held: [finding] };
  const remove = live.outputs;
  const request = await requestOf(world, record, (life) => life.delete(record.id, remove, reportingRow(world)));
  return { ...NOTHING, reversals: [{ findings: [finding], record, remove, request }] };
}

/** Arguments of a record that differ in the service, as far as declared values are known here. */
async function differing(world: RevertContext, record: SourceRecord, live: Inputs): Promise<readonly string[]> {
  const { changes } = await lifeOf(world, record).diff(record.id, live, record.inputs);
  return changes
    .filter(({ path: [name = '', ...steps] }) => !holdsUnknown(valueIn(record.inputs[name], steps)))
    .map(({ path }) => path.join('.'));
}

const liesIn = ({ id }: SourceRecord, { record, update, remove }: Reversal): boolean =>
  update === undefined && remove === undefined && id.startsWith(`${record.id}/`);

type Judged =
  | 'held'
  | { readonly reason: string }
  | { readonly argument: string; readonly steps: readonly string[]; readonly value: unknown; readonly secret: boolean };

function judge(finding: DriftFinding, { kind, inputs }: SourceRecord, live: Inputs): Judged {
  const { attribute, live: seen, expected, recorded } = finding;
  const [setting] =
    attribute === undefined ? [] : (settingsFor({ kind, args: inputs as never }, attribute, undefined) ?? []);
  if (setting === undefined)
    return { reason: stepOf(finding) ?? 'it is about the whole record: there is no attribute to set back' };
  const { argument, steps } = setting;
  const now = valueIn(live[argument], steps);
  const changed = { reason: 'it was changed again since the review: make a new one' };
  if (isUnexpected(finding)) {
    if (same(now, valueOf(expected))) return 'held';
    const isSeen = seen?.is === 'secret' || same(now, valueOf(seen));
    // What was recorded is written; otherwise the record follows again what it came with.
    return isSeen ? { argument, steps, value: recorded ? valueOf(expected) : undefined, secret: false } : changed;
  }
  const value = valueIn(inputs[argument], steps);
  if (value === undefined || holdsUnknown(value))
    return { reason: 'the declared value is not known here: use pulumi up --refresh' };
  const secret = seen?.is === 'secret';
  if (secret) return { argument, steps, value, secret };
  if (same(now, value)) return 'held';
  if (!same(now, valueOf(seen))) return changed;
  return { argument, steps, value, secret };
}

/** What is done about a finding without an attribute to set back: what does not run is deployed. */
const stepOf = (finding: DriftFinding | undefined): string | undefined =>
  finding?.classification === 'undeployed' ? finding.advice.revert : undefined;

const valueOf = (shown: Shown | undefined): unknown => (shown?.is === 'value' ? shown.value : undefined);

const same = (left: unknown, right: unknown): boolean => sameValue({ type: 'open' }, left, right);

/** Writes what was planned. Throws what the service or the lost-update guard reports. */
export async function applyReversal(world: RevertContext, { record, update, remove }: Reversal): Promise<void> {
  const life = lifeOf(world, record);
  const row = reportingRow(world);
  if (remove !== undefined) await life.delete(record.id, remove, row);
  else if (update === undefined) await life.create(record.inputs, row);
  else await life.update(record.id, update.olds, update.news, row);
}

/**
 * Writes the plan until something fails; never rejects, since earlier writes must be reported.
 * `failed`: the one that ended the work, perhaps written in part; nothing after it was sent.
 */
export async function applyReversals(
  world: RevertContext,
  reversals: readonly Reversal[],
): Promise<{
  readonly done: readonly Reversal[];
  readonly failed?: { readonly reversal: Reversal; readonly error: unknown };
}> {
  const done: Reversal[] = [];
  for (const reversal of reversals) {
    try {
      await applyReversal(world, reversal);
    } catch (error) {
      return { done, failed: { reversal, error } };
    }
    done.push(reversal);
  }
  return { done };
}

/** A session that knows what is declared, and `reverted` as this stack's to commit. */
export const sessionOf = ({ clock, declared }: RevertContext, reverted: readonly SourceRecord[] = []) =>
  knowing({ ...newSession(kinds, clock), readCache: false }, [...declared, ...reverted]);

/** A new session each time: nothing that was read before counts as the present state. */
const lifeOf = (world: RevertContext, record: SourceRecord, api = world.api): Lifecycle =>
  lifecycle(record.kind, () => Promise.resolve(api), sessionOf(world));

async function requestOf(
  world: RevertContext,
  record: SourceRecord,
  work: (life: Lifecycle) => Promise<unknown>,
): Promise<string> {
  let request = '';
  const dialect = await world.api.dialect();
  const secrets = secretTexts(record);
  const api = layered(world.api, (next) => (route, input) => {
    if (route.method === 'GET') return next(route, input);
    const { address = {}, body } = input;
    const path = fillPath(pathIn(dialect, route), { organization: world.api.organization, ...address });
    request ||= `${route.method} ${path}${body === undefined ? '' : ` ${masked(JSON.stringify(body), secrets, 1)}`}`;
    return Promise.reject(new LifecycleError('a dry run writes nothing'));
  });
  try {
    await work(lifeOf(world, record, api));
  } catch (error) {
    if (request === '') throw error;
  }
  return request === '' ? `nothing to send for ${record.kind.token} ${record.id}` : request;
}

/** `revert Component acme/shop/web/compute attributes.size`. */
export const describeReversal = ({ findings, request }: Reversal): string =>
  `${findings.map((finding) => findingSubject(finding)).join('\n')}\n  ${request}`;

/** The declared record of findings, with undeclared values as if declared, so that they leave. */
export function recordOf(
  declared: readonly SourceRecord[],
  findings: readonly DriftFinding[],
): SourceRecord | undefined {
  const [first] = findings;
  if (first === undefined) return undefined;
  const own = declared.find(({ kind, id }) => kind.token === first.kind && id === first.address);
  const unexpected = findings.filter(isUnexpected);
  return unexpected.reduce<SourceRecord | undefined>(
    (record, { attribute = '', live }) => {
      if (record === undefined) return undefined;
      const { kind, inputs } = record;
      const [setting] = settingsFor({ kind, args: inputs as never }, attribute, undefined) ?? [];
      if (setting === undefined) return undefined;
      const { argument, steps } = setting;
      const value = live?.is === 'value' ? live.value : UNSEEN;
      return { ...record, inputs: { ...inputs, [argument]: withAt(inputs[argument], steps, value) } };
    },
    own ?? (unexpected.length === 0 ? undefined : undeclaredRecord(first)),
  );
}

/** In place of a value that no read shows: it is taken out, and never written. */
const UNSEEN = 'unseen';

/** Whether nobody declares the value. */
const isUnexpected = ({ classification }: DriftFinding): boolean => classification === 'unexpected';

/** A record with only its address declared. */
export function undeclaredRecord({ kind: token, address: id }: DriftFinding): SourceRecord | undefined {
  const of = kindOf(token);
  const kind = of && scopeOfId(of, id);
  const inputs = kind && parseId(kind, id)?.address;
  return inputs && { kind, id, logicalName: '', inputs, hidden: [] };
}

/** Texts of a record that are shown nowhere: those in secret arguments, at any depth. */
function secretTexts({ kind, inputs, hidden }: SourceRecord): readonly string[] {
  const fields = Object.keys(inputs).filter((name) => fieldOf(kind, name)?.secret);
  const values = [
    ...fields.map((name) => inputs[name]),
    ...hidden.map(([name = '', ...steps]) => valueIn(inputs[name], steps)),
  ];
  return values.flatMap(textsIn).filter((text) => text !== '');
}

/** Reports progress, each message once. `of`: whose messages they are, where several take turns. */
export function reportingRow(to: { tell(message: string): void }, of?: string): Row {
  const reported = new Set<string>();
  const report = (message: string): void => {
    if (reported.has(message)) return;
    reported.add(message);
    to.tell(of === undefined ? message : `${of}: ${message}`);
  };
  return { progress: report, notice: report };
}
