// Handlers of procedures: started, read, listed, moved (api.md §4.8, wire-facts §4.8).
// It must not know how actions run.
import { routes } from '../../api/contract';
import { checkMayOnRecord } from '../account';
import { handlersOf, malformed, Refusal, refused, type Context } from '../handler';
import type { StoredAction, StoredProcedure, StoredRecord } from '../store';
import { ATTACHMENT_ACTION, onDemandAttachments } from './actions';
import { plannedActions, readDefinition, type PlannedAction } from './definition';
import { mayMove } from './procedure-moves';
import { cancelProcedure, startProcedure } from './run-procedure';

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

/** A procedure; `definition` is null on every read (wire-facts §2.5). */
export function procedureAnswer(
  { store }: Pick<Context, 'store'>,
  procedure: StoredProcedure,
  withActions: boolean,
): object {
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

function locateProcedure(context: Context, identifier: string): StoredProcedure {
  const procedure = /^\d+$/.test(identifier) ? context.store.procedures.byId(Number(identifier)) : undefined;
  if (procedure === undefined || !procedure.namespace.startsWith(`/${context.organization}/`)) {
    throw new Refusal(404, [`no procedure has id ${identifier} (4005)`], 'unknown-number');
  }
  return procedure;
}

/** The record a procedure is anchored at; one that cannot be found reads as a missing right (wire-facts §4.8). */
function anchorOf(context: Context, id: string | number | undefined): StoredRecord {
  const { store, organization, voice } = context;
  const anchor = /^\d+$/.test(String(id ?? '')) ? store.records.byId(Number(id), 'committed') : undefined;
  if (anchor === undefined || !anchor.namespace.startsWith(`/${organization}/`)) {
    throw new Refusal(voice.forbiddenStatus, [`no right to run procedures on record ${id ?? '(none)'}`]);
  }
  checkMayOnRecord(context, anchor.id, ['operations']);
  return anchor;
}

/** Definition of a pack's procedure; null for a number that stands for none (0: a procedure of one's own). */
function definitionOf({ store }: Context, id: string | number | undefined): string | null {
  const record = /^[1-9]\d*$/.test(String(id ?? '')) ? store.records.byId(Number(id), 'committed') : undefined;
  return record?.className === 'mgmt.manifest.Procedure' ? (record.values['definition'] ?? null) : null;
}

/** What was logged of an action: this service logs its states, and why one failed. */
function logOf({ id, name, state, comments, created, updated }: StoredAction): object {
  const made = { timestamp: created, level: 'INFO', message: `action ${name} made` };
  if (state === 'pending') return { id, logData: [made] };
  const level = state === 'failed' ? 'ERROR' : 'INFO';
  const reached = { timestamp: updated, level, message: `action ${name} ${state}` };
  const why = comments === null ? [] : [{ timestamp: updated, level, message: comments }];
  return { id, logData: [made, reached, ...why] };
}

/** Throws a Refusal (422) for an action that its target does not have, neither by its class nor as an attachment on demand. */
function checkAction(context: Context, anchor: StoredRecord, action: PlannedAction): void {
  const target = context.store.records.byId(action.recordId, 'committed');
  const known = target === undefined ? undefined : context.catalogue.classMetadata(target.className)?.actions;
  const onDemand =
    action.name === ATTACHMENT_ACTION &&
    onDemandAttachments(context, anchor).some(({ id }) => String(id) === action.extraInfo);
  if (!onDemand && known !== undefined && !known.includes(action.name)) {
    throw refused(`${target?.name ?? action.recordId} has no action ${action.name} (4002)`);
  }
}

/**
 * The actions a definition asks for; a pack knows its own. Throws a Refusal (422): unreadable, nothing to run, an action its target does
 * not have.
 */
function actionsFor(
  context: Context,
  anchor: StoredRecord,
  definition: string | null,
  from: 'own' | 'pack',
): { readonly name: string | undefined; readonly actions: PlannedAction[]; readonly definition: string } {
  const { store } = context;
  if (definition === null) throw refused('definition is missing: what shall run where (5003)');
  const reading = readDefinition(definition);
  if (!reading.ok) throw refused(`${reading.reason} (5001)`);
  const actions = plannedActions(reading.flow, anchor.id, (id, relationName, direction) => {
    const ends =
      direction === 'from'
        ? store.relations.from(id, relationName, 'committed')
        : store.relations.to(id, relationName, 'committed');
    return store.records.byIds(
      ends.map((relation) => (direction === 'from' ? relation.toId : relation.fromId)),
      'committed',
    );
  });
  if (actions === undefined) throw refused('the procedure reaches too many records (5001)');
  if (actions.length === 0) throw refused('the procedure has no action to run (4002)');
  if (from === 'own') for (const action of actions) checkAction(context, anchor, action);
  return { name: reading.name, actions, definition };
}

/** Throws a Refusal (422) when something else runs on the same records, or a deployment in the environment. */
function checkFree(context: Context, anchor: StoredRecord, actions: readonly PlannedAction[], force: boolean): void {
  const { store } = context;
  const states = ['pending', 'active'];
  const other = store.procedures.list({ recordId: anchor.id, states })[0];
  if (other !== undefined) throw refused(`procedure ${other.id} is ${other.state} on ${anchor.name} (4003)`);
  for (const { recordId } of actions) {
    const busy = store.procedures.list({ actionRecordId: recordId, states })[0];
    if (busy !== undefined) throw refused(`procedure ${busy.id} is ${busy.state} on record ${recordId} (4008)`);
  }
  const [organization, assembly, environment] = anchor.namespace.split('/').slice(1);
  const deployment = store.deployments.latest(`/${organization}/${assembly}/${environment}/bom`);
  if (!force && deployment?.state === 'active')
    throw refused(`deployment ${deployment.id} is active in the environment (4007)`);
}

/** Most procedures a list holds (wire-facts §8). */
const LIMIT = 100;

/** Handlers of routes.procedures. */
export const procedureHandlers = handlersOf(routes.procedures, {
  create: (context) => {
    const { store, user, now } = context;
    const sent = context.body.cms_procedure;
    const anchor = anchorOf(context, sent.ciId);
    const { name, actions, definition } = sent.definition
      ? actionsFor(context, anchor, sent.definition, 'own')
      : actionsFor(context, anchor, definitionOf(context, sent.procedureCiId), 'pack');
    checkFree(context, anchor, actions, sent.forceExecution === true);
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
      forceExecution: sent.forceExecution === true,
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
    // Actions read pending right after creation (api.md §3).
    return created;
  },
  read: (context) => procedureAnswer(context, locateProcedure(context, context.address.procedure), true),
  status: (context) => {
    const procedure = locateProcedure(context, context.address.procedure);
    const logData = context.store.procedures.actions(procedure.id).map(logOf);
    return { ...procedureAnswer(context, procedure, true), log_data: logData };
  },
  logData: (context) =>
    context.store.procedures.actions(locateProcedure(context, context.address.procedure).id).map(logOf),
  list: (context) => {
    const { store, query, organization, voice } = context;
    const { ciId, actionCiId, ns_path: below } = query;
    const anchor = ciId ?? actionCiId;
    if (anchor === undefined && below === undefined) throw refused('one of ciId, actionCiId and ns_path is needed');
    if (anchor !== undefined && !/^\d+$/.test(anchor)) throw malformed(`${anchor} is no record id`);
    if (below !== undefined && below !== `/${organization}` && !below.startsWith(`/${organization}/`)) {
      throw new Refusal(voice.forbiddenStatus, [`ns_path ${below} is not in organization ${organization}`]);
    }
    const size = query['size'] ?? String(LIMIT);
    if (!/^\d+$/.test(size)) throw malformed(`size must be a number, not ${size}`);
    const found = store.procedures.list(
      {
        ...(ciId === undefined ? {} : { recordId: Number(ciId) }),
        ...(actionCiId === undefined ? {} : { actionRecordId: Number(actionCiId) }),
        ...(below === undefined ? {} : { below }),
        ...(query['state'] === undefined ? {} : { states: query['state'].split(',') }),
        ...(query['name'] === undefined ? {} : { name: query['name'] }),
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
    if (!mayMove(procedure.state, asked))
      throw refused(`a procedure that is ${procedure.state} cannot become ${JSON.stringify(asked)}`);
    if (asked === 'active') startProcedure(store, procedure, now);
    else cancelProcedure(store, procedure, now);
    return procedureAnswer(context, store.procedures.byId(procedure.id) ?? procedure, true);
  },
});
