// Secrets as configuration: a name for each, which the file refers to in the place of the value that no read shows.
// It must not know any single kind.
import { snakeCase } from '../../provider';
import type { ExportedRecord } from './exported-record';

/** A secret that a person sets as configuration. */
export interface ExportedSecret {
  /** Name of the configuration value. */
  readonly name: string;
  /** Token of the kind and id of the record, and the path of the argument. */
  readonly kind: string;
  readonly id: string;
  readonly path: readonly string[];
}

/** A secret for each place of the records; names are unique. `used`: names that the configuration has already. */
export function secretsOf(records: readonly ExportedRecord[], used: readonly string[] = []): readonly ExportedSecret[] {
  const taken = new Set(used);
  return records.flatMap((record) =>
    record.secrets.map((path) => {
      const name = freeName(nameFor(record, path), taken);
      taken.add(name);
      return { name, kind: record.of.token, id: record.id, path };
    }),
  );
}

/** The words of the record's address, and the argument unless the secret is all that the record is. */
function nameFor({ of, address }: ExportedRecord, path: readonly string[]): string {
  const { assembly: _, ...words } = address;
  const isAll = Object.values(of.fields).some(({ whenSecret }) => whenSecret === path[0]);
  const parts = [...Object.values(words), ...(isAll ? [] : [snakeCase(path.at(-1) ?? '')])];
  const name = parts.join('-').replace(/[^\w-]/g, '_');
  return /^[A-Za-z]/.test(name) ? name : `secret-${name}`;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}
