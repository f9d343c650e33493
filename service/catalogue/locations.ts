// What clouds are made from: locations with their service templates and offerings, and what a fresh database holds (service-facts §12.5).
// It must not know files or records.
import type { TextValues } from './pack';

/** An offering that a service template brings along (service-facts §2.6). */
export interface Offering {
  readonly name: string;
  /** Attributes of class cloud.Offering. */
  readonly attributes: TextValues;
}

/** A service template of a management cloud (service-facts §4.2 `services/available`). */
export interface ServiceTemplate {
  /** Name of the location that holds it. */
  readonly location: string;
  /** Name of the template, forced on services made from it. */
  readonly name: string;
  /** Last part of the class, such as `Ec2`. */
  readonly class: string;
  /** Type of the service, such as `compute`: a cloud has at most one of each. */
  readonly type: string;
  /** Preset values, laid over the class defaults. */
  readonly attributes: TextValues;
  /** Offerings copied into a cloud with the service. */
  readonly offerings: readonly Offering[];
}

/** A location, record of class mgmt.Cloud. */
export interface Location {
  readonly source: string;
  readonly name: string;
  /** Value of a cloud's attribute `location`: `/public/oneops/clouds/<name>`. */
  readonly path: string;
  /** Attributes of class mgmt.Cloud. */
  readonly attributes: TextValues;
  readonly services: readonly ServiceTemplate[];
}

/** A cloud of a fresh database. */
export interface SeedCloud {
  readonly name: string;
  readonly location: Location;
  /** Attributes besides the location. */
  readonly attributes: TextValues;
  /** Services with their values, laid over those of the template. */
  readonly services: readonly { readonly template: ServiceTemplate; readonly attributes: TextValues }[];
}

/** What a fresh database holds. Users and tokens are not part of it. */
export interface Seed {
  readonly organization: { readonly name: string; readonly attributes: TextValues };
  readonly clouds: readonly SeedCloud[];
}
