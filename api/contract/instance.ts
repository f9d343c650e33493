// The shapes of what runs and of what is run on it: instances, actions, procedures (service-facts §2.2.11, §2.5, §4.8).
import { z } from 'zod';
import { record, relation } from './record';
import { logEntry } from './release';

const text = z.string().nullish();
const count = z.number().int();

/** A running instance: a record of class `bom…` with its health and cloud (service-facts §2.2.11). */
export const instance = record.extend({
  opsState: text,
  cloud: relation.nullish(),
  deployedTo: record.nullish(),
});
export type Instance = z.output<typeof instance>;

/** One running instance in full: with what it depends on and what depends on it (service-facts §2.2.11). */
export const instanceDetail = instance.extend({
  opsEvents: z.unknown(),
  dependsOn: z.array(record).nullish(),
  dependents: z.array(record).nullish(),
});

/** One action of a procedure (service-facts §2.5). */
const procedureAction = z.looseObject({
  actionId: count,
  actionName: z.string(),
  ciId: count.nullish(),
  actionState: z.string(),
  execOrder: count.nullish(),
  isCritical: z.boolean().nullish(),
  extraInfo: text,
  arglist: text,
  payLoadDef: text,
  createdBy: text,
  created: count.nullish(),
  updated: count.nullish(),
  procedureId: count.nullish(),
});

/** A procedure with its actions (service-facts §2.5). */
export const procedureSchema = z.looseObject({
  procedureId: count,
  procedureName: z.string(),
  procedureState: z.string(),
  ciId: count.nullish(),
  procedureCiId: count.nullish(),
  arglist: text,
  definition: text,
  currentStep: count.nullish(),
  maxExecOrder: count.nullish(),
  createdBy: text,
  created: count.nullish(),
  updated: count.nullish(),
  nsPath: text,
  forceExecution: z.boolean().nullish(),
  actions: z.array(procedureAction).nullish(),
});
export type Procedure = z.output<typeof procedureSchema>;

/** A procedure with what was logged of its actions (service-facts §2.5). */
export const procedureStatus = procedureSchema.extend({ log_data: z.array(logEntry) });

/** What a component's `actions` lists: class actions, then on-demand attachments (service-facts §4.8). */
export const availableAction = z.looseObject({ actionId: count, actionName: z.string(), description: text });
