// Offerings and services, public and of an organization, grouped by service type; and class
// metadata (service-facts §4.3, §4.9).
import { type AttributeMetadata, type ClassMetadata, relationMetadata, routes } from '../../api/contract';
import { wireName } from '../runtime/answers';
import { type Context, handlersOf, type HandlerTable, RefusedRequest } from '../runtime/handler';
import { cloudsIn, cloudsNamespace } from '../runtime/locate';
import { follow, type StoredRecord } from '../store';
import { groupedByType, offeringsOfTemplate, publicServices, servicesOfCloud, type Typed } from './services';

/** The namespace in a query. Throws a RefusedRequest outside of `root` (service-facts §4.3). */
function namespaceAsked(context: Context, root: string): string {
  const asked = context.query['ns_path'];
  if (asked === undefined || asked === '') return root;
  const path = asked.replace(/(?<!\/)\/+$/, '');
  const owner = root.split('/').slice(0, 2).join('/');
  if (path !== owner && !path.startsWith(`${owner}/`))
    throw new RefusedRequest(context.rules.forbiddenStatus, [`${asked} is not below ${owner}`]);
  return path;
}

const isWithin = (path: string, record: StoredRecord): boolean =>
  record.namespace === path || record.namespace.startsWith(`${path}/`);

function publicOfferings(context: Context): Typed[] {
  return publicServices(context).flatMap(({ type, record }) =>
    offeringsOfTemplate(context, record).map((offering) => ({ type, record: offering })),
  );
}

function organizationServices(context: Context): Typed[] {
  return context.store.records
    .list(cloudsIn(context.organization), 'committed')
    .flatMap((cloud) => servicesOfCloud(context.store, cloud));
}

function organizationOfferings(context: Context): Typed[] {
  return organizationServices(context).flatMap(({ type, record }) =>
    follow(context.store, record.id, 'base.Offers').map((offered) => ({ type, record: offered.record })),
  );
}

/** One attribute as class metadata shows it (service-facts §4.9). */
const shownAttribute = (name: string, attribute: AttributeMetadata): object => ({
  attributeName: name,
  dataType: attribute.dataType === 'text' ? 'string' : attribute.dataType,
  isMandatory: attribute.required,
  isEncrypted: attribute.encrypted,
  isImmutable: !attribute.editable,
  defaultValue: attribute.default,
  valueFormat: attribute.pattern === undefined ? null : JSON.stringify({ pattern: attribute.pattern }),
  description: attribute.description,
});

/** Metadata of a class or relation, with attributes by wire name; null for an unknown one. */
function shownMetadata(
  named: { readonly className: string } | { readonly relationName: string },
  metadata: ClassMetadata | undefined,
  nameOf: (attribute: string) => string,
): object | null {
  if (metadata === undefined) return null;
  return {
    ...named,
    description: metadata.description,
    mdAttributes: Object.entries(metadata.attributes).map(([name, rule]) => shownAttribute(nameOf(name), rule)),
    actions: metadata.actions.map((action) => ({ actionName: action, description: action })),
  };
}

const shownWithin = (context: Context, root: string, all: readonly Typed[]): object => {
  const path = namespaceAsked(context, root);
  return groupedByType(
    context,
    all.filter(({ record }) => isWithin(path, record)),
  );
};

export const offeringHandlers: HandlerTable = handlersOf(routes.catalogue, {
  publicOfferings: (context) => shownWithin(context, '/public', publicOfferings(context)),
  publicServices: (context) => shownWithin(context, '/public', publicServices(context)),
  offerings: (context) => shownWithin(context, cloudsNamespace(context.organization), organizationOfferings(context)),
  services: (context) => shownWithin(context, cloudsNamespace(context.organization), organizationServices(context)),
  metadata: (context) => {
    const { class_name: className, relation_name: relationName } = context.query;
    if (relationName !== undefined)
      return shownMetadata({ relationName }, relationMetadata(relationName), (name) => name);
    if (className === undefined) return null;
    const metadata = context.catalogue.classMetadata(className);
    return shownMetadata({ className }, metadata, (name) => wireName(context.rules, className, name));
  },
});
