// The function for procedures: reads one by its number, with its steps (service-facts §2.5, §4.8).
import { routes } from '../../api/contract';
import { apiFunction } from './api-function';
import { serial } from './arguments';
import * as result from './result';

/** One step of a procedure. */
const procedureAction = result.recordType('ProcedureActionRecord', {
  /** Number of the step. */
  actionId: result.int(),
  /** Number of its procedure. */
  procedureId: result.int(),
  /** Name of the action. */
  name: result.text(),
  /** `pending`, `inprogress`, `complete`, `failed` or `canceled`. */
  state: result.text(),
  /** Number of the instance it runs on. */
  ciId: result.int(),
  /** Its position among the steps. */
  execOrder: result.int(),
  /** Whether the procedure ends when it fails. */
  isCritical: result.flag(),
  /** Arguments of the action, as the service keeps them. */
  arglist: result.text(),
  /** Number of the attachment it runs, when it runs one. */
  extraInfo: result.text(),
  /** Further records that are passed to the action; empty unless the procedure names some. */
  payLoadDef: result.text(),
  /** When the step was created, in milliseconds since 1970. */
  created: result.int(),
  /** Who started it. */
  createdBy: result.text(),
  /** When it last changed, in milliseconds since 1970. */
  updated: result.int(),
});

/** The state of a procedure. */
export const getProcedure = apiFunction({
  token: 'getProcedure',
  arguments: {
    /** Number of the procedure. */
    procedureId: serial(),
  },
  reads: [routes.procedures.read],
  result: {
    /** Number of the procedure. */
    procedureId: result.int(),
    /** Name of the procedure. */
    name: result.text(),
    /** `pending`, `active`, `complete`, `failed` or `canceled`. */
    state: result.text(),
    /** Number of the record it runs on. */
    ciId: result.int(),
    /** Number of the pack's procedure it was created from; 0 when it has its own definition. */
    procedureCiId: result.int(),
    /** Arguments of the procedure, as the service keeps them. */
    arglist: result.text(),
    /** Its definition, as JSON text; empty where the service does not return it. */
    definition: result.text(),
    /** Path of the records it runs on; empty where the service does not return it. */
    nsPath: result.text(),
    /** Whether it was started although another one was running. */
    forceExecution: result.flag(),
    /** Number of the current step. */
    currentStep: result.int(),
    /** Number of the last step. */
    maxExecOrder: result.int(),
    /** When it was started, in milliseconds since 1970. */
    created: result.int(),
    /** Who started it. */
    createdBy: result.text(),
    /** When it last changed, in milliseconds since 1970. */
    updated: result.int(),
    /** Its steps, in their order. */
    actions: result.list(result.one(procedureAction)),
  },
  read: async (ask, { procedureId }) => {
    const procedure = await ask(routes.procedures.read, { address: { procedure: String(procedureId) } });
    const actions = (procedure.actions ?? []).map((each) => ({
      actionId: each.actionId,
      procedureId: each.procedureId ?? procedureId,
      name: each.actionName,
      state: each.actionState,
      ciId: each.ciId ?? 0,
      execOrder: each.execOrder ?? 0,
      isCritical: each.isCritical ?? false,
      arglist: each.arglist ?? '',
      extraInfo: each.extraInfo ?? '',
      payLoadDef: each.payLoadDef ?? '',
      created: each.created ?? 0,
      createdBy: each.createdBy ?? '',
      updated: each.updated ?? each.created ?? 0,
    }));
    return {
      procedureId: procedure.procedureId,
      name: procedure.procedureName,
      state: procedure.procedureState,
      ciId: procedure.ciId ?? 0,
      procedureCiId: procedure.procedureCiId ?? 0,
      arglist: procedure.arglist ?? '',
      definition: procedure.definition ?? '',
      nsPath: procedure.nsPath ?? '',
      forceExecution: procedure.forceExecution ?? false,
      currentStep: procedure.currentStep ?? 0,
      maxExecOrder: procedure.maxExecOrder ?? 0,
      created: procedure.created ?? 0,
      createdBy: procedure.createdBy ?? '',
      updated: procedure.updated ?? procedure.created ?? 0,
      actions: actions.sort((left, right) => left.execOrder - right.execOrder || left.actionId - right.actionId),
    };
  },
});
