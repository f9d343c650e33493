// Supports of a cloud, who are asked before something is deployed to it; its zones; and the
// offerings of its services (service-facts §2.6, §4.2).
import { routes } from '../../api/contract';
import { committedRecord, committedRecords } from '../runtime/answers';
import { servicesNamespace } from '../clouds/write';
import { collection, type Collection, collectionTemplate } from '../runtime/collection';
import { type Context, handlersOf, type HandlerTable, notFound } from '../runtime/handler';
import { locateCloud } from '../runtime/locate';
import type { StoredRecord } from '../store';
import { serviceIn, templateOfService, templateRecord } from '../clouds/services';

function supportsOf(context: Context<{ readonly cloud: string }>): Collection {
  const cloud = locateCloud(context, context.address.cloud);
  return {
    noun: 'support',
    namespace: servicesNamespace(cloud),
    className: 'cloud.Support',
    tie: { name: 'base.SupportedBy', from: cloud.id },
  };
}

type ServiceAddress = { readonly cloud: string; readonly service: string };
type Place = Context<ServiceAddress>;

function offeringsOf(context: Place): Collection {
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

const offerings = collection(offeringsOf);

export const cloudPartHandlers: HandlerTable = {
  // This service makes no zones, and keeps what exists there.
  ...handlersOf(routes.cloudZones, {
    list: (context) => {
      const namespace = servicesNamespace(locateCloud(context, context.address.cloud));
      return committedRecords(context, { namespace, className: 'cloud.Zone' });
    },
  }),
  ...handlersOf(routes.cloudSupports, collection(supportsOf)),
  ...handlersOf(routes.cloudOfferings, {
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
  }),
};
