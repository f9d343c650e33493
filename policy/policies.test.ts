// Policies: what each rule finds, where a policy holds, and what a wrong file says.
import type { sendUnaryData, UntypedServiceImplementation } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import {
  AnalyzeRequest,
  type AnalyzeResponse,
  type AnalyzerInfo,
  AnalyzerStackConfigureRequest,
  EnforcementLevel,
  type RemediateResponse,
} from '@pulumi/pulumi/proto/analyzer_pb';
import { kinds } from '../provider/kinds';
import { UNKNOWN, withAt, type Values } from '../provider/values';
import { declaredCode, type DriftFinding, type Review } from '../drift';
import type { Plan } from '../preview';
import { readStack, type StackPlan } from '../stack';
import { sampleReview, sizeFinding } from '../test/world/sample-review';
import {
  declaredRecords,
  findingAt,
  judgePlan,
  judgeRecords,
  liveRecords,
  type PolicyViolation,
  recordOfResource,
  unmatchedNames,
} from './judge';
import { type PolicyEntry, readPolicies, SELECTION_WORDS } from './policy-file';
import { isPlanRule, type JudgedRecord, type PlanRule, type Rule, RULE_NAMES, ruleOf } from './rules';
import type { PolicyRule } from './rules/rule';
import { enveloped } from '../provider/faces/plugin/properties';
import { analyzer } from './pack/analyzer';
import { eachFolder } from '../test/folder';

const NOW = new Date('2026-11-22T12:00:00Z');

function planIn(text: string): StackPlan {
  const { plan, findings } = readStack([{ name: 'oneops.yaml', text }], {
    readFile: () => ({ problem: 'there is no such file' }),
    env: {},
    catalogue: 'off',
  });
  if (plan === undefined) throw new Error(JSON.stringify(findings, null, 2));
  return plan;
}

const recordsOf = (text: string): readonly JudgedRecord[] =>
  declaredRecords(planIn(text), {}, { directory: '/', organization: 'acme' });

const read = (text: string): readonly PolicyEntry[] => readPolicies({ name: 'policies.yaml', text });

const broken = (policies: string, records: readonly JudgedRecord[], now: Date | undefined = NOW, stack?: string) =>
  judgeRecords(read(policies), records, { stack, ...(now === undefined ? {} : { now }) });

const judged = (policies: string, text: string, stack?: string): readonly PolicyViolation[] =>
  broken(policies, recordsOf(text), NOW, stack);

const messages = (policies: string, text: string): readonly string[] =>
  judged(policies, text).map(({ message }) => message);

const policyOf = (rule: string, settings: object): string =>
  JSON.stringify({ policies: { [rule]: { level: 'mandatory', ...settings } } });

/** The policy of a rule with the parameters of its sample. */
const sampleOf = ({ name, sample }: Rule): string => policyOf(name, sample.parameters);

const rules = RULE_NAMES.map((name) => ruleOf(name) as Rule);
const recordRules = rules.filter((rule): rule is PolicyRule => !isPlanRule(rule));

test('there are twenty rules and more, each with its own name, and no parameter is a word of every policy', () => {
  expect(rules.length).toBeGreaterThanOrEqual(20);
  expect(new Set(RULE_NAMES).size).toBe(rules.length);
  for (const { parameters } of rules)
    expect(Object.keys(parameters.shape).filter((name) => SELECTION_WORDS.includes(name))).toEqual([]);
});

test.each(recordRules.map((rule) => [rule.name, rule] as const))('%s finds its wrong sample alone', (_, rule) => {
  const found = judged(sampleOf(rule), rule.sample.wrong);
  expect(found).toHaveLength(1);
  expect(judged(sampleOf(rule), rule.sample.right)).toEqual([]);
  // Each is shown at a line of the file.
  for (const each of found) {
    const at = findingAt(planIn(rule.sample.wrong), each)?.at;
    expect([each.message, at?.file]).toEqual([each.message, 'oneops.yaml']);
  }
});

const plan = (members: Partial<Plan>): Plan => ({
  ...{ version: 1, stack: 'prod', project: 'shop', organization: 'acme', failed: false, diagnostics: [], counts: {} },
  ...{ actions: [], changes: [], commits: {}, deployments: [], risks: [] },
  ...members,
});

test.each(rules.filter(isPlanRule).map((rule) => [rule.name, rule] as const))(
  '%s finds its wrong plan, not its right one',
  (name, rule) => {
    const { sample, needsLive } = rule;
    const policies = read(sampleOf(rule));
    expect(judgePlan(policies, plan(sample.wrong)).violations).toHaveLength(1);
    expect(judgePlan(policies, plan(sample.right))).toEqual({ violations: [], unjudged: [] });
    expect(judgePlan(policies, plan({})).unjudged.map(({ policy }) => policy)).toEqual(needsLive ? [name] : []);
  },
);

test('a remedy satisfies its rule', () => {
  const withRemedy = recordRules.flatMap((rule) =>
    judged(sampleOf(rule), rule.sample.wrong).flatMap((found) =>
      found.remedy === undefined ? [] : [{ rule, found, remedy: found.remedy }],
    ),
  );
  expect(withRemedy.length).toBeGreaterThanOrEqual(5);
  for (const { rule, found, remedy } of withRemedy) {
    const records = recordsOf(rule.sample.wrong).map((each) =>
      each.logicalName === found.logicalName && each.kind.token === found.kind
        ? { ...each, args: { ...each.args, ...remedy } }
        : each,
    );
    expect([rule.name, broken(sampleOf(rule), records)]).toEqual([rule.name, []]);
  }
});

const SHOP = `assembly: { name: shop, owner: team@acme.io }
environments:
  dev: { clouds: { east: { priority: 1 } } }
  prod: { clouds: { east: { priority: 1 } } }
`;

const BOTH = ['acme/shop/dev', 'acme/shop/prod'];

test.each<[settings: string, addresses: readonly string[], stack?: string | null]>([
  ['', BOTH],
  ['environments: prod', ['acme/shop/prod']],
  ['environments: [d*]', ['acme/shop/dev']],
  ['only: shop/d*', ['acme/shop/dev']],
  ['except: [{ record: shop/d*, reason: one cloud is enough to try things, owner: maria }]', ['acme/shop/prod']],
  ['except: [{ record: shop/dev, reason: a trial, owner: maria, until: 2026-11-22 }]', ['acme/shop/prod']],
  ['except: [{ record: shop/dev, reason: a trial, owner: maria, until: 2026-11-21 }]', BOTH],
  ['stacks: prod', BOTH],
  ['stacks: dev', []],
  ['level: disabled', []],
  // A stack without a name is none of those; of an organization and a project, the name counts.
  ['stacks: "*"', [], null],
  ['stacks: prod, environments: prod', ['acme/shop/prod'], 'acme/shop/prod'],
])('a policy with "%s" holds for %j', (settings, addresses, stack = 'prod') => {
  const text = `policies: { clouds: { rule: active-clouds, ${settings} } }`;
  expect(judged(text, SHOP, stack ?? undefined).map(({ address }) => address)).toEqual(addresses);
});

test('a violation says that the exception of its record ended', () => {
  const ended = '{ record: shop/dev, reason: a trial, owner: maria, until: 2026-11-21 }';
  const found = judged(`policies: { active-clouds: { message: See the handbook, except: [${ended}] } }`, SHOP);
  expect(found.map(({ message }) => message.split('. ').slice(1))).toEqual([
    ['Its exception ended on 2026-11-21', 'See the handbook'],
    ['See the handbook'],
  ]);
});

test.each([
  ['policy: {}', '1: unknown key "policy"; known is policies'],
  ['{}', ' there is no key policies'],
  ['policies: []', '1: must be a map'],
  ['policies:\n  a: &a [', ''],
  ['policies:\n  active-cloud:', '2: there is no rule "active-cloud"; did you mean "active-clouds"?'],
  ['policies:\n  active-clouds: { lest: 2 }', '2: rule active-clouds has no parameter "lest"; did you mean "least"?'],
  ['policies:\n  active-clouds:\n    least: two', '3: least: '],
  ['policies:\n  active-clouds:\n    level: must', '3: level: there is no level "must"; there are advisory'],
  [
    'policies:\n  active-clouds: { level: mandatry }',
    '2: level: there is no level "mandatry"; did you mean "mandatory"?',
  ],
  ['policies:\n  names: { kinds: Platfrom, allowed: a }', '2: kinds: there is no kind "Platfrom": did you mean'],
  ['policies:\n  active-clouds: { except: { a: b } }', '2: except: must be a list of record, reason, owner and until'],
  ['policies:\n  active-clouds: { except: [{ record: a, owner: b }] }', '2: except.0.reason: '],
  ['policies:\n  active-clouds: { except: [{ record: a, reason: b }] }', '2: except.0.owner: '],
  [
    'policies:\n  active-clouds: { except: [{ record: a, reason: b, owner: c, until: 2026-02-30 }] }',
    '2: except.0.until: must be a day like 2027-01-31',
  ],
  [
    'policies:\n  changes-at-most:\n    most: 3\n    environments: prod',
    '4: environments: rule changes-at-most judges a run as a whole, which is no record',
  ],
])('the file %j is refused', (text, message) => {
  expect(() => read(text)).toThrow(`policies.yaml:${message}`);
});

// What would hold for nothing must not look as if nothing broke it.
const NOWHERE = 'and none of them is in an environment';

test.each([
  ['cost-at-most: { unit: USD, growth: 3, only: shop/* }', 'only: rule cost-at-most'],
  ['packs-allowed: { allowed: a, environments: prod }', `environments: rule packs-allowed judges Platform, ${NOWHERE}`],
  ['protected: { kinds: [Assembly], environments: prod }', `environments: rule protected judges Assembly, ${NOWHERE}`],
])('the policy %s is refused', (policy, message) => {
  expect(() => read(`policies:\n  ${policy}`)).toThrow(`policies.yaml:2: ${message}`);
});

test.each([
  ['days: [Sat], zone: Europe/Berln', '.zone: there is no time zone "Europe/Berln"; did you mean "Europe/Berlin"?'],
  ['from: 2027-01-02, to: 2026-12-20', ': must be a from and a later to'],
  ['from: Dec 20, to: Jan 2', ': must be a from and a later to'],
  ['from: 2026-12-20T00:00, to: 2027-01-02T00:00', ': must be a from and a later to'],
])('the window { %s } is refused', (window, message) => {
  expect(() => read(`policies: { freeze: { windows: [{ ${window} }] } }`)).toThrow(`windows.0${message}`);
});

test('every mistake of a file is in one message', () => {
  const text = `policies:
  active-cloud:
  active-clouds: { lest: 2, leats: 3 }
  freeze: []
  owner: { rule: owner-domain, level: must, stacks: [] }
  changes-at-most: { most: two, environments: prod }
`;
  const lines = [
    ...['2: there is no rule "activ', '3: rule active-clouds has ', '3: rule active-clouds has ', '4: must be a map'],
    ...['5: level: ', '5: stacks: ', '5: ', '6: most: '],
  ];
  expect(() => read(text)).toThrow(new RegExp(`^${lines.map((line) => `policies\\.yaml:${line}.*`).join('\n')}$`));
});

test.each([
  'policies: { environment-things: { rule: protected, kinds: [Assembly, Environment], environments: prod } }',
  'policies: { attribute-values: { attribute: size, environments: prod } }',
  'policies: { no-deletion: { kinds: Variable, environments: prod } }',
  'policies: { instances-touched: { most: 2, environments: prod } }',
])('%s can hold for something', (text) => {
  expect(read(text)).toHaveLength(1);
});

test('what differs in an environment must keep the rules of its design', () => {
  const text = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute: { size: S }
      tomcat: { attachments: { a: { path: /x, source: "https://files.acme.io/x", checksum: 9b74 } } }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    platforms:
      web:
        scale: { compute: { min: 8 } }
        components:
          compute: { size: XXL }
          tomcat: { attachments: { a: { source: "http://example.com/x" } } }
`;
  const found = judged(
    `policies:
  attribute-values: { types: compute, attribute: size, allowed: [S] }
  attachment-sources: { hosts: '*.acme.io' }
  scale-at-most: { most: 6 }
`,
    text,
  );
  expect(found.map(({ rule, address }) => `${rule} ${address}`)).toEqual([
    'attribute-values acme/shop/prod/web/components/compute',
    'attachment-sources acme/shop/prod/web/components/tomcat/attachments/a',
    'scale-at-most acme/shop/prod/web',
  ]);
});

const BUSY = `assembly: { name: shop, owner: team@acme.io, when_busy: proceed }
environments: { prod: { clouds: { east: { priority: 1 } }, deploy: {} } }
`;
const shared = (share: number): string => `assembly: { name: shop, owner: team@acme.io }
environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 1, pct_scale: ${share} } } } }
`;
const variable = (value: string): string =>
  `assembly: { name: shop, owner: team@acme.io }\nvariables: { db_password: ${value} }\n`;

test.each<[what: string, rule: string, settings: object, text: string, broken: readonly RegExp[]]>([
  [
    'every value of a list must be an allowed one',
    'attribute-values',
    { attribute: 'environment', allowed: ['S', 'M'] },
    `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1, components: { artifact: { app: { location: l, repository: r, environment: [S, XXL] } } } } }
`,
    [/has environment XXL; allowed are S, M/],
  ],
  [
    'a platform whose availability is that of its environment is redundant with it',
    'redundant',
    {},
    `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: "oneops/tomcat:1" } }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 } }
    platforms: { web: { availability: default } }
`,
    [],
  ],
  ['a deployment has the word of its assembly', 'no-cancelling', {}, BUSY, [/^Deployment shop\/prod cancels/]],
  ['unless it has its own', 'no-cancelling', {}, BUSY.replace('deploy: {}', 'deploy: { when_busy: wait }'), []],
  [
    'a cloud with no share of the instances is no active one',
    'active-clouds',
    {},
    shared(0),
    [/^Environment shop\/prod has 1 active primary cloud \(east\); at least 2 are required$/],
  ],
  ['one with a share is', 'active-clouds', {}, shared(50), []],
  ['a variable in the place of a secret is none in clear', 'no-secret-in-clear', {}, variable("'$OO_GLOBAL{v}'"), []],
  ['a text with one is', 'no-secret-in-clear', {}, variable("'$OO_GLOBAL{v}x'"), [/variables\/db_password /]],
  ['a number is', 'no-secret-in-clear', {}, variable('12345'), [/variables\/db_password /]],
])('%s', (_, rule, settings, text, breaks) => {
  expect(messages(policyOf(rule, settings), text)).toEqual(breaks.map((each) => expect.stringMatching(each) as string));
});

test('what no remedy fixes is as strict as a mandatory policy, wherever it is judged', () => {
  const text = 'policies: { active-clouds: { level: remediate }, redundant: { level: remediate } }';
  const levels = judged(text, SHOP).map(({ rule, level }) => `${rule} ${level}`);
  expect(new Set(levels)).toEqual(new Set(['active-clouds mandatory', 'redundant remediate']));
  const policies = read(policyOf('changes-at-most', { most: 0, level: 'remediate' }));
  const wrong = plan((ruleOf('changes-at-most') as PlanRule).sample.wrong);
  expect(judgePlan(policies, wrong).violations).toMatchObject([{ level: 'mandatory' }]);
});

test('what the service did not answer is judged as far as it is known, and named', () => {
  const rule = ruleOf('instances-touched') as PlanRule;
  const policies = read(sampleOf(rule));
  const unread = ['the instances of acme/shop/dev'];
  const partly = (sample: Partial<Plan>): Plan => {
    const full = plan(sample);
    return full.live === undefined ? full : { ...full, live: { ...full.live, unread } };
  };
  const unjudged = { policy: rule.name, level: 'mandatory', reason: 'the service did not answer everything' };
  expect(judgePlan(policies, partly(rule.sample.right))).toEqual({ violations: [], unjudged: [unjudged] });
  expect(judgePlan(policies, partly(rule.sample.wrong))).toMatchObject({
    violations: [{ level: 'mandatory' }],
    unjudged: [unjudged],
  });
});

test.each([
  [{ unpriced: ['acme/shop/prod'] }, 'nobody knows yet what the new instances in acme/shop/prod cost'],
  [{ units: ['USD'] }, 'no offering costs EUR: there are USD'],
  [{ withoutOffering: 2 }, 'no offering fits 2 of the machines'],
])('a cost that is not known is not judged in full: %j', (facts, reason) => {
  const rule = ruleOf('cost-at-most') as PlanRule;
  const { live } = plan(rule.sample.right);
  const judgedPlan = judgePlan(read(policyOf(rule.name, { unit: 'EUR', growth: 0 })), {
    ...plan({}),
    ...(live === undefined ? {} : { live: { ...live, ...facts } }),
  });
  expect(judgedPlan).toEqual({ violations: [], unjudged: [{ policy: rule.name, level: 'mandatory', reason }] });
});

test('records of releases that come along count as changed, and a release whose records nobody knows is not judged in full', () => {
  const rule = ruleOf('changes-at-most') as PlanRule;
  const policies = read(policyOf(rule.name, { most: 1 }));
  const release = { of: 'design', address: 'acme/shop', releaseId: 7, environments: [], isCountable: true } as const;
  const live = { touched: [], costs: [], withoutOffering: 0, unpriced: [], unread: [], authentication: false };
  const bringing = (members?: readonly string[]): Plan =>
    plan({ live: { ...live, waiting: [{ ...release, ...(members ? { members } : {}) }] } });
  expect(judgePlan(policies, bringing(['~web/tomcat']))).toEqual({ violations: [], unjudged: [] });
  expect(judgePlan(policies, bringing(['~web/tomcat', '-db'])).violations).toMatchObject([
    { message: 'The run changes 2 records; at most 1 are allowed' },
  ]);
  expect(judgePlan(policies, bringing()).unjudged).toMatchObject([{ policy: rule.name }]);
});

/** What the rule says of an artifact with these attributes. */
const inClear = (attributes: string, policy = 'no-secret-in-clear: {}'): readonly string[] =>
  judged(
    `policies: { ${policy} }`,
    `config: { key: { type: string, secret: true } }
assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components: { artifact: { app: { ${attributes} } } }
`,
  ).map(({ message, path = [] }) => `${path.slice(1).join('.')} ${message}`);

const inClearText = (place: string, name: string): string =>
  `${place} Component shop/web/app declares ${name} in clear: give it as a secret`;

test.each([
  ['environment: { DB_PASSWORD: hunter2 }', inClearText('environment.DB_PASSWORD', 'DB_PASSWORD')],
  ['environment: { a: [{ name: DB_PASSWORD, value: hunter2 }] }', inClearText('environment.a.value', 'DB_PASSWORD')],
  ['environment: { list: [DB_PASSWORD, hunter2] }', inClearText('environment.list', 'DB_PASSWORD')],
  ['restart: "curl -u ada:hunter2 http://x"', inClearText('restart', 'restart')],
])('a secret by a name next to it, before it, or in its text, is one in clear: %s', (attributes, message) => {
  expect(inClear(attributes)).toEqual([message]);
  expect(message).not.toContain('hunter2');
});

test.each([
  'environment: { entries: [{ name: DB_PASSWORD, value: "${config.key}" }] }',
  'environment: { list: [DB_PASSWORD, "${config.key}"] }',
  'restart: "java -Dpassword=${config.key}"',
])('what surely is no secret in clear is none: %s', (attributes) => {
  expect(inClear(attributes)).toEqual([]);
});

test('a name next to a value can be harmless, too', () => {
  const attributes = 'environment: { entries: [{ name: NEXT_TOKEN, value: page2 }] }';
  expect(inClear(attributes)).toHaveLength(1);
  expect(inClear(attributes, 'no-secret-in-clear: { harmless: [NEXT_TOKEN] }')).toEqual([]);
});

test('no message contains a secret', () => {
  const canary = 'canary-7f3a';
  const text = `config: { password: { type: string, secret: true } }
assembly: { name: shop, owner: team@acme.io, description: "\${config.password}" }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      tomcat:
        attachments: { a: { path: /x, source: "https://u:\${config.password}@example.com/x", basic_auth_user: u, basic_auth_password: "\${config.password}" } }
variables: { db_password: { encrypted_value: "\${config.password}" } }
environments: { prod: { clouds: { east: { priority: 1 } } } }
`;
  const records = declaredRecords(
    planIn(text),
    { password: canary },
    { directory: '/', organization: 'acme', secretConfig: new Set(['password']) },
  );
  for (const rule of recordRules) expect(JSON.stringify(broken(sampleOf(rule), records))).not.toContain(canary);
  expect(kinds.length).toBeGreaterThan(10);
});

// 2026-11-22 is a Sunday.
test.each([
  ['{ from: 2026-12-20T00:00Z, to: 2027-01-02T00:00Z }', '2026-12-24T10:00Z', true],
  ['{ from: 2026-12-20T00:00Z, to: 2027-01-02T00:00Z }', '2027-01-02T00:00Z', false],
  ['{ days: [Sat, Sun] }', '2026-11-22T10:00Z', true],
  ['{ days: [Sat, Sun] }', '2026-11-23T00:00Z', false],
  ['{ days: [Fri], from: "16:00" }', '2026-11-27T15:59Z', false],
  ['{ days: [Fri], from: "16:00" }', '2026-11-27T16:00Z', true],
  ['{ days: [Fri], from: "22:00", to: "06:00" }', '2026-11-28T05:00Z', true],
  ['{ days: [Fri], from: "22:00", to: "06:00" }', '2026-11-27T05:00Z', false],
  ['{ from: "22:00", to: "06:00" }', '2026-11-27T05:00Z', true],
  ['{ from: "18:00", zone: Europe/Berlin }', '2026-11-27T17:30Z', true],
  ['{ from: "18:00", zone: Europe/Berlin }', '2026-11-27T16:30Z', false],
])('the window %s at %s is frozen: %s', (window, now, expected) => {
  const policies = `policies: { freeze: { windows: [${window}] } }`;
  expect(broken(policies, recordsOf(SHOP), new Date(now)).length > 0).toBe(expected);
});

test('what another user changed in the service is judged as it is in the service', () => {
  const declared = declaredCode(planIn(SHOP), {}, { files: [], config: {}, directory: '/', organization: 'acme' });
  const prod = sizeFinding({ kind: 'Environment', address: 'acme/shop/prod' });
  const policies =
    'policies: { no-offline-cloud: , no-disabled-platform: , monitoring: , description-required: { kinds: Environment } }';
  const found = (review: Review): readonly string[] =>
    broken(policies, liveRecords(declared, review), undefined).map(({ policy, address }) => `${policy} ${address}`);
  const inBoth = ['description-required acme/shop/dev', 'description-required acme/shop/prod'];
  const of = (...findings: readonly DriftFinding[]): readonly string[] =>
    found(sampleReview({ findings })).filter((each) => !inBoth.includes(each));
  expect(found(sampleReview({ findings: [] }))).toEqual(inBoth);
  const now = (attribute: string, value: unknown) => ({ attribute, live: { is: 'value', value } }) as const;
  const offline: DriftFinding = { ...prod, ...now('clouds.east.adminstatus', 'offline') };
  expect(of(offline)).toEqual(['no-offline-cloud acme/shop/prod']);
  const web = { ...prod, kind: 'EnvironmentPlatform', address: 'acme/shop/prod/web' };
  expect(of({ ...web, classification: 'unexpected', ...now('enabled', false) })).toEqual([
    'no-disabled-platform acme/shop/prod/web',
  ]);
  expect(of({ ...prod, attribute: 'monitoring', live: { is: 'secret' } })).toEqual([]);
  const ignored = [{ finding: offline, reason: 'load test', owner: 'ann' }];
  expect(found(sampleReview({ findings: [], ignored }))).toContain('no-offline-cloud acme/shop/prod');
  const { attribute: _, ...whole } = prod;
  for (const classification of ['deleted', 'pending'] as const)
    expect(found(sampleReview({ findings: [{ ...whole, classification }] }))).toEqual([
      'description-required acme/shop/dev',
    ]);
});

test.each([
  ['ops@shop.ACME.io', 0],
  ['ops@acme.io@example.com', 1],
  ['acme.io', 1],
])('the domain of the owner %s is the text behind its last @, in any case', (owner, count) => {
  const record = recordOfResource({ token: 'Assembly', logicalName: 'shop', inputs: { name: 'shop', owner } }, 'acme');
  const policies = "policies: { owner-domain: { domains: ['Acme.io', '*.acme.io'] } }";
  expect(broken(policies, record === undefined ? [] : [record])).toHaveLength(count);
});

const REPAIRS = 'does not repair failing instances: autorepair: true is required';
const REDUNDANT = 'that is not redundant: availability: redundant is required';

test.each([
  [
    'no-offline-cloud',
    'clouds: { west: { adminstatus: offline } }',
    'CloudConfiguration shop/prod/web/west is offline; active is required',
  ],
  ['autorepair', 'autorepair: false', `EnvironmentPlatform shop/prod/web ${REPAIRS}`],
  ['redundant', 'availability: single', `Environment shop/prod has platform web ${REDUNDANT}`],
])('%s finds what is declared for one platform of an environment: %s', (rule, settings, message) => {
  const text = `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: "oneops/tomcat:1" } }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 }, west: { priority: 1 } }
    platforms:
      web: { ${settings} }
`;
  const [found, ...more] = judged(policyOf(rule, {}), text);
  expect([found?.message, more]).toEqual([message, []]);
  expect([7, 8]).toContain(found && findingAt(planIn(text), found)?.at.start.line);
  const right = text.replace(/\{ [^{}]*: (?:false|single) \}|offline/, (old) => (old === 'offline' ? 'active' : '{}'));
  expect(judged(policyOf(rule, {}), right)).toEqual([]);
});

describe('a secret', () => {
  // Rules that a secret satisfies, or that look at no value.
  const SATISFIED = ['attachment-checksum', 'description-required', 'no-secret-in-clear', 'protected', 'freeze'];

  test.each(recordRules.filter(({ name }) => !SATISFIED.includes(name)).map((rule) => [rule.name, rule] as const))(
    'keeps nothing from the rule %s without a word',
    (name, rule) => {
      const records = recordsOf(rule.sample.wrong);
      const [breach] = broken(sampleOf(rule), records);
      const path = name === 'packs-allowed' ? ['source'] : (breach?.path ?? []);
      const hidden = records.map((record) =>
        record.id === breach?.address && record.kind.token === breach.kind
          ? { ...record, hidden: [path], args: withAt(record.args, path, UNKNOWN) as Values }
          : record,
      );
      expect(broken(sampleOf(rule), hidden)).toMatchObject([
        { level: 'mandatory', path, message: expect.stringMatching(/cannot be judged: .* is a secret/) as string },
      ]);
    },
  );

  test('that a rule does not read keeps nothing from it', () => {
    const text = `config: { key: { type: string, secret: true } }
assembly: { name: shop, owner: team@acme.io, description: "\${config.key}" }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute: { size: S }
      tomcat:
        max_threads: "\${config.key}"
        attachments: { a: { path: /x, content: "\${config.key}" } }
`;
    const rules = `policies:
  attribute-values: { attribute: size, allowed: S }
  threads: { rule: attribute-values, types: compute, attribute: max_threads, allowed: S }
  owner-domain: { domains: acme.io }
  description-required: { kinds: Assembly }
  attachment-sources: { hosts: '*' }
  no-secret-in-clear:
`;
    expect(judged(rules, text)).toEqual([]);
    expect(messages(rules.replace('types: compute, ', ''), text)).toEqual([
      'Component shop/web/tomcat cannot be judged: attributes.max_threads is a secret, and no rule sees one',
    ]);
  });

  test('as a source of an attachment needs a checksum, too', () => {
    const text = (more: string): string => `config: { key: { type: string, secret: true } }
assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components: { tomcat: { attachments: { a: { path: /x, source: "\${config.key}"${more} } } } }
`;
    expect(judged(policyOf('attachment-checksum', {}), text(''))).toHaveLength(1);
    expect(judged(policyOf('attachment-checksum', {}), text(', checksum: 9b74'))).toEqual([]);
    expect(judged(policyOf('attachment-sources', { hosts: '*.acme.io' }), text(''))).toHaveLength(1);
  });
});

test.each([
  ['*.acme.io', 'https://files.acme.io/x', 0],
  ['Files.acme.io', 'https://FILES.acme.io/x', 0],
  ['*.acme.io', 'https://$OO_LOCAL{host}.acme.io/x', 1],
  ['*.acme.io', 'https://files.acme.io@example.com/x', 1],
  ['*.acme.io', 'https://example.com/#.acme.io', 1],
  // What programs read differently is refused, whichever of them is right.
  ['*.acme.io', String.raw`https://files.acme.io\\@example.com/x`, 1],
  ['*.acme.io', 'https://ann:x@files.acme.io/x', 1],
  ['*.acme.io', 'https:files.acme.io/x', 1],
  ['*.acme.io', 'https:///files.acme.io/x', 1],
  ['*.acme.io', ' https://files.acme.io/x', 1],
  ['*.acme.io', String.raw`https://files.acme.io\t.example.com/x`, 1],
  ['*.acme.io', String.raw`https://files.acme.io/x\ny`, 1],
  ['*', String.raw`ht\ttps://files.acme.io/x`, 1],
  ['*.acme.io', 'https://files%2Eacme.io/x', 1],
  ['127.0.0.1', 'https://0x7f.1/x', 1],
  ['*.acme.io', 'https://files.acme.io:8443/x?y=a@b', 0],
  ['*', 's3://bucket/x', 0],
  ['$OO_LOCAL{host}.acme.io', 'https://$OO_LOCAL{host}.acme.io/x', 0],
  ['*', 'https://$OO_LOCAL{host}.acme.io/x', 0],
  ['Files', 's3://Files/x', 0],
  ['*.acme.io', 's3://$OO_LOCAL{host}.acme.io/x', 1],
])(
  'from hosts %s, the source %s breaks %i policies: a variable may be more than a part of a host',
  (hosts, source, count) => {
    const text = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: "oneops/tomcat:1", components: { tomcat: { attachments: { x: { path: /x, source: "${source}" } } } } }
`;
    expect(judged(policyOf('attachment-sources', { hosts, protocols: ['https', 's3'] }), text)).toHaveLength(count);
  },
);

// Names in a policy file that nothing has: which are reported, and which may be meant.

const stackWith = (...environments: readonly string[]): readonly JudgedRecord[] =>
  recordsOf(`assembly: { name: shop }
platforms: { web: { pack: "oneops/tomcat:1", components: { app: { type: user } } } }
environments: ${JSON.stringify(Object.fromEntries(environments.map((name) => [name, { clouds: { east: {} } }])))}
`);

const DEV = stackWith('dev');
const ALL = [...DEV, ...stackWith('prod', 'test1')];

const found = (policy: string, all: () => readonly JudgedRecord[] | undefined = () => ALL): readonly string[] =>
  unmatchedNames(read(`policies:\n  active-clouds: ${policy}\n`), {
    ...{ stacks: ['dev', 'prod'], own: DEV, all },
  }).map(({ at, severity, message, hint }) => `${at.start.line}:${at.start.column} ${severity}: ${message}; ${hint}`);

const NOTHING = {
  environments: 'no environment that a stack of this project declares',
  only: 'no record that a stack of this project declares',
  stacks: 'no stack that has settings here',
} as const;

test.each([
  ['{ environments: prdo }', '2:34', 'environments', 'prdo', 'did you mean "prod"?'],
  ['{ environments: [dev, europe] }', '2:40', 'environments', 'europe', 'there are dev, prod, test1'],
  ['{ only: shop/prd }', '2:26', 'only', 'shop/prd', 'did you mean "shop/prod"?'],
  ['{ only: [shop/wb/*] }', '2:27', 'only', 'shop/wb/*', 'did you mean "shop/web/*"?'],
  ['{ stacks: pord }', '2:28', 'stacks', 'pord', 'did you mean "prod"?'],
] as const)('%s is reported', (policy, place, word, value, hint) => {
  expect(found(policy)).toEqual([`${place} warning: ${word}: "${value}" matches ${NOTHING[word]}; ${hint}`]);
});

test.each([
  ['of another stack of the project', '{ environments: prod }'],
  ['of the stack itself', '{ environments: dev, only: shop/dev }'],
  ['a pattern that foresees others', '{ environments: [stag*, dev-*], only: [shop/api/*, other/*] }'],
  ['a stack without settings', '{ stacks: [staging, test*] }'],
  ['another number', '{ stacks: [prod2] }'],
  ['of a policy that is off', '{ level: disabled, environments: prdo, stacks: pord }'],
])('a name %s is not', (_, policy) => expect(found(policy)).toEqual([]));

test('nothing is said of what is not known: a stack of the project that cannot be read may have it', () => {
  expect(found('{ environments: prdo, only: shop/prd }', () => undefined)).toEqual([]);
});

test('what a planned run deletes is no longer declared', () => {
  const policies = read('policies:\n  no-deletion: { kinds: Platform, only: [shop/old, shop/wbe] }\n');
  const found = unmatchedNames(policies, { stacks: [], own: DEV, all: () => ALL });
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('"shop/wbe"')]);
});

// The policy pack as the engine asks it: policies of a file, violations with their places, remedies, and what goes wrong.
describe('analyzer', () => {
  const CANARY = 'canary-52c1';
  /** In a map of the configuration that is secret. */
  const INNER = 'canary-90d7';

  const POLICIES = `policies:
  two-clouds: { rule: active-clouds, level: mandatory }
  autorepair: { level: remediate }
  redundant: { level: disabled }
`;

  const STACK = `config: { password: { type: string, secret: true } }
assembly: { name: shop, owner: team@acme.io }
variables: { key: { encrypted_value: "\${config.password}" } }
environments:
  prod:
    autorepair: false
    clouds: { east: { priority: 1 } }
`;

  const folder = eachFolder({
    files: { 'Pulumi.yaml': 'name: shop\nruntime: oneops\n', 'oneops.yaml': STACK, 'policies.yaml': POLICIES },
  });

  /** Asks as the engine does. */
  function ask<A>(pack: UntypedServiceImplementation, name: string, request: object): Promise<A> {
    const handler = pack[name] as (call: object, callback: sendUnaryData<A>) => void;
    return new Promise((resolve, reject) => {
      handler({ request }, (error, answer) => {
        if (error) reject(new Error('details' in error ? error.details : ''));
        else resolve(answer as A);
      });
    });
  }

  async function opened(environment: { readonly [name: string]: string } = {}): Promise<UntypedServiceImplementation> {
    const pack = analyzer({ version: '1.2.3', directory: folder.path, environment });
    const run = new AnalyzerStackConfigureRequest().setStack('dev').setProject('shop');
    run.getConfigMap().set('oneops:organization', 'acme').set('shop:password', CANARY);
    run.getConfigMap().set('shop:database', JSON.stringify({ users: [{ password: INNER }] }));
    run.setConfigSecretKeysList(['shop:password', 'shop:database']);
    await ask(pack, 'configureStack', run);
    return pack;
  }

  const environment = (type: string, properties: object = {}): AnalyzeRequest =>
    new AnalyzeRequest()
      .setType(type)
      .setName('prod')
      .setUrn('urn:pulumi:dev::shop::x::prod')
      .setProperties(
        Struct.fromJavaScript({
          ...{ assembly: 'shop', name: 'prod', autorepair: false, clouds: { east: { priority: 1 } } },
          ...properties,
        }),
      );

  const OURS = ['pulumi-nodejs:dynamic/oneops:Environment', 'oneops:index:Environment'];

  test.each(OURS)('a resource of type %s is judged, each violation at its line', async (type) => {
    const pack = await opened();
    const found = (await ask<AnalyzeResponse>(pack, 'analyze', environment(type))).getDiagnosticsList();
    expect(found.map((each) => [each.getPolicyname(), each.getEnforcementlevel(), each.getMessage()])).toEqual([
      [
        'two-clouds',
        EnforcementLevel.MANDATORY,
        'oneops.yaml:7:5: Environment shop/prod has 1 active primary cloud (east); at least 2 are required',
      ],
      [
        'autorepair',
        EnforcementLevel.REMEDIATE,
        'oneops.yaml:6:5: Environment shop/prod does not repair failing instances: autorepair: true is required',
      ],
    ]);
  });

  test('a place is found where the class of a component is known to the catalogue of the project alone', async () => {
    const templates = { queue: 'Queue' };
    const pack = { source: 'acme', name: 'worker', version: '7', description: 'Workers', templates };
    const Queue = { description: 'A queue', attributes: { depth: { description: 'Its depth' } } };
    const catalogue = { version: 1, service: 'http://127.0.0.1:1', packs: [pack], classes: { Queue } };
    const components = 'components: { queue: { one: { depth: 1 }, two: { depth: 2 } } }';
    folder.write({
      'catalogue.json': JSON.stringify(catalogue),
      'Pulumi.yaml': 'name: shop\nruntime: { name: oneops, options: { catalogue: catalogue.json } }\n',
      'oneops.yaml': `${STACK}platforms: { jobs: { pack: "acme/worker:7", ${components} } }\n`,
    });
    const asked = await ask<AnalyzeResponse>(await opened(), 'analyze', environment(OURS[0] ?? ''));
    expect(asked.getDiagnosticsList()[0]?.getMessage()).toMatch(/^oneops\.yaml:7:5: /);
  });

  test('resources of other providers, and records that are not known yet, are left alone', async () => {
    const pack = await opened();
    const unknown = environment(OURS[0] ?? '', { name: '04da6b54-80e4-46f7-96ec-b56ff0331ba9' });
    for (const request of [environment('aws:s3/bucket:Bucket'), unknown])
      expect((await ask<AnalyzeResponse>(pack, 'analyze', request)).getDiagnosticsList()).toEqual([]);
  });

  test('a remedy keeps every other argument, and secrets in their envelopes', async () => {
    const pack = await opened();
    const secret = enveloped('hidden') as object;
    const answer = await ask<RemediateResponse>(pack, 'remediate', environment(OURS[0] ?? '', { description: secret }));
    const [remedy, ...more] = answer.getRemediationsList();
    expect([remedy?.getPolicyname(), more]).toEqual(['autorepair', []]);
    expect(remedy?.getProperties()?.toJavaScript()).toEqual({
      ...{ assembly: 'shop', name: 'prod', autorepair: true, clouds: { east: { priority: 1 } } },
      description: secret,
    });
  });

  test('the engine learns the policies of the file', async () => {
    const info = await ask<AnalyzerInfo>(await opened(), 'getAnalyzerInfo', new Empty());
    expect(info.getVersion()).toBe('1.2.3');
    expect(info.getPoliciesList().map((each) => [each.getName(), each.getEnforcementlevel()])).toEqual([
      ['two-clouds', EnforcementLevel.MANDATORY],
      ['autorepair', EnforcementLevel.REMEDIATE],
      ['redundant', EnforcementLevel.DISABLED],
    ]);
  });

  test.each([CANARY, INNER])('a secret that a program writes in clear is in no message: %s', async (secret) => {
    folder.write({ 'policies.yaml': 'policies: { clouds-allowed: { allowed: west } }\n' });
    const clear = environment(OURS[0] ?? '', { clouds: { [secret]: { priority: 1 } } });
    const found = (await ask<AnalyzeResponse>(await opened(), 'analyze', clear)).getDiagnosticsList();
    expect(found.map((each) => each.getMessage())).toEqual([
      expect.stringMatching(/ Environment shop\/prod runs on cloud \[secret\]; allowed are west$/),
    ]);
  });

  test.each([
    [{ ONEOPS_POLICIES: 'none.yaml' }, 'the policy file none.yaml cannot be read: there is no such file'],
    [{ ONEOPS_POLICIES: 'oneops.yaml' }, 'oneops.yaml:1: unknown key "config"; known is policies'],
  ])('a file that is missing or wrong stops the run: %j', async (variables, message) => {
    const pack = await opened(variables);
    await expect(ask(pack, 'getAnalyzerInfo', new Empty())).rejects.toThrow(message);
  });
});
