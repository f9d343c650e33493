// Offerings of one cloud service, and those its template has (service-facts §2.6, §4.2).
import { routes } from '../../api/contract';
import { committedRecord } from '../answers';
import {
  collectionTemplate,
  createIn,
  deleteFrom,
  listCollection,
  locateIn,
  updateIn,
  type RecordCollection,
} from '../collection';
import { type Context, type HandlerTable, handlersOf, notFound } from '../handler';
import { locateCloud } from '../locate';
import type { StoredRecord } from '../store';
import { locateService, templateOfService, templateRecord } from './services';

type Place = Context<{ readonly cloud: string; readonly service: string }>;

const serviceIn = (context: Place): StoredRecord =>
  locateService(context, locateCloud(context, context.address.cloud), context.address.service);

function offeringsOf(context: Place): RecordCollection {
  const service = serviceIn(context);
  return {
    noun: 'offering',
    namespace: `${service.namespace}/${service.className}/${service.name}`,
    className: 'cloud.Offering',
    tie: { name: 'base.Offers', from: service.id },
  };
}

/** Records below `/public` of the offerings that the service's template brings. */
function templateOfferings(context: Place): StoredRecord[] {
  const template = templateOfService(context, serviceIn(context));
  if (template === undefined) return [];
  const record = templateRecord(context, template);
  return context.store.records.list(
    { namespace: `${record.namespace}/${record.className}/${record.name}` },
    'committed',
  );
}

/** Handlers of offerings of a service. */
export const cloudOfferingHandlers: HandlerTable = handlersOf(routes.cloudOfferings, {
  list: (context) => listCollection(context, offeringsOf(context)),
  available: (context) => templateOfferings(context).map((offering) => committedRecord(context, offering)),
  template: (context) => {
    const number = context.query['mgmtOfferingCiId'];
    if (number === undefined) return collectionTemplate(context, offeringsOf(context));
    const offering = templateOfferings(context).find(({ id }) => String(id) === number);
    if (offering === undefined) throw notFound();
    const template = collectionTemplate(context, offeringsOf(context), offering.values);
    return { ...template, ciName: offering.name };
  },
  read: (context) => committedRecord(context, locateIn(context, offeringsOf(context), context.address.offering)),
  create: (context) => committedRecord(context, createIn(context, offeringsOf(context), context.body.cms_ci)),
  update: (context) =>
    committedRecord(context, updateIn(context, offeringsOf(context), context.address.offering, context.body.cms_ci)),
  delete: (context) => deleteFrom(context, offeringsOf(context), context.address.offering),
});
