// The two voices of the service, and every difference between them as data (wire-facts §13; what `documented` does: flows §2).
// It must not know how a difference is carried out: service and client look their switches up here.

/** `documented` is api.md where it speaks; `classic` is the live service (architecture §2). */
export const DIALECTS = ['documented', 'classic'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Response header in which the embedded service names its dialect. */
export const DIALECT_HEADER = 'oneops-dialect';

/** What a dialect does, one switch for each difference a program can see. */
export interface Voice {
  /** Row 1: DELETE answers the deleted record; else an empty body. */
  readonly deleteAnswersRecord: boolean;
  /** Rows 2–6: routes whose path differs from the contract's, by route name. */
  readonly paths: { readonly [route: string]: string };
  /** Row 2: an environment is created by POST on the collection only. */
  readonly environmentCreatedOnCollection: boolean;
  /** Row 5: body of a new cloud service is `{cms_ci, mgmtCiId}`; else the completed template itself. */
  readonly serviceBodyWrapped: boolean;
  /** Row 7: wire name of an attachment's events. */
  readonly attachmentEvents: 'runs_on' | 'run_on';
  /** Row 7: `path`, the events and `priority` must not be blank. */
  readonly attachmentFieldsRequired: boolean;
  /** Row 8: an assembly needs an owner. */
  readonly assemblyOwnerRequired: boolean;
  /** Row 9: `releases/latest` is the newest manifest release; else the same as `releases/bom`. */
  readonly latestIsManifest: boolean;
  /** Row 10: `releases/bom` answers only an open release, 404 without one; else the newest in any state. */
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
  /** Row 19: design writes wait in an open release for a commit; else each write is closed at once. */
  readonly designStaged: boolean;
  /** Row 22: GET of a deployment by id answers its changes; else the deployment. */
  readonly deploymentByIdIsChanges: boolean;
  /** Row 23: status of a missing right. */
  readonly forbiddenStatus: 401 | 403;
  /** Row 24: `comments` of a design record are stored on their own; else only together with an attribute. */
  readonly designCommentsStored: boolean;
  /** Row 25: JSON only when `Accept` is exactly `application/json` or the path ends in `.json`. */
  readonly acceptExact: boolean;
}

const DESIGN = '/{organization}/assemblies/{assembly}/design/platforms/{platform}';

export const voices: { readonly [D in Dialect]: Voice } = {
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
  },
  classic: {
    deleteAnswersRecord: true,
    paths: {
      'environments.create': '/{organization}/assemblies/{assembly}/transition/environments',
      'components.update': `${DESIGN}/components/{component}`,
      'platformVariables.update': `${DESIGN}/variables/{variable}`,
      'cloudServices.template': '/{organization}/clouds/{cloud}/services/new',
      'catalogue.publicOfferings': '/clouds/offerings',
      'catalogue.publicServices': '/clouds/services',
    },
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
  },
};

/** The path of a route in a dialect. */
export function pathIn(dialect: Dialect, route: { readonly name: string; readonly path: string }): string {
  return voices[dialect].paths[route.name] ?? route.path;
}
