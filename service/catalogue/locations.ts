// The locations that clouds are made from: their shape, and how they are read.
import { attributeFault, type ClassLookup, defaultAttributes, type Path, registeredClass } from '../../api/contract';
import { type CatalogueFinding, type Document, type LocationsFile, type Say, sayIn, type SeedFile } from './files';
import { type TextValues } from './packs';

type LocationFile = LocationsFile['locations'][number];

/** An offering that a service template brings (service-facts §2.6). */
export type Offering = Readonly<LocationsFile['offerings'][string][number]>;

/** A service template of a management cloud (service-facts §4.2 `services/available`). */
export interface ServiceTemplate extends Readonly<Omit<LocationFile['services'][number], 'offerings'>> {
  readonly location: string;
  /** Offerings copied into a cloud with the service. */
  readonly offerings: readonly Offering[];
}

/** A location, record of class mgmt.Cloud. */
export interface Location extends Readonly<Omit<LocationFile, 'services'>> {
  readonly source: string;
  /** Value of a cloud's attribute `location`: `/public/oneops/clouds/<name>`. */
  readonly path: string;
  readonly services: readonly ServiceTemplate[];
}

/** Judges values of a class: those given, and with `whole` those that nobody gave as well. */
function checkValues(
  classes: ClassLookup,
  say: Say,
  className: string,
  values: TextValues,
  path: Path,
  whole?: 'whole',
): void {
  const metadata = classes(className);
  if (metadata === undefined) return say('unknown-class', path, `there is no class ${className}`);
  for (const [attribute, value] of Object.entries(values)) {
    const rule = metadata.attributes[attribute];
    const fault = rule && attributeFault(rule, value);
    if (rule === undefined)
      say('unknown-attribute', [...path, attribute], `class ${className} has no attribute ${attribute}`);
    else if (fault !== undefined) say('invalid-value', [...path, attribute], `${attribute} is ${fault}`);
  }
  if (whole === undefined) return;
  const all = defaultAttributes(metadata, values);
  for (const [attribute, rule] of Object.entries(metadata.attributes)) {
    if (values[attribute] !== undefined || attributeFault(rule, all[attribute] ?? '') === undefined) continue;
    say('missing-value', [...path, attribute], `${attribute} must be given`);
  }
}

function readFile({ content }: Document<LocationsFile>, classes: ClassLookup, say: Say): readonly Location[] {
  for (const [set, offerings] of Object.entries(content.offerings)) {
    offerings.forEach(({ attributes }, index) => {
      checkValues(classes, say, 'cloud.Offering', attributes, ['offerings', set, index, 'attributes'], 'whole');
    });
  }
  const offeringsOf = (sets: readonly string[], path: Path): readonly Offering[] =>
    sets.flatMap((set, index) => {
      const offerings = Object.hasOwn(content.offerings, set) ? content.offerings[set] : undefined;
      if (offerings === undefined) say('unknown-offerings', [...path, index], `there is no set of offerings ${set}`);
      return offerings ?? [];
    });
  return content.locations.map((location, place): Location => {
    checkValues(classes, say, 'mgmt.Cloud', location.attributes, ['locations', place, 'attributes']);
    const services = location.services.map((service, index): ServiceTemplate => {
      const path = ['locations', place, 'services', index];
      const className = registeredClass('mgmt.cloud.service', service.class);
      checkValues(classes, say, className, service.attributes, [...path, 'attributes']);
      return { ...service, location: location.name, offerings: offeringsOf(service.offerings, [...path, 'offerings']) };
    });
    return {
      ...location,
      source: content.source,
      path: `/public/${content.source}/clouds/${location.name}`,
      services,
    };
  });
}

export function readLocations(
  documents: readonly Document<LocationsFile>[],
  classes: ClassLookup,
  findings: CatalogueFinding[],
): readonly Location[] {
  const known = new Set<string>();
  return documents.flatMap((document) => {
    const say = sayIn(document.file, findings);
    const read = readFile(document, classes, say);
    read.forEach(({ name }, index) => {
      if (known.has(name)) say('location-twice', ['locations', index, 'name'], `${name} exists already`);
      known.add(name);
    });
    return read;
  });
}

/** What a fresh database holds. Users and tokens are not part of it. */
export function readSeed(
  { file, content }: Document<SeedFile>,
  locations: readonly Location[],
  classes: ClassLookup,
  findings: CatalogueFinding[],
) {
  const say = sayIn(file, findings);
  const check = (className: string, values: TextValues, path: Path): void =>
    checkValues(classes, say, className, values, [...path, 'attributes'], 'whole');
  check('account.Organization', content.organization.attributes, ['organization']);
  const clouds = content.clouds.flatMap((cloud, place) => {
    const location = locations.find((each) => each.name === cloud.location);
    if (location === undefined) {
      say('unknown-location', ['clouds', place, 'location'], `there is no location ${cloud.location}`);
      return [];
    }
    check('account.Cloud', { ...cloud.attributes, location: location.path }, ['clouds', place]);
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
      check(className, { ...template.attributes, ...service.attributes }, path);
      return [{ template, attributes: service.attributes }];
    });
    return [{ name: cloud.name, location, attributes: cloud.attributes, services }];
  });
  return { organization: content.organization, clouds };
}
