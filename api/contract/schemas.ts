// Records, rows, releases, deployments and bodies as they cross the wire (service-facts §2, §4).
import * as z from 'zod';

// Shared: each schema that is made costs time when a process starts.
const string = z.string();
const text = string.nullish();
const count = z.number().int();
const optionalCount = count.nullish();
const optionalFlag = z.boolean().nullish();
const flag = z.union([string, z.boolean()]).nullish();

/**
 * Attributes on the wire: text, or null when the service has none (service-facts §2.1.3). The
 * OpenAPI document has them by this name.
 *
 * @public
 */
export const attributes = z.record(string, string.nullable());
export type Attributes = z.output<typeof attributes>;

const stamps = { created: optionalCount, createdBy: text, updated: optionalCount, updatedBy: text };

/** Attribute locks: attribute name → `design` or `manifest` (service-facts §2.1.5). */
const attributeProperties = z.looseObject({ owner: z.record(string, string).optional() });

/**
 * The generic record (service-facts §2.1), committed or change-merged (§2.1.1, §2.1.2): members
 * that one shape lacks are optional. Unknown members pass: routes add their own keys.
 */
export const record = z.looseObject({
  ciId: count,
  ciName: string,
  ciClassName: string,
  nsPath: string,
  impl: text,
  ciGoid: text,
  comments: text,
  ciState: text,
  ...stamps,
  lastAppliedRfcId: optionalCount,
  ciAttributes: attributes,
  attrProps: attributeProperties.nullish(),
  ciAttrProps: attributeProperties.nullish(),
  nsId: optionalCount,
  altNs: z.unknown().optional(),
  rfcId: optionalCount,
  releaseId: optionalCount,
  releaseType: text,
  rfcAction: text,
  rfcCreated: optionalCount,
  rfcCreatedBy: text,
  rfcUpdated: optionalCount,
  rfcUpdatedBy: text,
  execOrder: optionalCount,
  isActiveInRelease: optionalFlag,
  hint: text,
  ciBaseAttributes: attributes.nullish(),
});
export type Record = z.output<typeof record>;

/** A record without `ciId`; of an unknown template without a class (service-facts §2.1.2). */
export const templateSchema = z.looseObject({
  ciName: text,
  ciClassName: text,
  nsPath: text,
  comments: text,
  ciAttributes: attributes,
});
export type Template = z.output<typeof templateSchema>;

/** A relation record (service-facts §2.1.9). */
export const relation = z.looseObject({
  ciRelationId: count,
  nsPath: string,
  fromCiId: count,
  toCiId: count,
  relationName: string,
  relationGoid: text,
  relationState: text,
  comments: text,
  relationAttributes: attributes,
  relationAttrProps: attributeProperties.nullish(),
  ...stamps,
  rfcId: optionalCount,
  releaseId: optionalCount,
  rfcAction: text,
  fromCi: record.nullish(),
  toCi: record.nullish(),
});
export type Relation = z.output<typeof relation>;

/** Design platform on GET: the record and the names it links to (service-facts §2.2.5). */
export const designPlatform = record.extend({ links_to: z.array(string).nullish() });

/** Platform of an environment: links and the clouds it consumes (service-facts §2.2.5, §4.7.5). */
export const environmentPlatformSchema = record.extend({
  links_to: z.array(string).nullish(),
  consumes: z.array(relation).nullish(),
});
export type EnvironmentPlatform = z.output<typeof environmentPlatformSchema>;

/** Component, with the records it depends on and those that depend on it (service-facts §2.2.6). */
export const componentSchema = record.extend({
  dependsOn: z.array(record).nullish(),
  dependents: z.array(record).nullish(),
});
export type Component = z.output<typeof componentSchema>;

/** Attributes of one cloud link (service-facts §2.1.9 base.Consumes). */
const consumes = z.record(string, string.nullable());

/** Environment: `clouds` is keyed by the cloud's ciId (service-facts §2.4). */
export const environmentSchema = record.extend({ clouds: z.record(string, consumes).nullish() });
export type Environment = z.output<typeof environmentSchema>;

/** One row of the account's organizations (service-facts §2.2.1). */
export const organizationRow = z.looseObject({
  id: count,
  name: string,
  cms_id: optionalCount,
  full_name: text,
  created_at: text,
  updated_at: text,
});
export type OrganizationRow = z.output<typeof organizationRow>;

/** A user's own row, with the organization in use (service-facts §4.1). */
export const profileRow = z.looseObject({ id: count, username: string, organization: organizationRow.nullish() });

export const userRow = z.looseObject({ id: count, username: string });

/** Rights a team may give (service-facts §5.3). */
export const TEAM_RIGHTS = [
  'design',
  'transition',
  'operations',
  'org_scope',
  'manages_access',
  'cloud_services',
  'cloud_compliance',
  'cloud_support',
] as const;
export type TeamRight = (typeof TEAM_RIGHTS)[number];

const eachRight = <S extends z.ZodType>(schema: S): { readonly [R in TeamRight]: S } =>
  Object.fromEntries(TEAM_RIGHTS.map((right) => [right, schema])) as { readonly [R in TeamRight]: S };

/** A team: what its members may do, and where (service-facts §5.3). */
export const teamRow = z.looseObject({
  id: count,
  name: string,
  description: text,
  ...eachRight(z.boolean()),
  created_at: text,
  updated_at: text,
});
export type TeamRow = z.output<typeof teamRow>;

/** How many components of each template there may be; 999: no limit (service-facts §4.5.1). */
export const componentTypes = z.record(string, z.looseObject({ min: count, max: count, current: count }));

/**
 * A record and the other one that it is compared with, with the other's values of differing
 * attributes (service-facts §4.2, §4.5.1). `component`: owner of a monitor or attachment.
 */
export const difference = record.extend({
  diffCi: z.looseObject({ ciAttributes: attributes.optional() }).nullish(),
  diffAttributes: attributes.nullish(),
  component: record.nullish(),
});
export type RecordDifference = z.output<typeof difference>;

/** A platform of an environment with its scalable relations (service-facts §4.7.5 edit). */
export const scalablePlatform = record.extend({ depends_on: z.array(relation) });

/** A design as people write it: of extract, and for load (service-facts §4.5.5). */
export const designDocument = z.looseObject({
  variables: z.record(string, z.unknown()).nullish(),
  platforms: z.record(string, z.unknown()).nullish(),
});

/** What the service stores in place of a secret's text on every read (service-facts §2.1.4). */
export const ENCRYPTED = '--ENCRYPTED--';

/** A release of a design, a manifest or a bom (service-facts §2.2.9). */
export const release = z.looseObject({
  releaseId: count,
  releaseName: text,
  nsPath: string,
  releaseState: string,
  releaseType: text,
  description: text,
  createdBy: text,
  commitedBy: text,
  parentReleaseId: optionalCount,
  created: optionalCount,
  updated: optionalCount,
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
  nsPath: string,
  deploymentState: string,
  description: text,
  comments: text,
  createdBy: text,
  updatedBy: text,
  created: optionalCount,
  updated: optionalCount,
  maxExecOrder: optionalCount,
  currentStep: optionalCount,
  continueOnFailure: optionalFlag,
});
export type Deployment = z.output<typeof deploymentSchema>;

/** States of a deployment (service-facts §3.4); `pausing` is shown while work orders still run. */
export const DEPLOYMENT_STATES = ['pending', 'active', 'pausing', 'paused', 'failed', 'canceled', 'complete'] as const;

/** A deployment with the state of each of its records, keyed by rfcId (service-facts §4.7.4). */
export const deploymentStatus = deploymentSchema.extend({
  rfc_info: z.record(string, z.looseObject({ recordId: optionalCount, state: string, comments: text })).nullish(),
});
export type DeploymentStatus = z.output<typeof deploymentStatus>;

/** The changes of a deployment: GET by id in classic (service-facts §4.7.4, §13 row 22). */
export const deploymentChanges = z.looseObject({ rfc_cis: z.array(record), rfc_relations: z.array(relation) });

/** One move of a deployment (service-facts §2.2.10). */
const stateEvent = z.looseObject({
  eventId: count,
  deploymentId: count,
  oldState: text,
  newState: string,
  description: text,
  comments: text,
  ops: text,
  updatedBy: text,
  updated: optionalCount,
});

/** What the support of a cloud says of a deployment (service-facts §2.2.10, §3.6). */
export const approval = z.looseObject({
  approvalId: count,
  deploymentId: count,
  governCiId: count,
  governCiJson: text,
  stateId: optionalCount,
  state: string,
  updatedBy: text,
  created: optionalCount,
  updated: optionalCount,
  expiresIn: optionalCount,
  isExpired: optionalFlag,
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
  logData: z.array(z.looseObject({ timestamp: count, level: string, message: string })),
});
export type LogEntry = z.output<typeof logEntry>;

/** A plan that is not stored; without a release there is nothing to do (service-facts §4.7.4). */
export const planned = z.looseObject({
  release: release.nullable(),
  rfcs: z.looseObject({ cis: z.array(record), relations: z.array(relation) }),
});

/** A release that brings an older one back, and what could not be (service-facts §4.5.6). */
export const restored = z.looseObject({ release, warnings: z.array(string) });

/** The work order of one change of a deployment (service-facts §2.2.10). */
export const deploymentRecord = z.looseObject({
  dpmtRecordId: count,
  deploymentId: count,
  rfcId: count,
  dpmtRecordState: string,
  comments: text,
  created: optionalCount,
  updated: optionalCount,
});

/** A running instance: a `bom…` record with its health and cloud (service-facts §2.2.11). */
export const instance = record.extend({
  opsState: text,
  cloud: relation.nullish(),
  deployedTo: record.nullish(),
});
export type Instance = z.output<typeof instance>;

/** One instance with what it depends on and what depends on it (service-facts §2.2.11). */
export const instanceDetail = instance.extend({
  opsEvents: z.unknown(),
  dependsOn: z.array(record).nullish(),
  dependents: z.array(record).nullish(),
});

/** One action of a procedure (service-facts §2.5). */
const procedureAction = z.looseObject({
  actionId: count,
  actionName: string,
  ciId: optionalCount,
  actionState: string,
  execOrder: optionalCount,
  isCritical: optionalFlag,
  extraInfo: text,
  arglist: text,
  payLoadDef: text,
  createdBy: text,
  created: optionalCount,
  updated: optionalCount,
  procedureId: optionalCount,
});

/** A procedure with its actions (service-facts §2.5). */
export const procedureSchema = z.looseObject({
  procedureId: count,
  procedureName: string,
  procedureState: string,
  ciId: optionalCount,
  procedureCiId: optionalCount,
  arglist: text,
  definition: text,
  currentStep: optionalCount,
  maxExecOrder: optionalCount,
  createdBy: text,
  created: optionalCount,
  updated: optionalCount,
  nsPath: text,
  forceExecution: optionalFlag,
  actions: z.array(procedureAction).nullish(),
});
export type Procedure = z.output<typeof procedureSchema>;

/** A procedure with what was logged of its actions (service-facts §2.5). */
export const procedureStatus = procedureSchema.extend({ log_data: z.array(logEntry) });

/** One of a component's actions: of its class, or an on-demand attachment (service-facts §4.8). */
export const availableAction = z.looseObject({ actionId: count, actionName: string, description: text });

/**
 * Attribute values as clients may send them; the service stores text (service-facts §2.1.3). The
 * OpenAPI document has it by this name.
 *
 * @public
 */
export const sentAttributes = z.record(string, z.union([string, z.number(), z.boolean(), z.null()]));

/**
 * A record as clients send it: what is left out stays, or gets the default of its class. The
 * OpenAPI document has it by this name.
 *
 * @public
 */
export const sentRecord = z.looseObject({
  ciId: z.union([z.number(), string]).optional(),
  ciName: string.optional(),
  ciClassName: text,
  nsPath: text,
  comments: text,
  ciAttributes: sentAttributes.optional(),
  ciAttrProps: z.looseObject({ owner: z.record(string, string.nullable()).optional() }).nullish(),
});
export type SentRecord = z.output<typeof sentRecord>;

/** Directly committed records: assemblies, environments, clouds, services. */
export const committedBody = z.looseObject({ cms_ci: sentRecord });
/** `{ "cms_dj_ci": record }`: design and manifest records, written as changes of a release. */
export const changeBody = z.looseObject({ cms_dj_ci: sentRecord });

const member = z.union([string, z.number(), z.boolean()]);

/** An attachment: the hash `headers` may be sent as one, or as JSON text (service-facts §2.3). */
export const attachmentBody = changeBody.extend({
  cms_dj_ci: sentRecord.extend({
    ciAttributes: z
      .record(string, z.union([string, z.number(), z.boolean(), z.null(), z.record(string, member)]))
      .optional(),
  }),
});

const id = z.union([string, z.number()]);
const ids = z.array(id);

/** Assembly: on create with the design it begins with, and its teams (service-facts §4.4). */
export const assemblyBody = committedBody.extend({ catalog_template: id.nullish(), teams: ids.nullish() });

/** Cloud: on create the teams that may use it (service-facts §4.2). */
export const cloudBody = committedBody.extend({ teams: ids.nullish() });

/** A cloud service: wrapped, or the record itself (service-facts §4.2, §13 row 5). */
export const cloudServiceBody = z.union([
  committedBody.extend({ mgmtCiId: id.nullish() }),
  sentRecord.extend({ mgmtCiId: id.nullish(), cms_ci: z.never().optional() }),
]);

/** A new organization (service-facts §4.1). */
export const newOrganizationBody = z.looseObject({ name: string });

/** An organization: its name in full, and the record behind it (service-facts §4.1). */
export const organizationBody = z.looseObject({
  organization: z.looseObject({ full_name: text, ci: sentRecord.optional() }),
});

/** A team; rights that are left out stay, or are not given (service-facts §4.1, §5.3). */
export const teamBody = z.looseObject({
  team: z.looseObject({
    name: string.optional(),
    description: text,
    ...eachRight(z.union([z.boolean(), string]).nullish()),
  }),
});

/** Teams of a cloud or assembly: all of them, or those to add and remove (service-facts §4.2). */
export const teamsBody = z.looseObject({ teams: ids.nullish(), add: ids.nullish(), remove: ids.nullish() });

/** A copy of an assembly, or, with `export`, a design of the catalogue (service-facts §4.4). */
export const cloneBody = z.looseObject({
  ciName: string,
  description: text,
  to_org: text,
  export: flag,
});

/** A copy of a platform in this or another assembly (service-facts §4.5.1). */
export const platformCloneBody = z.looseObject({ to_assembly_id: id, to_ci_name: string });

/** A design or environment as YAML or JSON text, in `data` or in a file (service-facts §4.5.5). */
export const loadBody = z.looseObject({
  data: text,
  data_file: text,
  preview: flag,
});

/** Records by ciId (service-facts §4.5.3 lock). */
export const recordIdsBody = z.looseObject({ ciIds: ids });

/** Components to deploy again although nothing changed, by ciId (service-facts §4.7.5). */
export const componentIdsBody = z.looseObject({ componentCiIds: ids });

/** What a component needs of clouds (service-facts §4.5.2 update_services). */
export const servicesBody = z.looseObject({ services: z.array(string), owner: text });

/** Platform: a PUT without ids or names of links drops all links (service-facts §4.5.1). */
export const platformBody = changeBody.extend({ links_to: ids.nullish() });

/** Component: its template on create, sibling dependencies by id (service-facts §4.5.2). */
export const componentBody = changeBody.extend({
  template_name: string.optional(),
  sibling_depends_on: ids.nullish(),
  depends_on: z.record(string, z.unknown()).nullish(),
});

const cloudEntry = z.union([string, z.number(), z.record(string, id)]);

const sentRelation = z.looseObject({
  relationAttributes: sentAttributes.optional(),
  relationAttrProps: z.looseObject({ owner: z.record(string, string.nullable()).optional() }).nullish(),
});

/** Scaling: relations by ciId or component at their far end (service-facts §4.7.5). */
export const dependsOnBody = z.looseObject({ depends_on: z.record(string, sentRelation) });

/** Platform of an environment: attributes, scaling, or both (service-facts §4.7.5). */
export const environmentPlatformBody = z.looseObject({
  cms_dj_ci: sentRecord.optional(),
  depends_on: z.record(string, sentRelation).nullish(),
});

/** Component of an environment: attributes and scalable dependencies (service-facts §4.7.5). */
export const environmentComponentBody = changeBody.extend({
  depends_on: z.record(string, sentRelation).nullish(),
});

/** Priority of one cloud of one environment platform (service-facts §4.7.5). */
export const cloudPriorityBody = z.looseObject({ cloud_id: id, priority: id });

/** A switch of an environment platform; another `status` changes nothing (service-facts §4.8). */
export const switchBody = z.looseObject({
  status: text,
  replace_after_minutes: id.nullish(),
  replace_after_repairs: id.nullish(),
});

/** Cloud ciId (classic: or name) → priority, or link attributes (service-facts §4.7.1). */
export const environmentBody = committedBody.extend({
  clouds: z.record(string, cloudEntry).optional(),
  platform_availability: z.record(string, string).optional(),
  async: flag,
});

/** Pull: availability of platforms new to the environment (service-facts §4.7.2). */
export const pullBody = z
  .looseObject({
    platform_availability: z.record(string, string).nullish(),
    async: flag,
  })
  .nullish();

/** Environment commit; everything optional (service-facts §4.7.2). */
export const commitBody = z.looseObject({ desc: text, exclude_platforms: text }).nullish();

/** Design commit (service-facts §4.5.6). */
export const designCommitBody = z.looseObject({ desc: text }).nullish();

/** One cloud of one environment platform; only what changes (service-facts §4.7). */
export const cloudConfigurationBody = z.looseObject({
  cloud_id: id,
  attributes: sentAttributes,
});

/** Manifest platforms by record id (service-facts §4.7). */
export const platformIdsBody = z.looseObject({ platformCiIds: ids.nullish() }).nullish();

/** Start of a deployment (service-facts §4.7.4) and moves of a running one (service-facts §3.4). */
export const deploymentBody = z.looseObject({
  cms_deployment: z.looseObject({
    releaseId: z.union([z.number(), string]).optional(),
    nsPath: string.optional(),
    comments: text,
    description: text,
    continueOnFailure: z.union([z.boolean(), string]).optional(),
    deploymentState: string.optional(),
    autoPauseExecOrders: ids.nullish(),
  }),
  exclude_platforms: text,
});

/** A plan that is not stored (service-facts §4.7.4 newer flow, step 1). */
export const planBody = z
  .looseObject({
    commit: flag,
    desc: text,
    exclude_platforms: text,
  })
  .nullish();

/** `approvalId` is a number or `<nsPath>!<ciName>` of the support (service-facts §4.7.4). */
export const settleBody = z.looseObject({
  approvals: z.array(
    z.looseObject({
      approvalId: id,
      state: string,
      comments: text,
      expiresIn: id.nullish(),
      token: text,
    }),
  ),
  comments: text,
});

/** Start of a procedure (service-facts §4.8); `definition` is JSON text, read leniently. */
export const procedureBody = z.looseObject({
  cms_procedure: z.looseObject({
    procedureCiId: id.optional(),
    procedureName: string.optional(),
    ciId: id.optional(),
    procedureState: string.optional(),
    arglist: text,
    definition: text,
    forceExecution: z.union([z.boolean(), string]).nullish(),
  }),
  /** Percentage of the targets of a flow that run at one time, from 1 to 99. */
  roll_at: id.nullish(),
  /** Whether actions are critical, whatever the definition says. */
  critical: z.union([z.boolean(), string]).nullish(),
});

/** State asked of one instance (service-facts §4.8). */
export const instanceStateBody = z.looseObject({ state: string });

/** State asked of several instances at the same time (service-facts §4.8). */
export const instancesStateBody = z.looseObject({ ids, state: string });
