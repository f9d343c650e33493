// A procedure as it runs: its actions step by step on the service's clock, and the moves that a client may request (service-facts §3.7).
// Requests: procedures.ts.
import type { Catalogue } from '../catalogue';
import { type PlannedRun, plannedRuns, runAttachments } from '../runtime/attachment-runs';
import { platformPath } from '../runtime/locate';
import { proceed, type Run, type Runners, type Slices, type StepJob } from '../runtime/work';
import { ATTACHMENT_ACTION } from './instances';
import { type Store, type StoredAction, type StoredProcedure } from '../store';

/** What ends a step: its actions take so long. */
const STEP: StepJob = { name: 'procedure.step', duration: 2000 };

/** What makes an action fail: the paths it answers to → the reason, or undefined. */
type ActionFailures = { readonly take: (paths: readonly string[]) => string | undefined };

/** Runner of a step's end. */
export function procedureRunners(failures: ActionFailures, catalogue: Catalogue): Runners {
  return {
    *[STEP.name]({ store, now, job }): Slices {
      const procedure = store.procedures.byId(job.subject);
      if (procedure === undefined) return;
      for (const action of store.procedures.actions(procedure.id).filter(({ state }) => state === 'inprogress')) {
        // The procedures of a pack run recipes of its cookbooks, which no class lists.
        const isOfPack = procedure.procedureRecordId !== 0;
        const running = { store, failures, catalogue, now };
        const comments = (isOfPack ? undefined : unknownAction(running, action)) ?? failureOf(running, action) ?? null;
        const state = comments === null ? 'complete' : 'failed';
        store.procedures.updateAction(action.id, { state, comments, updated: now });
        yield 1;
      }
      proceedWith(store, procedure.id, now);
    },
  };
}

interface Running {
  readonly store: Store;
  readonly failures: ActionFailures;
  readonly catalogue: Catalogue;
  readonly now: number;
}

/** Carries an action out, with the attachments that run around it. Returns why it failed, or undefined. */
function failureOf(running: Running, action: StoredAction): string | undefined {
  const { store, failures } = running;
  const { paths, named } = pathsOf(store, action);
  const work = { id: action.id, recordId: action.recordId, paths };
  const run = (planned: readonly PlannedRun[]): string | undefined => runAttachments(running, work, planned);
  const around = (when: 'before' | 'after'): PlannedRun[] =>
    plannedRuns(store, action.recordId, [`${when}-${action.name}`]);
  return run(around('before')) ?? failures.take(named) ?? run(onDemand(store, action)) ?? run(around('after'));
}

/** Why an instance cannot carry an action out: its class has no action of the name. A procedure is created without a look at the names. */
function unknownAction({ store, catalogue }: Running, { name, recordId }: StoredAction): string | undefined {
  if (name === ATTACHMENT_ACTION) return undefined;
  const className = store.records.byId(recordId, 'committed')?.className;
  const actions = className === undefined ? undefined : catalogue.classMetadata(className)?.actions;
  return actions === undefined || actions.includes(name) ? undefined : `${className} has no action ${name}`;
}

/** The attachment an action runs on demand: the one its `extraInfo` names by id. */
function onDemand(store: Store, { name, extraInfo, recordId }: StoredAction): PlannedRun[] {
  if (name !== ATTACHMENT_ACTION) return [];
  return plannedRuns(store, recordId, ['on-demand']).filter(({ attachment }) => String(attachment.id) === extraInfo);
}

/** Starts a pending procedure, or a failed one again: its failed actions are pending again. */
export function startProcedure(store: Store, procedure: StoredProcedure, now: number): void {
  setActions(store, procedure.id, { from: 'failed', to: 'pending' }, now);
  store.procedures.update(procedure.id, { state: 'active', updated: now });
  proceedWith(store, procedure.id, now);
}

/** Cancels: pending actions are canceled, those in progress run out. */
export function cancelProcedure(store: Store, procedure: StoredProcedure, now: number): void {
  setActions(store, procedure.id, { from: 'pending', to: 'canceled' }, now);
  store.procedures.update(procedure.id, { state: 'canceled', updated: now });
}

function setActions(
  store: Store,
  procedureId: number,
  { from, to }: { readonly from: string; readonly to: string },
  now: number,
): void {
  for (const action of store.procedures.actions(procedureId)) {
    if (action.state === from) store.procedures.updateAction(action.id, { state: to, comments: null, updated: now });
  }
}

/** Goes on where the actions are. Only an active procedure moves, and only a critical failure ends it. */
function proceedWith(store: Store, id: number, now: number): void {
  if (store.procedures.byId(id)?.state !== 'active') return;
  const works = store.procedures.actions(id);
  const run: Run = {
    id,
    isWorking: works.some(({ state }) => state === 'inprogress'),
    // Actions come in order of execution.
    next: works.find(({ state }) => state === 'pending')?.execOrder,
    isFailed: () => works.some(({ state, isCritical }) => state === 'failed' && isCritical),
    start: (step) => {
      for (const action of works)
        if (action.state === 'pending' && action.execOrder === step)
          store.procedures.updateAction(action.id, { state: 'inprogress', updated: now });
      store.procedures.update(id, { currentStep: step, updated: now });
    },
    end: (state) => store.procedures.update(id, { state, updated: now }),
  };
  proceed(store, run, STEP, now);
}

/**
 * What faults may name: `/<o>/<a>/<e>/<p>/<component>` and the same with the instance's name; `named` with the action behind them
 * (`…/<component>#<action>`).
 */
function pathsOf(store: Store, action: StoredAction): { readonly paths: string[]; readonly named: string[] } {
  const record = store.records.byId(action.recordId, 'committed');
  if (record === undefined) return { paths: [], named: [] };
  const above = platformPath(record.namespace);
  const component = record.name.replace(/-\d+-\d+$/, '');
  const paths = [...new Set([`${above}/${component}`, `${above}/${record.name}`])];
  return { paths, named: paths.map((path) => `${path}#${action.name}`) };
}

export const PROCEDURE_STATES = ['pending', 'active', 'complete', 'failed', 'canceled'] as const;
type ProcedureState = (typeof PROCEDURE_STATES)[number];

const MOVES: { readonly [from in ProcedureState]: readonly ProcedureState[] } = {
  pending: ['active', 'canceled'],
  active: ['canceled'],
  failed: ['active', 'canceled'],
  complete: [],
  canceled: [],
};

/** Whether a procedure in state `from` may be asked to become `to`. */
export function mayMove(from: string, to: string): to is 'active' | 'canceled' {
  const known = PROCEDURE_STATES.find((state) => state === from);
  return known !== undefined && MOVES[known].some((state) => state === to);
}

/** Whether a procedure in this state has ended for good. */
export function isOver(state: string): boolean {
  const known = PROCEDURE_STATES.find((each) => each === state);
  return known !== undefined && MOVES[known].length === 0;
}
