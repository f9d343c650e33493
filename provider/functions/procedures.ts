// The function for procedures: reads one by its number, with its steps (service-facts §2.5, §4.8).
import { routes } from '../../api/contract';
import { apiFunction } from './api-function';
import { serial } from './arguments';
import * as result from './result';

/** One step of a procedure. */
const procedureAction = result.recordType('ProcedureActionRecord', {
  /** Number of the step. */
  actionId: result.intResult(),
  /** Number of its procedure. */
  procedureId: result.intResult(),
  /** Name of the action. */
  name: result.textResult(),
  /** `pending`, `inprogress`, `complete`, `failed` or `canceled`. */
  state: result.textResult(),
  /** Number of the instance it runs on. */
  ciId: result.intResult(),
  /** Its position among the steps. */
  execOrder: result.intResult(),
  /** Whether the procedure ends when it fails. */
  isCritical: result.flagResult(),
  /** Arguments of the action, as the service keeps them. */
  arglist: result.textResult(),
  /** Number of the attachment it runs, when it runs one. */
  extraInfo: result.textResult(),
  /** Further records that are passed to the action; empty unless the procedure names some. */
  payLoadDef: result.textResult(),
  /** When the step was created, in milliseconds since 1970. */
  created: result.intResult(),
  /** Who started it. */
  createdBy: result.textResult(),
  /** When it last changed, in milliseconds since 1970. */
  updated: result.intResult(),
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
    procedureId: result.intResult(),
    /** Name of the procedure. */
    name: result.textResult(),
    /** `pending`, `active`, `complete`, `failed` or `canceled`. */
    state: result.textResult(),
    /** Number of the record it runs on. */
    ciId: result.intResult(),
    /** Number of the pack's procedure it was created from; 0 when it has its own definition. */
    procedureCiId: result.intResult(),
    /** Arguments of the procedure, as the service keeps them. */
    arglist: result.textResult(),
    /** Its definition, as JSON text; empty where the service does not return it. */
    definition: result.textResult(),
    /** Path of the records it runs on; empty where the service does not return it. */
    nsPath: result.textResult(),
    /** Whether it was started although another one was running. */
    forceExecution: result.flagResult(),
    /** Number of the current step. */
    currentStep: result.intResult(),
    /** Number of the last step. */
    maxExecOrder: result.intResult(),
    /** When it was started, in milliseconds since 1970. */
    created: result.intResult(),
    /** Who started it. */
    createdBy: result.textResult(),
    /** When it last changed, in milliseconds since 1970. */
    updated: result.intResult(),
    /** Its steps, in their order. */
    actions: result.listResult(result.recordResult(procedureAction)),
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
