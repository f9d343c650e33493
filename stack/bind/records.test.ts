// Records that are by name below one key: clouds and their services, mail relays, monitors, actions on instances. What they come to, and one finding,
// at its place, for each thing that is wrong.
import { readText } from '../../test/read-text';

const told = (text: string): readonly string[] =>
  readText(text).findings.map(({ code, at, message }) => `${at.start.line}:${at.start.column} ${code}: ${message}`);

const STACK = `assembly: { name: shop, owner: team@acme.io }
clouds:
  edge:
    location: aws
    services:
      nova: { attributes: { endpoint: https://nova, tenant: acme, username: me } }
  east: { existing: true }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      os:
        monitors:
          web-os-cpu: { thresholds: { High: { metric: CpuIdle, trigger: '<=5' } } }
environments:
  prod:
    clouds: { east: { priority: 1 }, edge: { priority: 2 } }
    relays:
      default: { severity: [critical] }
      ops: { emails: [ops@acme.io] }
    replacements:
      image: { platform: web, component: compute, triggers: { image: '2026-11' } }
    procedures:
      restart: { platform: web, component: tomcat, action: restart, triggers: { release: '\${design.revision}' } }
outputs:
  edge: '\${clouds.edge.ciId}'
  nova: '\${clouds.edge.services.nova.ciId}'
  ops: '\${environments.prod.relays.ops.ciId}'
  ran: '\${environments.prod.procedures.restart.procedureId}'
`;

test('each is a resource, in the order in which a program would declare them, at the address that the file says', () => {
  const { plan, findings } = readText(STACK);
  expect(findings).toEqual([]);
  expect(plan?.resources.map(({ key }) => key)).toEqual([
    'Cloud::edge',
    'CloudService::edge/nova',
    'Cloud::east',
    'Assembly::shop',
    'Platform::web',
    'Component::web/os',
    'Monitor::web/os/monitors/web-os-cpu',
    'DesignRelease::shop',
    'Environment::prod',
    'InstanceReplacement::prod/web/compute/image',
    'Relay::prod/relays/default',
    'Relay::prod/relays/ops',
    'Deployment::prod',
    'Procedure::prod/web/tomcat/restart',
  ]);
  const argsOf = (key: string): object => plan?.resources.find((each) => each.key === key)?.args ?? {};
  expect(argsOf('Cloud::east')).toEqual({ name: 'east', existing: true });
  expect(argsOf('CloudService::edge/nova')).toMatchObject({ name: 'nova', attributes: { tenant: 'acme' } });
  expect(argsOf('Monitor::web/os/monitors/web-os-cpu')).toMatchObject({
    assembly: 'shop',
    platform: 'web',
    thresholds: { High: { metric: 'CpuIdle', trigger: '<=5' } },
  });
  expect(argsOf('Relay::prod/relays/ops')).toMatchObject({ assembly: 'shop', emails: ['ops@acme.io'] });
  expect(argsOf('InstanceReplacement::prod/web/compute/image')).toMatchObject({
    platform: 'web',
    component: 'compute',
    name: 'image',
    triggers: { image: '2026-11' },
  });
  expect(argsOf('Procedure::prod/web/tomcat/restart')).toMatchObject({ component: 'tomcat', action: 'restart' });
});

test('an environment gives other values to monitors, with no record of the component next to them', () => {
  const { plan, findings } = readText(`assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1 } }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    platforms: { web: { components: { os: { monitors: { web-os-cpu: { enable: false } } } } } }
outputs: { cpu: '\${environments.prod.platforms.web.components.os.monitors.web-os-cpu.ciId}' }
`);
  expect(findings).toEqual([]);
  const [, , , , ...rest] = plan?.resources ?? [];
  expect(rest.map(({ key }) => key)).toEqual([
    'Monitor::prod/web/components/os/monitors/web-os-cpu',
    'Deployment::prod',
  ]);
  expect(rest[0]?.args).toMatchObject({ platform: 'web', component: 'os', name: 'web-os-cpu', enable: false });
});

test('an environment that names a monitor that the file does not declare is reported, with the nearest one', () => {
  const { findings } = readText(`assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1, components: { tomcat: { monitors: { queue: { cmd: check_queue } } } } } }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    platforms: { web: { components: { tomcat: { monitors: { queue: { duration: 9 }, queu: { duration: 9 } } } } } }
`);
  expect(findings).toMatchObject([
    {
      code: 'unknown-monitor',
      severity: 'warning',
      at: { start: { line: 6, column: 85 } },
      hint: 'did you mean "queue"?',
    },
  ]);
});

test('an argument that is given next to `healing` and in it is given twice', () => {
  const { findings } = readText(inProd('platforms: { web: { autorepair: true, healing: { autorepair: false } } }'));
  expect(findings.map(({ message }) => message)).toEqual(['"autorepair" is given twice']);
});

test('a file that says nothing of them declares nothing of them', () => {
  const { plan } = readText(`assembly: { name: shop }
platforms: { web: { pack: oneops/tomcat:1 } }
environments: { prod: { clouds: { east: { priority: 1 } } } }
`);
  expect(plan?.resources.map(({ kind }) => kind.token)).toEqual([
    'Assembly',
    'Platform',
    'DesignRelease',
    'Environment',
    'Deployment',
  ]);
});

const inProd = (text: string): string => `assembly: { name: shop }
platforms: { web: { pack: oneops/tomcat:1 } }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    ${text}
`;

const withMonitor = (monitor: string): string =>
  `assembly: { name: shop }
platforms: { web: { pack: oneops/tomcat:1, components: { tomcat: { monitors: { queue: { cmd: check, ${monitor} } } } } } }
`;

test.each([
  [
    'metrics: { used: {} }, thresholds: { T: { metric: usd, trigger: ">=1", reset: "<1" } }',
    'the threshold "T" has no effect: the monitor has no metric "usd"',
  ],
  ['metrics: { used: { unitt: "%" } }', '"unitt" has no effect: a metric has "unit"'],
  [
    'thresholds: { T: { metric: used, triger: ">=1", reset: "<1" } }',
    '"triger" has no effect: a threshold has "trigger"',
  ],
])('a monitor with %s: what has no effect is a warning', (monitor, message) => {
  expect(told(withMonitor(monitor)).map((line) => line.replace(/^\S+ /, ''))).toEqual([`idle-setting: ${message}`]);
});

test('a monitor with other keys, or with metrics of its pack, has no warning', () => {
  expect(told(withMonitor('metrics: { used: { own: 1 } }, thresholds: { T: { metric: used, own: 1 } }'))).toEqual([]);
  expect(told(withMonitor('thresholds: { T: { metric: CpuIdle, trigger: "<=5" } }'))).toEqual([]);
});

test('relays whose names differ in case only, and what is no e-mail address, are reported', () => {
  const relays = (text: string): string =>
    `assembly: { name: shop }\nplatforms: { web: { pack: oneops/tomcat:1 } }\nenvironments:\n  prod:\n    clouds: [east]\n    relays: { ${text} }\n`;
  expect(told(relays('ops: { emails: [a@acme.io] }, Ops: { emails: [a@acme.io] }'))).toEqual([
    '6:45 duplicate-name: a relay "ops" is in the environment already',
  ]);
  expect(told(relays("ops: { emails: ['not-an-email', ops@localhost] }"))).toEqual([
    '6:31 bad-format: must be an e-mail address: NAME@DOMAIN, not "not-an-email"',
  ]);
});

test('a number under a name with a word for a secret is a secret where a conversion takes it for one', () => {
  const service = (attributes: string): string =>
    `assembly: { name: shop }\nplatforms: { web: { source: own, pack: gizmo, version: "1", components: { gizmo: { ${attributes} } } } }\n`;
  const secrets = (attributes: string): readonly string[] =>
    told(service(attributes)).filter((line) => line.includes('secret-in-file'));
  expect(secrets("num_tokens: '256', max_tokens: 5, token_lifetime: 300, forgot_password: true")).toEqual([]);
  expect(secrets("api_token: '300', tokens: abc")).toHaveLength(2);
});
