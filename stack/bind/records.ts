// Records that are by name below one key: `relays: { ops: { … } }`, of the record they are in, or
// of the organization.
import { namesBeside, scopeNaming, type Kind } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { didYouMean } from '../../provider/values';
import { firstAt } from '../findings/finding';
import { filledEntry, isNull, type Entry, type MapNode } from '../yaml/tree';
import { reportAbsent, reportNamesakes } from './names';
import { addressBelow, bindResource, type DraftResource } from './resource';
import { entriesBelow, expectMap, formOf, type BindScope } from './scope';

/** Where the records are written: the record they are in, and the map that has their key. */
export interface Holder {
  /** None for records of the organization. */
  readonly draft?: DraftResource;
  readonly body: MapNode | undefined;
  /** Words that the place of the map below its record adds to addresses. */
  readonly inside?: { readonly [name: string]: string };
}

interface Form {
  /** What the map holds, for findings: `mail relays by name`. */
  readonly what: string;
  readonly hint?: string;
  /** Keys of a record's map that contain other records. */
  readonly structure?: readonly string[];
  /** A record and what it is in, where the service does not distinguish names by case. */
  readonly caseless?: readonly [what: string, where: string];
  /** A record whose name must be unique in its platform, and why. */
  readonly unique?: readonly [what: string, why?: string];
  /** Whether a name alone says what is meant. */
  readonly mayBeEmpty?: boolean;
}

const ATTACHMENTS = {
  what: 'attachments by name',
  unique: ['an attachment', 'names of attachments are unique in a platform'],
  mayBeEmpty: true,
} as const;

/** The kinds of records that are by name below one key, by their places in a file. */
const FORMS = {
  'clouds.*': {
    what: 'clouds by name',
    hint: 'NAME: { location: aws }',
    structure: ['services'],
    caseless: ['a cloud', 'the organization'],
  },
  'clouds.*.services.*': { what: 'services by template', hint: 'TEMPLATE: { attributes: { … } }' },
  'platforms.*.components.*.attachments.*': ATTACHMENTS,
  'platforms.*.components.*.monitors.*': {
    what: 'monitors by name',
    hint: 'NAME: { thresholds: { … } }',
    unique: ['a monitor'],
  },
  'environments.*.platforms.*.components.*.attachments.*': ATTACHMENTS,
  'environments.*.relays.*': {
    what: 'mail relays by name',
    hint: 'NAME: { emails: [ops@example.com] }',
    caseless: ['a relay', 'the environment'],
  },
  'environments.*.replacements.*': {
    what: 'replacements of instances by name',
    hint: 'NAME: { platform: web, component: compute }',
  },
  'environments.*.procedures.*': {
    what: 'procedures by name',
    hint: 'NAME: { platform: web, component: compute, action: reboot }',
  },
} as const satisfies { readonly [place: string]: Form };

/** The place of a kind of records: the last key that is no name contains them. */
export type RecordsPlace = keyof typeof FORMS;

/** Names that there are for an address argument which the record's own map gives: platforms. */
interface KnownNames {
  readonly [argument: string]: readonly string[];
}

interface Naming {
  readonly known?: KnownNames;
  readonly hint?: string;
  /** Records that are earlier in the platform, where their names are unique in it. */
  readonly taken?: Map<string, Entry>;
}

/** Binds the records of a kind that are by name in a map. */
export function bindRecords(
  scope: BindScope,
  holder: Holder,
  place: RecordsPlace,
  { known = {}, hint, taken }: Naming = {},
): readonly DraftResource[] {
  const form: Form = { ...FORMS[place], ...(hint === undefined ? {} : { hint }) };
  const key = place.split('.').at(-2) ?? '';
  const entries = entriesBelow(scope, holder.body, key, `a map of ${form.what}`, form.hint);
  if (form.caseless) reportNamesakes(scope, entries, ...form.caseless);
  return entries
    .filter((own) => isFirst(scope, own, form, taken))
    .map((own) => bindRecord(scope, holder, { ...form, kind: kindInFile(place), known }, own));
}

/** Whether no earlier record in the platform has the name. A second one is reported. */
function isFirst(scope: BindScope, own: Entry, { unique }: Form, taken: Naming['taken']): boolean {
  if (unique === undefined || taken === undefined) return true;
  const [what, why] = unique;
  const before = taken.get(`${what} ${own.key}`);
  if (before === undefined) {
    taken.set(`${what} ${own.key}`, own);
    return true;
  }
  const hint = [firstAt(before.at, own.at), why].filter((each) => each !== undefined).join('; ');
  scope.report.error(own, 'duplicate-name', `${what} "${own.key}" is in this platform already`, hint);
  return false;
}

function bindRecord(
  scope: BindScope,
  { draft: holder, inside }: Holder,
  { kind, known, hint, structure = [], mayBeEmpty = false }: Form & { readonly kind: Kind; readonly known: KnownNames },
  own: Entry,
): DraftResource {
  const body = expectMap(scope, own.value, 'a map', hint);
  const isEmpty = isNull(own.value) && !mayBeEmpty;
  const before = isEmpty ? scope.report.findings().length : 0;
  const outer = { ...(holder && addressBelow(holder)), ...inside };
  const of = scopeNaming(kind, [...Object.keys(outer), 'name']) ?? kind;
  const givenNames = namesBeside(of).filter((name) => !Object.hasOwn(outer, name));
  // A word that cannot be a name is reported and left out.
  const givenEntries = Object.fromEntries(givenNames.map((name) => [name, filledEntry(body, name)]));
  const words = Object.entries(givenEntries).map(([name, entry]) => [
    name,
    entry ? bindWord(scope, entry, known[name]) : '',
  ]);
  const draft = bindResource(scope, {
    kind: of,
    within: holder,
    address: { ...inside, ...(Object.fromEntries(words) as DraftResource['address']), name: own.key },
    own,
    body,
    structure: [...structure, ...givenNames],
    givenEntries,
  });
  // What is required and missing says the same.
  if (isEmpty && scope.report.findings().length === before)
    scope.report.warning(
      own,
      'empty-entry',
      `"${own.key}" has no value`,
      `write ${own.key}: {} if nothing is to be said of it`,
    );
  return draft;
}

/** Stands for a name that is missing, or was reported to be none: one mistake is one finding. */
export const UNNAMED = 'unnamed';

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
