// Handlers of procedures: started, read, listed, moved (service-facts §4.8).
import type * as z from 'zod';
import { type procedureBody, routes } from '../../api/contract';
import { checkMayOnRecord } from '../account/rights';
import { attachmentsOf, runLog, type PlannedRun, plannedRuns, runAttachments } from '../runtime/attachment-runs';
import { type Context, handlersOf, malformed, refused, RefusedRequest } from '../runtime/handler';
import { locateNumber, namesIn, platformPath } from '../runtime/locate';
import type { StoredAction, StoredProcedure, StoredRecord, Store } from '../store';
import {
  plannedActions,
  readDefinition,
  type PlannedAction,
  type RelatedTo,
  type ProcedureSettings,
} from './definition';
import type { Catalogue } from '../catalogue';
import type { Faults } from '../faults';
import { proceed, type Run, type Runners, type Slices, type StepJob } from '../runtime/work';
import { ATTACHMENT_ACTION } from './instances';

function actionAnswer(action: StoredAction): object {
  return {
    actionId: action.id,
    actionName: action.name,
    ciId: action.recordId,
    actionState: action.state,
    execOrder: action.execOrder,
    isCritical: action.isCritical,
    extraInfo: action.extraInfo,
    arglist: action.arguments,
    payLoadDef: null,
    createdBy: action.createdBy,
    created: action.created,
    updated: action.updated,
    procedureId: action.procedureId,
  };
}

/** A procedure; `definition` is null on every read (service-facts §2.5). */
export function procedureAnswer({ store }: Context, procedure: StoredProcedure, withActions: boolean): object {
  return {
    procedureId: procedure.id,
    procedureName: procedure.name,
    procedureCiId: procedure.procedureRecordId,
    ciId: procedure.recordId,
    procedureState: procedure.state,
    arglist: procedure.arguments,
    definition: null,
    maxExecOrder: procedure.maxExecOrder,
    currentStep: procedure.currentStep,
    createdBy: procedure.createdBy,
    created: procedure.created,
    updated: procedure.updated,
    nsPath: procedure.namespace,
    forceExecution: procedure.forceExecution,
    actions: withActions ? store.procedures.actions(procedure.id).map(actionAnswer) : [],
  };
}

const locateProcedure = ({ store, organization }: Context, identifier: string): StoredProcedure =>
  locateNumber(
    identifier,
    store.procedures.byId,
    ({ namespace }) => namespace.startsWith(`/${organization}/`),
    `no procedure has id ${identifier} (4005)`,
  );

/** The anchor of a procedure; an unknown one reads as a missing right (service-facts §4.8). */
function anchorOf(context: Context, id: string | number | undefined): StoredRecord {
  const { store, organization, rules } = context;
  const anchor = /^\d+$/.test(String(id ?? '')) ? store.records.byId(Number(id), 'committed') : undefined;
  if (anchor === undefined || !anchor.namespace.startsWith(`/${organization}/`))
    throw new RefusedRequest(rules.forbiddenStatus, [`no right to run procedures on record ${id ?? '(none)'}`]);
  checkMayOnRecord(context, anchor.id, ['operations']);
  return anchor;
}

/** Definition of a pack's procedure; null for no such number (0: an own procedure). */
function definitionOf({ store }: Context, id: string | number | undefined): string | null {
  const record = /^[1-9]\d*$/.test(String(id ?? '')) ? store.records.byId(Number(id), 'committed') : undefined;
  return record?.className === 'mgmt.manifest.Procedure' ? (record.values['definition'] ?? null) : null;
}

/** What was logged of an action: its states, what attachments did, and why it failed. */
const logOf =
  ({ store }: Context) =>
  ({ id, name, state, comments, created, updated }: StoredAction): object => {
    const made = { timestamp: created, level: 'INFO', message: `action ${name} made` };
    if (state === 'pending') return { id, logData: [made] };
    const level = state === 'failed' ? 'ERROR' : 'INFO';
    const reached = { timestamp: updated, level, message: `action ${name} ${state}` };
    const why = comments === null ? [] : [{ timestamp: updated, level, message: comments }];
    const ran = store.attachmentRuns.ofWork(id).flatMap(runLog);
    return { id, logData: [made, ...ran, reached, ...why] };
  };

/** Committed relations of a record that a flow follows, by complete name or its last part. */
const relatedIn =
  ({ store }: Pick<Context, 'store'>): RelatedTo =>
  (id, { relationName, relationShortName, direction }) => {
    const relations = store.relations[direction](id, relationName, 'committed').filter(
      ({ name }) => relationShortName === undefined || name.split('.').at(-1) === relationShortName,
    );
    const ids = relations.map((relation) => (direction === 'from' ? relation.toId : relation.fromId));
    return store.records.byIds([...new Set(ids)], 'committed');
  };

type Sent = z.output<typeof procedureBody>;

/** What the body says about all actions. */
function runningOf({ cms_procedure: sent, roll_at: rollAt, critical }: Sent): ProcedureSettings {
  const percentage = Number(rollAt ?? 0);
  return {
    arguments: sent.arglist ?? null,
    isCritical:
      critical === null || critical === undefined || critical === '' ? undefined : String(critical) === 'true',
    rollAt: percentage >= 1 && percentage <= 99 ? percentage : undefined,
  };
}

/** The actions of a definition; any names pass. Throws a RefusedRequest (422). */
function actionsFor(
  context: Context,
  anchor: StoredRecord,
  definition: string | null,
  running: ProcedureSettings,
): { readonly name: string | undefined; readonly actions: PlannedAction[]; readonly definition: string } {
  if (definition === null) throw refused('definition is missing: what shall run where (5003)');
  const reading = readDefinition(definition);
  if (!reading.ok) throw refused(`${reading.reason} (5001)`);
  const actions = plannedActions(reading.definition, anchor.id, relatedIn(context), running);
  if (actions === undefined) throw refused('the procedure reaches too many records (5001)');
  if (actions.length === 0) throw refused('the procedure has no action to run (4002)');
  return { name: reading.definition.name, actions, definition };
}

/** Throws a RefusedRequest (422) while something else runs on the records, or deploys. */
function checkFree(context: Context, anchor: StoredRecord, actions: readonly PlannedAction[], force: boolean): void {
  const { store } = context;
  const states = ['pending', 'active'];
  const other = store.procedures.list({ recordId: anchor.id, states })[0];
  if (other !== undefined) throw refused(`procedure ${other.id} is ${other.state} on ${anchor.name} (4003)`);
  for (const { recordId } of actions) {
    const busy = store.procedures.list({ actionRecordId: recordId, states })[0];
    if (busy !== undefined) throw refused(`procedure ${busy.id} is ${busy.state} on record ${recordId} (4008)`);
  }
  const { organization, assembly, environment } = namesIn(anchor.namespace);
  const deployment = store.deployments.latest(`/${organization}/${assembly}/${environment}/bom`);
  if (!force && deployment?.state === 'active')
    throw refused(`deployment ${deployment.id} is active in the environment (4007)`);
}

/** Most procedures a list holds (service-facts §8). */
const LIMIT = 100;

export const procedureHandlers = handlersOf(routes.procedures, {
  create: (context) => {
    const { store, user, now } = context;
    const sent = context.body.cms_procedure;
    const anchor = anchorOf(context, sent.ciId);
    const asked = sent.definition || definitionOf(context, sent.procedureCiId);
    const { name, actions, definition } = actionsFor(context, anchor, asked, runningOf(context.body));
    const forceExecution = String(sent.forceExecution) === 'true';
    checkFree(context, anchor, actions, forceExecution);
    const state = sent.procedureState ?? 'pending';
    if (state !== 'pending' && state !== 'active') throw refused(`a new procedure is pending or active, not ${state}`);
    const procedure = store.procedures.insert({
      name: name ?? sent.procedureName ?? '',
      recordId: anchor.id,
      procedureRecordId: Number(sent.procedureCiId ?? 0) || 0,
      namespace: anchor.namespace,
      state: 'pending',
      arguments: sent.arglist ?? null,
      definition,
      forceExecution,
      currentStep: 0,
      maxExecOrder: Math.max(...actions.map((action) => action.execOrder)),
      created: now,
      createdBy: user,
      updated: now,
    });
    for (const action of actions) {
      store.procedures.insertAction({
        ...action,
        procedureId: procedure.id,
        state: 'pending',
        comments: null,
        created: now,
        createdBy: user,
        updated: now,
      });
    }
    const created = procedureAnswer(context, { ...procedure, state }, true);
    if (state === 'active') startProcedure(store, procedure, now);
    // The answer to a creation shows its actions pending, also when the first of them have started.
    return created;
  },
  read: (context) => procedureAnswer(context, locateProcedure(context, context.address.procedure), true),
  status: (context) => {
    const procedure = locateProcedure(context, context.address.procedure);
    const logData = context.store.procedures.actions(procedure.id).map(logOf(context));
    return { ...procedureAnswer(context, procedure, true), log_data: logData };
  },
  logData: (context) =>
    context.store.procedures.actions(locateProcedure(context, context.address.procedure).id).map(logOf(context)),
  actionLogs: (context) => {
    const { procedure_id: id = '', action_ids: wanted = '' } = context.query;
    const ids = wanted.split(',').filter((each) => each !== '');
    return context.store.procedures
      .actions(locateProcedure(context, id).id)
      .filter((action) => ids.length === 0 || ids.includes(String(action.id)))
      .map(logOf(context));
  },
  list: (context) => {
    const { store, query, organization, rules } = context;
    const { ciId, actionCiId, ns_path: below } = query;
    const anchor = ciId ?? actionCiId;
    if (anchor === undefined && below === undefined) throw refused('one of ciId, actionCiId and ns_path is needed');
    if (anchor !== undefined && !/^\d+$/.test(anchor)) throw malformed(`${anchor} is no record id`);
    if (below !== undefined && below !== `/${organization}` && !below.startsWith(`/${organization}/`))
      throw new RefusedRequest(rules.forbiddenStatus, [`ns_path ${below} is not in organization ${organization}`]);
    const size = query['size'] ?? String(LIMIT);
    if (!/^\d+$/.test(size)) throw malformed(`size must be a number, not ${size}`);
    const found = store.procedures.list(
      {
        recordId: ciId === undefined ? undefined : Number(ciId),
        actionRecordId: actionCiId === undefined ? undefined : Number(actionCiId),
        below,
        states: query['state']?.split(','),
        name: query['name'],
      },
      Math.min(LIMIT, Number(size)),
    );
    return found
      .filter(({ namespace }) => namespace.startsWith(`/${organization}/`))
      .map((procedure) => procedureAnswer(context, procedure, query['include_actions'] === 'true'));
  },
  update: (context) => {
    const { store, now } = context;
    const procedure = locateProcedure(context, context.address.procedure);
    checkMayOnRecord(context, procedure.recordId, ['operations']);
    const asked = context.body.cms_procedure.procedureState ?? '';
    // The answer to canceling what has ended meanwhile says how it ended.
    if (asked === 'canceled' && isOver(procedure.state)) return procedureAnswer(context, procedure, true);
    if (!mayMove(procedure.state, asked))
      throw refused(`a procedure that is ${procedure.state} cannot become ${JSON.stringify(asked)}`);
    if (asked === 'active') startProcedure(store, procedure, now);
    else cancelProcedure(store, procedure, now);
    return procedureAnswer(context, store.procedures.byId(procedure.id) ?? procedure, true);
  },
});

// A procedure as it runs, and the moves that a client may request (service-facts §3.7).

/** What ends a step: its actions take so long. */
const STEP: StepJob = { name: 'procedure.step', duration: 2000 };

export function procedureRunners(faults: Pick<Faults, 'take'>, catalogue: Catalogue): Runners {
  return {
    *[STEP.name]({ store, now, job }): Slices {
      const procedure = store.procedures.byId(job.subject);
      if (procedure === undefined) return;
      for (const action of store.procedures.actions(procedure.id).filter(({ state }) => state === 'inprogress')) {
        // The procedures of a pack run recipes of its cookbooks, which no class lists.
        const isOfPack = procedure.procedureRecordId !== 0;
        const running = { store, faults, catalogue, now };
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
  readonly faults: Pick<Faults, 'take'>;
  readonly catalogue: Catalogue;
  readonly now: number;
}

/** Carries an action out with its attachments. Returns why it failed, or undefined. */
function failureOf(running: Running, action: StoredAction): string | undefined {
  const { store, faults } = running;
  const { paths, named } = pathsOf(store, action);
  const work = { id: action.id, recordId: action.recordId, paths };
  const run = (planned: readonly PlannedRun[]): string | undefined => runAttachments(running, work, planned);
  const around = (when: 'before' | 'after'): PlannedRun[] =>
    plannedRuns(attachmentsOf(store, action.recordId), [`${when}-${action.name}`]);
  return run(around('before')) ?? faults.take(named) ?? run(onDemand(store, action)) ?? run(around('after'));
}

/** Why an instance lacks an action of this name. Procedures are created without this check. */
function unknownAction({ store, catalogue }: Running, { name, recordId }: StoredAction): string | undefined {
  if (name === ATTACHMENT_ACTION) return undefined;
  const className = store.records.byId(recordId, 'committed')?.className;
  const actions = className === undefined ? undefined : catalogue.classMetadata(className)?.actions;
  return actions === undefined || actions.includes(name) ? undefined : `${className} has no action ${name}`;
}

/** The attachment an action runs on demand: the one its `extraInfo` names by id. */
function onDemand(store: Store, { name, extraInfo, recordId }: StoredAction): PlannedRun[] {
  if (name !== ATTACHMENT_ACTION) return [];
  return plannedRuns(attachmentsOf(store, recordId), ['on-demand']).filter(
    ({ attachment }) => String(attachment.id) === extraInfo,
  );
}

/** Starts a pending procedure, or a failed one again: its failed actions are pending again. */
function startProcedure(store: Store, procedure: StoredProcedure, now: number): void {
  setActions(store, procedure.id, { from: 'failed', to: 'pending' }, now);
  store.procedures.update(procedure.id, { state: 'active', updated: now });
  proceedWith(store, procedure.id, now);
}

/** Cancels: pending actions are canceled, those in progress run out. */
function cancelProcedure(store: Store, procedure: StoredProcedure, now: number): void {
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

/** Goes on with an active procedure, which only a critical failure ends. */
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

/** Paths for faults: `/<o>/<a>/<e>/<p>/<component>`, with the instance; `named` with the action. */
function pathsOf(store: Store, action: StoredAction): { readonly paths: string[]; readonly named: string[] } {
  const record = store.records.byId(action.recordId, 'committed');
  if (record === undefined) return { paths: [], named: [] };
  const above = platformPath(record.namespace);
  const component = record.name.replace(/-\d+-\d+$/, '');
  const paths = [...new Set([`${above}/${component}`, `${above}/${record.name}`])];
  return { paths, named: paths.map((path) => `${path}#${action.name}`) };
}

/** The states that a client may bring a procedure to; none where it has ended for good. */
const MOVES: ReadonlyMap<string, readonly string[]> = new Map([
  ['pending', ['active', 'canceled']],
  ['active', ['canceled']],
  ['failed', ['active', 'canceled']],
  ['complete', []],
  ['canceled', []],
]);

export const PROCEDURE_STATES: readonly string[] = [...MOVES.keys()];

export const mayMove = (from: string, to: string): boolean => MOVES.get(from)?.includes(to) === true;

/** Whether a procedure in this state has ended for good. */
const isOver = (state: string): boolean => MOVES.get(state)?.length === 0;
