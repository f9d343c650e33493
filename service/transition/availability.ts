// Which mode a platform runs in: what a body says of platforms by id or name, and what follows for each (wire-facts §4.7.1 rule 3).
// It must not know how platforms are pulled.
import { refused } from '../handler';
import type { Store, StoredRecord } from '../store';

/** Design platform ciId or name → `single`, `redundant` or `default`. */
export type Availability = { readonly [platform: string]: string };

export type Mode = 'single' | 'redundant';

/** Committed platforms of a design. */
export function committedPlatforms(store: Store, design: string): StoredRecord[] {
  return store.records.list({ namespace: design, className: 'catalog.Platform' }, 'committed');
}

/** Throws a Refusal (422): an unknown word, or platforms that need an availability and nothing said. Any non-empty map passes for all. */
export function checkAvailability(availability: Availability, needing: readonly StoredRecord[]): void {
  const strange = Object.entries(availability).filter(([, word]) => !['single', 'redundant', 'default'].includes(word));
  if (strange.length > 0) {
    throw refused(
      ...strange.map(
        ([platform, word]) =>
          `availability of platform ${platform} cannot be ${JSON.stringify(word)}: single, redundant or default`,
      ),
    );
  }
  if (needing.length > 0 && Object.keys(availability).length === 0) {
    throw refused(`platform_availability is missing for ${needing.map((platform) => platform.name).join(', ')} (6007)`);
  }
}

/** The mode of a platform new to an environment. */
export function modeFor(platform: StoredRecord, availability: Availability, environment: StoredRecord): Mode {
  const said = own(availability, String(platform.id)) ?? own(availability, platform.name) ?? 'default';
  return modeOf(said === 'default' ? environment.values['availability'] : said);
}

/** The mode a stored availability stands for. */
export function modeOf(availability: string | null | undefined): Mode {
  return availability === 'redundant' ? 'redundant' : 'single';
}

function own(availability: Availability, key: string): string | undefined {
  return Object.hasOwn(availability, key) ? availability[key] : undefined;
}
