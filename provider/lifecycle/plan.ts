// What a run asks before it does anything: check, the service's own objections, and what a change would do.
// It must not know any single kind, the engine or a file.
import type { Diagnostic } from '../../api/contract';
import { OneOpsError } from '../../api/errors';
import { addressOf } from '../kind';
import { mistakes } from './mistakes';
import { asUsed, isReference } from './refer';
import { isPending, pendingIn, withoutPending } from './pending';
import { check, diff, type Change, type Inputs } from '../check';
import { declaredKey, subjectKey } from '../session';
import { refuseExisting } from './take-over-preview';
import { holdsUnknown } from '../values/unknown';
import { describingFailure } from './verb-failures';
import type { Judgement } from '../model';
import { isRenewed, workOn, type Managed, type Row } from './managed';
import { relationsLeft } from './relations';

/** The inputs to keep, as given and with what check fills in, and what is wrong with them. */
export interface Checked {
  readonly inputs: Inputs;
  readonly findings: readonly Diagnostic[];
}

/** What a change of inputs does. */
export interface DiffAnswer {
  readonly changes: readonly Change[];
  /** Argument names whose change replaces; replaced resources are deleted first, always. */
  readonly replaces: readonly string[];
  /** Nothing may happen: the reason, to be shown as the error. */
  readonly refusal?: string;
  /** What the run will do, for the row: `will deploy: ~prod`. */
  readonly plan?: string;
  /** What a person should know before the run does it. */
  readonly warning?: string;
}

/** A record that is to be looked at again, though nothing else is declared of it. */
const ANEW_THERE: Change = { path: [], replaces: false, secret: false };

const silent: Row = { progress: () => undefined, notice: () => undefined };

/** Checks inputs, and remembers what is declared. */
export function checkInputs(
  { of, session }: Managed,
  news: Inputs,
  { isKnown, urn }: { readonly isKnown: boolean; readonly urn: string | undefined },
): Checked {
  const inputs = { ...withoutPending(of, news), ...of.fills };
  const address = addressOf(of, inputs);
  session.declarations.notePending(declaredKey(of, address), pendingIn(of, news));
  if (!Object.values(address).some((part) => part === '' || holdsUnknown(part)))
    session.declarations.declare(declaredKey(of, address), { of, address, inputs }, { isNew: !isKnown, urn });
  return { inputs, findings: [...check(of, inputs), ...mistakes(of, inputs, session, urn)] };
}

/**
 * What the service objects to; nothing when it cannot be asked. Throws LifecycleError for a record that is new and exists, where a run would not take it
 * over.
 */
export async function foreseen(managed: Managed, olds: Inputs, news: Inputs, row: Row): Promise<readonly Diagnostic[]> {
  const { of } = managed;
  const isNew = Object.keys(olds).length === 0;
  if (of.verbs.foresee === undefined && !isNew) return [];
  const address = addressOf(of, news);
  if (isNew) {
    // A value that is not known yet has no text, and is compared with nothing.
    const known = Object.fromEntries(Object.entries(news).filter(([, value]) => !holdsUnknown(value)));
    const work = await workOn(managed, { address, inputs: known }, row);
    await describingFailure('create', of, work.id, () => refuseExisting(of, work));
  }
  if (of.verbs.foresee === undefined) return [];
  try {
    return await of.verbs.foresee(await workOn(managed, { address, inputs: news }, row), olds);
  } catch (error) {
    // A preview needs no service; the run itself says what is wrong with it.
    if (error instanceof OneOpsError) return [];
    throw error;
  }
}

/** What a change of inputs does, and what speaks against it; remembers that a record is replaced. */
export async function changeOf(managed: Managed, id: string, olds: Inputs, news: Inputs): Promise<DiffAnswer> {
  const { of, session } = managed;
  const isAnew = isRenewed(managed, id) || Object.keys(relationsLeft(managed, id, olds)).length > 0;
  const changes = [...diff(of, olds, news), ...(isAnew || isPending(of, session, news) ? [ANEW_THERE] : [])];
  const replaces = changes.filter((change) => change.replaces).map((change) => change.path[0] as string);
  const stays = isReference(olds) || olds['origin'] === 'pack';
  if (replaces.length > 0) session.records.noteReplaced(subjectKey(of, id), stays ? 'keeps' : 'deletes');
  const address = addressOf(of, news);
  const key = declaredKey(of, address);
  session.declarations.know(key, olds);
  if (changes.length > 0) session.declarations.noteChanged(key);
  const plan =
    changes.length > 0
      ? of.verbs.plan?.(olds, { session, address, args: { ...news, ...session.declarations.pendingOf(key) } })
      : undefined;
  if (changes.length === 0)
    of.verbs.unchanged?.(session, address, (row) => workOn(managed, { address, inputs: news, known: olds }, row));
  const facts = { changes, replaces, ...(plan === undefined ? {} : { plan }) };
  return { ...facts, ...(await guarded(managed, olds, news, facts)) };
}

/** What the kind's guard says of a change; nothing where it guards none of the arguments. */
async function guarded(
  managed: Managed,
  olds: Inputs,
  news: Inputs,
  { changes, replaces }: Pick<DiffAnswer, 'changes' | 'replaces'>,
): Promise<Judgement> {
  const { of } = managed;
  const changed = changes.flatMap(({ path: [name = ''] }) => (of.verbs.guarded?.includes(name) ? [name] : []));
  const { verbs } = asUsed(of, news);
  if (verbs.guard === undefined || changed.length === 0) return {};
  const work = await workOn(managed, { address: addressOf(of, olds), inputs: olds, known: olds }, silent);
  return verbs.guard({ ...work, args: news }, { changed, replaces: replaces.filter((name) => name in of.fields) });
}
