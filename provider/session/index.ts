// What one process remembers of one run, and the keys of records (architecture §3).
import { Answers } from './answers';
import { formatId } from '../address/ids';
import {
  type Address,
  addressOf,
  type Clock,
  distinguishedBy,
  type Kind,
  scopeAt,
  type Session,
  type Work,
} from '../kind';
import { OwnWrites } from '../lifecycle/own-writes';
import { isReference } from '../lifecycle/refer';
import { type DeclaredInRun, isDeclared, Notes, type RecordMemory } from './memory';
import type { Values } from '../values/plain';

export { askingAnew, remembering } from './answers';
export type { Clock, Session } from '../kind';
export { isDeclared, type DeclaredInRun, type HeldRelation } from './memory';
export { besideOthers, inSharedTurn, insideTurn, inTurn } from './turns';

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
};

/** A session that remembers nothing, with the packaged catalogue. */
export const newSession = (kinds: readonly Kind[], clock: Clock = realClock): Session => ({
  kinds,
  catalogue: 'auto',
  known: undefined,
  memory: new Notes(),
  own: new OwnWrites(),
  readCache: true,
  answers: new Answers(),
  turns: new Map(),
  openings: new Map(),
  clock,
  hide: (text) => text,
  isLimited: () => false,
  isReplacing: () => false,
  isDestroy: () => false,
  isHere: () => true,
});

/** The key of a record: its kind, and its id without the organization, unknown to check. */
export const subjectKey = (of: Pick<Kind, 'token'>, id: string): string => `${of.token} ${id.replace(/^[^/]*/, '')}`;

/** The same for a declared address. */
export const declaredKey = (of: Kind, address: Address): string => subjectKey(of, formatId(of, '', address));

/** What this run knows of a record at an address. */
export const memoryOf = (
  { memory }: Pick<Session, 'memory'>,
  of: Kind,
  address: Address,
): Partial<RecordMemory<Kind>> => memory.of(declaredKey(of, address));

export const declaredIn = ({ memory }: Pick<Session, 'memory'>): readonly DeclaredInRun<Kind>[] =>
  memory
    .all()
    .map(([, record]) => record)
    .filter(isDeclared);

type Stage = Exclude<Kind['stage'], 'none'>;

/** All records that a refresh of this run found. */
export const refreshedIn = ({ memory }: Pick<Session, 'memory'>): readonly RecordMemory<Kind>['refreshed'][] =>
  memory.all().flatMap(([, { refreshed }]) => refreshed ?? []);

/** The key of the assembly or the environment whose releases contain what is at an address. */
export const stageKey = (stage: Stage, at: Values): string =>
  stage === 'environment'
    ? subjectKey({ token: 'Environment' }, ['', at['assembly'], at['environment']].join('/'))
    : subjectKey({ token: 'Assembly' }, ['', at['assembly']].join('/'));

/** What this run knows of the assembly or the environment of a work. */
export const memoryOfStage = (
  { session, at }: Pick<Work, 'session' | 'at'>,
  stage: Stage,
): Partial<RecordMemory<Kind>> => session.memory.of(stageKey(stage, at));

/** What this run knows of what commits a design, or deploys an environment. */
export const memoryOfCommit = (
  { session, at: { assembly, environment } }: Pick<Work, 'session' | 'at'>,
  stage: Stage,
): Partial<RecordMemory<Kind>> =>
  session.memory.of(
    stage === 'design'
      ? subjectKey({ token: 'DesignRelease' }, ['', assembly].join('/'))
      : subjectKey({ token: 'Deployment' }, ['', assembly, environment].join('/')),
  );

/** Commits what a delete left open, if what commits the stage had its turn already. */
export async function finishDelete(
  { memory }: Session,
  key: string,
  row: Pick<Work, 'progress' | 'notice'>,
): Promise<void> {
  const { afterDelete } = memory.of(key);
  if (afterDelete === undefined) memory.note(key, { isWaiting: true });
  else await afterDelete(row);
}

/** Remembers what distinguishes a record from others of its name, where its inputs say it. */
export function rememberDistinction(session: Session, of: Kind, inputs: Values): void {
  const distinction = inputs[distinguishedBy(of) ?? ''];
  if (typeof distinction === 'string' && distinction !== '')
    session.memory.note(declaredKey(of, addressOf(of, inputs)), { distinction });
}

/** Where a name may mean several records, what is in this one is found by its number. */
export function rememberNumber(
  session: Session,
  of: Kind,
  address: Address,
  { ciId }: { readonly ciId: number },
): void {
  if (distinguishedBy(of) !== undefined) session.memory.note(declaredKey(of, address), { number: ciId });
}

/** The session, with what distinguishes these records, and that they belong to the stack. */
export function knowing(
  session: Session,
  records: readonly { readonly kind: Kind; readonly inputs: Values }[],
): Session {
  for (const { kind, inputs } of records) {
    rememberDistinction(session, kind, inputs);
    const of = scopeAt(kind, inputs);
    if (of !== undefined && !isReference(inputs))
      session.memory.note(declaredKey(of, addressOf(of, inputs)), { isOwned: true });
  }
  return session;
}

/** The answer of a lookup, requested once per run; a failed one is asked again. */
export const lookUp = <T>({ answers }: Session, key: string, ask: () => Promise<T>): Promise<T> =>
  answers.derived(key, 'nothing that a run writes', {}, ask);
