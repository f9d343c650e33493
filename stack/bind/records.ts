// Records that are by name below one key: `relays: { ops: { … } }`, of the record they are in, or
// of the organization.
import { namesBeside, scopeNaming } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { didYouMean } from '../../provider/values';
import { entryOf, filledEntry, isNull, type Entry, type MapNode } from '../yaml/tree';
import { reportAbsent } from './names';
import { addressBelow, bindResource, type DraftResource } from './resource';
import { expectMap, formOf, type BindScope } from './scope';

/** Where the records are written: the record they are in, and the map that has their key. */
export interface Holder {
  /** None for records of the organization. */
  readonly draft?: DraftResource;
  readonly body: MapNode | undefined;
  /** Words that the place of the map below its record adds to addresses. */
  readonly inside?: { readonly [name: string]: string };
}

interface Form {
  /** Where the file declares the kind, as the kind says. */
  readonly path: string;
  /** What the map holds, for findings: `mail relays by name`. */
  readonly what: string;
  readonly hint?: string;
  /** Keys of a record's map that contain other records. */
  readonly structure?: readonly string[];
  /** Names that there are for an address argument which the record's own map gives: platforms. */
  readonly known?: { readonly [argument: string]: readonly string[] };
}

/** The last key of a kind's path that is no name: `relays` of `environments.*.relays.*`. */
const collectionKey = (path: string): string => path.split('.').findLast((key) => key !== '*') ?? '';

/** Binds the records of a kind that are by name in a map. */
export function bindRecords(scope: BindScope, holder: Holder, form: Form): readonly DraftResource[] {
  const map = expectMap(
    scope,
    entryOf(holder.body, collectionKey(form.path))?.value,
    `a map of ${form.what}`,
    form.hint,
  );
  return (map?.entries ?? []).map((own) => bindRecord(scope, holder, form, own));
}

function bindRecord(scope: BindScope, { draft: holder, inside }: Holder, form: Form, own: Entry): DraftResource {
  const kind = kindInFile(form.path);
  const body = expectMap(scope, own.value, 'a map', form.hint);
  const before = isNull(own.value) ? scope.report.findings().length : 0;
  const outer = { ...(holder && addressBelow(holder)), ...inside };
  const of = scopeNaming(kind, [...Object.keys(outer), 'name']) ?? kind;
  const told = namesBeside(of).filter((name) => !Object.hasOwn(outer, name));
  const beside = bindPlace(scope, body, told, form);
  const address = { ...inside, ...beside.address, name: own.key };
  const draft = bindResource(scope, {
    kind: of,
    within: holder,
    address,
    own,
    body,
    structure: [...(form.structure ?? []), ...told],
    givenEntries: beside.entries,
  });
  // What is required and missing says the same.
  if (isNull(own.value) && scope.report.findings().length === before)
    scope.report.warning(
      own,
      'empty-entry',
      `"${own.key}" has no value`,
      `write ${own.key}: {} if nothing is to be said of it`,
    );
  return draft;
}

interface Place {
  readonly address: { readonly [name: string]: string };
  readonly entries: { readonly [name: string]: Entry };
}

/** The place in a record's own map. A word that cannot be a name is reported and left out. */
function bindPlace(scope: BindScope, body: MapNode | undefined, names: readonly string[], { known = {} }: Form): Place {
  const entries: { [name: string]: Entry } = {};
  const address: { [name: string]: string } = {};
  for (const name of names) {
    const entry = filledEntry(body, name);
    address[name] = entry ? bindWord(scope, entry, known[name]) : '';
    if (entry) entries[name] = entry;
  }
  return { address, entries };
}

/** Stands for a name that was reported to be none, so that one mistake is one finding. */
const UNNAMED = 'unnamed';

function bindWord(scope: BindScope, { key, value }: Entry, known: readonly string[] | undefined): string {
  if (value.form === 'failed') return UNNAMED;
  if (value.form !== 'scalar') {
    scope.report.error(value, 'wrong-type', `must be the name of a ${key}, not ${formOf(value)}`);
    return UNNAMED;
  }
  if (value.source.includes('${')) {
    scope.report.error(value, 'no-reference', 'a name cannot contain a reference: it is part of every address');
    return UNNAMED;
  }
  const isUnknown = known !== undefined && !known.includes(value.source);
  if (isUnknown && !reportAbsent(scope, { what: key, names: [`${key}s`, value.source] }, value)) {
    scope.report.error(
      value,
      `unknown-${key}`,
      `there is no ${key} "${value.source}"`,
      didYouMean(value.source, known, `declare it under ${key}s`),
    );
  }
  return value.source;
}
