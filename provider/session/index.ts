// What one process remembers of one run, and the keys by which it knows records (architecture §3, logical renames).
import { Answers } from './answers';
import { formatId } from '../address/ids';
import type { CatalogueLevel, KnownCatalogue } from '../kinds/catalogue';
import { type Address, addressOf, distinguishedBy, type Kind, scopeAt, type Session } from '../kind';
import { newOwnWrites } from '../lifecycle/own-writes';
import { isReference } from '../lifecycle/refer';
import { Declarations } from './declarations';
import { type Clock, realClock, Turns } from './lookups';
import { RecordsOfRun } from './records';
import { Stages } from './stages';

export { askingAnew, remembering } from './answers';
export type { Session } from '../kind';
export type { Clock } from './lookups';
export type { HeldRelation } from './records';

/** A session that remembers nothing yet. Without `readCache` a refresh reads each record by itself. */
export function newSession(
  kinds: readonly Kind[],
  clock: Clock = realClock,
  readCache = true,
  catalogue: CatalogueLevel = 'auto',
  known?: KnownCatalogue,
): Session {
  return {
    kinds,
    catalogue,
    known,
    declarations: new Declarations<Kind>(),
    records: new RecordsOfRun<Kind>(),
    stages: new Stages(),
    own: newOwnWrites(),
    readCache,
    answers: new Answers(),
    turns: new Turns(),
    openings: new Map(),
    clock,
    hide: (text) => text,
    isLimited: () => false,
    isDestroy: () => false,
  };
}

/** What a run knows a record by: its kind, and its id below the organization, since check knows no organization. */
export const subjectKey = (of: Pick<Kind, 'token'>, id: string): string => `${of.token} ${id.replace(/^[^/]*/, '')}`;

/** The same for a declared address. */
export const declaredKey = (of: Kind, address: Address): string => subjectKey(of, formatId(of, '', address));

/** What a record is known by to which the releases of a stage belong: an assembly, or an environment. */
export const holderKey = (stage: Kind['stage'], id: string): string =>
  subjectKey({ token: { design: 'Assembly', environment: 'Environment', none: '' }[stage] }, id);

/** What is committed together: a design, or one of its environments. `at` names the assembly, and the environment. */
export const commitKey = (stage: Kind['stage'], at: { readonly [name: string]: unknown }): string =>
  [stage, at['assembly'], ...(stage === 'environment' ? [at['environment']] : [])].join(' ');

/** Remembers what distinguishes a record from others of its name, where its kind has such an argument and the inputs say it. */
export function rememberDistinction(session: Session, of: Kind, inputs: { readonly [name: string]: unknown }): void {
  const value = inputs[distinguishedBy(of) ?? ''];
  if (typeof value === 'string' && value !== '')
    session.declarations.distinguish(declaredKey(of, addressOf(of, inputs)), value);
}

/** Where a name may mean several records, what is in this one is found by its number. */
export function rememberNumber(
  session: Session,
  of: Kind,
  address: Address,
  { ciId }: { readonly ciId: number },
): void {
  if (distinguishedBy(of) !== undefined) session.records.of(declaredKey(of, address)).number = ciId;
}

/** The session, with what distinguishes these records remembered, and that they belong to the stack. */
export function knowing(
  session: Session,
  records: readonly { readonly kind: Kind; readonly inputs: { readonly [name: string]: unknown } }[],
): Session {
  for (const { kind, inputs } of records) {
    rememberDistinction(session, kind, inputs);
    const of = scopeAt(kind, inputs);
    if (of !== undefined && !isReference(inputs))
      session.declarations.noteOwned(declaredKey(of, addressOf(of, inputs)));
  }
  return session;
}

/** The answer of a lookup, requested once per run; a failed one is asked again. */
export const lookUp = <T>({ answers }: Session, key: string, ask: () => Promise<T>): Promise<T> =>
  answers.derived(key, 'nothing that a run writes', {}, ask);

/** Runs jobs of one key one after the other, in the order they came. */
export const inTurn = <T>({ turns }: Session, key: string, job: () => Promise<T>): Promise<T> => turns.take(key, job);

/** Runs a job at the same time as others, but not while a job of the key has its turn. */
export const besideOthers = <T>({ turns }: Session, key: string, job: () => Promise<T>): Promise<T> =>
  turns.beside(key, job);

/** The same as `inTurn` for a job that serves several callers: those that come before it begins share it. */
export const inSharedTurn = ({ turns }: Session, key: string, job: () => Promise<void>): Promise<void> =>
  turns.share(key, job);

/** The same session for a job inside a turn: what it writes does not wait for the turn that it is in. */
export const insideTurn = (session: Session): Session => ({ ...session, turns: new Turns() });
