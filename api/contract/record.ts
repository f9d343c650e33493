// The shapes that cross the wire: records, relations, rows of the account (service-facts §2).
import { z } from 'zod';

/**
 * Attributes on the wire: always text, or null when the service has none (service-facts §2.1.3). The OpenAPI document has them by this name.
 *
 * @public
 */
export const attributes = z.record(z.string(), z.string().nullable());
export type Attributes = z.output<typeof attributes>;

const text = z.string().nullish();
const count = z.number().int();
const stamps = { created: count.nullish(), createdBy: text, updated: count.nullish(), updatedBy: text };

/** Attribute locks: attribute name → `design` or `manifest` (service-facts §2.1.5). */
const attributeProperties = z.looseObject({ owner: z.record(z.string(), z.string()).optional() });

/**
 * The generic record (service-facts §2.1) in both of its shapes, committed and change-merged (service-facts §2.1.1, §2.1.2): members one shape
 * lacks are optional. Unknown members pass through, since routes add their own keys at the top level.
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

/** A `new` template: an unsaved record, without `ciId` (service-facts §2.1.2). An unknown template has a null class. */
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

/** Design platform on GET: the record and the names it links to (service-facts §2.2.5). */
export const designPlatform = record.extend({ links_to: z.array(z.string()).nullish() });

/** Platform of an environment on GET: links and the clouds it consumes (service-facts §2.2.5, §4.7.5). */
export const environmentPlatformSchema = record.extend({
  links_to: z.array(z.string()).nullish(),
  consumes: z.array(relation).nullish(),
});
export type EnvironmentPlatform = z.output<typeof environmentPlatformSchema>;

/** Component on GET: with the records it depends on and those that depend on it (service-facts §2.2.6). */
export const componentSchema = record.extend({
  dependsOn: z.array(record).nullish(),
  dependents: z.array(record).nullish(),
});
export type Component = z.output<typeof componentSchema>;

/** Attributes of one cloud link: priority, dpmt_order, pct_scale, adminstatus (service-facts §2.1.9 base.Consumes). */
const consumes = z.record(z.string(), z.string().nullable());

/** Environment on GET, create and update: `clouds` is keyed by the cloud's ciId (service-facts §2.4). */
export const environmentSchema = record.extend({ clouds: z.record(z.string(), consumes).nullish() });
export type Environment = z.output<typeof environmentSchema>;

/** One row of the account's organizations (service-facts §2.2.1). */
export const organizationRow = z.looseObject({
  id: count,
  name: z.string(),
  cms_id: count.nullish(),
  full_name: text,
  created_at: text,
  updated_at: text,
});
export type OrganizationRow = z.output<typeof organizationRow>;

/** A user's own row, with the organization in use (service-facts §4.1). */
export const profileRow = z.looseObject({ id: count, username: z.string(), organization: organizationRow.nullish() });

/** A user of an assembly's organization. */
export const userRow = z.looseObject({ id: count, username: z.string() });

/** A team: what its members may do, and where (service-facts §5.3). */
export const teamRow = z.looseObject({
  id: count,
  name: z.string(),
  description: text,
  design: z.boolean(),
  transition: z.boolean(),
  operations: z.boolean(),
  org_scope: z.boolean(),
  manages_access: z.boolean(),
  cloud_services: z.boolean(),
  cloud_compliance: z.boolean(),
  cloud_support: z.boolean(),
  created_at: text,
  updated_at: text,
});
export type TeamRow = z.output<typeof teamRow>;

/** How many components of each template a platform may have and has; 999 means no limit (service-facts §4.5.1). */
export const componentTypes = z.record(z.string(), z.looseObject({ min: count, max: count, current: count }));

/**
 * A record next to what it is compared with: the other record, and its values of the attributes that differ (service-facts §4.5.1, §4.2 diff).
 * `component`: what a monitor or an attachment belongs to.
 */
export const difference = record.extend({
  diffCi: z.looseObject({ ciAttributes: attributes.optional() }).nullish(),
  diffAttributes: attributes.nullish(),
  component: record.nullish(),
});
export type RecordDifference = z.output<typeof difference>;

/** A platform of an environment with the relations that can be scaled (service-facts §4.7.5 edit). */
export const scalablePlatform = record.extend({ depends_on: z.array(relation) });

/** Part of the answer of extract, and all of what load takes: a design as people write it (service-facts §4.5.5). */
export const designDocument = z.looseObject({
  variables: z.record(z.string(), z.unknown()).nullish(),
  platforms: z.record(z.string(), z.unknown()).nullish(),
});

/** What the service stores in place of a secret's text on every read (service-facts §2.1.4). */
export const ENCRYPTED = '--ENCRYPTED--';
