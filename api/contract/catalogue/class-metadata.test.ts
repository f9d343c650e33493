// Laws of the class tables, and the facts of service-facts §2 and §12.4 that others build on.
import {
  attributeFault,
  type AttributeMetadata,
  classMetadata,
  type ClassMetadata,
  CLOUD_SERVICE_PACKAGES,
  cloudServiceClasses,
  COMPONENT_PACKAGES,
  componentClasses,
  defaultAttributes,
  readComponentClasses,
  registeredClass,
  relationMetadata,
} from '..';
import records from './records.json';
import relations from './relations.json';
import { classInTable } from './packs';

function known(metadata: ClassMetadata | undefined): ClassMetadata {
  if (metadata === undefined) throw new Error('no such class');
  return metadata;
}

/** Components, records and services by last part or, where two share one, by full name. */
const everyClass = [...componentClasses, ...cloudServiceClasses, ...Object.keys(records)].map((name) =>
  known(classMetadata(name)),
);
const everyRelation = Object.keys(relations).map((name) => known(relationMetadata(name)));
const everyAttribute = [...everyClass, ...everyRelation].flatMap(({ name, attributes }) =>
  Object.entries(attributes).map(([attribute, rule]): [string, AttributeMetadata] => [`${name}.${attribute}`, rule]),
);

const attributeOf = (className: string, attribute: string): AttributeMetadata => {
  const rule = (classMetadata(className) ?? relationMetadata(className))?.attributes[attribute];
  if (rule === undefined) throw new Error(`no attribute ${className}.${attribute}`);
  return rule;
};

describe('laws of every class', () => {
  test.each(['attachments', 'depends', 'pulumi'])('no class has an attribute %s: YAML stacks keep the word', (word) => {
    expect(componentClasses.length).toBeGreaterThan(30);
    expect(everyAttribute.map(([name]) => name.split('.')[1])).not.toContain(word);
  });

  test('a default keeps the rules of its own attribute; a required attribute may have none', () => {
    const faults = everyAttribute
      .map(([name, rule]) => [name, attributeFault(rule, rule.default)])
      .filter(([, fault]) => fault !== undefined && fault !== 'blank');
    expect(faults).toEqual([]);
  });

  test('every pattern compiles, every attribute is described, no secret has a place in a relation', () => {
    for (const [, rule] of everyAttribute) {
      expect(() => new RegExp(rule.pattern ?? '', 'm')).not.toThrow();
      expect(rule.description).not.toBe('');
    }
    expect(everyRelation.flatMap((each) => Object.values(each.attributes)).filter((rule) => rule.encrypted)).toEqual(
      [],
    );
  });

  test('the attributes of a package are those of the class less the ones of other packages', () => {
    for (const metadata of componentClasses.map((name) => known(classMetadata(name)))) {
      const names = (packageName: string) =>
        Object.keys(known(classMetadata(`${packageName}.oneops.1.${metadata.name}`)).attributes);
      const scoped = (...scopes: string[]) =>
        Object.keys(metadata.attributes).filter((name) => scopes.includes(metadata.attributes[name]?.scope ?? ''));
      expect(names('catalog')).toEqual(scoped('all'));
      expect(names('mgmt.catalog')).toEqual(scoped('all'));
      expect(names('manifest')).toEqual(scoped('all', 'manifest'));
      expect(names('bom')).toEqual(scoped('all', 'bom'));
    }
  });
});

describe('names of classes (service-facts §2.1.8)', () => {
  test.each(componentClasses)('%s answers to its full names, old form and new', (name) => {
    for (const packageName of COMPONENT_PACKAGES) {
      expect(classMetadata(registeredClass(packageName, name))?.name).toBe(name);
      expect(classMetadata(`${packageName}.${name}`)?.name).toBe(name);
    }
  });

  test.each(cloudServiceClasses)('%s answers to its full names', (name) => {
    for (const packageName of CLOUD_SERVICE_PACKAGES) {
      expect(classMetadata(registeredClass(packageName, name))?.name).toBe(name);
      expect(classMetadata(`${packageName}.${name}`)?.name).toBe(name);
    }
  });

  test.each([
    ['account.Environment', 'subdomain'],
    ['catalog.Monitor', 'thresholds'],
    ['mgmt.Cloud', 'is_location'],
    ['mgmt.Pack', 'category'],
    ['mgmt.Version', 'commit'],
  ])('%s has %s', (className, attribute) => {
    expect(classMetadata(className)?.attributes[attribute]).toBeDefined();
  });

  test.each([
    ['catalog.Platform', 'availability'],
    ['account.Environment', 'profile'],
    ['account.Cloud', 'is_location'],
    ['catalog.oneops.1.Compute', 'instance_id'],
    ['bom.oneops.1.Compute', 'required_availability_zone'],
    ['catalog.Attachment', 'runs_on'],
  ])('%s has no %s', (className, attribute) => {
    expect(known(classMetadata(className)).attributes[attribute]).toBeUndefined();
  });

  test.each([
    '',
    'Nothing',
    'catalog.other.9.Tomcat',
    'bom.Platform',
    'catalog.oneops.1.Platform',
    'constructor',
    '__proto__',
  ])('there is no class %j', (className) => {
    expect(classMetadata(className)).toBeUndefined();
    expect(relationMetadata(className)).toBeUndefined();
  });

  test.each(['constructor', '__proto__', 'toString'])('%s is an attribute of nothing', (attribute) => {
    expect(known(classMetadata('Compute')).attributes[attribute]).toBeUndefined();
  });

  test('relations answer by package', () => {
    expect(relationMetadata('base.Consumes')?.attributes['pct_scale']?.default).toBe('100');
    expect(relationMetadata('manifest.DependsOn')?.attributes['flex']?.default).toBe('false');
    expect(relationMetadata('manifest.ComposedOf')?.attributes['enabled']?.default).toBe('true');
    expect(relationMetadata('base.ComposedOf')?.attributes).toEqual({});
    expect(relationMetadata('bom.LinksTo')).toBeUndefined();
  });
});

describe('rules of attributes (service-facts §2.1.3)', () => {
  test.each([
    ['Assembly', 'owner', ['maria@acme.io', 'a.b+c@mail.acme.info'], ['maria', 'maria@acme', 'a@b.museum', 'a@b.io!']],
    ['User', 'username', ['app', 'oo-admin_1'], ['ab', 'App', 'a-name-that-is-too-long', 'app!']],
    ['User', 'ulimit', ['1024', '163840'], ['999', '1638400', 'many']],
    ['Environment', 'dpmtdelay', ['60', '60x'], ['x60', 'soon']],
    ['Environment', 'subdomain', ['prod.shop.acme', ''], ['prod', '.shop']],
    ['Tomcat', 'port', ['8080', '80x'], ['http']],
    ['Java', 'uversion', ['8.1', ''], ['u8']],
    ['Localvar', 'value', ['east', '', 'a b'], [' east']],
    ['Elb', 'region', ['us-east-1'], ['us', 'us-east-one']],
    [
      'Lb',
      'listeners',
      ['["http 80 http 8080"]', '[]'],
      ['["80 8080"]', '["http 80 http 8080","x"]', 'http 80 http 8080'],
    ],
    ['Fqdn', 'full_aliases', ['["www.acme.io"]', '["$OO_LOCAL{name}"]'], ['["www"]', '{}']],
    ['Artifact', 'install_dir', ['/opt/app_1', '$OO_LOCAL{dir}/app'], ['opt/app', '/opt/a b']],
    ['Consumes', 'pct_scale', ['100', '33.3'], ['-1', 'all']],
    ['Consumes', 'dpmt_order', ['1', '-1'], ['first']],
  ])('%s.%s', (className, attribute, good, bad) => {
    const rule = attributeOf(className, attribute);
    expect(good.filter((value) => attributeFault(rule, value) !== undefined)).toEqual([]);
    expect(bad.filter((value) => attributeFault(rule, value) === undefined)).toEqual([]);
  });

  test('a variable reference passes every pattern, on one line or on another', () => {
    const patterned = everyAttribute.filter(
      ([, rule]) => rule.dataType === 'text' && attributeFault(rule, '!') === 'mismatch',
    );
    expect(patterned.length).toBeGreaterThan(10);
    for (const [, rule] of patterned) {
      expect(attributeFault(rule, '!$OO_GLOBAL{X}')).toBeUndefined();
      expect(attributeFault(rule, '!\n!$OO_CLOUD{X}!')).toBeUndefined();
      expect(attributeFault(rule, '!$OO_OTHER{X}')).toBe('mismatch');
    }
  });

  test('blank is refused exactly where a value is required', () => {
    for (const [, rule] of everyAttribute) {
      for (const blank of [null, '', ' '])
        expect(attributeFault(rule, blank)).toBe(rule.required ? 'blank' : undefined);
    }
  });

  test('hashes and arrays are JSON text of their own shape; other JSON text is not looked at', () => {
    expect(attributeFault(attributeOf('Os', 'hosts'), '{"a":"b"}')).toBeUndefined();
    expect(attributeFault(attributeOf('Os', 'hosts'), '["a"]')).toBe('unparsable');
    expect(attributeFault(attributeOf('Library', 'packages'), '{"a":"b"}')).toBe('unparsable');
    expect(attributeFault(attributeOf('Apache', 'build_options'), '{"srcdir"')).toBeUndefined();
  });

  test('a new record has the attributes of its class, the given ones laid over the defaults, and no others', () => {
    const user = known(classMetadata('catalog.oneops.1.User'));
    const values = defaultAttributes(user, { username: 'app', shoe_size: '44' });
    expect(Object.keys(values)).toEqual(Object.keys(user.attributes));
    expect(values).toMatchObject({ username: 'app', ulimit: '16384', authorized_keys: '[]', description: '' });
  });
});

test('secrets of components are those of service-facts §12.4, and of the classes it only names', () => {
  const secrets = componentClasses.flatMap((name) =>
    Object.entries(known(classMetadata(name)).attributes).flatMap(([attribute, rule]) =>
      rule.encrypted ? [`${name}.${attribute}`] : [],
    ),
  );
  expect(secrets).toEqual([
    'Keypair.private',
    'Certificate.key',
    'Certificate.passphrase',
    'Certificate.ssl_password',
    'Keystore.keystore_password',
    'Download.basic_auth_password',
    'Objectstore.password',
    'Sensuclient.sensu_vhost_password',
    'Sensuclient.sensu_client_key',
    'Artifact.password',
    'Build.password',
    'Mysql.password',
    'Database.password',
  ]);
});

test('a class that a person adds answers like a shipped one', () => {
  const classes = readComponentClasses({
    Memcached: { description: 'Cache', attributes: { port: { default: '11211', description: 'Port' } } },
  });
  expect(classes('catalog.oneops.1.Memcached')?.attributes['port']).toMatchObject({
    default: '11211',
    dataType: 'text',
  });
  expect(classes('bom.oneops.1.Memcached')?.name).toBe('Memcached');
  expect(classes('Tomcat')).toBeUndefined();
});

test('a template whose class depends on the pack is known with the pack only', () => {
  const table = { user: 'User', cache: { left: 'Memcached', right: 'Redisio' } };
  expect(classInTable(table, 'user', 'left')).toBe('User');
  expect(classInTable(table, 'cache', 'right')).toBe('Redisio');
  expect(classInTable(table, 'cache')).toBeUndefined();
  expect(classInTable(table, 'cache', 'toString')).toBeUndefined();
  expect(classInTable(table, 'toString')).toBeUndefined();
});
