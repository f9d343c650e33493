// Which mode a platform runs in: what a body says of platforms by id or name, and what follows for each (service-facts §4.7.1 rule 3).
import type { DialectRules } from '../../api/contract';
import { refused } from '../runtime/handler';
import type { Store, StoredRecord } from '../store';

/** Design platform ciId or name → `single`, `redundant` or `default`. */
export type Availability = { readonly [platform: string]: string };

export type Mode = 'single' | 'redundant';

/** Committed platforms of a design. */
export function committedPlatforms(store: Store, design: string): StoredRecord[] {
  return store.records.list({ namespace: design, className: 'catalog.Platform' }, 'committed');
}

const WORDS = ['single', 'redundant', 'default'];

const sentence = (platform: string, word: string): string =>
  `availability of platform ${platform} cannot be ${JSON.stringify(word)}: single, redundant or default`;

/**
 * Throws a RefusedRequest (422) for platforms that need an availability when nothing is said (any non-empty map passes for all), and, where the
 * dialect checks them before it writes, for unknown words.
 */
export function checkAvailability(
  { rules }: { readonly rules: Pick<DialectRules, 'availabilityChecked'> },
  availability: Availability,
  needing: readonly StoredRecord[],
): void {
  const strange = Object.entries(availability).filter(([, word]) => !WORDS.includes(word));
  if (rules.availabilityChecked && strange.length > 0) throw refused(...strange.map((entry) => sentence(...entry)));
  if (needing.length > 0 && Object.keys(availability).length === 0)
    throw refused(`Specify platform availability for: ${needing.map((platform) => platform.name).join(', ')}`);
}

/** Why one of these platforms cannot be pulled: the word that is said for it is none. Undefined: all can. */
export function strangeAvailability(
  availability: Availability,
  added: readonly StoredRecord[],
  environment: StoredRecord,
): string | undefined {
  const said = added.map((platform) => [platform.name, wordFor(platform, availability, environment)] as const);
  const strange = said.find(([, word]) => !WORDS.includes(word));
  return strange === undefined ? undefined : sentence(...strange);
}

/** What is said of a platform new to an environment: of it by id or name, else of the environment. */
function wordFor(platform: StoredRecord, availability: Availability, environment: StoredRecord): string {
  const said = own(availability, String(platform.id)) ?? own(availability, platform.name) ?? 'default';
  return said === 'default' ? (environment.values['availability'] ?? 'default') : said;
}

/** The mode of a platform new to an environment. */
export function modeFor(platform: StoredRecord, availability: Availability, environment: StoredRecord): Mode {
  return modeOf(wordFor(platform, availability, environment));
}

/** The mode a stored availability stands for. */
export function modeOf(availability: string | null | undefined): Mode {
  return availability === 'redundant' ? 'redundant' : 'single';
}

function own(availability: Availability, key: string): string | undefined {
  return Object.hasOwn(availability, key) ? availability[key] : undefined;
}
