// Services of a cloud with their offerings, and the templates they are made from (service-facts §2.6,
// §4.2).
import type * as z from 'zod';
import { type cloudServiceBody, defaultAttributes, registeredClass, routes, type SentRecord } from '../../api/contract';
import { committedRecord, deletedAnswer, templateAnswer } from '../runtime/answers';
import { knownClass, newValues, type SentAttributes } from '../runtime/attributes';
import { collection, type Collection, collectionTemplate, updateSent } from '../runtime/collection';
import { type Context, handlersOf, type HandlerTable, malformed, notFound, refused } from '../runtime/handler';
import { locate, locateCloud } from '../runtime/locate';
import type { ServiceTemplate } from '../catalogue';
import { follow, type Store, type StoredRecord, type Values, type WriteStamp } from '../store';
import { type CloudPlace, servicesNamespace } from './clouds';

const serviceClass = (template: ServiceTemplate): string => registeredClass('cloud.service', template.class);

/** Where the offerings of a service are, and of a template those that it brings. */
const offeringsNamespace = ({ namespace, className, name }: StoredRecord): string =>
  `${namespace}/${className}/${name}`;

/** A service, its template or an offering, with its service type. */
export interface Typed {
  readonly type: string;
  readonly record: StoredRecord;
}

export const servicesOfCloud = (store: Store, cloud: StoredRecord): Typed[] =>
  follow(store, cloud.id, 'base.Provides').map(({ record, relation }) => ({
    record,
    type: relation.values['service'] ?? '',
  }));

/** Templates of services, by their records below `/public`. */
export const publicServices = (context: Pick<Context, 'store' | 'catalogue'>): Typed[] =>
  context.catalogue
    .locationServices()
    .map((template) => ({ type: template.type, record: templateRecord(context, template) }));

export function groupedByType(context: Context, all: readonly Typed[]): { readonly [type: string]: object[] } {
  const groups: { [type: string]: object[] } = {};
  for (const { type, record } of all) (groups[type] ??= []).push(committedRecord(context, record));
  return groups;
}

interface WantedService {
  readonly template: ServiceTemplate;
  readonly attributes: SentAttributes;
  readonly comments?: string | null | undefined;
}

/** Adds a service with the offerings of its template. Throws a RefusedRequest (422). */
export function addService(
  { store, catalogue }: Pick<CloudPlace, 'store' | 'catalogue'>,
  cloud: StoredRecord,
  { template, attributes, comments }: WantedService,
  author: WriteStamp,
): StoredRecord {
  const provided = store.relations.from(cloud.id, 'base.Provides');
  const taken = provided.find(({ values }) => values['service'] === template.type);
  const name = taken && store.records.byId(taken.toId)?.name;
  if (name !== undefined) throw refused(`cloud ${cloud.name} has a service of type ${template.type} already: ${name}`);
  const made = (className: string, sent: SentAttributes): Values =>
    newValues(knownClass(catalogue, className), className, sent);
  const className = serviceClass(template);
  const values = made(className, { ...template.attributes, ...attributes });
  const location = catalogue.locations().find((known) => known.name === template.location);
  const service = store.insertTied(
    { namespace: servicesNamespace(cloud), className, name: template.name, values, comments: comments ?? null },
    {
      name: 'base.Provides',
      from: cloud.id,
      values: { service: template.type, template_ns: location?.path ?? '' },
    },
    author,
  );
  const offering = { namespace: offeringsNamespace(service), className: 'cloud.Offering' };
  for (const each of template.offerings)
    store.insertTied(
      { ...offering, name: each.name, values: made(offering.className, each.attributes) },
      { name: 'base.Offers', from: service.id },
      author,
    );
  return service;
}

/** The record below `/public` that stands for a template: its ciId is `mgmtCiId`. */
function templateRecord(context: Pick<Context, 'store' | 'catalogue'>, template: ServiceTemplate): StoredRecord {
  const location = context.catalogue.locations().find((known) => known.name === template.location);
  const className = registeredClass('mgmt.cloud.service', template.class);
  const record = context.store.records.byName(location?.path ?? '', className, template.name, 'committed');
  if (record === undefined) throw new Error(`service template ${template.location}/${template.name} was not seeded`);
  return record;
}

/** A template by ciId, or by name: those of the cloud's own location come first. */
function findTemplate(context: Context, cloud: StoredRecord, identifier: string): ServiceTemplate | undefined {
  const templates = context.catalogue.locationServices();
  if (/^\d+$/.test(identifier))
    return templates.find((template) => templateRecord(context, template).id === Number(identifier));
  const named = templates.filter((template) => template.name === identifier);
  return named.find((template) => cloud.values['location']?.endsWith(`/${template.location}`) === true) ?? named[0];
}

const isService = (className: string): boolean => className.startsWith('cloud.service.');

type ServiceContext = Context<{ readonly cloud: string; readonly service: string }>;

/** The service of a cloud that a path names. Throws a RefusedRequest (404). */
function serviceIn(context: ServiceContext): StoredRecord {
  const namespace = servicesNamespace(locateCloud(context, context.address.cloud));
  return locate(context, context.address.service, { noun: 'service', namespace, className: isService });
}

function servicesIn({ store, ...context }: Context<{ readonly cloud: string }>): readonly StoredRecord[] {
  const namespace = servicesNamespace(locateCloud({ ...context, store }, context.address.cloud));
  return store.records.list({ namespace }, 'committed').filter(({ className }) => isService(className));
}

/** The template a service was made from; undefined when the catalogue lost it. */
function templateOfService(context: Context, service: StoredRecord): ServiceTemplate | undefined {
  const [provided] = context.store.relations.to(service.id, 'base.Provides', 'committed');
  const path = provided?.values['template_ns'];
  return context.catalogue
    .locationServices()
    .find((template) => template.name === service.name && templateRecord(context, template).namespace === path);
}

/** A service beside its template: the template's record, and other values, without secrets. */
function differenceOf(
  context: Context,
  service: StoredRecord,
): { readonly diffCi: object | null; readonly diffAttributes: Values } {
  const template = templateOfService(context, service);
  if (template === undefined) return { diffCi: null, diffAttributes: {} };
  const record = templateRecord(context, template);
  const { attributes } = knownClass(context.catalogue, service.className);
  const differing = Object.entries(record.values).filter(
    ([name, value]) => attributes[name]?.encrypted === false && service.values[name] !== value,
  );
  return { diffCi: committedRecord(context, record), diffAttributes: Object.fromEntries(differing) };
}

type Body = z.output<typeof cloudServiceBody>;

/** The record in a body, wrapped or bare (dialect row 5). Throws a RefusedRequest (400). */
function sentService(context: Context, body: Body): SentRecord {
  if (body.cms_ci !== undefined) return body.cms_ci;
  if (context.rules.serviceBodyWrapped) throw malformed('cms_ci: required');
  return body;
}

/** The template of a new service: `mgmtCiId` beside the wrapper, else the record's name. */
function wantedTemplate(context: Context, cloud: StoredRecord, body: Body, sent: SentRecord): ServiceTemplate {
  const number = body.mgmtCiId === undefined || body.mgmtCiId === null ? undefined : String(body.mgmtCiId);
  const identifier = number ?? (context.rules.serviceBodyWrapped ? undefined : sent.ciName);
  const template = identifier === undefined ? undefined : findTemplate(context, cloud, identifier);
  if (template === undefined)
    throw malformed(`no service template is called ${JSON.stringify(identifier ?? '')}: see services/available`);
  return template;
}

function offeringsOf(context: ServiceContext): Collection {
  const service = serviceIn(context);
  return {
    noun: 'offering',
    namespace: offeringsNamespace(service),
    className: 'cloud.Offering',
    tie: { name: 'base.Offers', from: service.id },
  };
}

/** Records below `/public` of the offerings that the service's template brings. */
function templateOfferings(context: ServiceContext): StoredRecord[] {
  const template = templateOfService(context, serviceIn(context));
  return template === undefined ? [] : offeringsOfTemplate(context, templateRecord(context, template));
}

/** Records below `/public` of the offerings of a template, by its record. */
export const offeringsOfTemplate = ({ store }: Pick<Context, 'store'>, template: StoredRecord): StoredRecord[] =>
  store.records.list({ namespace: offeringsNamespace(template) }, 'committed');

const offerings = collection(offeringsOf);

const offeringHandlers: HandlerTable = handlersOf(routes.cloudOfferings, {
  ...offerings,
  available: (context) => templateOfferings(context).map((offering) => committedRecord(context, offering)),
  template: (context) => {
    const number = context.query['mgmtOfferingCiId'];
    if (number === undefined) return offerings.template(context);
    const offering = templateOfferings(context).find(({ id }) => String(id) === number);
    if (offering === undefined) throw notFound();
    const given = Object.entries(offering.values).map(([name, value]) => [name, value ?? ''] as const);
    const like = { proposedName: offering.name, given: Object.fromEntries(given) };
    return collectionTemplate(context, { ...offeringsOf(context), ...like });
  },
});

const serviceHandlers: HandlerTable = handlersOf(routes.cloudServices, {
  available: (context) => {
    locateCloud(context, context.address.cloud);
    return groupedByType(context, publicServices(context));
  },
  list: (context) => servicesIn(context).map((service) => committedRecord(context, service)),
  read: (context) => committedRecord(context, serviceIn(context)),
  template: (context) => {
    const cloud = locateCloud(context, context.address.cloud);
    // In the path, or, where the path has no place for it, in the query (dialect row 4).
    const identifier = context.address.service ?? context.query['mgmtCiId'];
    const template = identifier === undefined ? undefined : findTemplate(context, cloud, identifier);
    if (template === undefined) throw notFound();
    const className = serviceClass(template);
    const values = defaultAttributes(knownClass(context.catalogue, className), template.attributes);
    return templateAnswer(
      context,
      { name: template.name, className, namespace: servicesNamespace(cloud), values },
      'committed',
    );
  },
  create: (context) => {
    const cloud = locateCloud(context, context.address.cloud);
    const sent = sentService(context, context.body);
    const template = wantedTemplate(context, cloud, context.body, sent);
    const { ciAttributes: attributes = {}, comments } = sent;
    return committedRecord(context, addService(context, cloud, { template, attributes, comments }, context));
  },
  update: (context) => {
    const service = serviceIn(context);
    const { ciAttributes, comments } = sentService(context, context.body);
    return committedRecord(context, updateSent(context, service, { ciAttributes, comments }));
  },
  diff: (context) => {
    const changesOnly = context.query['changes_only'] === 'true';
    return servicesIn(context)
      .map((service) => ({ ...committedRecord(context, service), ...differenceOf(context, service) }))
      .filter(({ diffAttributes }) => !changesOnly || Object.keys(diffAttributes).length > 0);
  },
  delete: (context) => {
    const service = serviceIn(context);
    context.store.removeNamespace(offeringsNamespace(service));
    context.store.records.remove(service.id);
    return deletedAnswer(context.rules, committedRecord(context, service));
  },
});

export const cloudServiceHandlers: HandlerTable = { ...serviceHandlers, ...offeringHandlers };
