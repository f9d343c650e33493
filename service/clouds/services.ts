// Services of a cloud and the templates they are made from (wire-facts §4.2).
// It must not know what a service is used for.
import { committedBody, registeredClass, routes, type SentRecord } from '../../api/contract';
import { committedRecord, deletedAnswer, templateAnswer } from '../answers';
import { knownClass, newValues, patchValues, relaxed } from '../attributes';
import type { ServiceTemplate } from '../catalogue';
import { type Context, type HandlerTable, handlersOf, malformed, notFound } from '../handler';
import { locate, locateCloud } from '../locate';
import type { StoredRecord } from '../store';
import { addService, servicesNamespace } from './write';

const serviceClass = (template: ServiceTemplate): string => registeredClass('cloud.service', template.class);

/** The record below `/public` that stands for a template: its ciId is `mgmtCiId`. */
export function templateRecord(context: Pick<Context, 'store' | 'catalogue'>, template: ServiceTemplate): StoredRecord {
  const location = context.catalogue.locations().find((known) => known.name === template.location);
  const className = registeredClass('mgmt.cloud.service', template.class);
  const record = context.store.records.byName(location?.path ?? '', className, template.name, 'committed');
  if (record === undefined) throw new Error(`service template ${template.location}/${template.name} was not seeded`);
  return record;
}

/** A template by ciId of its record, or by name, where those of the cloud's own location come first. */
function findTemplate(context: Context, cloud: StoredRecord, identifier: string): ServiceTemplate | undefined {
  const templates = context.catalogue.locationServices();
  if (/^\d+$/.test(identifier))
    return templates.find((template) => templateRecord(context, template).id === Number(identifier));
  const named = templates.filter((template) => template.name === identifier);
  return named.find((template) => cloud.values['location']?.endsWith(`/${template.location}`) === true) ?? named[0];
}

function locateService(context: Context, cloud: StoredRecord, identifier: string): StoredRecord {
  return locate(context, identifier, {
    noun: 'service',
    namespace: servicesNamespace(cloud),
    className: (className) => className.startsWith('cloud.service.'),
  });
}

/** The record in a body: in its wrapper, or, where the dialect posts the record itself, bare (dialect row 5). Throws a Refusal (400). */
function sentService(context: Context, body: object): SentRecord {
  const wrapped = context.voice.serviceBodyWrapped || 'cms_ci' in body;
  const result = committedBody.safeParse(wrapped ? body : { cms_ci: body });
  if (!result.success)
    throw malformed(...result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  return result.data.cms_ci;
}

/** The template a new service is made from: `mgmtCiId` beside the wrapper, else the posted record's name. */
function wantedTemplate(context: Context, cloud: StoredRecord, body: object, sent: SentRecord): ServiceTemplate {
  const number = 'mgmtCiId' in body ? String(body.mgmtCiId) : undefined;
  const identifier = number ?? (context.voice.serviceBodyWrapped ? undefined : sent.ciName);
  const template = identifier === undefined ? undefined : findTemplate(context, cloud, identifier);
  if (template === undefined)
    throw malformed(`no service template is called ${JSON.stringify(identifier ?? '')}: see services/available`);
  return template;
}

/** Handlers of cloud services. */
export const cloudServiceHandlers: HandlerTable = handlersOf(routes.cloudServices, {
  available: (context) => {
    locateCloud(context, context.address.cloud);
    const byType: { [type: string]: object[] } = {};
    for (const template of context.catalogue.locationServices()) {
      (byType[template.type] ??= []).push(committedRecord(context, templateRecord(context, template)));
    }
    return byType;
  },
  list: (context) => {
    const cloud = locateCloud(context, context.address.cloud);
    return context.store.records
      .list({ namespace: servicesNamespace(cloud) }, 'committed')
      .filter((record) => record.className.startsWith('cloud.service.'))
      .map((service) => committedRecord(context, service));
  },
  read: (context) => {
    const cloud = locateCloud(context, context.address.cloud);
    return committedRecord(context, locateService(context, cloud, context.address.service));
  },
  template: (context) => {
    const cloud = locateCloud(context, context.address.cloud);
    // In the path, or, where the path has no place for it, in the query (dialect row 4).
    const identifier = (context.address as { readonly service?: string }).service ?? context.query['mgmtCiId'];
    const template = identifier === undefined ? undefined : findTemplate(context, cloud, identifier);
    if (template === undefined) throw notFound();
    const className = serviceClass(template);
    const metadata = knownClass(context.catalogue, className);
    const values = newValues(relaxed(metadata, Object.keys(metadata.attributes)), className, template.attributes);
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
    const wanted = { attributes: sent.ciAttributes ?? {}, comments: sent.comments ?? null };
    return committedRecord(context, addService(context, cloud, template, wanted, context));
  },
  update: (context) => {
    const cloud = locateCloud(context, context.address.cloud);
    const service = locateService(context, cloud, context.address.service);
    const { ciAttributes, comments } = sentService(context, context.body);
    const metadata = knownClass(context.catalogue, service.className);
    const values = patchValues(metadata, service.className, service.values, ciAttributes ?? {});
    const updated = context.store.records.update(
      service.id,
      { values, ...(comments === undefined ? {} : { comments }) },
      context,
    );
    return committedRecord(context, updated);
  },
  delete: (context) => {
    const cloud = locateCloud(context, context.address.cloud);
    const service = locateService(context, cloud, context.address.service);
    context.store.removeNamespace(`${service.namespace}/${service.className}/${service.name}`);
    context.store.records.remove(service.id);
    return deletedAnswer(context.voice, committedRecord(context, service));
  },
});
