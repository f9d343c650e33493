// What a fresh database is given: the catalogue's organization and clouds, and the public records clouds are made from.
import { defaultAttributes, registeredClass } from '../api/contract';
import { addAdministrators } from './account';
import { newValues } from './attributes';
import type { Catalogue, Offering, ServiceTemplate } from './catalogue';
import { addCloud, addService } from './clouds/write';
import type { WriteStamp, NewRecord, Store, StoredRecord } from './store';

/** Namespace of the locations a source offers. */
const locationsNamespace = (source: string): string => `/public/${source}/clouds`;

function ensure(store: Store, author: WriteStamp, record: NewRecord): StoredRecord {
  return (
    store.records.byName(record.namespace, record.className, record.name, 'committed') ??
    store.records.insert(record, author)
  );
}

function offeringRecord(catalogue: Catalogue, namespace: string, offering: Offering): NewRecord {
  const metadata = catalogue.classMetadata('mgmt.cloud.Offering') ?? catalogue.classMetadata('Offering');
  const values = metadata === undefined ? offering.attributes : defaultAttributes(metadata, offering.attributes);
  return { namespace, className: 'mgmt.cloud.Offering', name: offering.name, values };
}

/**
 * Locations, service templates and offerings of the catalogue as records below `/public`, those missing only: a catalogue that grew since
 * the database was made brings its new ones.
 */
function seedPublic(store: Store, catalogue: Catalogue, author: WriteStamp): void {
  const place = (source: string, template: ServiceTemplate): void => {
    const namespace = `${locationsNamespace(source)}/${template.location}`;
    const className = registeredClass('mgmt.cloud.service', template.class);
    const metadata = catalogue.classMetadata(className);
    const values = metadata === undefined ? template.attributes : defaultAttributes(metadata, template.attributes);
    ensure(store, author, { namespace, className, name: template.name, values });
    for (const offering of template.offerings) {
      ensure(store, author, offeringRecord(catalogue, `${namespace}/${className}/${template.name}`, offering));
    }
  };
  for (const location of catalogue.locations()) {
    const metadata = catalogue.classMetadata('mgmt.Cloud');
    const values = metadata === undefined ? location.attributes : defaultAttributes(metadata, location.attributes);
    ensure(store, author, {
      namespace: locationsNamespace(location.source),
      className: 'mgmt.Cloud',
      name: location.name,
      values,
    });
    for (const template of location.services) place(location.source, template);
  }
}

/** Procedures of packs as records below `/public`: what `procedureCiId` names (service-facts §4.8). */
function seedProcedures(store: Store, catalogue: Catalogue, author: WriteStamp): void {
  const className = 'mgmt.manifest.Procedure';
  for (const pack of catalogue.packs()) {
    const namespace = `/public/${pack.source}/packs/${pack.name}/${pack.version}`;
    for (const { name, description, arguments: given, definition } of pack.procedures)
      ensure(store, author, { namespace, className, name, values: { description, arguments: given, definition } });
  }
}

/** The seed's organization with its clouds and their services. */
function seedOrganization(store: Store, catalogue: Catalogue, author: WriteStamp): void {
  const { organization, clouds } = catalogue.seed();
  const metadata = catalogue.classMetadata('account.Organization');
  if (metadata === undefined) throw new Error('the catalogue has no class account.Organization');
  const values = newValues(metadata, 'account.Organization', organization.attributes);
  store.records.insert({ namespace: '/', className: 'account.Organization', name: organization.name, values }, author);
  for (const cloud of clouds) {
    const attributes = { ...cloud.attributes, location: cloud.location.path };
    const record = addCloud(
      { store, catalogue, organization: organization.name },
      { name: cloud.name, attributes },
      author,
    );
    for (const service of cloud.services) {
      addService(
        { store, catalogue, organization: organization.name },
        record,
        { template: service.template, attributes: service.attributes },
        author,
      );
    }
  }
}

/** Seeds a fresh database, and brings the public records of any database up to the catalogue. Runs inside a transaction. */
export function seed(store: Store, catalogue: Catalogue, now: number): void {
  const author: WriteStamp = { user: 'system', now };
  seedPublic(store, catalogue, author);
  seedProcedures(store, catalogue, author);
  if (!store.records.exists({ namespace: '/', className: 'account.Organization' }))
    seedOrganization(store, catalogue, author);
  for (const { name } of store.records.list({ namespace: '/', className: 'account.Organization' }, 'committed'))
    addAdministrators(store, name, author);
}
