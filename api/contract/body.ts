// Bodies of requests: the record in its wrapper, and the few bodies of their own (service-facts §2.1, §4).
import { z } from 'zod';

/**
 * Attribute values as clients may send them; text is what the service stores (service-facts §2.1.3). The OpenAPI document has it by this name.
 *
 * @public
 */
export const sentAttributes = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/**
 * A record as clients send it: what is left out stays, or gets the default of its class. The OpenAPI document has it by this name.
 *
 * @public
 */
export const sentRecord = z.looseObject({
  ciId: z.union([z.number(), z.string()]).optional(),
  ciName: z.string().optional(),
  ciClassName: z.string().nullish(),
  nsPath: z.string().nullish(),
  comments: z.string().nullish(),
  ciAttributes: sentAttributes.optional(),
  ciAttrProps: z.looseObject({ owner: z.record(z.string(), z.string().nullable()).optional() }).nullish(),
});
export type SentRecord = z.output<typeof sentRecord>;

/** `{ "cms_ci": record }`: directly committed records: assemblies, environments, clouds, services. */
export const committedBody = z.looseObject({ cms_ci: sentRecord });
/** `{ "cms_dj_ci": record }`: design and manifest records, written as changes of a release. */
export const changeBody = z.looseObject({ cms_dj_ci: sentRecord });

const member = z.union([z.string(), z.number(), z.boolean()]);

/** An attachment: values of the hash `headers` may be sent as one, instead of as its JSON text (service-facts §2.3). */
export const attachmentBody = changeBody.extend({
  cms_dj_ci: sentRecord.extend({
    ciAttributes: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.record(z.string(), member)]))
      .optional(),
  }),
});

const id = z.union([z.string(), z.number()]);
const ids = z.array(id);

/** Assembly: on create the design of the catalogue it begins with, and the teams that may work on it (service-facts §4.4). */
export const assemblyBody = committedBody.extend({ catalog_template: id.nullish(), teams: ids.nullish() });

/** Cloud: on create the teams that may use it (service-facts §4.2). */
export const cloudBody = committedBody.extend({ teams: ids.nullish() });

/**
 * A cloud service: its record in the wrapper, on create next to the ciId of the template it is made from; or, where the dialect says so, the
 * record itself (service-facts §4.2, §13 row 5).
 */
export const cloudServiceBody = z.union([
  committedBody.extend({ mgmtCiId: id.nullish() }),
  sentRecord.extend({ mgmtCiId: id.nullish(), cms_ci: z.never().optional() }),
]);

/** A new organization (service-facts §4.1). */
export const newOrganizationBody = z.looseObject({ name: z.string() });

/** An organization: its name in full, and the record behind it (service-facts §4.1). */
export const organizationBody = z.looseObject({
  organization: z.looseObject({ full_name: z.string().nullish(), ci: sentRecord.optional() }),
});

const right = z.union([z.boolean(), z.string()]).nullish();

/** A team; rights that are left out stay, or are not given (service-facts §4.1, §5.3). */
export const teamBody = z.looseObject({
  team: z.looseObject({
    name: z.string().optional(),
    description: z.string().nullish(),
    design: right,
    transition: right,
    operations: right,
    org_scope: right,
    manages_access: right,
    cloud_services: right,
    cloud_compliance: right,
    cloud_support: right,
  }),
});

/** Teams of a cloud or assembly: all of them, or those to add and to remove, by id (service-facts §4.2). */
export const teamsBody = z.looseObject({ teams: ids.nullish(), add: ids.nullish(), remove: ids.nullish() });

/** A copy of an assembly, or, with `export`, a design of the catalogue (service-facts §4.4). */
export const cloneBody = z.looseObject({
  ciName: z.string(),
  description: z.string().nullish(),
  to_org: z.string().nullish(),
  export: z.union([z.string(), z.boolean()]).nullish(),
});

/** A copy of a platform in this or another assembly (service-facts §4.5.1). */
export const platformCloneBody = z.looseObject({ to_assembly_id: id, to_ci_name: z.string() });

/** A design or environment as text, YAML or JSON, in `data` or in a file of a multipart form (service-facts §4.5.5). */
export const loadBody = z.looseObject({
  data: z.string().nullish(),
  data_file: z.string().nullish(),
  preview: z.union([z.string(), z.boolean()]).nullish(),
});

/** Records by ciId (service-facts §4.5.3 lock). */
export const recordIdsBody = z.looseObject({ ciIds: ids });

/** Components to deploy again although nothing changed, by ciId (service-facts §4.7.5). */
export const componentIdsBody = z.looseObject({ componentCiIds: ids });

/** What a component needs of clouds (service-facts §4.5.2 update_services). */
export const servicesBody = z.looseObject({ services: z.array(z.string()), owner: z.string().nullish() });

/** Platform: ids or names it links to are next to the wrapper; a PUT without them drops all links (service-facts §4.5.1). */
export const platformBody = changeBody.extend({ links_to: z.array(z.union([z.string(), z.number()])).nullish() });

/** Component: its template on create, sibling dependencies by id (service-facts §4.5.2). */
export const componentBody = changeBody.extend({
  template_name: z.string().optional(),
  sibling_depends_on: z.array(z.union([z.string(), z.number()])).nullish(),
  depends_on: z.record(z.string(), z.unknown()).nullish(),
});

const cloudEntry = z.union([z.string(), z.number(), z.record(z.string(), z.union([z.string(), z.number()]))]);

/** Attributes and locks of one relation. */
const sentRelation = z.looseObject({
  relationAttributes: sentAttributes.optional(),
  relationAttrProps: z.looseObject({ owner: z.record(z.string(), z.string().nullable()).optional() }).nullish(),
});

/** Scaling: relations by ciId (of a component: or name) at their far end; attributes that are sent replace those (service-facts §4.7.5). */
export const dependsOnBody = z.looseObject({ depends_on: z.record(z.string(), sentRelation) });

/** Platform of an environment: attributes, scaling, or both (service-facts §4.7.5). */
export const environmentPlatformBody = z.looseObject({
  cms_dj_ci: sentRecord.optional(),
  depends_on: z.record(z.string(), sentRelation).nullish(),
});

/** Component of an environment: attributes, and its scalable dependencies (service-facts §4.7.5). */
export const environmentComponentBody = changeBody.extend({
  depends_on: z.record(z.string(), sentRelation).nullish(),
});

/** Priority of one cloud of one environment platform (service-facts §4.7.5). */
export const cloudPriorityBody = z.looseObject({ cloud_id: id, priority: id });

/** A switch of an environment platform; `status` other than enable and disable changes nothing; the last two count for autoreplace only (service-facts §4.8). */
export const switchBody = z.looseObject({
  status: z.string().nullish(),
  replace_after_minutes: id.nullish(),
  replace_after_repairs: id.nullish(),
});

/** Clouds of an environment: cloud ciId (classic: or name) → priority, or its link attributes (service-facts §4.7.1). */
export const environmentBody = committedBody.extend({
  clouds: z.record(z.string(), cloudEntry).optional(),
  platform_availability: z.record(z.string(), z.string()).optional(),
  async: z.union([z.string(), z.boolean()]).nullish(),
});

/** Pull: availability of platforms new to the environment (service-facts §4.7.2). */
export const pullBody = z
  .looseObject({
    platform_availability: z.record(z.string(), z.string()).nullish(),
    async: z.union([z.string(), z.boolean()]).nullish(),
  })
  .nullish();

/** Environment commit; everything optional (service-facts §4.7.2). */
export const commitBody = z
  .looseObject({ desc: z.string().nullish(), exclude_platforms: z.string().nullish() })
  .nullish();

/** Design commit (service-facts §4.5.6). */
export const designCommitBody = z.looseObject({ desc: z.string().nullish() }).nullish();

/** One cloud of one environment platform; only what changes (service-facts §4.7). */
export const cloudConfigurationBody = z.looseObject({
  cloud_id: z.union([z.string(), z.number()]),
  attributes: sentAttributes,
});

/** Manifest platforms by record id (service-facts §4.7). */
export const platformIdsBody = z
  .looseObject({ platformCiIds: z.array(z.union([z.string(), z.number()])).nullish() })
  .nullish();

/** Start of a deployment (service-facts §4.7.4) and moves of a running one (service-facts §3.4). */
export const deploymentBody = z.looseObject({
  cms_deployment: z.looseObject({
    releaseId: z.union([z.number(), z.string()]).optional(),
    nsPath: z.string().optional(),
    comments: z.string().nullish(),
    description: z.string().nullish(),
    continueOnFailure: z.union([z.boolean(), z.string()]).optional(),
    deploymentState: z.string().optional(),
    autoPauseExecOrders: z.array(id).nullish(),
  }),
  exclude_platforms: z.string().nullish(),
});

/** A plan that is not stored (service-facts §4.7.4 newer flow, step 1). */
export const planBody = z
  .looseObject({
    commit: z.union([z.string(), z.boolean()]).nullish(),
    desc: z.string().nullish(),
    exclude_platforms: z.string().nullish(),
  })
  .nullish();

/** Approvals given or refused; `approvalId` is a number or `<nsPath>!<ciName>` of the support (service-facts §4.7.4). */
export const settleBody = z.looseObject({
  approvals: z.array(
    z.looseObject({
      approvalId: id,
      state: z.string(),
      comments: z.string().nullish(),
      expiresIn: id.nullish(),
      token: z.string().nullish(),
    }),
  ),
  comments: z.string().nullish(),
});

/** Start of a procedure (service-facts §4.8); `definition` is JSON text, read leniently. */
export const procedureBody = z.looseObject({
  cms_procedure: z.looseObject({
    procedureCiId: z.union([z.string(), z.number()]).optional(),
    procedureName: z.string().optional(),
    ciId: z.union([z.string(), z.number()]).optional(),
    procedureState: z.string().optional(),
    arglist: z.string().nullish(),
    definition: z.string().nullish(),
    forceExecution: z.union([z.boolean(), z.string()]).nullish(),
  }),
  /** Percentage of the targets of a flow that run at one time, from 1 to 99. */
  roll_at: id.nullish(),
  /** Whether actions are critical, whatever the definition says. */
  critical: z.union([z.boolean(), z.string()]).nullish(),
});

/** State asked of one instance (service-facts §4.8). */
export const instanceStateBody = z.looseObject({ state: z.string() });

/** State asked of several instances at the same time (service-facts §4.8). */
export const instancesStateBody = z.looseObject({ ids: z.array(z.union([z.string(), z.number()])), state: z.string() });
