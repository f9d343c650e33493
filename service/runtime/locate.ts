// Finds the record that a path or body names: by number anywhere in the organization, by name in
// its place (service-facts §0.3).
import { type Context, notFound, refused, RefusedRequest } from './handler';
import { nameRules, RESERVED_NAMES } from '../../api/contract';
import type { StoredRecord, View } from '../store';

interface Place {
  /** How the message calls it. */
  readonly noun: string;
  /** Namespace a name is looked up in; a number is looked up everywhere. */
  readonly namespace: string;
  /** Exact class, or a test of it. */
  readonly className: string | ((className: string) => boolean);
  readonly view?: View;
}

const inOrganization = (organization: string, record: StoredRecord): boolean =>
  record.namespace === `/${organization}` || record.namespace.startsWith(`/${organization}/`);

type Finder = Pick<Context, 'store' | 'organization' | 'checkSeen'>;

/**
 * The record, or undefined. Digits are a ciId: only the class is compared, not the place. Throws a
 * RefusedRequest for another organization's record, and for one in an assembly that the sender may
 * not see.
 */
export function find(context: Finder, identifier: string, place: Place): StoredRecord | undefined {
  const record = findAny(context, identifier, place);
  if (record !== undefined) context.checkSeen?.(record);
  return record;
}

function findAny(context: Finder, identifier: string, place: Place): StoredRecord | undefined {
  const { className } = place;
  const fits = (record: StoredRecord): boolean =>
    typeof className === 'string' ? record.className === className : className(record.className);
  if (/^\d+$/.test(identifier)) {
    const record = context.store.records.byId(Number(identifier), place.view);
    if (record === undefined || !fits(record)) return undefined;
    if (!inOrganization(context.organization, record))
      throw new RefusedRequest(404, [missing(identifier, place)], 'foreign');
    return record;
  }
  if (typeof className === 'string')
    return context.store.records.byName(place.namespace, className, identifier, place.view);
  return context.store.records.list({ namespace: place.namespace, name: identifier }, place.view).find(fits);
}

function missing(identifier: string, place: Place): string {
  return `${place.noun} ${JSON.stringify(identifier)} could not be located in namespace ${place.namespace}`;
}

/** The record; throws a RefusedRequest (404) that names what was looked for and where. */
export function locate(context: Finder, identifier: string, place: Place): StoredRecord {
  const record = find(context, identifier, place);
  if (record === undefined) throw notFound(missing(identifier, place));
  return record;
}

/** What a number stands for, if it fits. Throws a RefusedRequest (404) with this message. */
export function locateNumber<T>(
  identifier: string,
  read: (id: number) => T | undefined,
  fits: (found: T) => boolean,
  message: string,
): T {
  const found = /^\d+$/.test(identifier) ? read(Number(identifier)) : undefined;
  if (found === undefined || !fits(found)) throw new RefusedRequest(404, [message], 'unknown-number');
  return found;
}

/** Names in a namespace of an environment: `/acme/shop/prod/bom/web/1`. */
export function namesIn(namespace: string): {
  readonly organization: string;
  readonly assembly: string;
  readonly environment: string;
  readonly platform: string;
} {
  const [organization = '', assembly = '', environment = '', , platform = ''] = namespace.split('/').slice(1);
  return { organization, assembly, environment, platform };
}

/** Path by which failures and faults name the platform of a namespace: `/acme/shop/prod/web`. */
export function platformPath(namespace: string): string {
  const { organization, assembly, environment, platform } = namesIn(namespace);
  return `/${organization}/${assembly}/${environment}/${platform}`;
}

export const cloudsNamespace = (organization: string): string => `/${organization}/_clouds`;

export const assembliesIn = (organization: string) =>
  ({ noun: 'assembly', namespace: `/${organization}`, className: 'account.Assembly', view: 'committed' }) as const;

export const cloudsIn = (organization: string) =>
  ({ noun: 'cloud', namespace: cloudsNamespace(organization), className: 'account.Cloud', view: 'committed' }) as const;

export const locateAssembly = (context: Finder, identifier: string): StoredRecord =>
  locate(context, identifier, assembliesIn(context.organization));

export const locateCloud = (context: Finder, identifier: string): StoredRecord =>
  locate(context, identifier, cloudsIn(context.organization));

/** Classes in the same namespace that are no components (service-facts §0.3). */
const NOT_COMPONENTS = ['Platform', 'Attachment', 'Monitor', 'Localvar', 'Globalvar'];

/** Whether a class is that of a component, design or manifest. */
export function isComponentClass(className: string): boolean {
  return (
    /^(catalog|manifest)\./.test(className) &&
    !NOT_COMPONENTS.some((name) => /^[a-z]+\.([^.]+)$/.exec(className)?.[1] === name)
  );
}

/** A component by ciId, or by name and query `class_name`. Throws a RefusedRequest (404). */
export function locateComponent(
  context: Finder & Pick<Context, 'query'>,
  namespace: string,
  identifier: string,
  className = context.query['class_name'],
): StoredRecord {
  const classes = className === undefined || className === '' ? isComponentClass : className;
  return locate(context, identifier, { noun: 'component', namespace, className: classes });
}

/** The name of a new record. Throws a RefusedRequest (422) (service-facts §2.1.6). */
export function checkedName(kind: keyof typeof nameRules, name: string | undefined): string {
  const rule = nameRules[kind];
  if (name === undefined || !rule.pattern.test(name))
    throw refused(`Invalid name: the name of a ${kind} is ${rule.says}`);
  const formsNamespace = ['organization', 'assembly', 'environment', 'platform'].includes(kind);
  if (formsNamespace && RESERVED_NAMES.includes(name)) throw refused(`Invalid name: ${name} is reserved`);
  return name;
}
