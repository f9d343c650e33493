// Which version of Pulumi's CLI is good enough, and which Go can build it: decisions over texts.

/** The oldest CLI that is used at all; below the wanted version it is called untried. */
export const OLDEST_USED = '3.259.0';

/**
 * One version, taken apart.
 * @typedef {object} Version
 * @property {string} text without a leading v
 * @property {readonly number[]} numbers major, minor, patch
 * @property {boolean} early an alpha, beta or development build of that version
 */

/**
 * What to do with a CLI of some version.
 * @typedef {'tried' | 'untried' | 'too old' | 'unknown major'} Verdict
 */

/**
 * Reads what `pulumi version` prints, or a folder's name.
 * @param {string} text such as `v3.274.1` or `3.275.0-alpha.1`, white space around it allowed
 * @returns {Version | undefined} undefined when it is no version
 */
export function parseVersion(text) {
  const match = /^v?((\d+)\.(\d+)\.(\d+)(-[\w.-]+)?(?:\+[\w.-]+)?)$/.exec(text.trim());
  if (match === null) return undefined;
  return { text: match[1], numbers: match.slice(2, 5).map(Number), early: match[5] !== undefined };
}

/**
 * Orders two versions; of one number, an early build comes before the release.
 * @param {Version} a
 * @param {Version} b
 * @returns {number} negative, zero or positive, as Array.sort takes it
 */
export function compareVersions(a, b) {
  const place = [0, 1, 2].find((index) => a.numbers[index] !== b.numbers[index]);
  return place === undefined ? Number(b.early) - Number(a.early) : a.numbers[place] - b.numbers[place];
}

/**
 * Says whether a CLI will do.
 * @param {Version} version what was found
 * @param {Version} wanted what this repository is tried with
 * @returns {Verdict}
 */
export function judge(version, wanted) {
  if (version.numbers[0] > wanted.numbers[0]) return 'unknown major';
  if (compareVersions(version, wanted) >= 0) return 'tried';
  const oldest = /** @type {Version} */ (parseVersion(OLDEST_USED));
  return compareVersions(version, oldest) >= 0 ? 'untried' : 'too old';
}

/**
 * Reads what the tools module asks for.
 * @param {string} text content of go.mod
 * @returns {{ wanted: Version, go: Version }} the CLI's version and the oldest Go that builds it
 * @throws Error when one of them does not exist
 */
export function readToolsModule(text) {
  const wanted = parseVersion(/^\s*github\.com\/pulumi\/pulumi\/pkg\/v3 (\S+)/m.exec(text)?.[1] ?? '');
  const go = parseVersion(/^go (\S+)/m.exec(text)?.[1] ?? '');
  if (wanted === undefined || go === undefined) throw new Error('engine/go.mod names no version of Pulumi or of Go');
  return { wanted, go };
}

/**
 * Reads what `go env GOVERSION` prints; a development build of Go counts as newest.
 * @param {string} text such as `go1.26.8` or `go1.26`
 * @returns {Version | undefined} undefined when it is not a release's name
 */
export function parseGoVersion(text) {
  const match = /^go(\d+)\.(\d+)(?:\.(\d+))?/.exec(text.trim());
  return match === null ? undefined : parseVersion(`${match[1]}.${match[2]}.${match[3] ?? '0'}`);
}
