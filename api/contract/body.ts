// Bodies of requests: the record in its wrapper, and the few bodies of their own (api.md §2.1 "Request wrappers", §4).
// It must not know paths or answers.
import { z } from 'zod';

/** Attribute values as clients may send them; text is what the service stores (wire-facts §2.1.3). */
export const sentAttributes = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const sentRecord = z.looseObject({
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

/** Platform: ids or names it links to stand beside the wrapper; a PUT without them drops all links (wire-facts §4.5.1). */
export const platformBody = changeBody.extend({ links_to: z.array(z.union([z.string(), z.number()])).nullish() });

/** Component: its template on create, sibling dependencies by id (wire-facts §4.5.2). */
export const componentBody = changeBody.extend({
  template_name: z.string().optional(),
  sibling_depends_on: z.array(z.union([z.string(), z.number()])).nullish(),
  depends_on: z.record(z.string(), z.unknown()).nullish(),
});

const cloudEntry = z.union([z.string(), z.number(), z.record(z.string(), z.union([z.string(), z.number()]))]);

/** Clouds of an environment: cloud ciId (classic: or name) → priority, or its link attributes (wire-facts §4.7.1). */
export const environmentBody = committedBody.extend({
  clouds: z.record(z.string(), cloudEntry).optional(),
  platform_availability: z.record(z.string(), z.string()).optional(),
  async: z.union([z.string(), z.boolean()]).optional(),
});

/** Pull: availability of platforms new to the environment (wire-facts §4.7.2). */
export const pullBody = z
  .looseObject({
    platform_availability: z.record(z.string(), z.string()).nullish(),
    async: z.union([z.string(), z.boolean()]).optional(),
  })
  .nullish();

/** Environment commit; everything optional (wire-facts §4.7.2). */
export const commitBody = z
  .looseObject({ desc: z.string().nullish(), exclude_platforms: z.string().nullish() })
  .nullish();

/** Design commit (wire-facts §4.5.6). */
export const designCommitBody = z.looseObject({ desc: z.string().nullish() }).nullish();

/** One cloud of one environment platform; only what changes (api.md §4.7). */
export const cloudConfigurationBody = z.looseObject({
  cloud_id: z.union([z.string(), z.number()]),
  attributes: sentAttributes,
});

/** Manifest platforms by record id (api.md §4.7 disable). */
export const platformIdsBody = z.looseObject({ platformCiIds: z.array(z.union([z.string(), z.number()])).nullish() });

/** Start of a deployment (api.md §4.7) and moves of a running one (wire-facts §3.4). */
export const deploymentBody = z.looseObject({
  cms_deployment: z.looseObject({
    releaseId: z.union([z.number(), z.string()]).optional(),
    nsPath: z.string().optional(),
    comments: z.string().nullish(),
    description: z.string().nullish(),
    continueOnFailure: z.union([z.boolean(), z.string()]).optional(),
    deploymentState: z.string().optional(),
  }),
});

/** Start of a procedure (api.md §4.8); `definition` is JSON text. */
export const procedureBody = z.looseObject({
  cms_procedure: z.looseObject({
    procedureCiId: z.union([z.string(), z.number()]).optional(),
    procedureName: z.string().optional(),
    ciId: z.union([z.string(), z.number()]).optional(),
    procedureState: z.string().optional(),
    arglist: z.string().nullish(),
    definition: z.string().nullish(),
    forceExecution: z.boolean().optional(),
  }),
});

/** State asked of one instance (api.md §4.8). */
export const instanceStateBody = z.looseObject({ state: z.string() });

/** State asked of several instances at once (wire-facts §4.8). */
export const instancesStateBody = z.looseObject({ ids: z.array(z.union([z.string(), z.number()])), state: z.string() });
