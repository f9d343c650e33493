// The two dialects of the service, and every difference as data (service-facts §13, flows §2).
import { mapValues } from './maps';
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

/** What each dialect does: a switch for each difference that a program can see, documented first. */
const SWITCHES = {
  /** Row 1: DELETE answers the deleted record; else an empty body. */
  deleteAnswersRecord: [false, true],
  /** Row 5: body of a new cloud service is `{cms_ci, mgmtCiId}`; else the template itself. */
  serviceBodyWrapped: [false, true],
  /** Row 7: wire name of an attachment's events. */
  attachmentEvents: ['runs_on', 'run_on'],
  /** Row 7: `path`, the events and `priority` must not be blank. */
  attachmentFieldsRequired: [false, true],
  /** Row 8: an assembly needs an owner. */
  assemblyOwnerRequired: [false, true],
  /** Row 9: `releases/latest` is the newest manifest release; else the same as `releases/bom`. */
  latestIsManifest: [false, true],
  /** Row 10: `releases/bom` answers an open release or 404; else the newest in any state. */
  bomOnlyOpen: [false, true],
  /** Row 13: PUT of an instance's state answers 422 for success and 200 for failure. */
  instanceStateInverted: [false, true],
  /** Row 14: instance lists are empty without `instances_state`. */
  instancesNeedState: [false, true],
  /** Row 15: discard ignores the id in the path and discards the open bom release. */
  discardIgnoresId: [false, true],
  /** Row 16: a cloud's priority must be text (numbers are ignored), names serve as keys too. */
  cloudPriorityTextOnly: [false, true],
  /** Row 18: `major_version` of a new platform is always 1. */
  majorVersionForced: [false, true],
  /** Row 19: design writes wait in an open release; else each write is closed immediately. */
  designStaged: [false, true],
  /** Row 22: GET of a deployment by id answers its changes; else the deployment. */
  deploymentByIdIsChanges: [false, true],
  /** Row 23: status of a missing right. */
  forbiddenStatus: [403, 401],
  /** Row 24: `comments` of a design record are stored alone; else only with an attribute. */
  designCommentsStored: [true, false],
  /** Whether values are compared with the documentation (service-facts §2.2–§2.4). */
  valuesChecked: [true, false],
  /** Whether a GET of some routes writes (service-facts §4.7.5). Else those routes take PUT. */
  writesByGet: [false, true],
  /** Words of `platform_availability` are checked; else the pull fails (service-facts §4.7.1). */
  availabilityChecked: [true, false],
  /** The profile shows the user's rights; else the row of the user (service-facts §4.1). */
  profileShowsRights: [true, false],
  /** Row 25: JSON only when `Accept` is exactly `application/json` or the path ends in `.json`. */
  acceptExact: [false, true],
} as const;

type Switches = { readonly [S in keyof typeof SWITCHES]: (typeof SWITCHES)[S][number] };

/** What a dialect does, one member for each difference that a program can see. */
export interface DialectRules extends Switches {
  /** Rows 2–6: routes whose path differs from the contract's, by route name. */
  readonly paths: { readonly [route: string]: string };
  /** Statuses of cases outside of the 25 rows (service-facts §5.2, §7.1). */
  readonly statuses: Statuses;
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

const switchesOf = (dialect: Dialect): Switches =>
  mapValues(SWITCHES, (values) => values[DIALECTS.indexOf(dialect)]) as Switches;

export const dialectRules: { readonly [D in Dialect]: DialectRules } = {
  documented: {
    ...switchesOf('documented'),
    paths: {},
    statuses: { reads: {}, writes: {}, unknownOrganization: 404 },
  },
  classic: {
    ...switchesOf('classic'),
    paths: CLASSIC_PATHS,
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
