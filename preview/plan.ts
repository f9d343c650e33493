// What a preview says, as plain data: for `preview-comment --json` and for its Markdown.
import type { ServiceIdentity } from '../provider/session/settings';
import type { Severity, Shown, WaitingRelease } from '../drift';
import type { ForeseenRecord } from '../provider/deploy';

/** What the engine will do with a resource. */
export type PlannedOperation = 'create' | 'update' | 'replace' | 'delete' | 'import';

/** One argument that will change; of a resource that is made or goes, each argument it has. */
export interface PlannedAttribute {
  /** As the engine spells it: `attributes.size`, `clouds.west.pctScale`. */
  readonly path: string;
  readonly before: Shown;
  readonly after: Shown;
  /** Whether this is why the resource is replaced. */
  readonly replaces: boolean;
}

/** One resource that will be made, changed, replaced or deleted. */
export interface ResourceChange {
  readonly operation: PlannedOperation;
  /** Kind's token, `Component`; of another provider's resource, its type. */
  readonly kind: string;
  /** Id, `acme/shop/web/compute`; the logical name where the id is not known yet. */
  readonly address: string;
  readonly logicalName: string;
  /** Place in the program as the engine has it: `oneops.yaml:17:7`. */
  readonly at?: string;
  readonly attributes: readonly PlannedAttribute[];
}

/** Why an environment deploys without any change of the file: of an interrupted run, for example. */
export const LEFT = 'what is not deployed yet';

/** What happens to one environment. */
export interface PlannedDeployment {
  /** Id: `acme/shop/prod`. */
  readonly environment: string;
  /**
   * `deploys`: something it runs changes. `first`: for the first time. `tears-down`: everything it
   * runs goes. `lets-go`: it leaves the stack and what runs stays. `pulls`: it gets the new design
   * and nothing deploys it, since no deployment of it is declared.
   */
  readonly does: 'deploys' | 'first' | 'tears-down' | 'lets-go' | 'pulls';
  /** `~web/compute +web/motd -web/cron`: design records, then the environment's own. */
  readonly because: readonly string[];
  /** Whether the run pulls the design into it, or may have to. */
  readonly pulls?: boolean;
}

/** Something to look at before this is merged. */
export interface PlannedRisk {
  readonly severity: Severity;
  /** Id of the record it is about. */
  readonly address: string;
  /** One sentence. */
  readonly message: string;
}

export interface TouchedInstances {
  readonly environment: string;
  readonly effect: 'change' | 'go';
  /** Names by what they are instances of: `web/compute`. */
  readonly instances: { readonly [component: string]: readonly string[] };
}

/** What the service says about a plan: read by GETs. */
export interface LiveFacts {
  readonly touched: readonly TouchedInstances[];
  /** Committed releases, newest first, that the state does not know and that come along. */
  readonly waiting: readonly WaitingRelease[];
  /** Sums over running machines, by their clouds' offerings; those recreated are in no sum. */
  readonly costs: readonly {
    readonly unit: string;
    readonly before: number;
    readonly after: number;
    readonly machines: number;
  }[];
  /** Machines that no offering of their cloud fits, before or after. */
  readonly withoutOffering: number;
  /** Ids of environments that get more instances than run: their costs are in no sum. */
  readonly unpriced: readonly string[];
  /** Units of all offerings; left out where no machine is touched, and they were not read. */
  readonly units?: readonly string[];
  /** What could not be read, one line each. */
  readonly unread: readonly string[];
  /** Whether the service refused the token. */
  readonly authentication: boolean;
}

/** A complete preview. Members are added, never renamed or removed, within one `version`. */
export interface Plan {
  readonly version: 1;
  /** Name of the stack; '' when neither the document nor an option names it. */
  readonly stack: string;
  readonly project: string;
  readonly organization: string;
  /** Whether the preview came to its end. */
  readonly failed: boolean;
  /** What the engine said, without its colours; errors first. */
  readonly diagnostics: readonly {
    readonly severity: 'error' | 'warning';
    readonly subject?: string;
    readonly message: string;
  }[];
  /** Number of resources by operation, as the engine counts: `{ same: 10, update: 7 }`. */
  readonly counts: { readonly [operation: string]: number };
  /** Releases and deployments that change; `commits` and `deployments` say their effects. */
  readonly actions: readonly Omit<ResourceChange, 'attributes'>[];
  /** In the engine's order, without releases and deployments: see `commits` and `deployments`. */
  readonly changes: readonly ResourceChange[];
  /** What design releases will commit, by assembly: `~web/compute +web/motd -web/cron`. */
  readonly commits: { readonly [assembly: string]: readonly string[] };
  readonly deployments: readonly PlannedDeployment[];
  /** Records of the run and of the state, for what they decide; no report shows them. */
  readonly records?: readonly ForeseenRecord[];
  /** Number of unchanged records, which the preview does not list in `records`. Default 0. */
  readonly unlisted?: number;
  /** Most severe first. */
  readonly risks: readonly PlannedRisk[];
  readonly live?: LiveFacts;
  /** Digest of the saved plan that does this (`plan digest`). */
  readonly digest?: string;
  /** The service that the digest binds, as far as settings name it. */
  readonly service?: ServiceIdentity;
}
