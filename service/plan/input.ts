// What the planner works on and what it answers: the manifest, what runs, and the changes that lead from one to the other.

/** Attribute values: text, or null where the class has no default. */
export type PlanValues = { readonly [attribute: string]: string | null };

/** Variables of one scope: name → value as text; a secure one contains its stored text. */
export type PlanVariables = { readonly [name: string]: string };

/** A cloud an environment platform consumes: the link's attributes (service-facts §2.1.9 base.Consumes) and what the cloud offers. */
export interface PlanCloud {
  /** ciId of the cloud. */
  readonly id: number;
  readonly name: string;
  /** `1` primary, anything else secondary. */
  readonly priority: string;
  readonly deploymentOrder: number;
  /** Percent of each flex relation's `current`, 100 by default. */
  readonly scale: number;
  /** `active`; `inactive`: left as it is; `offline`: emptied (service-facts §3.9). */
  readonly adminstatus: string;
  /** Service types the cloud provides (`compute`, `dns`). */
  readonly services: readonly string[];
  readonly variables: PlanVariables;
}

/** A component of the manifest. */
export interface PlanComponent {
  /** ciId of the manifest component. */
  readonly id: number;
  readonly name: string;
  /** Manifest values, references to variables unresolved. */
  readonly values: PlanValues;
  /** What belongs to the component without being its attributes: attachments' values. A difference updates its instances. */
  readonly attached: PlanValues;
  /** Service types the component needs of every active cloud; those with a leading `*` are optional (service-facts §12.1). */
  readonly services: readonly string[];
  /** Deleted from the manifest while instances run. */
  readonly pendingDeletion: boolean;
}

/** A manifest.DependsOn relation (service-facts §2.1.9): `from` depends on `to`. */
export interface PlanEdge {
  readonly from: number;
  readonly to: number;
  /** `current` targets for each source, scaled by the cloud's percentage. */
  readonly flex: boolean;
  /** All sources share one target. */
  readonly converge: boolean;
  readonly current: number;
  /** Which way a change at one end asks a dummy update of the other. */
  readonly propagate: '' | 'from' | 'to' | 'both';
  /** Percent of the targets of a flex relation that one deployment changes (pct_dpmt), 100 by default. */
  readonly portion: number;
}

export interface PlanPlatform {
  /** ciId of the manifest platform. */
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  /** Deleted from the manifest while instances run. */
  readonly pendingDeletion: boolean;
  readonly clouds: readonly PlanCloud[];
  readonly components: readonly PlanComponent[];
  readonly edges: readonly PlanEdge[];
  /** ciId of the component the walk starts at; undefined: every component nothing depends on. */
  readonly entrypoint: number | undefined;
  /** ciIds of the platforms it links to: they come first. */
  readonly linksTo: readonly number[];
  readonly variables: PlanVariables;
}

/** An instance as it runs. */
export interface PlanInstance {
  /** ciId. */
  readonly id: number;
  readonly name: string;
  readonly platformId: number;
  readonly componentId: number;
  readonly cloudId: number;
  /** Digest its last change carried. */
  readonly digest: string;
  /** Marked `replace`: its update becomes a replace (service-facts §3.3). */
  readonly replace: boolean;
}

export interface PlanInput {
  readonly platforms: readonly PlanPlatform[];
  readonly instances: readonly PlanInstance[];
  /** The environment's variables. */
  readonly variables: PlanVariables;
}

interface PlannedAt {
  /** `<component>-<cloudCiId>-<n>`, n from 1 (service-facts §2.1.6). */
  readonly name: string;
  readonly platformId: number;
  readonly componentId: number;
  readonly cloudId: number;
  /** Step in which it is carried out, from 1 without gaps; equal steps run in parallel. */
  readonly execOrder: number;
}

/** An instance to be made, or one to be brought to these values. Values have their variables resolved. */
export interface PlannedWrite extends PlannedAt {
  readonly action: 'add' | 'update' | 'replace';
  /** ciId of the instance; undefined for an add. */
  readonly instanceId: number | undefined;
  readonly values: PlanValues;
  /** What the instance will carry: equal digests need no change. */
  readonly digest: string;
  /** `propagate`: nothing of its own changed, a neighbour did. */
  readonly cause: 'own' | 'propagate';
}

export interface PlannedDelete extends PlannedAt {
  readonly action: 'delete';
  readonly instanceId: number;
}

export type PlannedChange = PlannedWrite | PlannedDelete;

/** Why there is no plan: numbers of service-facts §7.4 (6002 variable, 6016 plan, 6017 only secondary clouds, 6019 services). */
export interface PlanFailure {
  readonly code: 6002 | 6016 | 6017 | 6019;
  readonly reason: string;
}

export type PlanOutcome =
  | { readonly ok: true; readonly changes: readonly PlannedChange[] }
  | { readonly ok: false; readonly failure: PlanFailure };
