// Laws of the shipped catalogue, facts of service-facts §12, and folders that users bring.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  attributeFault,
  classMetadata,
  cloudServiceClasses,
  componentClasses,
  registeredClass,
  relationMetadata,
  templateClass,
} from '../../api/contract';
import shippedTemplates from '../../api/contract/catalogue/templates.json';
import { eachFolder } from '../../test/folder';
import {
  type Catalogue,
  CatalogueError,
  edgeAttributes,
  edges,
  loadCatalogue,
  MODES,
  type Pack,
  requiredTemplates,
  type PackTemplate,
  templates,
} from './index';

const SHIPPED = join(__dirname, '..', 'packs');
const catalogue = loadCatalogue();
const packs = catalogue.packs();
const views = packs.flatMap((pack) => MODES.map((mode) => ({ pack, mode, title: `${pack.name}, ${mode}` })));

const packNamed = (name: string, of: Catalogue = catalogue): Pack => {
  const pack = of.pack('oneops', name, '1');
  if (pack === undefined) throw new Error(`no pack ${name}`);
  return pack;
};
const names = (of: readonly PackTemplate[]): string[] => of.map((template) => template.name);
const templateNamed = (pack: Pack, name: string): PackTemplate | undefined =>
  pack.templates.find((template) => template.name === name);

interface RawTemplate {
  readonly name: string;
  readonly class?: string;
  readonly defaults?: object;
  readonly dropped?: { readonly [attribute: string]: string };
}
interface RawPack {
  readonly name: string;
  readonly templates?: readonly RawTemplate[];
}
const rawPacks = readdirSync(SHIPPED)
  .filter((file) => !['locations.json', 'seed.json'].includes(file))
  .map((file) => JSON.parse(readFileSync(join(SHIPPED, file), 'utf8')) as RawPack);

// What loading judges is shown by its findings below: the shipped packs have none.
describe('laws of every pack', () => {
  test('the packs of service-facts §12.3 are there, building blocks are not', () => {
    expect(packs.map((pack) => pack.name)).toEqual(
      expect.arrayContaining(['apache', 'custom', 'customlb', 'mysql', 'postgresql', 'redisio', 'tomcat']),
    );
    expect(catalogue.pack('oneops', 'base', '1')).toBeUndefined();
    expect(catalogue.pack('oneops', 'load-balanced', '1')).toBeUndefined();
  });

  test('the one default that the live service drops is in the data with its reason', () => {
    const dropped = rawPacks.flatMap((pack) =>
      (pack.templates ?? []).flatMap((template) =>
        Object.entries(template.dropped ?? {}).map(([attribute, reason]) => ({ pack: pack.name, attribute, reason })),
      ),
    );
    expect(dropped).toEqual([{ pack: 'postgresql', attribute: 'password', reason: expect.stringContaining('12.4') }]);
    expect(classMetadata('Postgresql')?.attributes['password']).toBeUndefined();
  });

  test.each(packs)('$name: templates and limits agree with the constraints', (pack) => {
    for (const { constraint, min, max } of pack.templates) {
      expect(`${min}..${max === 999 ? '*' : max}`).toBe(constraint);
      expect(max).toBeGreaterThanOrEqual(min);
    }
  });

  test('an edge is reported in the attributes of a DependsOn relation', () => {
    const known = Object.keys(relationMetadata('catalog.DependsOn')?.attributes ?? {});
    for (const { pack, mode } of views) {
      for (const edge of edges(pack, mode)) expect(Object.keys(edgeAttributes(edge)).sort()).toEqual([...known].sort());
    }
  });

  test('the contract knows the class of every template, and of no others', () => {
    const made = packs.flatMap((pack) => pack.templates.map((template) => ({ pack, template })));
    for (const { pack, template } of made) expect(templateClass(template.name, pack.name)).toBe(template.class);
    expect(Object.keys(shippedTemplates)).toEqual([...new Set(made.map(({ template }) => template.name))].sort());
  });

  test('procedures are steps over classes of their pack', () => {
    const procedures = packs.flatMap((pack) => pack.procedures.map((procedure) => ({ pack, procedure })));
    expect(procedures.map(({ pack, procedure }) => `${pack.name} ${procedure.name}`)).toEqual([
      'mysql snapshot',
      'mysql restore',
    ]);
    for (const { procedure } of procedures) {
      const { flow } = JSON.parse(procedure.definition) as { flow: { targetClassName: string }[] };
      expect(classMetadata(flow[0]!.targetClassName)?.name).toBe('Mysql');
      expect(Object.keys(JSON.parse(procedure.arguments) as object)).toEqual(['snapshot', 'bucket']);
    }
  });

  test('two loads are equal, digests included, and packs differ in their digests', () => {
    expect(loadCatalogue().packs()).toEqual(packs);
    expect(new Set(packs.map((pack) => pack.digest)).size).toBe(packs.length);
  });
});

describe('facts of service-facts §12', () => {
  test.each(packs)('$name: keys are in environments only, load balancers and rings never in single', (pack) => {
    expect(names(templates(pack, 'design'))).not.toContain('sshkeys');
    expect(names(requiredTemplates(pack, 'single'))).toContain('sshkeys');
    expect(names(requiredTemplates(pack, 'redundant'))).toContain('sshkeys');
    expect(names(templates(pack, 'single'))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(lb|ring)$/)]),
    );
  });

  test.each([
    ['custom', 'fqdn', 'compute', { flex: true, min: 2, current: 1, max: 10, propagate_to: 'from' }],
    ['customlb', 'lb', 'compute', { flex: true, min: 2, current: 2, max: 10, propagate_to: 'both' }],
    ['apache', 'lb', 'compute', { flex: true, min: 2, current: 2, max: 10, propagate_to: 'both' }],
    ['tomcat', 'lb', 'compute', { flex: true, min: 2, current: 2, max: 10, propagate_to: 'both' }],
    ['mysql', 'lb', 'compute', { flex: true, min: 1, max: 1 }],
    ['postgresql', 'lb', 'compute', { flex: true, min: 1, max: 1 }],
    ['redisio', 'ring', 'redisio', { flex: true, min: 6, max: 10 }],
  ])('%s scales between %s and %s, in redundant only', (name, from, to, expected) => {
    const pack = packNamed(name);
    const flexible = edges(pack, 'redundant').filter((edge) => edge.flex);
    expect(flexible).toEqual([expect.objectContaining({ from, to, ...expected })]);
    expect([...edges(pack, 'design'), ...edges(pack, 'single')].filter((edge) => edge.flex)).toEqual([]);
  });

  test('an inherited template keeps what a pack does not name', () => {
    const volume = templateNamed(packNamed('mysql'), 'volume');
    expect(volume).toMatchObject({ class: 'Volume', constraint: '1..1', services: ['compute'], managedVia: 'compute' });
    expect(Object.keys(volume?.monitors ?? {})).toEqual(['usage']);
  });

  test('base edges reach every pack, with their attributes', () => {
    for (const pack of packs) {
      const find = (from: string, to: string) =>
        edges(pack, 'single').find((edge) => edge.from === from && edge.to === to);
      expect(find('os', 'compute')?.propagate_to).toBe('from');
      expect(find('compute', 'secgroup')?.converge).toBe(true);
      expect(find('fqdn', 'compute')).toMatchObject({ flex: false, propagate_to: 'both', min: 1, max: 1, current: 1 });
    }
  });

  test('platform settings: healing of all packs, no replacing of database machines', () => {
    for (const pack of packs)
      expect(pack.platform).toMatchObject({ replace_after_minutes: '60', replace_after_repairs: '3' });
    expect(packs.filter((pack) => pack.platform['autoreplace'] === 'false').map((pack) => pack.name)).toEqual([
      'mysql',
      'postgresql',
    ]);
  });

  test('the shipped packs have no variables of their own (service-facts §12.3)', () => {
    expect(packs.flatMap((pack) => pack.variables)).toEqual([]);
  });

  test.each(['', 'constructor', '__proto__'])('there is no pack %j', (name) => {
    expect(catalogue.pack('oneops', name, '1')).toBeUndefined();
    expect(catalogue.pack('oneops', 'tomcat', name)).toBeUndefined();
  });
});

describe('locations, services, offerings, seed', () => {
  test('locations of service-facts §12.5, sorted, each with the path that a cloud names', () => {
    const all = catalogue.locations();
    const found = all.map((location) => location.name);
    expect(found).toEqual([...found].sort());
    const amazon = ['ec2-us-east-1', 'ec2-us-east-2', 'ec2-us-west-1', 'ec2-us-west-2', 'aws'];
    const others = ['openstack', 'mirror', 'azure-eastus', 'vagrant', 'docker', 'rackspace-dfw', 'vsphere'];
    expect(found).toEqual(expect.arrayContaining([...amazon, ...others]));
    for (const location of all) expect(location.path).toBe(`/public/oneops/clouds/${location.name}`);
  });

  test.each(catalogue.locationServices())('$location/$name: known class, presets that name attributes', (service) => {
    expect(cloudServiceClasses).toContain(service.class);
    const attributes = classMetadata(registeredClass('mgmt.cloud.service', service.class))!.attributes;
    for (const [name, value] of Object.entries(service.attributes))
      expect(attributeFault(attributes[name]!, value)).toBeUndefined();
    // Secrets are a matter of the cloud, never of the template.
    expect(Object.keys(service.attributes).filter((name) => attributes[name]!.encrypted)).toEqual([]);
  });

  test('services are found by location', () => {
    const found = catalogue.locationServices().filter(({ location }) => location === 'aws');
    expect(found.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...['ebs storage', 'elb lb', 's3 filestore', 'route53 dns', 'route53-gdns gdns'],
    ]);
  });

  test.each(catalogue.locationServices().filter((service) => service.offerings.length > 0))(
    '$location/$name: offerings cost a decimal number of dollars and say what they apply to',
    ({ type, offerings }) => {
      for (const { attributes } of offerings) {
        expect(attributes).toMatchObject({ cost_unit: 'USD', cost_rate: expect.stringMatching(/^\d+\.\d+$/) });
        const criteriaClass = /matches 'bom\.\[a-zA-Z0-9\.\]\*\.(\w+)'/.exec(attributes['criteria'] ?? '')?.[1] ?? '';
        expect(componentClasses).toContain(criteriaClass);
        expect(typeof JSON.parse(attributes['specification'] ?? '')).toBe('object');
      }
      if (type !== 'compute') return;
      expect(offerings.map((offering) => offering.name)).toEqual(['XS', 'S', 'M', 'L', 'XL']);
      const rates = offerings.map((offering) => Number(offering.attributes['cost_rate']));
      expect(rates).toEqual([...rates].sort((left, right) => left - right));
      for (const { name, attributes } of offerings)
        expect(attributes['criteria']).toContain(`ciAttributes['size']=='${name}'`);
    },
  );

  const seed = catalogue.seed();

  test.each([...seed.clouds])('$name: every template of every pack can be planned there, but a firewall', (cloud) => {
    const types = new Set(cloud.services.map(({ template }) => template.type));
    // No class of service of service-facts §2.2.3 is a firewall; the template is optional in every pack.
    const lacking = packs.flatMap((pack) =>
      pack.templates.flatMap((template) =>
        template.services.filter((type) => !type.startsWith('*') && !types.has(type)).map(() => template.name),
      ),
    );
    expect(new Set(lacking)).toEqual(new Set(['firewall']));
    expect(packs.flatMap((pack) => MODES.flatMap((mode) => names(requiredTemplates(pack, mode))))).not.toContain(
      'firewall',
    );
  });
});

describe('folders of users', () => {
  const folder = eachFolder();

  const write = (name: string, content: unknown): void =>
    folder.write({ [name]: typeof content === 'string' ? content : JSON.stringify(content) });
  const findingsOf = (): string[] => {
    try {
      loadCatalogue([folder.path]);
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error;
      const [, ...lines] = error.message.split('\n');
      return lines.map((line) => line.trim());
    }
    return [];
  };

  const memcached = {
    source: 'shop',
    name: 'memcached',
    version: '1.2',
    extends: ['base'],
    templates: [
      { name: 'memcached', class: 'Memcached', constraint: '1..1', defaults: { port: 11212, flags: ['a', 'b'] } },
      { name: 'compute', defaults: { size: 'L' } },
    ],
    dependsOn: [{ from: 'memcached', to: 'os' }],
    variables: [{ name: 'memory', value: '64' }],
  };
  const classes = {
    Memcached: {
      attributes: {
        port: { default: '11211', required: true, pattern: '[0-9]+$' },
        flags: { dataType: 'array', default: '[]' },
      },
    },
  };

  test('a pack with its own class is added, numbers and lists as text', () => {
    write('memcached.json', memcached);
    write('classes.json', classes);
    const extended = loadCatalogue([folder.path]);
    const pack = extended.pack('shop', 'memcached', '1.2');
    expect(templateNamed(pack!, 'memcached')?.defaults).toEqual({ port: '11212', flags: '["a","b"]' });
    expect(templateNamed(pack!, 'compute')).toMatchObject({
      class: 'Compute',
      defaults: { size: 'L' },
      constraint: '1..1',
    });
    expect(names(requiredTemplates(pack!, 'design'))).toEqual(['compute', 'os', 'secgroup', 'fqdn', 'memcached']);
    expect(pack?.variables).toEqual([{ name: 'memory', description: '', value: '64', secure: false }]);
    expect(extended.classMetadata('bom.oneops.1.Memcached')?.attributes['port']?.default).toBe('11211');
    expect(extended.packs().filter((each) => each !== pack)).toEqual(packs);
    expect(templateNamed(packNamed('custom', extended), 'compute')?.defaults['size']).toBe('S');
    expect(catalogue.pack('shop', 'memcached', '1.2')).toBeUndefined();
  });

  test('a class may have "_" in its name, as classes of the live service do', () => {
    const { Memcached } = classes;
    write('classes.json', { Docker_engine: Memcached });
    write('engine.json', {
      name: 'engine',
      extends: ['base'],
      templates: [{ name: 'engine', class: 'Docker_engine', constraint: '1..1', defaults: { port: 2376 } }],
      dependsOn: [{ from: 'engine', to: 'os' }],
    });
    const extended = loadCatalogue([folder.path]);
    expect(templateNamed(packNamed('engine', extended), 'engine')?.defaults).toEqual({ port: '2376' });
    for (const className of ['catalog.Docker_engine', 'catalog.oneops.1.Docker_engine', 'bom.oneops.1.Docker_engine'])
      expect(extended.classMetadata(className)?.attributes['port']?.default).toBe('11211');
  });

  test('a location is added, a seed takes the place of the shipped one', () => {
    write('locations.json', {
      source: 'shop',
      locations: [{ name: 'cellar', services: [{ name: 'box', class: 'Vagrant', type: 'compute' }] }],
    });
    write('seed.json', {
      organization: { name: 'shop', attributes: { owner: 'a@shop.io' } },
      clouds: [{ name: 'c', location: 'cellar' }],
    });
    const extended = loadCatalogue([folder.path]);
    expect(extended.locationServices()).toContainEqual(expect.objectContaining({ location: 'cellar', name: 'box' }));
    expect(extended.seed()).toMatchObject({
      organization: { name: 'shop' },
      clouds: [{ name: 'c', location: { path: '/public/shop/clouds/cellar' } }],
    });
  });

  /** A pack that has no mistake but those. */
  const base = (more: object): object => ({ name: 'a', extends: ['base'], ...more });
  const made = (...of: readonly object[]): object => base({ templates: of });
  const edge = (of: object): object => base({ dependsOn: [of] });
  const owned = { name: 'x', attributes: { owner: 'a@b.io' } };
  const seed = (cloud: object): object => ({ organization: owned, clouds: [{ name: 'c', location: 'aws', ...cloud }] });
  const location = (...services: readonly object[]): object => ({ locations: [{ name: 'x', services }] });
  const s3 = (attributes: object): object => ({ location: 'aws', name: 's3', attributes });

  const compute = (of: object): object => made({ name: 'compute', ...of });
  const app = (of: object): object => made({ name: 'app', class: 'User', ...of });
  const cache = (of: object): object => ({ Cache: { attributes: of } });
  const filestore = (of: object): object => location({ name: 's', class: 'S3', type: 'filestore', ...of });

  test.each<[string, unknown, string]>([
    ['a', '{"name":', ''],
    ['a', { name: 'a', template: [] }, 'Unrecognized key: "template"'],
    ['a', made({ name: 'os', modes: ['both'] }), 'templates[0].modes[0]: '],
    ['a', { name: 'a', extends: ['basis'] }, 'extends[0]: no file contains "basis"'],
    ['a', { name: 'a', extends: ['base', 'a'] }, 'extends[1]: a extends this file'],
    ['a', base({ name: 'tomcat' }), 'name: oneops/tomcat:1 is in '],
    ['a', made({ name: 'x', class: 'Nothing' }), 'templates[0].class: template x is of no known class: "Nothing"'],
    ['a', made({ name: 'x' }), 'templates[0].class: '],
    ['a', compute({ defaults: { weight: 1 } }), 'templates[0].defaults.weight: class Compute has no attribute weight'],
    // A default that is said to be dropped, and exists.
    ['a', compute({ dropped: { size: '' } }), 'templates[0].dropped.size'],
    ['a', app({ constraint: '1..1' }), 'templates[0].defaults.username: required template app has a blank username'],
    [
      'a',
      app({ defaults: { username: 'A' } }),
      'templates[0].defaults.username: required template app has a mismatch username',
    ],
    ['a', made({ name: 'os', monitors: { m: { up: 1 } } }), 'templates[0].monitors.m.up: '],
    ['a', edge({ from: 'os', to: 'moon' }), 'dependsOn[0].to: no template is called moon'],
    // An edge that no mode has, and edges in a circle.
    ['a', edge({ from: 'os', to: 'sshkeys', modes: ['design'] }), 'dependsOn[0]: '],
    ['a', edge({ from: 'compute', to: 'os', modes: ['single'] }), 'dependsOn: dependencies go in a'],
    ['a', base({ entrypoint: 'door' }), 'entrypoint: '],
    ['a', base({ platform: { colour: 'red' } }), 'platform.colour: '],
    ['a', made({ name: 'os', managedVia: 'host' }), 'templates[0].managedVia: '],
    ['classes', { Tomcat: { attributes: {} } }, 'Tomcat: there is a class Tomcat already'],
    ['classes', cache({ depends: {} }), 'Cache.attributes.depends: the YAML stack keeps this word for itself'],
    ['classes', cache({ port: { pattern: '(' } }), 'Cache.attributes.port.pattern: not a regular expression'],
    ['locations', { locations: [{ name: 'aws' }] }, 'locations[0].name: aws exists already'],
    ['locations', location({ name: 's', class: 'Nothing', type: 'dns' }), 'locations[0].services[0].attributes: '],
    [
      'locations',
      filestore({ attributes: { colour: 'red' } }),
      'locations[0].services[0].attributes.colour: class mgmt.cloud.service.oneops.1.S3 has no attribute colour',
    ],
    ['locations', filestore({ offerings: ['o'] }), 'locations[0].services[0].offerings[0]: '],
    [
      'locations',
      { offerings: { o: [{ name: 'M', attributes: {} }] }, locations: [] },
      'offerings.o[0].attributes.criteria: criteria must be given',
    ],
    ['seed', seed({ location: 'moon' }), 'clouds[0].location: there is no location moon'],
    ['seed', seed({ services: [s3({ secret: 's' })] }), 'clouds[0].services[0].attributes.key: key must be given'],
    [
      'seed',
      seed({ services: [s3({}), s3({})] }),
      'clouds[0].services[1]: the cloud has a service of type filestore already',
    ],
  ])('a mistake is reported with file and path: %s.json with %j', (name, content, said) => {
    write(`${name}.json`, content);
    expect(findingsOf().join('\n')).toContain(`${name}.json: ${said}`);
    expect(findingsOf().every((line) => line.startsWith(folder.path))).toBe(true);
  });

  test('an unclear parent and a circle of two files are reported', () => {
    write('a.json', { name: 'a', extends: ['base', 'b'] });
    write('b.json', { name: 'b', extends: ['a'] });
    expect(findingsOf().join('\n')).toContain('extends this file');
    write('b.json', { name: 'b', extends: ['base'] });
    write('c.json', { name: 'b', version: '2', extends: ['base'] });
    expect(findingsOf().join('\n')).toContain('a.json: extends[1]: several files contain b');
  });

  test('all findings are reported together; those of a parent are not repeated for its heirs', () => {
    write('a.json', { name: 'a', extends: ['base'], templates: [{ name: 'os', defaults: { x: 1, y: 2 } }] });
    write('b.json', { name: 'b', extends: ['a'] });
    write('c.json', { name: 'c', extends: ['base'], platform: { z: 1 } });
    expect(findingsOf()).toHaveLength(3);
  });

  test('a further version of a shipped pack is one, and changes nothing of what the others extend', () => {
    write('custom.json', { name: 'custom', version: '2', extends: ['custom'], variables: [{ name: 'x', value: 'y' }] });
    write('worker.json', { name: 'worker', extends: ['custom'] });
    const extended = loadCatalogue([folder.path]);
    const variables = (name: string, version: string): readonly string[] | undefined =>
      extended.pack('oneops', name, version)?.variables.map((each) => each.name);
    expect(variables('custom', '2')).toContain('x');
    expect(variables('worker', '1')).toContain('x');
    expect(variables('custom', '1')).not.toContain('x');
    for (const pack of packs) expect(extended.pack(pack.source, pack.name, pack.version)?.digest).toBe(pack.digest);
  });

  test('a folder that does not exist is reported by name', () => {
    const missing = join(folder.path, 'missing');
    expect(() => loadCatalogue([missing])).toThrow(missing);
  });
});
