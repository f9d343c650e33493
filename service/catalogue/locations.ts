// The locations that clouds are made from: their shape, and how they are read.
import { attributeFault, type ClassLookup, defaultAttributes, type Path, registeredClass } from '../../api/contract';
import { type CatalogueFinding, type Document, finding, type LocationsFile, type SeedFile } from './files';
import { type TextValues } from './pack';

/** An offering that a service template brings (service-facts §2.6). */
export interface Offering {
  readonly name: string;
  /** Attributes of class cloud.Offering. */
  readonly attributes: TextValues;
}

/** A service template of a management cloud (service-facts §4.2 `services/available`). */
export interface ServiceTemplate {
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
interface SeedCloud {
  readonly name: string;
  readonly location: Location;
  /** Attributes besides the location. */
  readonly attributes: TextValues;
  readonly services: readonly { readonly template: ServiceTemplate; readonly attributes: TextValues }[];
}

/** What a fresh database holds. Users and tokens are not part of it. */
export interface Seed {
  readonly organization: { readonly name: string; readonly attributes: TextValues };
  readonly clouds: readonly SeedCloud[];
}

interface Judging {
  readonly classes: ClassLookup;
  readonly say: (code: string, path: Path, message: string) => void;
}

interface Checked<T> {
  readonly value: T;
  readonly findings: readonly CatalogueFinding[];
}

const judgingOf = (file: string, classes: ClassLookup, findings: CatalogueFinding[]): Judging => ({
  classes,
  say: (code, path, message) => {
    findings.push(finding(file, code, path, message));
  },
});

function checkKnown({ classes, say }: Judging, className: string, values: TextValues, path: Path): void {
  const metadata = classes(className);
  if (metadata === undefined) {
    say('unknown-class', path, `there is no class ${className}`);
    return;
  }
  for (const [attribute, value] of Object.entries(values)) {
    const rule = metadata.attributes[attribute];
    if (rule === undefined)
      say('unknown-attribute', [...path, attribute], `class ${className} has no attribute ${attribute}`);
    else if (attributeFault(rule, value) !== undefined) {
      say('invalid-value', [...path, attribute], `${attribute} is ${String(attributeFault(rule, value))}`);
    }
  }
}

function checkWhole(judging: Judging, className: string, values: TextValues, path: Path): void {
  const { classes, say } = judging;
  checkKnown(judging, className, values, path);
  const metadata = classes(className);
  if (metadata === undefined) return;
  const whole = defaultAttributes(metadata, values);
  for (const [attribute, rule] of Object.entries(metadata.attributes)) {
    if (values[attribute] !== undefined || attributeFault(rule, whole[attribute] ?? '') === undefined) continue;
    say('missing-value', [...path, attribute], `${attribute} must be given`);
  }
}

function readFile({ file, content }: Document<LocationsFile>, classes: ClassLookup): Checked<readonly Location[]> {
  const findings: CatalogueFinding[] = [];
  const judging = judgingOf(file, classes, findings);
  const { say } = judging;
  for (const [set, offerings] of Object.entries(content.offerings)) {
    offerings.forEach(({ attributes }, index) => {
      checkWhole(judging, 'cloud.Offering', attributes, ['offerings', set, index, 'attributes']);
    });
  }
  const offeringsOf = (sets: readonly string[], path: Path): readonly Offering[] =>
    sets.flatMap((set, index) => {
      const offerings = Object.hasOwn(content.offerings, set) ? content.offerings[set] : undefined;
      if (offerings === undefined) say('unknown-offerings', [...path, index], `there is no set of offerings ${set}`);
      return offerings ?? [];
    });
  const value = content.locations.map((location, place): Location => {
    checkKnown(judging, 'mgmt.Cloud', location.attributes, ['locations', place, 'attributes']);
    const services = location.services.map((service, index): ServiceTemplate => {
      const path = ['locations', place, 'services', index];
      const className = registeredClass('mgmt.cloud.service', service.class);
      checkKnown(judging, className, service.attributes, [...path, 'attributes']);
      return { ...service, location: location.name, offerings: offeringsOf(service.offerings, [...path, 'offerings']) };
    });
    const path = `/public/${content.source}/clouds/${location.name}`;
    return { source: content.source, name: location.name, path, attributes: location.attributes, services };
  });
  return { value, findings };
}

export function readLocations(
  documents: readonly Document<LocationsFile>[],
  classes: ClassLookup,
): Checked<readonly Location[]> {
  const readings = documents.map((document) => ({ document, ...readFile(document, classes) }));
  const known = new Set<string>();
  const repeated = readings.flatMap(({ document, value }) =>
    value.flatMap(({ name }, index) => {
      const again = known.has(name);
      known.add(name);
      return again
        ? [finding(document.file, 'location-twice', ['locations', index, 'name'], `${name} exists already`)]
        : [];
    }),
  );
  return {
    value: readings.flatMap((reading) => reading.value),
    findings: [...readings.flatMap((reading) => reading.findings), ...repeated],
  };
}

export function readSeed(
  { file, content }: Document<SeedFile>,
  locations: readonly Location[],
  classes: ClassLookup,
): Checked<Seed> {
  const findings: CatalogueFinding[] = [];
  const judging = judgingOf(file, classes, findings);
  const { say } = judging;
  checkWhole(judging, 'account.Organization', content.organization.attributes, ['organization', 'attributes']);
  const clouds = content.clouds.flatMap((cloud, place): SeedCloud[] => {
    const location = locations.find((each) => each.name === cloud.location);
    if (location === undefined) {
      say('unknown-location', ['clouds', place, 'location'], `there is no location ${cloud.location}`);
      return [];
    }
    const attributes = { ...cloud.attributes, location: location.path };
    checkWhole(judging, 'account.Cloud', attributes, ['clouds', place, 'attributes']);
    const types = new Set<string>();
    const services = cloud.services.flatMap((service, index) => {
      const path = ['clouds', place, 'services', index];
      const holder = locations.find((each) => each.name === service.location);
      const template = holder?.services.find((each) => each.name === service.name);
      if (template === undefined) {
        say('unknown-service', path, `location ${service.location} has no service ${service.name}`);
        return [];
      }
      if (types.has(template.type))
        say('service-twice', path, `the cloud has a service of type ${template.type} already`);
      types.add(template.type);
      const className = registeredClass('cloud.service', template.class);
      checkWhole(judging, className, { ...template.attributes, ...service.attributes }, [...path, 'attributes']);
      return [{ template, attributes: service.attributes }];
    });
    return [{ name: cloud.name, location, attributes: cloud.attributes, services }];
  });
  return { value: { organization: content.organization, clouds }, findings };
}
