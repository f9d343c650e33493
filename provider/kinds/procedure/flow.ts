// Procedure verbs: run once per trigger and wait; what may have run is looked for, never run again unasked (flows §3.11, architecture §4).
// It must not know the engine.
import { createHash } from 'node:crypto';
import { inState } from '../../secrets/shown-value';
import { textAt } from '../../values/text-at';
import { type Procedure, routes } from '../../../api/contract';
import { isApiError, messageOf, NotFound, TransportError } from '../../../api/errors';
import { act, resultOf } from '../../verbs/act';
import { mayBeThere } from '../../verbs/presence';
import { Incomplete, type Live } from '../../address/live';
import type { Verbs, Work } from '../../model';
import { runningAddress } from '../../verbs/named-component';
import { definitionOf } from './definition';
import { awaitProcedure, failureLines, isRunning } from './progress';
import { TimedOutWaiting } from '../../verbs/waiting';

/** What nobody knows of: its answer was lost, and the list did not show it. */
const UNKNOWN_STATE = 'unknown';
const MAY_RERUN = 'look at what it did; to have it run again, declare rerun: true, or change its triggers';

const mayRerun = (work: Work): boolean => work.args['rerun'] === true;
const knownId = (work: Work): number => Number(work.known?.['procedureId'] ?? 0);

/** What it runs, as one text: the same text is the same run. */
function wish(args: Work['args']): string {
  const { action, arglist = '', instances, execStrategy = '', triggers } = args;
  const names = Array.isArray(instances) ? instances.map(String).sort() : null;
  const values = Object.entries(triggers ?? {}).map(([name, value]) => [name, String(value)]);
  return JSON.stringify([
    action,
    arglist,
    names,
    execStrategy,
    values.sort(([one = ''], [two = '']) => (one < two ? -1 : 1)),
  ]);
}

/** Name by which the list distinguishes this run from any other: of the same wish, the one after procedure `previous`. */
function markedName(work: Work, previous: number): string {
  const digest = createHash('sha256')
    .update(`${work.id}\n${wish(work.args)}\n${previous}`)
    .digest('hex');
  return `${textAt(work.args, 'action')}-pulumi-oneops-${digest.slice(0, 12)}`;
}

/** The newest procedure of a name; `unlisted` where the service has no list. */
async function findNamed(work: Work, ciId: number, name: string): Promise<Procedure | 'none' | 'unlisted'> {
  try {
    const listed = await work.api.call(routes.procedures.list, {
      address: work.at,
      query: { ciId: String(ciId), name, size: '1' },
    });
    return listed.find(({ procedureName }) => procedureName === name) ?? 'none';
  } catch (error) {
    if (error instanceof NotFound) return 'unlisted';
    throw error;
  }
}

/** Runs it, unless a run of the same name exists: then that one is followed to its end. */
async function runOnce(its: Work, previous: number): Promise<Live> {
  const work = { ...its, at: await runningAddress(its) };
  const { ciId } = await work.api.call(routes.operations.component, { address: work.at });
  const name = markedName(work, previous);
  const found = await findNamed(work, ciId, name);
  if (found === 'unlisted' && work.known?.['state'] === UNKNOWN_STATE && !mayRerun(work)) throw lost(work, ciId);
  if (typeof found === 'string') return follow(work, await start(work, ciId, name));
  if (work.known === undefined && found.procedureState === 'complete') {
    if (mayRerun(work)) return runOnce(work, found.procedureId);
    work.notice(`procedure ${found.procedureId} ran already for these triggers: not run again`);
  }
  return goOn(work, found);
}

/** Sends it once. A lost answer is settled by the list; what that does not show is kept as unknown. */
async function start(work: Work, ciId: number, name: string): Promise<Procedure> {
  const definition = await definitionOf(work, name);
  const cms_procedure = {
    procedureCiId: '0',
    procedureName: name,
    ciId: String(ciId),
    procedureState: 'active',
    arglist: textAt(work.args, 'arglist'),
    definition: JSON.stringify(definition),
  };
  try {
    return await work.api.call(routes.procedures.create, { address: work.at, body: { cms_procedure } });
  } catch (error) {
    if (!mayHaveStarted(error)) throw error;
    const found = await findNamed(work, ciId, name);
    if (typeof found === 'string') throw lost(work, ciId, error);
    return found;
  }
}

/** Whether the request may have done its work although it failed: not when the service said no, or nothing was sent. */
const mayHaveStarted = (error: unknown): boolean => {
  if (isApiError(error)) return error.status >= 500;
  return error instanceof TransportError ? error.sent !== false : mayBeThere(error);
};

/** Takes up a procedure that was started before. */
async function goOn(work: Work, procedure: Procedure): Promise<Live> {
  const { procedureId, procedureState } = procedure;
  if (isRunning(procedure)) {
    work.progress(`joins procedure ${procedureId}, which is ${procedureState}`);
    return follow(work, procedure);
  }
  if (procedureState === 'complete') return liveAt(procedure);
  if (!mayRerun(work)) throw await failed(work, procedure);
  if (procedureState !== 'failed') return runOnce(work, procedureId);
  work.progress(`runs what failed of procedure ${procedureId} again`);
  const again = await work.api.call(routes.procedures.update, {
    address: { ...work.at, procedure: String(procedureId) },
    body: { cms_procedure: { procedureState: 'active' } },
  });
  return follow(work, again);
}

async function follow(work: Work, procedure: Procedure): Promise<Live> {
  try {
    const ended = await awaitProcedure(work, procedure);
    if (ended.procedureState === 'complete') return liveAt(ended);
    throw await failed(work, ended);
  } catch (error) {
    if (!(error instanceof TimedOutWaiting)) throw error;
    throw incomplete(procedure, procedure.procedureState, error.message);
  }
}

async function failed(work: Work, procedure: Procedure): Promise<Incomplete> {
  const { procedureId, procedureState } = procedure;
  const lines = [
    `procedure ${procedureId} ${inState(procedureState)}`,
    ...(await failureLines(work, procedure)),
    MAY_RERUN,
  ];
  return incomplete(procedure, procedureState, lines.join('\n'));
}

const incomplete = (procedure: Procedure, state: string, reason: string): Incomplete => {
  const live = liveAt(procedure);
  return new Incomplete({ ...live, outputs: { ...live.outputs, state } }, [reason]);
};

/** Nobody knows whether it runs: kept as that, with the procedure before it, so that its name stays the same. */
function lost(work: Work, ciId: number, cause?: unknown): Incomplete {
  const reason = [
    'nobody knows whether it ran: the answer was lost, and the service lists no such procedure',
    ...(cause === undefined ? [] : [`  ${messageOf(cause)}`]),
    'the next run looks for it once more; where the service has no list of procedures, declare rerun: true to run it again',
  ];
  const live = { ...keptLive(work), ciId };
  return new Incomplete({ ...live, outputs: { ...live.outputs, state: UNKNOWN_STATE } }, [reason.join('\n')]);
}

const liveAt = ({ procedureId, ciId, updated, createdBy }: Procedure): Live =>
  resultOf('procedure', {
    ciId: ciId ?? 0,
    stamp: String(procedureId),
    updated: Number(updated ?? 0),
    updatedBy: typeof createdBy === 'string' ? createdBy : '',
    outputs: { procedureId },
  });

/** What was known of it before. */
const keptLive = ({ known }: Work): Live =>
  resultOf('procedure', {
    ciId: Number(known?.['ciId'] ?? 0),
    stamp: textAt(known, 'revision', '0'),
    updated: Number(known?.['updated'] ?? 0),
    updatedBy: textAt(known, 'updatedBy'),
    outputs: { procedureId: Number(known?.['procedureId'] ?? 0) },
  });

/** A procedure by number; undefined when the service forgot it, which the live one says with 500 (service-facts §7.1). */
async function readProcedure(work: Work, id: number): Promise<Procedure | undefined> {
  try {
    return await work.api.call(routes.procedures.read, { address: { ...work.at, procedure: String(id) } });
  } catch (error) {
    if (isApiError(error) && [404, 500].includes(error.status)) return undefined;
    throw error;
  }
}

/** Another wish is another run; the same one was not complete, and is taken up. */
async function update(work: Work): Promise<Live> {
  const state = textAt(work.known, 'state');
  if (wish(work.args) !== wish(work.known ?? {}) || state === UNKNOWN_STATE) return runOnce(work, knownId(work));
  const procedure = state === 'complete' ? undefined : await readProcedure(work, knownId(work));
  if (procedure !== undefined) return goOn(work, procedure);
  if (state === 'complete') return keptLive(work);
  if (mayRerun(work)) return runOnce(work, knownId(work));
  const live = keptLive(work);
  throw new Incomplete({ ...live, outputs: { ...live.outputs, state } }, [
    `procedure ${knownId(work)} was ${state}, and the service no longer knows it\n${MAY_RERUN}`,
  ]);
}

/** Verbs of the Procedure kind. */
export const procedureVerbs: Verbs = act({
  run: (work) => runOnce(work, 0),

  again: update,

  async observe(work) {
    const state = textAt(work.known, 'state', 'complete');
    const isSettled = state === 'complete' || state === UNKNOWN_STATE;
    const procedure = isSettled ? undefined : await readProcedure(work, knownId(work));
    return { ...keptLive(work), fills: { state: procedure?.procedureState ?? state } };
  },

  plan: (olds, news) => {
    const again = wish(olds) === wish(news) ? `take up procedure ${textAt(olds, 'procedureId')}` : 'run';
    return `will ${again}: ${textAt(news, 'action')} on ${textAt(news, 'platform')}/${textAt(news, 'component')}`;
  },
});
