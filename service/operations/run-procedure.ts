// A procedure as it runs: its actions step by step on the service's clock (wire-facts §3.7).
// It must not know requests.
import type { Runners, Store, StoredAction, StoredProcedure } from '../store';

const NAME = 'procedure.step';

/** How long the actions of a step take, in ms of the service's time. */
const DURATION = 2000;

/** What makes an action fail: the paths it answers to → the reason, or undefined. */
export type ActionFailures = { readonly take: (paths: readonly string[]) => string | undefined };

/** Runner of a step's end. */
export function procedureRunners(failures: ActionFailures): Runners {
  return {
    [NAME]: ({ store, now, job }) => {
      const procedure = store.procedures.byId(job.subject);
      if (procedure === undefined) return;
      for (const action of store.procedures.actions(procedure.id).filter(({ state }) => state === 'inprogress')) {
        const comments = failures.take(pathsOf(store, action)) ?? null;
        const state = comments === null ? 'complete' : 'failed';
        store.procedures.updateAction(action.id, { state, comments, updated: now });
      }
      proceed(store, procedure.id, now);
    },
  };
}

/** Starts a pending procedure, or a failed one again: its failed actions are pending once more. */
export function startProcedure(store: Store, procedure: StoredProcedure, now: number): void {
  setActions(store, procedure.id, 'failed', 'pending', now);
  store.procedures.update(procedure.id, { state: 'active', updated: now });
  proceed(store, procedure.id, now);
}

/** Cancels: pending actions are canceled, those in progress run out. */
export function cancelProcedure(store: Store, procedure: StoredProcedure, now: number): void {
  setActions(store, procedure.id, 'pending', 'canceled', now);
  store.procedures.update(procedure.id, { state: 'canceled', updated: now });
}

function setActions(store: Store, procedureId: number, from: string, to: string, now: number): void {
  for (const action of store.procedures.actions(procedureId)) {
    if (action.state === from) store.procedures.updateAction(action.id, { state: to, comments: null, updated: now });
  }
}

/** Goes on where the actions stand: fails on a critical failure, starts the next step, or completes. */
function proceed(store: Store, id: number, now: number): void {
  const procedure = store.procedures.byId(id);
  const actions = store.procedures.actions(id);
  if (procedure?.state !== 'active' || actions.some(({ state }) => state === 'inprogress')) return;
  const pending = actions.filter(({ state }) => state === 'pending');
  const step = Math.min(...pending.map(({ execOrder }) => execOrder));
  if (actions.some(({ state, isCritical }) => state === 'failed' && isCritical)) {
    store.procedures.update(id, { state: 'failed', updated: now });
  } else if (pending.length === 0) {
    store.procedures.update(id, { state: 'complete', updated: now });
  } else {
    for (const action of pending) {
      if (action.execOrder === step) store.procedures.updateAction(action.id, { state: 'inprogress', updated: now });
    }
    store.procedures.update(id, { currentStep: step, updated: now });
    store.jobs.add({ name: NAME, due: now + DURATION, subject: id, payload: null });
  }
}

/** `/<o>/<a>/<e>/<p>/<component>#<action>` and the same with the instance's name. */
function pathsOf(store: Store, action: StoredAction): string[] {
  const record = store.records.byId(action.recordId, 'committed');
  if (record === undefined) return [];
  const [organization, assembly, environment, , platform] = record.namespace.split('/').slice(1);
  const above = `/${organization}/${assembly}/${environment}/${platform}`;
  const component = record.name.replace(/-\d+-\d+$/, '');
  return [...new Set([`${above}/${component}#${action.name}`, `${above}/${record.name}#${action.name}`])];
}
