// Laws of every report: no text breaks out of its format, no secret is in any, each is what its own readers demand.
import { join } from 'node:path';
import fc from 'fast-check';
import { JSDOM, type PageDocument, type PageElement } from 'jsdom';
import { isSarif, jsonFile, validatorOf } from '../../test/sarif-schema';
import { NASTY } from '../../test/world/nasty';
import {
  CANARY,
  fullReview,
  largeReview,
  sampleFinding,
  reviewOfTexts,
  sampleReview,
  SAMPLES,
  STARTED,
  value,
} from '../../test/world/sample-review';
import { type Author, CLASSIFICATIONS, type Review } from '../review/review';
import { FORMATS, MARKDOWN_LIMIT, markdownMarker, renderReview } from '.';
import { columnsOf } from '../../stack';
import { countsForOutcome, isDrift, isWhole } from '../review/outcome';
import { HOSTILE, sampleFleet } from '../../test/world/sample-fleet';
import { fleetOf, type FleetStack, isInShard } from '../fleet/fleet';

const ROOT = join(__dirname, '..', '..');
const OPTIONS = { root: '/work/repository' };

const isReview = validatorOf(jsonFile(join(ROOT, 'schemas', 'drift.schema.json')));

/** A document of XML, refused unless it is well-formed. */
function xmlOf(text: string): PageDocument {
  const document = new new JSDOM('').window.DOMParser().parseFromString(text, 'application/xml');
  if (document.querySelector('parsererror') !== null) throw new Error('not well-formed');
  return document;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const HELP = new RegExp(`^# HELP (${NAME}) (?:[^\\\\]|\\\\[\\\\n])*$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (?:counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*,?)?\\})? ([-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|Inf)|NaN)(?: -?[0-9]+)?$`,
);

/**
 * The samples of a text in Prometheus' exposition format (version 0.0.4). Throws for what Prometheus
 * refuses, metrics in pieces, samples without a type, and series that come twice.
 */
function metricsOf(text: string) {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const begun = new Set<string>();
  const series = new Set<string>();
  let current = '';
  return text
    .slice(0, -1)
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# HELP ') && !HELP.test(line)) throw new Error(`not a help line: ${line}`);
      if (line.startsWith('# TYPE ')) {
        const name = TYPE.exec(line)?.[1];
        if (name === undefined || begun.has(name)) throw new Error(`not a type line, or a second one: ${line}`);
        begun.add(name);
        current = name;
      }
      if (line.startsWith('#')) return [];
      const match = SAMPLE.exec(line);
      if (match === null) throw new Error(`not a sample: ${line}`);
      const [, name = '', list = '', value = ''] = match;
      if (name !== current) throw new Error(`not below its type: ${line}`);
      if (series.has(`${name}{${list}}`)) throw new Error(`a series twice: ${line}`);
      series.add(`${name}{${list}}`);
      const labels = [...list.matchAll(new RegExp(LABEL, 'g'))].map(([label]) => {
        const at = label.indexOf('=');
        const plain = label.slice(at + 2, -1).replace(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each));
        return [label.slice(0, at), plain] as const;
      });
      return [{ name, labels: Object.fromEntries(labels), value: Number(value) }];
    });
}

const nasty = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...NASTY), { maxLength: 4 }).map((all) => all.join('')) },
);

/** A review in which every text that comes from elsewhere is nasty. */
const nastyReview: fc.Arbitrary<Review> = fc
  .record({
    texts: fc.array(nasty, { minLength: 14, maxLength: 14 }),
    classification: fc.constantFrom(...CLASSIFICATIONS),
    number: fc.nat(50),
  })
  .map(({ texts, classification, number }) => reviewOfTexts(texts, { classification }, number));

const law = (holds: (review: Review) => void, numRuns = 80): void =>
  fc.assert(fc.property(nastyReview, holds), { numRuns });

test.each(FORMATS)('%s has each broken policy, with its place', (format) => {
  const at = { file: 'oneops.yaml', line: 987, column: 3 };
  const policies = [
    { policy: 'names', level: 'mandatory', address: 'acme/shop/web', message: 'Platform breaks-it-1', at },
    { policy: 'redundant', level: 'advisory', address: 'acme/shop/prod', message: 'Environment breaks-it-2' },
  ] as const;
  const text = renderReview(format, { ...sampleReview(), policies });
  if (format === 'prometheus') {
    expect(text).toMatch(/^oneops_drift_policy_violations\{.*level="mandatory"\} 1$/m);
    return;
  }
  expect(text).toContain('breaks-it-1');
  expect(text).toContain('breaks-it-2');
  expect(text).toContain('987');
});

describe.each(SAMPLES)('%s', (_, review) => {
  test.each(FORMATS)('%s contains no secret, is the same twice, and ends a line', (format) => {
    const text = renderReview(format, review, OPTIONS);
    expect(text).not.toContain(CANARY);
    expect(renderReview(format, structuredClone(review), OPTIONS)).toBe(text);
    expect(text.endsWith('\n')).toBe(true);
  });
});

test('the canary is there to be held', () => {
  expect(JSON.stringify(fullReview())).toContain(CANARY);
});

test('a service address with a password in it is shown without', () => {
  const review = sampleReview({ service: `https://bot:${CANARY}@oneops.example.com/x` });
  for (const format of FORMATS) expect(renderReview(format, review)).not.toContain(CANARY);
});

test.each(['text', 'html', 'markdown', 'sarif', 'junit'] as const)('%s says that a secret changed', (format) => {
  expect(
    renderReview(format, sampleReview()).replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
  ).toContain('secret (changed)');
});

test.each(['text', 'html', 'markdown', 'sarif'] as const)('%s says what deploys a release that waits', (format) => {
  const advice = { revert: 'pulumi up --refresh deploys it', commands: { revert: 'pulumi up --refresh' } };
  const [first = sampleFinding(1)] = sampleReview().findings;
  const findings = [{ ...first, classification: 'undeployed' as const, waits: true as const, advice }];
  const text = renderReview(format, { ...sampleReview(), findings });
  expect(text).toMatch(format === 'html' ? /How to deploy it/ : /deploy: (<code>)?pulumi/);
  expect(text).not.toMatch(/revert: |How to revert it/);
});

test('a comment has the command alone as code, with the words around it', () => {
  const [first = sampleFinding(1)] = sampleReview().findings;
  const advice = {
    ...{ revert: 'pulumi-oneops drift revert 1 deletes it', accept: 'import it: pulumi-oneops import-file A:b' },
    commands: { revert: 'pulumi-oneops drift revert 1', accept: 'pulumi-oneops import-file A:b' },
  };
  const text = renderReview('markdown', { ...sampleReview(), findings: [{ ...first, advice }] });
  expect(text).toContain('revert: <code>pulumi-oneops drift revert 1</code> deletes it');
  expect(text).toContain('accept: import it&#58; <code>pulumi-oneops import-file A&#58;b</code>');
});

describe('text', () => {
  test.each([40, 80, 200])('keeps to %i columns and steers no terminal', (width) => {
    law((review) => {
      const text = renderReview('text', review, { width });
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
      for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(Math.max(width, 75));
    }, 60);
    for (const [, review] of SAMPLES) {
      const long = renderReview('text', review, { width })
        .split('\n')
        .filter((line) => columnsOf(line) > width && !/^ {4}pulumi/.test(line));
      expect(long).toEqual([]);
    }
  });

  test('no value becomes a command of a pipeline', () => {
    const { findings, ...rest } = fullReview();
    const live = { is: 'value', value: '::error::x ##[y]' } as const;
    const changed = findings.map((finding) => ({ ...finding, applied: { is: 'value', value: 'one' } as const, live }));
    for (const width of [40, 80, 200]) {
      const text = renderReview('text', { ...rest, findings: changed }, { width });
      expect(text).toContain('error::x');
      expect(text).not.toMatch(/^\s*::|##\[/m);
    }
  });

  test('a long value is broken at spaces: no number and no character in it is split', () => {
    const state = 'nothing runs of web since deployment 61007 of maria';
    const finding = sampleFinding(1, { applied: value('🙂'.repeat(30)), live: value(state) });
    for (let width = 40; width <= 120; width++) {
      const text = renderReview('text', { ...fullReview(), findings: [finding] }, { width });
      expect(text).toContain('61007');
      expect(text).not.toMatch(/\p{Cs}/u);
    }
  });

  test('a value too long for its rows begins half a row before the first difference', () => {
    const [code, live] = [value(`${'same '.repeat(100)}old`), value(`${'same '.repeat(100)}new`)];
    const findings = [sampleFinding(1, { code, applied: code, live })];
    const text = renderReview('text', { ...fullReview(), findings }, { width: 40 });
    expect(text).toContain('\n    live           …same same new\n');
    const alone = [sampleFinding(1, { code: live, applied: live, live })];
    expect(renderReview('text', { ...fullReview(), findings: alone }, { width: 40 })).toMatch(/live {2}same same/);
  });

  test('two records under one address are two: an assembly, and its design release', () => {
    const findings = ['Assembly', 'DesignRelease'].map((kind) => sampleFinding(1, { kind, address: 'acme/shop' }));
    const text = renderReview('text', { ...fullReview(), findings });
    expect(text.match(/^acme\/shop {2}\w+/gm)).toEqual(['acme/shop  Assembly', 'acme/shop  DesignRelease']);
  });

  test('who made a change, and when, is said to be unknown only once', () => {
    const of = (author: Author): string =>
      renderReview('text', { ...fullReview(), findings: [sampleFinding(1, { author })] });
    expect(of({ who: '', when: 0 })).toMatch(/^ +an unknown user$/m);
    expect(of({ who: 'ada', when: 0 })).toContain('ada, at an unknown time');
    expect(of({ who: '', when: STARTED })).toMatch(/^ +an unknown user, just now, 2026-11-21 12:40 UTC$/m);
  });

  test('colour changes nothing but colour', () => {
    const plain = renderReview('text', fullReview());
    const coloured = renderReview('text', fullReview(), { colour: true });
    expect(coloured).not.toBe(plain);
    expect(coloured.replace(/\p{Cc}\[[\d;]*m/gu, '').replace(/ +$/gm, '')).toBe(plain);
  });

  test('says the outcome first, then what is most severe, then what is not drift, not read and ignored', () => {
    const text = renderReview('text', fullReview());
    const order = [
      'INCOMPLETE: 9 differences',
      '── HIGH',
      'ada, 3 hours ago, 2026-11-21 09:40 UTC, release 231 (deployed)',
      'oneops.yaml:38:11',
      '── MEDIUM',
      '── LOW',
      '── Touched',
      '── Pending',
      '── Not read',
      '── Ignored',
      '── What to do',
      'drift revert --all',
    ];
    const places = order.map((each) => text.indexOf(each));
    expect(places).not.toContain(-1);
    expect([...places].sort((left, right) => left - right)).toEqual(places);
  });

  test('says once that the token was refused, below all that was not read', () => {
    const refused = (path: string): string => `the service answered 401: the API token is not valid (GET ${path})`;
    const reasons = { web: refused('/acme/a'), db: `cannot read platform acme/shop/web: ${refused('/acme/b')}` };
    const unread = Object.entries(reasons).map(([name, reason]) => ({
      ...{ kind: 'Platform', address: `acme/shop/${name}`, reason, authentication: true },
    }));
    const text = renderReview('text', { ...fullReview(), unread });
    expect(text).toContain(
      '  acme/shop/web  Platform\n  acme/shop/db  Platform\n    the service answered 401: the API token is not valid\n',
    );
  });
});

describe('markdown', () => {
  test('fits into a comment, whatever the size of the review', () => {
    const long = 'x'.repeat(5_000);
    const monster = {
      ...largeReview(3_000),
      summary: long,
      notes: Array.from({ length: 50 }, () => long),
      unread: Array.from({ length: 900 }, () => ({ kind: 'Component', address: long, reason: '<'.repeat(5_000) })),
      ignored: fullReview().ignored.flatMap((each) => Array.from({ length: 400 }, () => each)),
    };
    for (const review of [monster, largeReview(500), largeReview(5_000)]) {
      const text = renderReview('markdown', review);
      expect(text.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
      expect(text).toMatch(/… and \d+ more/);
      expect(text.split('<details').length).toBe(text.split('</details>').length);
    }
  });

  test('starts with a marker that is the same for every review of a stack and ends no comment early', () => {
    law((review) => {
      const marker = markdownMarker(review);
      expect(renderReview('markdown', review).startsWith(`${marker}\n`)).toBe(true);
      expect(markdownMarker({ organization: review.organization, stack: review.stack ?? '' })).toBe(marker);
      expect(marker.slice(4, -3)).not.toMatch(/--|[<>\n]/);
    });
  });

  test('no text becomes markup', () => {
    law((review) => {
      const fences = renderReview('markdown', review).split('\n');
      let fence = '';
      const outside = fences.filter((line) => {
        const run = /^(`{3,})(diff)?$/.exec(line);
        if (fence === '' && run?.[2]) fence = run[1] ?? '';
        else if (fence !== '' && line === fence) fence = '';
        else return fence === '' && run === null;
        return false;
      });
      expect(fence).toBe('');
      const text = outside.slice(1).join('\n').replace(/^### /, '');
      expect(text.replace(/<\/?(?:code|b|summary|details)>|<details open>|<br>/g, '')).not.toMatch(
        /[<>`]|(?<!&)#(?!## )|[[\]!~@\\$]|https?:\/\/|www\./i,
      );
    });
  });
});

test('json: every review is what drift.schema.json says, and another thing is not', () => {
  for (const [, review] of SAMPLES)
    expect([isReview(JSON.parse(renderReview('json', review))), isReview.errors]).toEqual([true, null]);
  expect(isReview({ ...fullReview(), outcome: 'fine' })).toBe(false);
  expect(isReview({ ...fullReview(), version: 2 })).toBe(false);
  expect(isReview({ ...fullReview(), findings: undefined })).toBe(false);
});

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly results: readonly {
    readonly kind: string;
    readonly level: string;
    readonly partialFingerprints: object;
    readonly suppressions?: readonly unknown[];
    readonly locations: readonly {
      readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
    }[];
  }[];
  readonly invocations: readonly object[];
}
const sarifRun = (review: Review, options = {}): SarifRun =>
  (JSON.parse(renderReview('sarif', review, options)) as { readonly runs: [SarifRun] }).runs[0];

describe('sarif', () => {
  test('is what the schema of SARIF 2.1.0 says', () => {
    const check = (review: Review): void =>
      expect([isSarif(JSON.parse(renderReview('sarif', review))), isSarif.errors]).toEqual([true, null]);
    for (const [, review] of SAMPLES) check(review);
    law(check, 50);
    expect(isSarif({ version: '2.1.0', runs: [{ tool: {} }] })).toBe(false);
  });

  test('has a rule for each classification, a place and a fingerprint for each result', () => {
    const { tool, results, invocations } = sarifRun(fullReview());
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(CLASSIFICATIONS.map((each) => `drift/${each}`));
    expect(results.length).toBe(fullReview().findings.length + 2);
    expect(results.filter(({ suppressions }) => suppressions !== undefined).length).toBe(2);
    expect(results[0]?.locations[0]?.physicalLocation).toMatchObject({
      artifactLocation: { uri: 'oneops.yaml' },
      region: { startLine: 31 },
    });
    expect(invocations[0]).toMatchObject({ executionSuccessful: false, toolExecutionNotifications: [{}, {}] });
    for (const { kind, level } of results) expect(kind === 'fail' ? level !== 'none' : level === 'none').toBe(true);
  });

  test('fingerprints depend on neither values nor lines nor order', () => {
    const at = { file: 'oneops.yaml', line: 900, column: 1 };
    const moved = fullReview().findings.map((finding) => ({ ...finding, live: value('other'), at }));
    const prints = (review: Review): readonly string[] =>
      sarifRun(review)
        .results.flatMap(({ partialFingerprints }) => Object.values(partialFingerprints) as readonly string[])
        .sort();
    expect(prints({ ...fullReview(), findings: moved.reverse() })).toEqual(prints(fullReview()));
    expect(new Set(prints(largeReview(500))).size).toBe(500);
  });

  test('names files below the repository, whatever way they were given', () => {
    const uri = (file: string, options: object): string | undefined =>
      sarifRun(sampleReview({ findings: [sampleFinding(1, { at: { file, line: 1, column: 1 } })] }), options).results[0]
        ?.locations[0]?.physicalLocation.artifactLocation.uri;
    expect(uri('/work/repository/a/b c.yaml', { root: '/work/repository' })).toBe('a/b%20c.yaml');
    expect(uri('../oneops.yaml', { root: '/work/repository', folder: '/work/repository/a/b' })).toBe('a/oneops.yaml');
    expect(uri('./oneops.yaml', {})).toBe('oneops.yaml');
    expect(uri('/elsewhere/x.yaml', { root: '/work/repository' })).toBe('file:///elsewhere/x.yaml');
  });
});

/** Attributes and children that the XSD of Jenkins allows, as far as it is used; `!` marks what is required. */
const JUNIT: { readonly [element: string]: readonly [attributes: string, children: string] } = {
  testsuites: ['name time tests failures disabled errors', 'testsuite'],
  testsuite: [
    'name! tests! failures errors time disabled skipped timestamp hostname id package',
    'properties testcase system-out system-err',
  ],
  testcase: ['name! assertions time classname status', 'skipped error failure system-out system-err'],
  failure: ['type message', ''],
  error: ['type message', ''],
  skipped: ['type message', ''],
};

describe('junit', () => {
  const check = (element: PageElement): void => {
    const [attributes = [], children = []] = (JUNIT[element.tagName] ?? []).map((words) => words.split(' '));
    const names = element.getAttributeNames();
    expect(attributes.map((name) => name.replace('!', ''))).toEqual(expect.arrayContaining(names));
    expect(names).toEqual(expect.arrayContaining(attributes.flatMap((name) => name.match(/.*(?=!)/) ?? [])));
    for (const child of Array.from(element.children)) {
      expect(children).toContain(child.tagName);
      check(child);
    }
  };

  test('is well-formed and keeps to the rules, whatever the texts', () => {
    for (const [, review] of SAMPLES) check(xmlOf(renderReview('junit', review)).documentElement);
    law((review) => check(xmlOf(renderReview('junit', review)).documentElement), 25);
    expect(() => xmlOf('<a>')).toThrow();
  });

  test('counts what it contains: drift that counts fails, what was not read is an error', () => {
    for (const [, review] of SAMPLES) {
      const suite = xmlOf(renderReview('junit', review)).querySelector('testsuite') as PageElement;
      const count = (selector: string): number => suite.querySelectorAll(selector).length;
      expect(['tests', 'failures', 'errors', 'skipped'].map((name) => Number(suite.getAttribute(name)))).toEqual(
        ['testcase', 'failure', 'error', 'skipped'].map(count),
      );
      expect(count('failure')).toBe(
        review.findings.filter((finding) => countsForOutcome(finding, review.failOn)).length,
      );
      const wrong = review.problems.filter(({ severity }) => severity === 'error').length;
      expect(count('error')).toBe(review.unread.length + wrong + (isWhole(review.outcome) ? 0 : 1));
    }
  });
});

describe('prometheus', () => {
  test('is the exposition format, with every label as it was', () => {
    law((review) => {
      const samples = metricsOf(renderReview('prometheus', review));
      expect(samples.every(({ name }) => name.startsWith('oneops_drift_'))).toBe(true);
      expect(samples.filter(({ name }) => name === 'oneops_drift_findings')).toHaveLength(1);
    });
    expect(() => metricsOf('# TYPE a gauge\na{b="c} 1\n')).toThrow();
  });

  test('counts findings by severity, classification and kind', () => {
    for (const [, review] of SAMPLES) {
      const samples = metricsOf(renderReview('prometheus', review));
      const sum = (name: string): number =>
        samples.filter((each) => each.name === name).reduce((total, each) => total + each.value, 0);
      expect(sum('oneops_drift_findings')).toBe(review.findings.length);
      expect(sum('oneops_drift_severity')).toBe(review.findings.filter(isDrift).length);
      const outcomes = samples.filter(({ name, value: is }) => name === 'oneops_drift_outcome' && is === 1);
      expect(sum('oneops_drift_outcome')).toBe(1);
      expect(outcomes.map(({ labels }) => labels['outcome'])).toEqual([review.outcome]);
    }
  });

  test('keeps the time of the last success through reviews that fail', () => {
    const good = sampleReview();
    const bad = sampleReview({ outcome: 'incomplete', started: STARTED + 3_600_000 });
    const first = renderReview('prometheus', good);
    const success = (text: string): string | undefined => /^oneops_drift_last_success\S* (.*)$/m.exec(text)?.[1];
    expect(Number(success(first)) * 1000).toBe(good.started + good.took);
    expect(success(renderReview('prometheus', bad, { earlier: first }))).toBe(success(first));
    expect(success(renderReview('prometheus', bad))).toBeUndefined();
    expect(success(renderReview('prometheus', { ...bad, stack: 'other' }, { earlier: first }))).toBeUndefined();
  });
});

test.each([
  [0, 0, 'just now', ''],
  [50_000, 40_000, 'just now', ''],
  [7_200_000, 3_600_000, '1 hour ago', "the service's clock is 2 hours ahead of this one"],
  [-7_200_000, -10_800_000, '1 hour ago', "the service's clock is 2 hours behind this one"],
  [90_000, 240_000, 'just now', "the service's clock is 2 minutes ahead of this one"],
])('with a clock %d ms ahead, a write at %d ms was %s, and the clocks are named once', (ahead, at, ago, note) => {
  const finding = { ...sampleFinding(1), author: { who: 'maria', when: STARTED + at } };
  const review = { ...sampleReview({ findings: [finding] }), started: STARTED, took: 0, ahead };
  const text = renderReview('text', review, { width: 400 });
  expect(text).toContain(`maria, ${ago}`);
  expect(text.split(note === '' ? "the service's clock" : note)).toHaveLength(note === '' ? 1 : 2);
  expect(renderReview('html', review).includes('set both by NTP')).toBe(note !== '');
});

// The review of a fleet in each format: what it shows, how long it may be, and what no text can do to it.

const fleet = sampleFleet(20);

test.each(FORMATS)('%s: the same for the same fleet, with each stack that is not in sync, and no secret', (format) => {
  const text = renderReview(format, fleet);
  expect(renderReview(format, sampleFleet(20))).toBe(text);
  expect(text).not.toContain(CANARY);
  for (const { name, outcome } of fleet.stacks)
    if (outcome !== 'in-sync') expect(text.replaceAll('&#45;', '-')).toContain(name);
});

test('every fleet is what drift.schema.json says, and another thing is not', () => {
  const { $schema, definitions, ...review } = jsonFile(join(ROOT, 'schemas', 'drift.schema.json')) as {
    readonly $schema: string;
    readonly definitions: object;
  };
  // A review is the root of the file.
  const isFleet = validatorOf({
    $schema,
    definitions: { ...definitions, Review: review },
    $ref: '#/definitions/Fleet',
  });
  const data = (each: object): unknown => JSON.parse(JSON.stringify(each));
  const shard = sampleFleet(3, { shard: { number: 1, of: 2 } });
  expect([fleet, shard, { ...fleet, stacks: 5 }].map((each) => isFleet(data(each)))).toEqual([true, true, false]);
  expect(isSarif(JSON.parse(renderReview('sarif', fleet)))).toBe(true);
});

test('the text has 80 columns, and names each cause with its stacks', () => {
  const text = renderReview('text', fleet);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(
    /Component attributes\.max_threads .*\n {4}now 300\n {4}medium; changed out of band, by maria, since 4 hours ago/,
  );
  expect(text).toContain('7 records in 7 stacks: stacks/shop-000/dev');
  expect(text).toContain('and 2 more');
  expect(text).toContain('\n    pulumi-oneops drift revert --cause ID --from FLEET.json\n');
});

test('no place of a file makes a line of the text wider than the terminal', () => {
  const [first, ...others] = fleet.stacks;
  const at = { file: `${'folder/'.repeat(20)}oneops.yaml`, line: 12, column: 3 };
  const findings = fleet.stacks.flatMap(({ review }) => review?.findings ?? []).map((each) => ({ ...each, at }));
  const review = fleet.stacks.find((stack) => stack.review !== undefined)?.review;
  if (first === undefined || review === undefined) throw new Error('the sample has no review');
  const stacks = [{ ...first, outcome: 'drift' as const, review: { ...review, findings } }, ...others];
  for (const width of [40, 80])
    expect(
      renderReview('text', { ...fleet, stacks }, { width })
        .split('\n')
        .filter((line) => line.length > Math.max(width, 75)),
    ).toEqual([]);
});

test.each(['text', 'html', 'markdown'] as const)('%s names each broken policy with its stack, as text', (format) => {
  const text = renderReview(format, fleet).replace(/\s+/g, ' ');
  for (const word of ['two-clouds', 'stacks/held/dev', 'has 1 active cloud', 'costs']) expect(text).toContain(word);
  expect(text).toContain('policies are broken in 1 stack');
  if (format === 'html') expect(text).not.toContain('<b>costs');
});

test.each([
  [
    'html',
    /<summary>((?!<\/summary>)[^])*stacks\/held\/dev((?!<\/summary>)[^])*breaks two-clouds \(mandatory\), costs \(advisory\)/,
  ],
  ['markdown', /\| <code>stacks\/held\/dev<\/code> \|.* breaks two-clouds \(mandatory\), costs \(advisory\)/],
] as const)('%s names the policies that a stack breaks beside its outcome', (format, beside) => {
  expect(renderReview(format, fleet)).toMatch(beside);
});

test.each(['text', 'html', 'markdown'] as const)(
  '%s says why a stack was not read, which rule has an error, and the cause of a finding at the finding',
  (format) => {
    const text = renderReview(format, fleet).replace(/\s+/g, ' ');
    expect(text).toContain('503 Service Unavailable after 3 attempts');
    expect(text).toMatch(/expired on 2026.?-10.?-31/);
    const cause = fleet.causes.find(({ stacks }) => stacks.length > 0)?.id ?? 'none';
    expect(text.split(cause).length).toBeGreaterThan(2);
  },
);

test('a comment on a fleet says what each finding is, under its stack', () => {
  const [, found = ''] = renderReview('markdown', fleet).split('What was found in the stacks');
  expect(found).toMatch(/\*\*<code>stacks\/[^]*_High drift \(\d+\)_[^]*_Not drift \(\d+\)_/);
});

test('the comment fits, whatever the fleet, and says how much it leaves out', () => {
  const text = renderReview('markdown', sampleFleet(2000));
  expect(text.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
  expect(text).toMatch(/… and \d+ more; the other reports have them\./);
  expect(text.split('\n')[0]).toBe('<!-- pulumi-oneops drift fleet -->');
  expect(renderReview('markdown', fleet)).not.toContain('@everyone');
});

test('the metrics are what Prometheus reads, each stack under its label', () => {
  const metrics = metricsOf(renderReview('prometheus', fleet));
  const of = (name: string): readonly unknown[] =>
    metrics.filter((each) => each.name === name).map(({ value }) => value);
  expect(of('oneops_drift_fleet_stacks')).toEqual([25]);
  const outcomes = metrics.filter(({ name, value }) => name === 'oneops_drift_outcome' && value === 1);
  expect(new Set(outcomes.map(({ labels }) => labels['stack']))).toEqual(new Set(fleet.stacks.map(({ name }) => name)));
});

test.each([
  ['a stack that could not be opened', (each: FleetStack) => ({ ...each, review: undefined })],
  [
    'a folder whose stacks could not be listed',
    ({ name }: FleetStack) => ({ name: name.replace('/dev', ''), folder: name.replace('/dev', ''), stack: '' }),
  ],
])('the metrics of %s stay, apart from its outcome', (_, without) => {
  const [first] = fleet.stacks.filter(
    ({ name, review }) => name.startsWith('stacks/shop') && review?.outcome === 'drift',
  );
  const later = fleetOf({
    ...fleet,
    stacks: fleet.stacks.map((each) =>
      each === first
        ? ({ ...without(each), outcome: 'incomplete', summary: 'incorrect passphrase' } as FleetStack)
        : each,
    ),
  });
  const earlier = renderReview('prometheus', fleet);
  const [before, after] = [earlier, renderReview('prometheus', later, { earlier })].map((text) =>
    metricsOf(text).filter(({ name, labels }) => name !== 'oneops_drift_outcome' && labels['stack'] === first?.name),
  );
  expect(before?.length).toBeGreaterThan(5);
  expect(after).toEqual(before);
  // Once more: what stays is what the file says, not the last run.
  const again = renderReview('prometheus', later, { earlier: renderReview('prometheus', later, { earlier }) });
  expect(again).toBe(renderReview('prometheus', later, { earlier }));
  expect(
    metricsOf(again).find(
      ({ name, labels, value: is }) =>
        name === 'oneops_drift_outcome' &&
        is === 1 &&
        labels['outcome'] === 'incomplete' &&
        first?.name.startsWith(labels['stack'] ?? '-'),
    ),
  ).toBeDefined();
});

test('the metrics of stacks in a missing shard stay', () => {
  const shard = { number: 1, of: 2 };
  const later = fleetOf({
    ...fleet,
    stacks: fleet.stacks.filter(({ name }) => !isInShard(name, shard)),
    missing: [shard],
  });
  const earlier = renderReview('prometheus', fleet);
  const successes = (text: string): readonly unknown[] =>
    metricsOf(text)
      .flatMap(({ name, labels }) => (name.includes('last_success') ? [labels['stack']] : []))
      .sort();
  expect(successes(renderReview('prometheus', later, { earlier }))).toEqual(successes(earlier));
});

test('the metrics of a stack that is gone, or without a record of ours, go', () => {
  const earlier = renderReview('prometheus', fleet);
  const [gone, empty, ...rest] = fleet.stacks.filter(
    ({ name, review }) => name.startsWith('stacks/shop') && review?.outcome === 'drift',
  );
  const { review: _, ...without } = empty as FleetStack;
  const bare: FleetStack = { ...without, outcome: 'in-sync' };
  const later = renderReview('prometheus', fleetOf({ ...fleet, stacks: [bare, ...rest] }), { earlier });
  expect(later).not.toContain(gone?.name);
  expect(
    metricsOf(later)
      .filter(({ labels }) => labels['stack'] === empty?.name)
      .map(({ name }) => name),
  ).toEqual(Array.from({ length: 5 }, () => 'oneops_drift_outcome'));
});

describe('the page', () => {
  const open = (runScripts = true): JSDOM =>
    new JSDOM(
      renderReview('html', fleet),
      runScripts
        ? {
            runScripts: 'dangerously',
            url: 'https://reports.example.com/fleet.html#stack-3',
            beforeParse: ({ Element }) => void Object.assign(Element.prototype, { scrollIntoView: () => undefined }),
          }
        : {},
    );
  const all = ({ window }: JSDOM, selector: string): readonly PageElement[] => [
    ...window.document.querySelectorAll(selector),
  ];

  test('is whole without JavaScript: every stack with its counts, the most urgent first, and no control that does nothing', () => {
    const page = open(false);
    expect(all(page, '.stack')).toHaveLength(25);
    const [found] = all(page, '.stack').filter((stack) => stack.textContent.includes('shop-000'));
    const counts = [...(found?.querySelectorAll('summary .severity') ?? [])].map(({ textContent }) => textContent);
    expect(counts).toEqual(['1 high', '1 medium', '4 low']);
    const states = all(page, '.stack summary .state').map(({ textContent }) => textContent);
    const ranks = states.map((state) => ['Drift', 'In sync'].indexOf(state));
    expect(new Set(ranks)).toEqual(new Set([-1, 0, 1]));
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right));
    const highs = all(page, '.stack')
      .filter(({ textContent }) => textContent.includes('Drift'))
      .map((stack) => Number.parseInt(stack.querySelector('summary .severity.high')?.textContent ?? '0'));
    expect(new Set(highs).size).toBeGreaterThan(1);
    expect(highs).toEqual(highs.toSorted((left, right) => right - left));
    expect(all(page, 'form:not([hidden])')).toEqual([]);
    expect(all(page, '.cause')).toHaveLength(fleet.causes.length);
  });

  test('unfolds the stack that a link leads to, and hides the stacks that do not match', () => {
    const page = open();
    expect(page.window.document.querySelector('#stack-3[open]') !== null).toBe(true);
    const field = page.window.document.querySelector('[name=text]') as PageElement;
    const shown = (): number => all(page, '.stack:not([hidden])').length;
    for (const [words, count] of [
      ['shop-00 drift', 6],
      ['locked/dev', 1],
      ['nowhere', 0],
      ['', 25],
    ] as const) {
      field.value = words;
      field.dispatchEvent(new page.window.Event('input', { bubbles: true }));
      expect([words, shown()]).toEqual([words, count]);
      expect(page.window.document.querySelector('#no-match')?.hidden).toBe(count > 0);
    }
  });

  test('no name becomes markup', () => {
    const page = open();
    expect(all(page, 'script')).toHaveLength(1);
    expect(page.window.document.body.textContent).toContain(HOSTILE);
  });
});
