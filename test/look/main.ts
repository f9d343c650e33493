// `make look`: the page of sample reviews as a Chromium shows it, as pictures to be looked at.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderFleet, renderReview } from '../../drift';
import { sampleFleet } from '../drift/sample-fleet';
import { cleanReview, fullReview, largeReview, SAMPLE_FINDINGS, sampleReview } from '../drift/sample-review';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const PAGES: readonly (readonly [name: string, page: string])[] = [
  ['none', renderReview('html', cleanReview())],
  ['1', renderReview('html', sampleReview({ findings: SAMPLE_FINDINGS.slice(0, 1) }))],
  ['everything', renderReview('html', fullReview())],
  ['30', renderReview('html', largeReview(30))],
  ['500', renderReview('html', largeReview(500))],
  ['unfolded', renderReview('html', fullReview())],
  ['fleet', renderFleet('html', sampleFleet(12))],
  ['fleet-200', renderFleet('html', sampleFleet(200))],
];
/** What a reader does on a page before the picture is taken. */
const DONE: { readonly [name: string]: string } = {
  unfolded: `document.querySelectorAll('.advice').forEach((each) => { each.open = true; });`,
};
const WIDTHS = { wide: 1280, narrow: 480 } as const;
const HEIGHT = 2600;
/** Blink's numbers of colour schemes. */
const SCHEMES = { light: 1, dark: 0 } as const;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `CHROMIUM`, or the first of its names on the path. */
function findChromium(): string | undefined {
  const { CHROMIUM: given, PATH = '' } = process.env;
  if (given !== undefined && given !== '') return isProgram(given) ? given : undefined;
  return PROGRAMS.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name))).find(isProgram);
}

/** The page after what a reader did: its own policy would let no other script run. */
const acted = (page: string, script: string | undefined): string =>
  script === undefined
    ? page
    : page
        .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '')
        .replace('</body>', () => `<script>${script}</script></body>`);

function takePictures(chromium: string, folder: string): number {
  let count = 0;
  for (const [name, whole] of PAGES) {
    const page = join(folder, `${name}.html`);
    writeFileSync(page, acted(whole, DONE[name]));
    for (const [scheme, number] of Object.entries(SCHEMES))
      for (const [width, columns] of Object.entries(WIDTHS)) {
        const picture = join(folder, `${name}-${scheme}-${width}.png`);
        const words = [
          ...['--headless=new', '--no-sandbox', '--hide-scrollbars', `--window-size=${columns},${HEIGHT}`],
          ...[`--blink-settings=preferredColorScheme=${number}`, `--screenshot=${picture}`, pathToFileURL(page).href],
        ];
        execFileSync(chromium, words, { stdio: 'ignore', timeout: 60_000 });
        count += 1;
      }
  }
  return count;
}

const chromium = findChromium();
if (chromium === undefined) {
  const where = process.env['CHROMIUM']
    ? `CHROMIUM=${process.env['CHROMIUM']} is no program`
    : `none of ${PROGRAMS.join(', ')} is on PATH`;
  process.stderr.write(
    `no Chromium was found: ${where}\ninstall one (apt-get install chromium), or name it: make look CHROMIUM=/path/to/chromium\n`,
  );
  process.exitCode = 1;
} else {
  const folder = process.env['LOOK'] ? resolve(process.env['LOOK']) : mkdtempSync(join(tmpdir(), 'oneops-look-'));
  mkdirSync(folder, { recursive: true });
  const count = takePictures(chromium, folder);
  process.stdout.write(`${count} pictures to look at: ${folder}\n`);
}
