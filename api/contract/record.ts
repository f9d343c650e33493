// The shapes that cross the wire: records, relations, releases, deployments, procedures (api.md §2, wire-facts §2).
// It must not know routes, dialects, or what anybody does with a record.
import { z } from 'zod';

/** Attributes on the wire: always text, or null when the service has none (wire-facts §2.1.3). */
export const attributes = z.record(z.string(), z.string().nullable());
export type Attributes = z.output<typeof attributes>;

const text = z.string().nullish();
const count = z.number().int();
const stamps = { created: count.nullish(), createdBy: text, updated: count.nullish(), updatedBy: text };

/** Attribute locks: attribute name → `design` or `manifest` (wire-facts §2.1.5). */
export const attributeProperties = z.looseObject({ owner: z.record(z.string(), z.string()).optional() });

/**
 * The generic record (api.md §2.1) in both of its shapes, committed and change-merged (wire-facts §2.1.1, §2.1.2): members one shape
 * lacks are optional. Unknown members pass through, since routes add keys of their own at the top level.
 */
export const record = z.looseObject({
  ciId: count,
  ciName: z.string(),
  ciClassName: z.string(),
  nsPath: z.string(),
  impl: text,
  ciGoid: text,
  comments: text,
  ciState: text,
  ...stamps,
  lastAppliedRfcId: count.nullish(),
  ciAttributes: attributes,
  attrProps: attributeProperties.nullish(),
  ciAttrProps: attributeProperties.nullish(),
  nsId: count.nullish(),
  altNs: z.unknown().optional(),
  rfcId: count.nullish(),
  releaseId: count.nullish(),
  releaseType: text,
  rfcAction: text,
  rfcCreated: count.nullish(),
  rfcCreatedBy: text,
  rfcUpdated: count.nullish(),
  rfcUpdatedBy: text,
  execOrder: count.nullish(),
  isActiveInRelease: z.boolean().nullish(),
  hint: text,
  ciBaseAttributes: attributes.nullish(),
});
export type Record = z.output<typeof record>;

/** A `new` template: an unsaved record, without `ciId` (wire-facts §2.1.2). An unknown template has a null class. */
export const template = z.looseObject({
  ciName: text,
  ciClassName: text,
  nsPath: text,
  comments: text,
  ciAttributes: attributes,
});
export type Template = z.output<typeof template>;

/** A relation record (wire-facts §2.1.9). */
export const relation = z.looseObject({
  ciRelationId: count,
  nsPath: z.string(),
  fromCiId: count,
  toCiId: count,
  relationName: z.string(),
  relationGoid: text,
  relationState: text,
  comments: text,
  relationAttributes: attributes,
  relationAttrProps: attributeProperties.nullish(),
  ...stamps,
  rfcId: count.nullish(),
  releaseId: count.nullish(),
  rfcAction: text,
  fromCi: record.nullish(),
  toCi: record.nullish(),
});
export type Relation = z.output<typeof relation>;

/** Design platform on GET: the record and the names it links to (wire-facts §2.2.5). */
export const designPlatform = record.extend({ links_to: z.array(z.string()).nullish() });

/** Platform of an environment on GET: links and the clouds it consumes (wire-facts §2.2.5, §4.7.5). */
export const environmentPlatform = record.extend({
  links_to: z.array(z.string()).nullish(),
  consumes: z.array(relation).nullish(),
});
export type EnvironmentPlatform = z.output<typeof environmentPlatform>;

/** Component on GET: with the records it depends on and those that depend on it (wire-facts §2.2.6). */
export const component = record.extend({ dependsOn: z.array(record).nullish(), dependents: z.array(record).nullish() });
export type Component = z.output<typeof component>;

/** Attributes of one cloud link: priority, dpmt_order, pct_scale, adminstatus (wire-facts §2.1.9 base.Consumes). */
export const consumes = z.record(z.string(), z.string().nullable());

/** Environment on GET, create and update: `clouds` is keyed by the cloud's ciId (wire-facts §2.4). */
export const environment = record.extend({ clouds: z.record(z.string(), consumes).nullish() });
export type Environment = z.output<typeof environment>;

/** One row of the account's organizations (wire-facts §2.2.1). */
export const organizationRow = z.looseObject({
  id: count,
  name: z.string(),
  cms_id: count.nullish(),
  full_name: text,
  created_at: text,
  updated_at: text,
});
export type OrganizationRow = z.output<typeof organizationRow>;

/** A release of a design, a manifest or a bom (wire-facts §2.2.9). `commitedBy` is the service's spelling. */
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

/** States of a release (wire-facts §3.2). */
export const RELEASE_STATES = ['open', 'closed', 'canceled'] as const;

/** A deployment (wire-facts §2.2.10). */
export const deployment = z.looseObject({
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
export type Deployment = z.output<typeof deployment>;

/** States of a deployment (wire-facts §3.4); `pausing` is shown while work orders still run. */
export const DEPLOYMENT_STATES = ['pending', 'active', 'pausing', 'paused', 'failed', 'canceled', 'complete'] as const;

/** A deployment with the state of each of its records, keyed by rfcId (wire-facts §4.7.4). */
export const deploymentStatus = deployment.extend({
  rfc_info: z
    .record(z.string(), z.looseObject({ recordId: count.nullish(), state: z.string(), comments: text }))
    .nullish(),
});
export type DeploymentStatus = z.output<typeof deploymentStatus>;

/** A running instance: a record of class `bom…` with its health and cloud (wire-facts §2.2.11). */
export const instance = record.extend({
  opsState: text,
  cloud: relation.nullish(),
  deployedTo: record.nullish(),
});
export type Instance = z.output<typeof instance>;

/** One action of a procedure (api.md §2.5). */
export const procedureAction = z.looseObject({
  actionId: count,
  actionName: z.string(),
  ciId: count.nullish(),
  actionState: z.string(),
  execOrder: count.nullish(),
  isCritical: z.boolean().nullish(),
  extraInfo: text,
  arglist: text,
  procedureId: count.nullish(),
});

/** A procedure with its actions (api.md §2.5). */
export const procedure = z.looseObject({
  procedureId: count,
  procedureName: z.string(),
  procedureState: z.string(),
  ciId: count.nullish(),
  procedureCiId: count.nullish(),
  arglist: text,
  definition: text,
  currentStep: count.nullish(),
  maxExecOrder: count.nullish(),
  actions: z.array(procedureAction).nullish(),
});
export type Procedure = z.output<typeof procedure>;

/** What a component's `actions` lists: class actions, then on-demand attachments (wire-facts §4.8). */
export const availableAction = z.looseObject({ actionId: count, actionName: z.string(), description: text });

/** What the service stores in place of a secret's text on every read (wire-facts §2.1.4). */
export const ENCRYPTED = '--ENCRYPTED--';
