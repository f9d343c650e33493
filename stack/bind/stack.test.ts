// What a stack comes to: its resources, their edges and values, and one finding for each mistake.
import fc from 'fast-check';
import { classMetadata, componentClasses } from '../../api/contract';
import { kindInFile } from '../../provider/kinds';
import { knownCatalogue } from '../../provider/kinds/catalogue';
import { type Finding, newReport } from '../findings/finding';
import type { StackPlan } from '../plan';
import { plainCarrier, resolve } from '../values/resolve';
import { resourceKey, type Target } from '../values/value';
import type { FileContent } from '../yaml/text-file';
import { readStack } from './stack';
import { ownKeysOf } from '../layout';
import { rangesOf, sourceFile } from '../yaml/source';
import { inOrder, type Ordered } from './order';

const readFile = (path: string): FileContent =>
  path === 'motd.txt' ? { text: 'hello ${not.a.reference}\n' } : { problem: 'there is no such file' };
const environment = { readFile };

const read = (text: string) => readStack([{ name: 'oneops.yaml', text }], environment);
const places = (findings: readonly Finding[]) =>
  findings.map(({ code, at }) => `${at.start.line}:${at.start.column} ${code}`);

function planOf(text: string): StackPlan {
  const { plan, findings } = read(text);
  if (!plan) throw new Error(places(findings).join('\n'));
  return plan;
}

const show = (target: Target): string =>
  target.of === 'resource' ? `<${target.key}.${target.output}>` : `<${target.of}.${target.name}>`;
/** Values with references shown as `<Platform::web.name>`. */
const shown = (value: unknown) =>
  resolve<unknown>(value as never, {
    ...plainCarrier(show),
    secret: (inner) => ({ secret: inner }),
    invoke: ({ function: token, steps }, args) => ({ asked: token, args, ...(steps.length > 0 ? { steps } : {}) }),
  });
const argsOf = (plan: StackPlan, key: string) =>
  shown(plan.resources.find((each) => each.key === key)?.args) as { [name: string]: unknown };
const declaration = (plan: StackPlan, key: string) => plan.resources.find((each) => each.key === key)!;

/** A file with every kind of record that a stack can declare. */
const storefront = `config:
  owner: { type: string, default: team@acme.io }
  dbPassword: { type: string, secret: true }
assembly: { name: storefront, owner: "\${config.owner}", description: Web shop }
clouds:
  edge:
    location: aws
    services: { swift: { attributes: { endpoint: https://nova, tenant: acme, username: me } } }
  east: { existing: true }
platforms:
  web:
    pack: oneops/tomcat:1
    links: [db]
    components:
      compute: { size: M }
      os: { monitors: { web-os-cpu: { thresholds: { High: { metric: CpuIdle, trigger: '<=5' } } } } }
      user:
        deployer:
          username: deployer
          sudoer: true
          attachments:
            motd: { path: /etc/motd, content: "hello", runs_on: [after-add, after-update], exec_cmd: "chmod 644 /etc/motd" }
  db:
    pack: oneops/mysql:1
    components:
      mysql: { version: 5.50, password: "\${config.dbPassword}" }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 }, edge: { priority: 2, pct_scale: 50 } }
    platforms:
      web: { clouds: { edge: { adminstatus: inactive }, east: { dpmt_order: 2 } } }
    relays:
      default: { severity: [critical] }
      ops: { emails: [ops@acme.io] }
    replacements: { image: { platform: web, component: compute, triggers: { image: '2026-11' } } }
    procedures: { restart: { platform: web, component: tomcat, action: restart, triggers: { of: '\${design.revision}' } } }
    deploy: { comment: "from \${pulumi.stack}" }
  qa:
    clouds: [east, west]
    platforms:
      web: { availability: redundant, components: { os: { monitors: { web-os-cpu: { enable: false } } } } }
outputs:
  deployment: "\${environments.prod.deployment.deploymentId}"
  first: "\${environments.prod.platforms.web.addresses[0]}"
  swift: "\${clouds.edge.services.swift.ciId}"
  ops: "\${environments.prod.relays.ops.ciId}"
  ran: "\${environments.prod.procedures.restart.procedureId}"
  cpu: "\${environments.qa.platforms.web.components.os.monitors.web-os-cpu.ciId}"
  motd: "\${platforms.web.components.deployer.attachments.motd.ci_id}"
  username: "\${platforms.web.components.deployer.attributes.username}"
  link: "\${environments.prod.platforms.web.clouds.east.revision}"
  priority: "\${environments.prod.clouds.east.priority}"
  design: "\${design.release_id}"
  own: "\${assembly.id}"
  states: { list: ["\${environments.prod.deployment.state}"] }
`;

describe('the storefront', () => {
  const plan = planOf(storefront);

  test('is read without findings', () => expect(read(storefront).findings).toEqual([]));

  test('names the addresses of a platform where they are misspelt', () => {
    const [finding] = read(storefront.replace('addresses[0]', 'adresses[0]')).findings;
    const hint = 'did you mean "environments.prod.platforms.web.addresses[0]"?';
    expect(finding).toMatchObject({ code: 'unknown-reference', hint });
  });

  // What follows from everything declared is settled when it is registered: nothing here says it.
  const PLANNED = `
Cloud::edge 6:3 {"name":"edge","location":"aws"}
CloudService::edge/swift 8:17 {"cloud":"<Cloud::edge.name>","name":"swift","attributes":{"endpoint":"https://nova","tenant":"acme","username":"me"}} after Cloud::edge
Cloud::east 9:3 {"name":"east","existing":true}
Assembly::storefront 4:1 {"name":"storefront","owner":"<config.owner>","description":"Web shop"}
Platform::db 23:3 {"assembly":"<Assembly::storefront.name>","name":"db","pack":"mysql","source":"oneops","version":"1"} after Assembly::storefront
Platform::web 11:3 {"assembly":"<Assembly::storefront.name>","name":"web","pack":"tomcat","source":"oneops","version":"1","links":["db"]} after Assembly::storefront Platform::db
Component::web/compute 15:7 {"assembly":"storefront","platform":"<Platform::web.name>","name":"compute","type":"compute","attributes":{"size":"M"}} after Platform::web
Component::web/os 16:7 {"assembly":"storefront","platform":"<Platform::web.name>","name":"os","type":"os"} after Platform::web
Monitor::web/os/monitors/web-os-cpu 16:25 {"assembly":"storefront","platform":"web","component":"<Component::web/os.name>","name":"web-os-cpu","thresholds":{"High":{"metric":"CpuIdle","trigger":"<=5"}}} after Component::web/os
Component::web/deployer 18:9 {"assembly":"storefront","platform":"<Platform::web.name>","name":"deployer","type":"user","attributes":{"username":"deployer","sudoer":true}} after Platform::web
Attachment::web/motd 22:13 {"assembly":"storefront","platform":"web","component":"<Component::web/deployer.name>","name":"motd","path":"/etc/motd","content":"hello","runsOn":["after-add","after-update"],"execCmd":"chmod 644 /etc/motd"} after Component::web/deployer
Component::db/mysql 26:7 {"assembly":"storefront","platform":"<Platform::db.name>","name":"mysql","type":"mysql","attributes":{"version":"5.50","password":"<config.dbPassword>"}} after Platform::db
DesignRelease::storefront 4:1 {"assembly":"<Assembly::storefront.name>"} after Assembly::storefront Attachment::web/motd Component::db/mysql Component::web/compute Component::web/deployer Component::web/os Monitor::web/os/monitors/web-os-cpu Platform::db Platform::web
Environment::prod 28:3 {"assembly":"<Assembly::storefront.name>","name":"prod","clouds":{"east":{"priority":1},"edge":{"priority":2,"pctScale":50}},"availability":"redundant"} after Assembly::storefront DesignRelease::storefront
CloudConfiguration::prod/web/edge 32:24 {"assembly":"storefront","environment":"<Environment::prod.name>","platform":"web","cloud":"edge","adminstatus":"inactive"} after Environment::prod
CloudConfiguration::prod/web/east 32:57 {"assembly":"storefront","environment":"<Environment::prod.name>","platform":"web","cloud":"east","dpmtOrder":2} after Environment::prod
InstanceReplacement::prod/web/compute/image 36:21 {"assembly":"storefront","environment":"<Environment::prod.name>","platform":"web","component":"compute","name":"image","triggers":{"image":"2026-11"}} after Environment::prod
Relay::prod/relays/default 34:7 {"assembly":"storefront","environment":"<Environment::prod.name>","name":"default","severity":["critical"]} after Environment::prod
Relay::prod/relays/ops 35:7 {"assembly":"storefront","environment":"<Environment::prod.name>","name":"ops","emails":["ops@acme.io"]} after Environment::prod
Deployment::prod 38:5 {"assembly":"storefront","environment":"<Environment::prod.name>","comment":"from <pulumi.stack>"} after CloudConfiguration::prod/web/east CloudConfiguration::prod/web/edge Environment::prod InstanceReplacement::prod/web/compute/image
Procedure::prod/web/tomcat/restart 37:19 {"assembly":"storefront","environment":"<Environment::prod.name>","platform":"web","component":"tomcat","name":"restart","action":"restart","triggers":{"of":"<DesignRelease::storefront.revision>"}} after DesignRelease::storefront Environment::prod
Environment::qa 39:3 {"assembly":"<Assembly::storefront.name>","name":"qa","clouds":{"east":{},"west":{}},"platformAvailability":{"web":"redundant"}} after Assembly::storefront DesignRelease::storefront
Monitor::qa/web/components/os/monitors/web-os-cpu 42:71 {"assembly":"storefront","environment":"<Environment::qa.name>","platform":"web","component":"os","name":"web-os-cpu","enable":false} after Environment::qa
Deployment::qa 39:3 {"assembly":"storefront","environment":"<Environment::qa.name>"} after Environment::qa Monitor::qa/web/components/os/monitors/web-os-cpu
`;

  test('comes to its resources, each at its own key and place, with its arguments, after what it needs', () => {
    const planned = plan.resources.map(({ key, at: { start }, args, after }) => {
      const shownArgs = JSON.stringify(shown(args));
      const others = after.length === 0 ? '' : ` after ${after.toSorted().join(' ')}`;
      return `${key} ${start.line}:${start.column} ${shownArgs}${others}`;
    });
    expect(planned).toEqual(PLANNED.trim().split('\n'));
    expect(declaration(plan, 'Component::db/mysql').secrets).toEqual([['attributes', 'password']]);
  });

  test('has its outputs and configuration', () => {
    const reached = plan.outputs.map(({ name, value }) => {
      const [, key, output, steps] =
        /"key":"([^"]+)","output":"(\w+)"\},"steps":(\[[^\]]*\])/.exec(JSON.stringify(value)) ?? [];
      return `${name}: ${key}.${output} ${steps}`;
    });
    expect(reached).toEqual([
      'deployment: Deployment::prod.deploymentId []',
      'first: Deployment::prod.addresses ["web",0]',
      'swift: CloudService::edge/swift.ciId []',
      'ops: Relay::prod/relays/ops.ciId []',
      'ran: Procedure::prod/web/tomcat/restart.procedureId []',
      'cpu: Monitor::qa/web/components/os/monitors/web-os-cpu.ciId []',
      'motd: Attachment::web/motd.ciId []',
      'username: Component::web/deployer.attributes ["username"]',
      'link: CloudConfiguration::prod/web/east.revision []',
      'priority: Environment::prod.clouds ["east","priority"]',
      'design: DesignRelease::storefront.releaseId []',
      'own: Assembly::storefront.id []',
      'states: Deployment::prod.state []',
    ]);
    expect(plan.config).toMatchObject([
      { name: 'owner', type: 'string', secret: false, default: 'team@acme.io' },
      { name: 'dbPassword', type: 'string', secret: true },
    ]);
  });
});

/** A small valid file, into whose parts a test writes what it is about. */
const small = ({ top = '', web = '', user = '', motd = '', prod = '' } = {}) => `assembly: { name: shop }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user:
        deployer:
          username: deployer
          attachments:
            motd: { path: /etc/motd${motd && `, ${motd}`} }
${user && `          ${user}\n`}${web && `    ${web}\n`}  db: { pack: oneops/mysql:1 }
environments:
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 2 } }
${prod && `    ${prod}\n`}${top}`;

const EAST = { asked: 'getCloud', args: { name: 'east' }, steps: ['ciId'] };

test('the components that a pack brings are those of the catalogue that the stack is judged by', () => {
  const text = small({ prod: 'replacements: { now: { platform: web, component: cache } }' });
  const cache = { source: 'oneops', name: 'tomcat', version: '1', description: '', templates: { cache: 'Cache 1..*' } };
  const known = knownCatalogue({ version: 1, service: 'https://oneops.acme.io', packs: [cache], classes: {} });
  const codes = (own: object): readonly string[] =>
    readStack([{ name: 'oneops.yaml', text }], { ...environment, ...own })
      .findings.map(({ code }) => code)
      .filter((code) => code === 'unknown-component');
  expect([codes({}), codes({ known })]).toEqual([['unknown-component'], []]);
});

describe('components', () => {
  const components = (body: string) => {
    const plan = planOf(`assembly: { name: shop }\nplatforms: { web: { pack: oneops/tomcat:1, components: ${body} } }`);
    return plan.resources
      .filter(({ kind }) => kind.token === 'Component')
      .map(({ key }) => {
        const { type, name, attributes, depends } = argsOf(plan, key);
        return { type, name, ...(attributes ? { attributes } : {}), ...(depends ? { depends } : {}) };
      });
  };

  type Bound = ReturnType<typeof components>;
  const IN_OS = '{ nofile: 65536 }, dhclient: true, hosts: "{\\"a\\":\\"b\\"}", repo_list: [x], image_id: ';
  /** Variables of the service pass untouched. */
  const OF_SERVICE = { username: '$OO_LOCAL{user}', ulimit: '$OO_GLOBAL{LIMIT}', home_directory: '$$OO_CLOUD{HOME}' };

  test.each<[string, Bound]>([
    ['{ compute: }', [{ type: 'compute', name: 'compute' }]],
    ['{ compute: { size: M } }', [{ type: 'compute', name: 'compute', attributes: { size: 'M' } }]],
    [
      '{ user: { a: { username: abc }, b: {} } }',
      [
        { type: 'user', name: 'a', attributes: { username: 'abc' } },
        { type: 'user', name: 'b' },
      ],
    ],
    // By class: named components, nothing below, and a class without register.
    [
      '{ user/oneops.1.User: { a: { username: abc } } }',
      [{ type: 'user', name: 'a', attributes: { username: 'abc' } }],
    ],
    ['{ user/oneops.1.User: { a: } }', [{ type: 'user', name: 'a' }]],
    ['{ topic/Topic: { t: { topicname: X } } }', [{ type: 'topic', name: 't', attributes: { topicname: 'X' } }]],
    // Of a class that is not known: single values, a component of its own name, and words of ours.
    ['{ thing: { a: b } }', [{ type: 'thing', name: 'thing', attributes: { a: 'b' } }]],
    ['{ thing: { thing: { a: { b: c } } } }', [{ type: 'thing', name: 'thing', attributes: { a: { b: 'c' } } }]],
    [
      '{ thing: { x: { a: { b: c }, depends: [y] }, y: {} } }',
      [
        { type: 'thing', name: 'y' },
        { type: 'thing', name: 'x', attributes: { a: { b: 'c' } }, depends: ['y'] },
      ],
    ],
    [
      `{ os: { limits: ${IN_OS} } }`,
      [
        {
          type: 'os',
          name: 'os',
          attributes: { limits: { nofile: 65536 }, dhclient: true, hosts: '{"a":"b"}', repo_list: ['x'] },
        },
      ],
    ],
    [`{ user: ${JSON.stringify(OF_SERVICE)} }`, [{ type: 'user', name: 'user', attributes: OF_SERVICE }]],
  ])('%s', (body, expected) => expect(components(body)).toEqual(expected));

  test('words of ours are no attribute of any class', () => {
    const own = ownKeysOf(kindInFile('platforms.*.components.*'));
    for (const name of componentClasses) {
      const attributes = Object.keys(classMetadata(name)?.attributes ?? {});
      expect([name, attributes.filter((attribute) => own.includes(attribute))]).toEqual([name, []]);
    }
  });
});

describe('values', () => {
  const description = (value: string) =>
    argsOf(planOf(small({ web: `description: ${value}` })), 'Platform::web').description;
  test.each([
    ['7.0', '7.0'],
    ['1.10', '1.10'],
    ['true', 'true'],
    ['"${platforms.db.ci_id}"', '<Platform::db.ciId>'],
    ['"${platforms.db.ciId}"', '<Platform::db.ciId>'],
    ['"${assembly.ciId} of ${platforms.db.name}"', '<Assembly::shop.ciId> of <Platform::db.name>'],
    ['"$${config.x} and $${"', '${config.x} and ${'],
    ['"$$${pulumi.stack}"', '$<pulumi.stack>'],
    ['"cost: $5 or $$"', 'cost: $5 or $$'],
    ['{ fn::readFile: motd.txt }', 'hello ${not.a.reference}\n'],
    ['{ fn::invoke: { function: getCloud, arguments: { name: east }, return: ciId } }', EAST],
    ['{ fn::invoke: { function: oneops:getCloud, arguments: { name: east }, return: ci_id } }', EAST],
    ['{ fn::toJSON: { fn::invoke: { function: "oneops:index:getClouds" } } }', '{"asked":"getClouds","args":{}}'],
  ])('%s', (written, expected) => expect(description(written)).toEqual(expected));

  test('attachments as a design export writes them', () => {
    const plan = planOf(small({ motd: "run_on: 'before-add,after-add', headers: '', priority: '1', checksum: ''" }));
    expect(argsOf(plan, 'Attachment::web/motd')).toMatchObject({
      runsOn: ['before-add', 'after-add'],
      priority: 1,
      checksum: '',
    });
    expect(argsOf(plan, 'Attachment::web/motd')).not.toHaveProperty('headers');
  });
});

test.each([
  ['deploy: false', false],
  ['deploy: true', true],
  ['deploy:', true],
  ['deploy: {}', true],
  ['', true],
])('an environment with "%s" deploys: %s', (prod, deployed) => {
  const plan = planOf(small({ prod }));
  expect(plan.resources.some(({ key }) => key === 'Deployment::prod')).toBe(deployed);
});

describe('options', () => {
  test('are Pulumi’s, with property names of the file', () => {
    const plan = planOf(
      small({
        web: 'pulumi: { protect: true, aliases: [shop-web, "urn:pulumi:x", { name: old }], customTimeouts: { create: 1h30m }, ignoreChanges: [major_version, description] }',
        user: 'pulumi: { retainOnDelete: true, ignoreChanges: [username, depends], dependsOn: ["${platforms.db}"] }',
      }),
    );
    expect(declaration(plan, 'Platform::web').options).toEqual({
      protect: true,
      aliases: [{ name: 'shop-web' }, 'urn:pulumi:x', { name: 'old' }],
      customTimeouts: { create: '1h30m' },
      ignoreChanges: ['majorVersion', 'description'],
    });
    expect(declaration(plan, 'Component::web/deployer')).toMatchObject({
      options: { retainOnDelete: true, ignoreChanges: ['attributes.username', 'depends'] },
      after: ['Platform::web', 'Platform::db'],
    });
  });

  test.each([
    ['{}', true],
    ['{ pulumi: { retainOnDelete: true } }', true],
    ['{ pulumi: { protect: false } }', false],
  ])('the protection of an environment holds for its deployment, unless that says otherwise: %s', (deploy, protect) => {
    const plan = planOf(
      `assembly: { name: a, owner: a@b.io }
environments: { prod: { clouds: { east: { priority: 1 } }, pulumi: { protect: true }, deploy: ${deploy} } }
`,
    );
    expect(declaration(plan, 'Deployment::prod').options.protect).toBe(protect);
  });

  test('options that name resources are edges, and a trigger can contain references', () => {
    const plan = planOf(
      small({
        web: `pulumi: { parent: "\${assembly}", deletedWith: "\${assembly}", replaceWith: ["\${platforms.db}"], replacementTrigger: [1, "\${platforms.db.ciId}"], import: acme/shop/web }`,
      }),
    );
    const web = declaration(plan, 'Platform::web');
    expect(web).toMatchObject({
      related: { parent: 'Assembly::shop', deletedWith: 'Assembly::shop', replaceWith: ['Platform::db'] },
      after: ['Assembly::shop', 'Platform::db'],
      options: { import: 'acme/shop/web' },
    });
    expect(shown(web.trigger)).toEqual([1, '<Platform::db.ciId>']);
  });

  test('a component that has their name is written below TEMPLATE/CLASS', () => {
    const named = (group: string) => read(small().replace('user:\n        deployer:', `${group}:\n        pulumi:`));
    const taken = /"username": the name "pulumi" is taken .* user\/oneops\.1\.User: \{ pulumi: \{ … \} \}$/;
    expect(named('user').findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(taken));
    expect(argsOf(named('user/oneops.1.User').plan as StackPlan, 'Component::web/pulumi')['name']).toBe('pulumi');
  });

  test('what another stack owns comes before the release, too', () => {
    const plan = planOf(
      'assembly: { name: shop, existing: true }\nplatforms: { db: { pack: oneops/mysql:1, existing: true } }',
    );
    expect(declaration(plan, 'DesignRelease::shop').after).toContain('Platform::db');
  });
});

test('an environment names platforms of the owner of an assembly without declaring them', () => {
  const environment = `environments:
  prod:
    clouds: { east: { priority: 1 } }
    availability: redundant
    platforms:
      web:
        enabled: true
        healing: { autorepair: false }
        scale: { compute: { current: 2 } }
        variables: { LEVEL: warn }
        components: { tomcat: { max_threads: 200 } }
    replacements: { again: { platform: web, component: compute } }
`;
  const text = `assembly: { name: shop, existing: true }\n${environment}`;
  expect(read(text).findings).toEqual([]);
  const tokens = planOf(text).resources.map(({ kind, logicalName }) => `${kind.token} ${logicalName}`);
  expect(tokens).toEqual(
    expect.arrayContaining([
      'EnvironmentPlatform prod/web',
      'EnvironmentComponent prod/web/tomcat',
      'InstanceReplacement prod/web/compute/again',
    ]),
  );
  expect(tokens).not.toContain('Platform web');
});

describe('secrets', () => {
  const secretFinding = (text: string) => read(text).findings.map(({ secret }) => secret);

  test('no finding shows a line that contains one', () => {
    for (const [parts, secrets] of [
      [{ motd: 'basic_auth_password: hunter2, prioriti: 1' }, [true, true]],
      [{ motd: 'basic_auth_pasword: hunter2' }, [true]],
      [{ motd: 'basic_auth_passord: hunter2' }, [true]],
      [{ web: '  certificate/oneops.1.Certificate: { c: { passphrse: hunter2 } }' }, [true]],
      [{ web: 'description: { fn::secret: "hunter2 ${" }' }, [true, true]],
      [{ motd: 'prioriti: 1' }, [false]],
      // A reference to a secret is none.
      [{ motd: 'source: x, basic_auth_password: "${config.pw}"' }, [false]],
    ] as const)
      expect([parts, secretFinding(small(parts))]).toEqual([parts, secrets]);
  });

  test('no message or hint contains one', () => {
    const texts = [
      small({ motd: 'source: x, basic_auth_password: [hunter2]' }),
      small({ motd: 'source: x, basic_auth_password: "hunter2${hunter2.x}"' }),
      small({ motd: 'source: x, basic_auth_password: "${hunter2 x}!"' }),
      small({ web: '  certificate/oneops.1.Certificate: { c: { passphrase: { hunter2: hunter2 } } }' }),
      'assembly: { name: shop }\nconfig: { n: { type: integer, secret: true, default: hunter2 } }',
    ];
    for (const text of texts) {
      const { findings } = read(text);
      expect(findings.length).toBeGreaterThan(0);
      expect(findings.map(({ message, hint }) => `${message} ${hint}`).join()).not.toContain('hunter2');
      expect(findings.every(({ secret }) => secret)).toBe(true);
    }
  });

  test('words for secrets are kept secret where the class is not known', () => {
    const plan = planOf(small({ web: '  topic/Topic: { t: { admin_password: x, topicname: y } }' }));
    expect(declaration(plan, 'Component::web/t').secrets).toEqual([['attributes', 'admin_password']]);
  });
});

describe('several files', () => {
  const files = (...texts: string[]) =>
    readStack(
      texts.map((text, index) => ({ name: `${index}.yaml`, text })),
      environment,
    );

  test('describe one assembly', () => {
    const { plan, findings } = files(
      'assembly: { name: shop }\nplatforms: { db: { pack: oneops/mysql:1 } }',
      'platforms: { web: { pack: oneops/tomcat:1, links: [db] } }',
    );
    expect(findings).toEqual([]);
    expect(plan?.resources.map(({ key, at }) => `${at.file} ${key}`)).toEqual([
      '0.yaml Assembly::shop',
      '0.yaml Platform::db',
      '1.yaml Platform::web',
      '0.yaml DesignRelease::shop',
    ]);
  });

  test('a key of x- at the top is the own of who wrote it', () => {
    const { findings, plan } = files(
      'x-user: &user { sudoer: false, ulimit: 20000 }\nassembly: { name: shop }\nplatforms:\n  web:\n    pack: oneops/tomcat:1\n    components: { user: { deployer: { <<: *user, username: deployer } } }\n',
      'x-user: 1\nvariables: { A: x }\n',
    );
    expect(findings).toEqual([]);
    const deployer = plan?.resources.find(({ key }) => key === 'Component::web/deployer');
    expect(deployer?.args['attributes']).toEqual({ username: 'deployer', sudoer: false, ulimit: 20000 });
  });

  test('a name that two of them declare is found at the second; a part without names is none', () => {
    const part = 'assembly: { name: shop }\nvariables: { A: x }\nclouds:';
    expect(
      files(part, part.replace('x', '')).findings.map(({ at, message }) => `${at.file}:${at.start.line} ${message}`),
    ).toEqual(['1.yaml:1 "assembly" is declared in two files', '1.yaml:2 "A" is declared in two files']);
  });

  test('one that is no YAML keeps the others from being judged', () => {
    expect(files('assembly: { name: shop }\nlinks: [', 'platforms: { web: { links: [gone] } }').findings).toMatchObject(
      [{ code: 'unclosed', at: { file: '0.yaml' } }],
    );
  });
});

// An order exists exactly when there is no cycle, and then contains every edge.

const file = sourceFile('f', 'x'.repeat(1000));
const key = (index: number) => resourceKey('Platform', String(index));
const graph = (edges: readonly (readonly [number, number])[], size: number): readonly Ordered[] =>
  Array.from({ length: size }, (_, index) => ({
    key: key(index),
    edges: edges.flatMap(([from, to], place) =>
      from === index ? [{ to: key(to), place: { path: [], at: rangesOf(file)(place, place + 1) } }] : [],
    ),
  }));

/** Whether a node can be reached from itself. */
const isCyclic = (edges: readonly (readonly [number, number])[], node: number): boolean => {
  const seen = new Set<number>();
  const walk = (at: number): boolean =>
    edges.some(([from, to]) => from === at && (to === node || (!seen.has(to) && seen.add(to) && walk(to))));
  return walk(node);
};

const size = 7;
const anyEdges = fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 12 });

test('without a cycle every node comes once, after all it comes after', () => {
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const acyclic = edges.filter(([from, to]) => from > to);
      const report = newReport(['f']);
      const keys = inOrder(report, graph(acyclic, size)).map((node) => node.key);
      expect(report.findings()).toEqual([]);
      expect([...keys].sort()).toEqual(Array.from({ length: size }, (_, index) => key(index)));
      for (const [from, to] of acyclic) expect(keys.indexOf(key(to))).toBeLessThan(keys.indexOf(key(from)));
    }),
  );
});

test('what comes after nothing keeps its place', () => {
  expect(inOrder(newReport(['f']), graph([[1, 3]], 5)).map((node) => node.key)).toEqual([0, 3, 1, 2, 4].map(key));
});

test('cycles are reported, each at an edge that is part of one', () => {
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const report = newReport(['f']);
      inOrder(report, graph(edges, size));
      const cyclic = Array.from({ length: size }, (_, index) => index).filter((index) => isCyclic(edges, index));
      expect(report.findings().length > 0).toBe(cyclic.length > 0);
      for (const { at } of report.findings()) {
        const edge = edges[at.start.offset];
        expect(edge && (edge[0] === edge[1] || cyclic.includes(edge[0]))).toBe(true);
      }
    }),
  );
});
