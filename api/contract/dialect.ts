// The two dialects of the service, and every difference as data (service-facts §13, flows §2).
import { parametersOf, type Parameters, type Route } from './route';

/** `documented` follows the published documentation of the API; `classic` is the live service. */
export const DIALECTS = ['documented', 'classic'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Response header in which the embedded service names its dialect. */
export const DIALECT_HEADER = 'oneops-dialect';

/**
 * Cases in which the live service answers another status than by its own rules (service-facts
 * §7.1). `malformed`: a member is missing or of a wrong type. `foreign`: the record of another
 * organization. `unknown-number`: no release, deployment or procedure has this id. `nothing-open`:
 * there is no release to discard.
 */
export type RefusalReason = 'malformed' | 'foreign' | 'unknown-number' | 'nothing-open';

/** Statuses that a dialect gives instead of those of service-facts §0.5. */
interface Statuses {
  /** GET of a reason's case; without an entry, what the rules make it. */
  readonly reads: { readonly [R in RefusalReason]?: number };
  /** The same for every other method. */
  readonly writes: { readonly [R in RefusalReason]?: number };
  /** An unknown organization: a redirect to a 404, or the 404 itself (service-facts §5.2). */
  readonly unknownOrganization: 302 | 404;
}

/** What a dialect does, one switch for each difference a program can see. */
export interface DialectRules {
  /** Row 1: DELETE answers the deleted record; else an empty body. */
  readonly deleteAnswersRecord: boolean;
  /** Rows 2–6: routes whose path differs from the contract's, by route name. */
  readonly paths: { readonly [route: string]: string };
  /** Row 2: an environment is created by POST on the collection only. */
  readonly environmentCreatedOnCollection: boolean;
  /** Row 5: body of a new cloud service is `{cms_ci, mgmtCiId}`; else the template itself. */
  readonly serviceBodyWrapped: boolean;
  /** Row 7: wire name of an attachment's events. */
  readonly attachmentEvents: 'runs_on' | 'run_on';
  /** Row 7: `path`, the events and `priority` must not be blank. */
  readonly attachmentFieldsRequired: boolean;
  /** Row 8: an assembly needs an owner. */
  readonly assemblyOwnerRequired: boolean;
  /** Row 9: `releases/latest` is the newest manifest release; else the same as `releases/bom`. */
  readonly latestIsManifest: boolean;
  /** Row 10: `releases/bom` answers an open release or 404; else the newest in any state. */
  readonly bomOnlyOpen: boolean;
  /** Row 13: PUT of an instance's state answers 422 for success and 200 for failure. */
  readonly instanceStateInverted: boolean;
  /** Row 14: instance lists are empty without `instances_state`. */
  readonly instancesNeedState: boolean;
  /** Row 15: discard ignores the id in the path and discards the open bom release. */
  readonly discardIgnoresId: boolean;
  /** Row 16: a cloud's priority must be text (numbers are ignored), names serve as keys too. */
  readonly cloudPriorityTextOnly: boolean;
  /** Row 18: `major_version` of a new platform is always 1. */
  readonly majorVersionForced: boolean;
  /** Row 19: design writes wait in an open release; else each write is closed immediately. */
  readonly designStaged: boolean;
  /** Row 22: GET of a deployment by id answers its changes; else the deployment. */
  readonly deploymentByIdIsChanges: boolean;
  /** Row 23: status of a missing right. */
  readonly forbiddenStatus: 401 | 403;
  /** Row 24: `comments` of a design record are stored alone; else only with an attribute. */
  readonly designCommentsStored: boolean;
  /** Whether values are compared with the documentation (service-facts §2.2–§2.4). */
  readonly valuesChecked: boolean;
  /** Whether a GET of some routes writes (service-facts §4.7.5). Else those routes take PUT. */
  readonly writesByGet: boolean;
  /** Words of `platform_availability` are checked; else the pull fails (service-facts §4.7.1). */
  readonly availabilityChecked: boolean;
  /** The profile shows the user's rights; else the row of the user (service-facts §4.1). */
  readonly profileShowsRights: boolean;
  /** Statuses of cases outside of the 25 rows (service-facts §5.2, §7.1). */
  readonly statuses: Statuses;
  /** Row 25: JSON only when `Accept` is exactly `application/json` or the path ends in `.json`. */
  readonly acceptExact: boolean;
}

const DESIGN = '/{organization}/assemblies/{assembly}/design/platforms/{platform}';

/** Rows 2–6: paths the live service has instead of the documented ones, by route name. */
const CLASSIC_PATHS = {
  'environments.create': '/{organization}/assemblies/{assembly}/transition/environments',
  'components.update': `${DESIGN}/components/{component}`,
  'platformVariables.update': `${DESIGN}/variables/{variable}`,
  'cloudServices.template': '/{organization}/clouds/{cloud}/services/new',
  'catalogue.publicOfferings': '/clouds/offerings',
  'catalogue.publicServices': '/clouds/services',
} as const;
type ClassicPaths = typeof CLASSIC_PATHS;

/** Parameters of a route's path in either dialect. */
type AnyParameter<P extends string, N extends string> =
  Parameters<P> | (N extends keyof ClassicPaths ? Parameters<ClassicPaths[N]> : never);

/** Parameters a route's path has in both dialects. */
type SharedParameter<P extends string, N extends string> = N extends keyof ClassicPaths
  ? Parameters<P> & Parameters<ClassicPaths[N]>
  : Parameters<P>;

/** Path parameters of a request: those of both dialects exist, the others may be missing. */
export type AddressIn<P extends string = string, N extends string = string> = {
  readonly [K in SharedParameter<P, N>]: string;
} & { readonly [K in Exclude<AnyParameter<P, N>, SharedParameter<P, N>>]?: string | undefined };

export const dialectRules: { readonly [D in Dialect]: DialectRules } = {
  documented: {
    deleteAnswersRecord: false,
    paths: {},
    environmentCreatedOnCollection: false,
    serviceBodyWrapped: false,
    attachmentEvents: 'runs_on',
    attachmentFieldsRequired: false,
    assemblyOwnerRequired: false,
    latestIsManifest: false,
    bomOnlyOpen: false,
    instanceStateInverted: false,
    instancesNeedState: false,
    discardIgnoresId: false,
    cloudPriorityTextOnly: false,
    majorVersionForced: false,
    designStaged: false,
    deploymentByIdIsChanges: false,
    forbiddenStatus: 403,
    designCommentsStored: true,
    acceptExact: false,
    valuesChecked: true,
    writesByGet: false,
    availabilityChecked: true,
    profileShowsRights: true,
    statuses: { reads: {}, writes: {}, unknownOrganization: 404 },
  },
  classic: {
    deleteAnswersRecord: true,
    paths: CLASSIC_PATHS,
    environmentCreatedOnCollection: true,
    serviceBodyWrapped: true,
    attachmentEvents: 'run_on',
    attachmentFieldsRequired: true,
    assemblyOwnerRequired: true,
    latestIsManifest: true,
    bomOnlyOpen: true,
    instanceStateInverted: true,
    instancesNeedState: true,
    discardIgnoresId: true,
    cloudPriorityTextOnly: true,
    majorVersionForced: true,
    designStaged: true,
    deploymentByIdIsChanges: true,
    forbiddenStatus: 401,
    designCommentsStored: false,
    acceptExact: true,
    valuesChecked: false,
    writesByGet: true,
    availabilityChecked: false,
    profileShowsRights: false,
    statuses: {
      reads: { malformed: 500, foreign: 500, 'unknown-number': 500, 'nothing-open': 500 },
      writes: { malformed: 500, foreign: 422, 'unknown-number': 500, 'nothing-open': 500 },
      unknownOrganization: 302,
    },
  },
};

export function pathIn(dialect: Dialect, route: { readonly name: string; readonly path: string }): string {
  return dialectRules[dialect].paths[route.name] ?? route.path;
}

/**
 * Path parameters of the client's method for a route, in order: those of its path, then those that
 * only the live service's path has (row 3). The client knows the organization.
 */
export function methodParameters(route: Route): readonly string[] {
  const names = [...parametersOf(route.path), ...parametersOf(pathIn('classic', route))];
  return [...new Set(names)].filter((name) => name !== 'organization');
}

/**
 * The method of a route in a dialect. A GET of the live service that writes is a PUT in
 * `documented`: a page that follows a link or loads a picture must not change anything.
 */
export function methodIn(rules: DialectRules, { method, repeat }: Pick<Route, 'method' | 'repeat'>): Route['method'] {
  return !rules.writesByGet && method === 'GET' && repeat !== 'read' ? 'PUT' : method;
}

/** Routes that `instanceStateInverted` is about: those that mark one instance. */
export const INSTANCE_STATE_ROUTES: readonly string[] = [
  'operations.setInstanceState',
  'operations.setAssemblyInstanceState',
];

/** Areas of routes that `attachmentEvents` is about: those whose records are attachments. */
const ATTACHMENT_AREAS: readonly string[] = ['attachments', 'environmentAttachments'];

/** Whether a route's records are attachments, or all records of a platform. */
export const carriesAttachments = (routeName: string): boolean =>
  ATTACHMENT_AREAS.includes(routeName.split('.')[0] ?? '') || routeName === 'platforms.diff';
