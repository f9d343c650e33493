// How clouds and their services are made, by request and by the seed (service-facts §4.2).
import { registeredClass } from '../../api/contract';
import { knownClass, newValues, type SentAttributes } from '../runtime/attributes';
import { refused } from '../runtime/handler';
import { checkedName, cloudsNamespace } from '../runtime/locate';
import type { Catalogue, Offering, ServiceTemplate } from '../catalogue';
import { follow, type WriteStamp, type Store, type StoredRecord } from '../store';

interface CloudPlace {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly organization: string;
}

interface Wanted {
  readonly attributes: SentAttributes;
  readonly comments?: string | null;
}

/** The location of a cloud: one of the catalogue, or the organization's (service-facts §4.2). */
function checkedLocation(place: CloudPlace, name: string, sent: SentAttributes): string {
  const location = String(sent['location'] ?? '');
  if (location === '') throw refused('Location of the cloud [location] must be present');
  const own = cloudsNamespace(place.organization);
  if (location === own || location.startsWith(`${own}/`)) {
    if (String(sent['auth'] ?? '') === '') throw refused('Authorization key [auth] must be present for a custom cloud');
    return `${own}/${name}`;
  }
  if (place.catalogue.locations().some((known) => known.path === location)) return location;
  throw refused(`${JSON.stringify(location)} is not a location: see clouds/locations`);
}

/** Makes a cloud. Throws a RefusedRequest (422): name, duplicate, location, attributes. */
export function addCloud(
  place: CloudPlace,
  wanted: Wanted & { readonly name: string | undefined },
  author: WriteStamp,
): StoredRecord {
  const { store, catalogue, organization } = place;
  const name = checkedName('cloud', wanted.name);
  const namespace = cloudsNamespace(organization);
  if (store.records.exists({ namespace, className: 'account.Cloud', nameInAnyCase: name })) {
    throw refused(`a cloud named ${name} exists already (400)`);
  }
  const attributes = { ...wanted.attributes, location: checkedLocation(place, name, wanted.attributes) };
  const values = newValues(knownClass(catalogue, 'account.Cloud'), 'account.Cloud', attributes);
  return store.records.insert(
    { namespace, className: 'account.Cloud', name, values, comments: wanted.comments ?? null },
    author,
  );
}

export function servicesOfCloud(
  store: Store,
  cloud: StoredRecord,
): { readonly record: StoredRecord; readonly type: string }[] {
  return follow(store, cloud.id, 'base.Provides').map(({ record, relation }) => ({
    record,
    type: relation.values['service'] ?? '',
  }));
}

export const servicesNamespace = (cloud: StoredRecord): string => `${cloud.namespace}/${cloud.name}`;

/** Adds a service with the offerings of its template. Throws a RefusedRequest (422). */
export function addService(
  place: CloudPlace,
  cloud: StoredRecord,
  { template, ...wanted }: Wanted & { readonly template: ServiceTemplate },
  author: WriteStamp,
): StoredRecord {
  const { store, catalogue } = place;
  const taken = servicesOfCloud(store, cloud).find((service) => service.type === template.type);
  if (taken !== undefined)
    throw refused(`cloud ${cloud.name} has a service of type ${template.type} already: ${taken.record.name}`);
  const className = registeredClass('cloud.service', template.class);
  const values = newValues(knownClass(catalogue, className), className, {
    ...template.attributes,
    ...wanted.attributes,
  });
  const namespace = servicesNamespace(cloud);
  const location = catalogue.locations().find((known) => known.name === template.location);
  const provided = { service: template.type, template_ns: location?.path ?? '' };
  const service = store.insertTied(
    { namespace, className, name: template.name, values, comments: wanted.comments ?? null },
    { name: 'base.Provides', from: cloud.id, values: provided },
    author,
  );
  for (const offering of template.offerings) addOffering(place, service, offering, author);
  return service;
}

/** Copies an offering of a template into a service (service-facts §4.2). */
function addOffering(place: CloudPlace, service: StoredRecord, offering: Offering, author: WriteStamp): void {
  const { store, catalogue } = place;
  const namespace = `${service.namespace}/${service.className}/${service.name}`;
  const values = newValues(knownClass(catalogue, 'cloud.Offering'), 'cloud.Offering', offering.attributes);
  const record = { namespace, className: 'cloud.Offering', name: offering.name, values };
  store.insertTied(record, { name: 'base.Offers', from: service.id }, author);
}
