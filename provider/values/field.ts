// A field of a kind: a shape, and the facts about it that every reader of the kind needs.
import { mapValues } from '../../api/contract';
import type { ObjectMember, Shape } from './shape';
import type { Texts, Values } from './plain';

/** Where a value goes: an attribute, a member of a record, or nowhere (it steers our own work). */
type Channel = 'attribute' | 'member' | 'control';

export interface Field<T = unknown, Required extends boolean = boolean> {
  readonly shape: Shape;
  /** What it is, for references, schemas and editors. `{record}` stands for `a platform`. */
  readonly description: string;
  readonly required: Required;
  readonly channel: Channel;
  /** Encrypted in state, masked everywhere; reads back as `--ENCRYPTED--`. */
  readonly secret: boolean;
  /** A change of it replaces the resource. */
  readonly fixed: boolean;
  /** Cannot be read back: read hands the known value on. */
  readonly writeOnly: boolean;
  /** A write of it alone changes neither the record's stamp nor its last writer. */
  readonly unstamped: boolean;
  /** A change of it alone needs no request: diff calls it equal. */
  readonly quiet: boolean;
  /** A change of it is no difference at all: only the engine's inputs keep it. */
  readonly silent?: true;
  /** Whether it is work of one run: one that is not empty has to be done, and no state has it. */
  readonly pending?: true;
  /** Whether the service gets and keeps the text, although no record has it. */
  readonly noted?: true;
  /** The argument that takes the value in this one's place when a program gives a secret. */
  readonly whenSecret?: string;
  /** Token of the kind that its entries name: a program may give the resources themselves. */
  readonly refersTo?: string;
  /** Value the service has when nobody sets it; what a removed field goes back to. */
  readonly base: string;
  optional(): Field<T, false>;
  describe(description: string): Field<T, Required>;
  /** Carries the value's type; never present at run time. */
  readonly type?: T;
}

export interface Fields {
  readonly [name: string]: Field;
}

type RequiredNames<F extends Fields> = { [N in keyof F]: F[N] extends Field<unknown, true> ? N : never }[keyof F];
type ValueOf<X> = X extends Field<infer T> ? T : never;

/** Argument types of a set of fields. */
export type Args<F extends Fields> = { readonly [N in RequiredNames<F>]: ValueOf<F[N]> } & {
  readonly [N in Exclude<keyof F, RequiredNames<F>>]?: ValueOf<F[N]>;
};

function field<T>(shape: Shape): Field<T, true> {
  const made: Field<T, true> = {
    shape,
    description: '',
    required: true,
    channel: 'attribute',
    secret: false,
    fixed: false,
    writeOnly: false,
    unstamped: false,
    quiet: false,
    base: '',
    optional() {
      return { ...this, required: false } as unknown as Field<T, false>;
    },
    describe(description) {
      return { ...this, description };
    },
  };
  return made;
}

const marked = <X extends Field>(inner: X, facts: Partial<Field>): X => ({ ...inner, ...facts });

export const text = (): Field<string, true> => field({ type: 'text' });
/** Text of a given form; `says` completes the sentence "must be …". */
export const textLike = (pattern: RegExp, says: string): Field<string, true> => field({ type: 'text', pattern, says });
/** Text with a part without meaning: `/public/oneops/clouds/aws` and `aws` are the same. */
export const textBeside = (aside: RegExp): Field<string, true> => field({ type: 'text', aside });
/** Text that programs may give as a number or boolean. `7.0` is not `7`. */
export const version = (): Field<string, true> => field({ type: 'text', lenient: true });
export const oneOf = <const V extends readonly string[]>(allowed: V): Field<V[number], true> =>
  field({ type: 'text', allowed });
/** `true` ⇄ `"true"`. */
export const flag = (): Field<boolean, true> => field({ type: 'flag' });
/** `3` ⇄ `"3"`. */
export const int = (minimum?: number, maximum?: number): Field<number, true> =>
  field({ type: 'int', ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) });
/** `['a','b']` ⇄ `"a,b"`, without order. */
export const csv = <const V extends readonly string[]>(allowed?: V): Field<readonly V[number][], true> =>
  field({
    type: 'list',
    items: { type: 'text', ...(allowed === undefined ? {} : { allowed }) },
    encoding: 'csv',
    unordered: true,
  });
/** The same of texts of a form; `says` completes "must be …". */
export const csvLike = (pattern: RegExp, says: string): Field<readonly string[], true> =>
  field({ type: 'list', items: { type: 'text', pattern, says }, encoding: 'csv', unordered: true });
/** A list without order, JSON text on the wire. */
export const set = (): Field<readonly string[], true> =>
  field({ type: 'list', items: { type: 'text' }, encoding: 'json', unordered: true });
/** A map of texts ⇄ JSON text. */
export const map = (values: Shape = { type: 'text', lenient: true }): Field<Texts, true> =>
  field({ type: 'map', values });
/** A map of objects ⇄ JSON text. `name`: of the type of such an object in programs. */
export const mapOf = <T>(
  name: string,
  members: { readonly [name: string]: ObjectMember },
): Field<{ readonly [key: string]: T }, true> => field({ type: 'map', values: { type: 'object', name, members } });
/** A map of maps ⇄ JSON text. Each inner map has its own entries. */
export const mapOfMaps = (): Field<{ readonly [key: string]: Values }, true> =>
  field({ type: 'map', values: { type: 'open' } });
/** A map spread over the record's remaining attributes. */
export const open = (): Field<Values, true> => field({ type: 'open' });

export const secret = <X extends Field>(inner: X): X => marked(inner, { secret: true });
/** Names the argument that takes the value when a program gives a secret. */
export const whenSecret = <X extends Field>(argument: string, inner: X): X => marked(inner, { whenSecret: argument });
/** Says of which kind the records are that the entries name. */
export const refersTo = <X extends Field>(token: string, inner: X): X => marked(inner, { refersTo: token });
export const fixed = <X extends Field>(inner: X): X => marked(inner, { fixed: true });
/** Marks a record member that is not an attribute. */
export const member = <X extends Field>(inner: X): X => marked(inner, { channel: 'member' });
/** Marks a field whose write alone leaves the record's stamp: a switch, or entries in relations. */
export const unstamped = <X extends Field>(inner: X): X => marked(inner, { unstamped: true });
/** Marks a field that no read answers. */
export const writeOnly = <X extends Field>(inner: X): X => marked(inner, { writeOnly: true });
/** Marks a field that steers our own work; a change of it alone is no update. */
export const control = <X extends Field>(inner: X): X =>
  marked(inner, { channel: 'control', quiet: true, writeOnly: true });
/** Marks a field that steers our own work, and whose change nobody needs to see. */
const silent = <X extends Field>(inner: X): X => marked(control(inner), { silent: true });
/** A set of words that nobody has to give, and that steers our own work. */
export const words = (about: string, mark = silent) => mark(set()).optional().describe(about);
/** Marks a field that is no attribute but whose change is work to do: members, triggers. */
export const trigger = <X extends Field>(inner: X): X => marked(inner, { channel: 'control', writeOnly: true });
/** Marks the text of an action that the service keeps, readable for everybody. */
export const noted = <X extends Field>(inner: X): X => marked(inner, { noted: true });
/** The records that left the file, by kind and id: work to do as long as there are any. */
export const leaving = (): Field<{ readonly [record: string]: Values }, false> =>
  marked(trigger(mapOfMaps()), { pending: true })
    .optional()
    .describe('Filled in: records of the state that left the file, which are deleted before the commit.');
/** What to do when others are busy. */
export const busy = (about: string) =>
  control(oneOf(['fail', 'wait', 'proceed']))
    .optional()
    .describe(about);
/** Gives the value a removed field goes back to. */
export const base = <X extends Field>(value: string, inner: X): X => marked(inner, { base: value });

/** The members of an object that fields describe, with their names on the wire. */
export const membersOf = <F extends Fields>(fields: F) =>
  mapValues(fields, ({ shape, description, base }, name) => ({
    shape,
    description,
    wire: snakeCase(name),
    ...(base === '' ? {} : { base }),
  })) as { readonly [N in keyof F]: ObjectMember };

/** An object with such members, of which any may be left out. */
export type ObjectOf<F extends Fields> = { readonly [N in keyof F]?: NonNullable<F[N]['type']> };

/** The same fields, of which none has a value by itself. */
export const withoutBase = <F extends Fields>(fields: F): F => mapValues(fields, (inner) => base('', inner)) as F;

/** The values that fields have when nobody sets them, by wire name. */
export const baseTexts = (fields: Fields): Texts =>
  Object.fromEntries(Object.entries(fields).map(([name, inner]) => [snakeCase(name), inner.base]));

/** A field's name on the wire: `execCmd` → `exec_cmd`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** `exec_cmd` → `execCmd`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The comments of a record of a design or an environment. */
export const commented = {
  comments: member(text())
    .optional()
    .describe(
      'Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it.',
    ),
};

/** Arguments for a record that may exist already. `{record}` becomes `a platform`. */
export const takingOver = {
  adopt: control(flag()).optional().describe('Take over {record} of this name and write the declared values to it.'),
  overwrite: control(flag())
    .optional()
    .describe('Write declared values even when another user changed them since our last read.'),
};

/** The argument for a record that another stack may own. */
export const referring = {
  existing: control(flag())
    .optional()
    .describe('Refer to {record} that another stack owns: nothing of it is written or deleted.'),
};
