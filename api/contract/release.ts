// The shapes of what is committed and carried out: releases, plans, deployments, approvals (service-facts §2.2.9, §2.2.10).
import { z } from 'zod';
import { record, relation } from './record';

const text = z.string().nullish();
const count = z.number().int();

/** A release of a design, a manifest or a bom (service-facts §2.2.9). `commitedBy` is the service's spelling. */
export const release = z.looseObject({
  releaseId: count,
  releaseName: text,
  nsPath: z.string(),
  releaseState: z.string(),
  releaseType: text,
  description: text,
  createdBy: text,
  commitedBy: text,
  parentReleaseId: count.nullish(),
  created: count.nullish(),
  updated: count.nullish(),
  rfc_cis: z.array(record).optional(),
  rfc_relations: z.array(relation).optional(),
});
export type Release = z.output<typeof release>;

/** States of a release (service-facts §3.2). */
export const RELEASE_STATES = ['open', 'closed', 'canceled'] as const;

/** A deployment (service-facts §2.2.10). */
export const deploymentSchema = z.looseObject({
  deploymentId: count,
  releaseId: count,
  nsPath: z.string(),
  deploymentState: z.string(),
  description: text,
  comments: text,
  createdBy: text,
  updatedBy: text,
  created: count.nullish(),
  updated: count.nullish(),
  maxExecOrder: count.nullish(),
  currentStep: count.nullish(),
  continueOnFailure: z.boolean().nullish(),
});
export type Deployment = z.output<typeof deploymentSchema>;

/** States of a deployment (service-facts §3.4); `pausing` is shown while work orders still run. */
export const DEPLOYMENT_STATES = ['pending', 'active', 'pausing', 'paused', 'failed', 'canceled', 'complete'] as const;

/** A deployment with the state of each of its records, keyed by rfcId (service-facts §4.7.4). */
export const deploymentStatus = deploymentSchema.extend({
  rfc_info: z
    .record(z.string(), z.looseObject({ recordId: count.nullish(), state: z.string(), comments: text }))
    .nullish(),
});
export type DeploymentStatus = z.output<typeof deploymentStatus>;

/** The changes of a deployment, each with the deployment inside: what GET by id answers in classic (service-facts §4.7.4, §13 row 22). */
export const deploymentChanges = z.looseObject({ rfc_cis: z.array(record), rfc_relations: z.array(relation) });

/** One move of a deployment (service-facts §2.2.10). */
const stateEvent = z.looseObject({
  eventId: count,
  deploymentId: count,
  oldState: text,
  newState: z.string(),
  description: text,
  comments: text,
  ops: text,
  updatedBy: text,
  updated: count.nullish(),
});

/** What the support of a cloud says of a deployment (service-facts §2.2.10, §3.6). */
export const approval = z.looseObject({
  approvalId: count,
  deploymentId: count,
  governCiId: count,
  governCiJson: text,
  stateId: count.nullish(),
  state: z.string(),
  updatedBy: text,
  created: count.nullish(),
  updated: count.nullish(),
  expiresIn: count.nullish(),
  isExpired: z.boolean().nullish(),
  comments: text,
});
export type Approval = z.output<typeof approval>;

/** States of an approval (service-facts §3.6). */
export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'expired'] as const;

/** A deployment with its moves and approvals (service-facts §4.7.4 edit). */
export const deploymentDetail = deploymentSchema.extend({
  state_history: z.array(stateEvent),
  approvals: z.array(approval),
});

/** What was logged of one work order or action (service-facts §4.7.4). */
export const logEntry = z.looseObject({
  id: count,
  logData: z.array(z.looseObject({ timestamp: count, level: z.string(), message: z.string() })),
});

/** A plan that is not stored: what a deployment would do; without a release there is nothing to do (service-facts §4.7.4 newer flow, step 1). */
export const planned = z.looseObject({
  release: release.nullable(),
  rfcs: z.looseObject({ cis: z.array(record), relations: z.array(relation) }),
});

/** A release that brings an older one back, and what could not be brought back (service-facts §4.5.6). */
export const restored = z.looseObject({ release, warnings: z.array(z.string()) });

/** The work order of one change of a deployment (service-facts §2.2.10). */
export const deploymentRecord = z.looseObject({
  dpmtRecordId: count,
  deploymentId: count,
  rfcId: count,
  dpmtRecordState: z.string(),
  comments: text,
  created: count.nullish(),
  updated: count.nullish(),
});
