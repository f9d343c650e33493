// The writes of this run, by record: open changes are compared with them before a commit.
import type { Api } from '../../api/client';
import { layered, type Attributes, type Layer, type Record as WireRecord, type Relation } from '../../api/contract';
import type { Live } from '../address/live';
import type { Texts } from '../values/plain';
import { Notes } from '../session/memory';

interface Written {
  /** Texts that were sent for its attributes. */
  readonly sent: Attributes;
  /** A record's attributes as the last write of it was answered. */
  readonly answered: Attributes;
  readonly isDeleted: boolean;
  readonly writersBefore: readonly string[];
  /** Users who wrote to a record after it was read and before this run wrote to it. */
  readonly crossed: readonly string[];
}

/** Writes by number: of records by ciId, of links by ciRelationId. */
export class OwnWrites extends Notes<number, Written> {
  /** Name of the user this run writes as, once a write was answered. */
  user: string | undefined;

  noteSent(number: number, texts: Attributes): void {
    this.note(number, { sent: { ...this.of(number).sent, ...texts } });
  }

  /** Remembers texts as wanted: an open change with them is nobody else's. */
  noteWanted(number: number, texts: Attributes): void {
    if (Object.keys(texts).length > 0) this.noteSent(number, texts);
  }
}

/** Users who wrote an open change: who opened it, and who wrote last. */
export function writersOf(record: WireRecord): readonly string[] {
  if (!record.rfcAction) return [];
  const isNew = record.rfcAction === 'add';
  const names = isNew ? [record.createdBy, record.updatedBy] : [record.rfcCreatedBy, record.rfcUpdatedBy];
  return names.flatMap((name) => (name ? [name] : []));
}

/** Remembers who had an open change in a record before this run writes: later it is hidden. */
export function metWriters(own: OwnWrites, { ciId, openedBy = [] }: Pick<Live, 'ciId' | 'openedBy'>): void {
  own.note(ciId, { writersBefore: [...(own.of(ciId).writersBefore ?? []), ...openedBy] });
}

/** Reports on a row whose writes between this run's read and its write were overwritten. */
export function reportCrossed(own: OwnWrites, ciId: number, row: { notice(message: string): void }): void {
  const { crossed: others = [] } = own.of(ciId);
  if (others.length > 0)
    row.notice(`${others.join(' and ')} wrote to it at the same time: what is declared was written over that`);
}

/** Reports on a row whose open values a write replaced. `live`: the record before it. */
export function reportOverwritten(
  own: OwnWrites,
  { openedBy = [], writes }: Pick<Live, 'openedBy' | 'writes'>,
  changes: Texts,
  row: { notice(message: string): void },
): void {
  // Nothing shows which of them set a value, so this run's own user is named beside others.
  const writers = [...new Set(openedBy)];
  const names = (writes?.open?.names ?? []).filter((name) => name in changes);
  const isOwn = writers.every((writer) => writer === own.user);
  if (own.user === undefined || isOwn || names.length === 0) return;
  const were = names.length === 1 ? 'was' : 'were';
  row.notice(`${names.join(', ')} ${were} written over, in a record that ${writers.join(' and ')} had left open`);
}

/** The same client, and whether one of its writes was answered. */
export function countWrites(api: Api): { readonly api: Api; readonly wrote: () => boolean } {
  let answered = false;
  const counting: Layer = (next) => async (route, input) => {
    const answer = await next(route, input);
    answered ||= route.method !== 'GET';
    return answer;
  };
  return { api: layered(api, counting), wrote: () => answered };
}

/** A client that notes what it writes to records of a design or of an environment. */
export function noting(api: Api, own: OwnWrites): Api {
  return layered(api, (next) => async (route, input) => {
    const answer = await next(route, input);
    if (route.method !== 'GET') note(own, route.method, input.body, answer);
    return answer;
  });
}

const isRecord = (answer: unknown): answer is WireRecord =>
  typeof answer === 'object' && answer !== null && 'ciId' in answer && 'ciAttributes' in answer;

const isRelation = (answer: unknown): answer is Relation =>
  typeof answer === 'object' && answer !== null && 'ciRelationId' in answer;

function note(own: OwnWrites, method: string, body: unknown, answer: unknown): void {
  if (isRelation(answer)) {
    const { attributes = {} } = body as { readonly attributes?: Attributes };
    own.noteSent(answer.ciRelationId, attributes);
  }
  if (!isRecord(answer)) return;
  if (method === 'DELETE') {
    own.note(answer.ciId, { isDeleted: true });
    return;
  }
  const sent = (body as { readonly cms_dj_ci?: { readonly ciAttributes?: Attributes } } | undefined)?.cms_dj_ci;
  const isPackUpdate = typeof body === 'object' && body !== null && 'version' in body;
  if (sent === undefined && !isPackUpdate) return;
  // A pack update answers the platform, which had no open change before.
  const texts = sent?.ciAttributes ?? picked(answer.ciAttributes, Object.keys(answer.ciBaseAttributes ?? {}));
  own.noteSent(answer.ciId, texts);
  const writers = writersOf(answer);
  own.user = writers.at(-1) ?? own.user;
  const { writersBefore, crossed: known } = own.of(answer.ciId);
  const others = writers.filter((writer) => writer !== own.user && writersBefore?.includes(writer) === false);
  const crossed = others.length > 0 ? others : known;
  own.note(answer.ciId, { answered: answer.ciAttributes, ...(crossed && { crossed }) });
}

const picked = (values: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
