// Secrets as configuration: a name for each, which the file refers to in the place of the value that no read shows.
// It must not know any single kind.
import { snakeCase } from '../../provider';
import { LONGEST_NAME } from '../convert/configuration';
import type { ExportedRecord } from './exported-record';

/** A secret that a person sets as configuration. */
export interface ExportedSecret {
  /** Name of the configuration value. */
  readonly name: string;
  /** Token of the kind and id of the record, and the path of the argument. */
  readonly kind: string;
  readonly id: string;
  readonly path: readonly string[];
  /** Where the service shows the value in clear: whether it stays so, or the next update encrypts it. */
  readonly readable?: 'stays' | 'encrypted';
  /** Type of the configuration value; default: `string`. */
  readonly type?: 'integer' | 'number';
  /** Name of the file to set the value from, because it has several lines. */
  readonly file?: string;
}

/** Whether no read shows the secret: nothing in the record's values stands for it. */
export const isHidden = ({ readable }: ExportedSecret): boolean => readable === undefined;

/** A secret for each place of the records; names are unique. */
export function secretsOf(records: readonly ExportedRecord[]): readonly ExportedSecret[] {
  const taken = new Set<string>();
  return records.flatMap((record) =>
    record.secrets.map((path) => {
      const name = nameAmong(record.address, wordsFor(record, path), taken);
      taken.add(name);
      return { name, kind: record.of.token, id: record.id, path };
    }),
  );
}

/** The argument, unless the secret is all that the record is. */
function wordsFor({ of }: ExportedRecord, path: readonly string[]): readonly string[] {
  const isAll = Object.values(of.fields).some(({ whenSecret }) => whenSecret === path[0]);
  return isAll ? [] : [snakeCase(path.at(-1) ?? '')];
}

/** A name that is not taken: the words of a record's address, and words for the place in it. */
export function nameAmong(
  { assembly: _, ...around }: ExportedRecord['address'],
  words: readonly string[],
  taken: ReadonlySet<string>,
): string {
  const name = [...Object.values(around), ...words]
    .join('-')
    .replace(/[^\w-]/g, '_')
    .slice(0, LONGEST_NAME);
  return freeName(/^[A-Za-z]/.test(name) ? name : `secret-${name}`, taken);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}
