// A record of the service, as far as a stack file says it.
import { parseId, scopeOfId, type Inputs, type Kind, type TakenRecord } from '../../provider';

/** A record to write. */
export interface ExportedRecord {
  /** In its scope. */
  readonly of: Kind;
  readonly id: string;
  /** Its logical name. */
  readonly name: string;
  readonly address: { readonly [name: string]: string };
  readonly inputs: Inputs;
  /** Places of secrets that somebody set, which no read shows: `['basicAuthPassword']`, `['attributes', 'password']`. */
  readonly secrets: readonly (readonly string[])[];
  /** Places of secrets of a design's record that nobody locked: they came with its pack. */
  readonly packSecrets: readonly (readonly string[])[];
}

/** A record that was read, as one to write. */
export function exportedRecord({ of, id, name, inputs, state }: TakenRecord): ExportedRecord {
  const scope = scopeOfId(of, id) ?? of;
  const { unseen = [], ownSecrets: secrets = [] } = state;
  const packSecrets = scope.stage === 'design' ? unseen.filter((path) => !secrets.includes(path)) : [];
  return { of: scope, id, name, address: parseId(scope, id)?.address ?? {}, inputs, secrets, packSecrets };
}
