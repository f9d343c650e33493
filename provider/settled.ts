// What follows from everything that is declared: arguments that nobody writes (members, clouds, the release to run), and what comes before a
// record although no argument of it says so. Pure: the kinds say what follows, and the caller passes the declared records.
import {
  argumentFor,
  entryNames,
  openName,
  type Address,
  type ComesAfter,
  type DeclaredRecord,
  type Derive,
  type Fact,
  type Kind,
  type SettledBy,
} from './kind';
import { formatMember, listedNames, memberPath } from './members';
import { UNKNOWN } from './unknown';

/** Arguments of a kind that follow from other records and that nobody writes. */
export const settledNames = (of: Kind): readonly string[] => Object.keys(of.settles ?? {});

/** How each argument of a kind follows from other records: those nobody writes, and those that another record may give. */
export const settlingRules = (of: Kind): { readonly [argument: string]: SettledBy } => ({
  ...of.settles,
  ...Object.fromEntries(
    Object.entries(of.inherits ?? {}).map(([argument, tokens]) => [argument, inherited(argument, tokens)]),
  ),
});

/** The arguments of a record that follow from all records, without those it gives itself and those that nothing follows for. */
export function settle<R extends DeclaredRecord>(
  own: R,
  all: readonly R[],
  derive: Derive<R>,
): { readonly [argument: string]: unknown } {
  const values = Object.entries(settlingRules(own.of))
    .filter(([argument]) => own.args[argument] === undefined)
    .map(([argument, rule]) => [argument, rule.value(own, bearingOn(own, all, rule), derive)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Arguments as a check may see them before it is known what follows from other records. */
export const withSettledUnknown = (of: Kind, args: { readonly [argument: string]: unknown }): typeof args => ({
  ...Object.fromEntries(settledNames(of).map((name) => [name, UNKNOWN])),
  ...args,
});

/** The records that come before one although no argument of it names them. */
export const predecessorsOf = <R extends DeclaredRecord>(own: R, all: readonly R[]): readonly R[] =>
  own.of.after?.records(own, bearingOn(own, all, own.of.after)) ?? [];

const bearingOn = <R extends DeclaredRecord>(own: R, all: readonly R[], rule: SettledBy | ComesAfter): readonly R[] =>
  all.filter((other) => other !== own && rule.from(other.of) && isBeside(own, other));

/** Whether two records are not of different assemblies or environments. */
function isBeside(one: DeclaredRecord, other: DeclaredRecord): boolean {
  const [left, right] = [surroundingsOf(one.of, one.address), surroundingsOf(other.of, other.address)];
  return Object.keys(left).every((name) => !(name in right) || isSameName(left[name], right[name]));
}

/** Whether two names are known and equal. */
const isSameName = (one: string | undefined, other: string | undefined): boolean => one !== '' && one === other;

/** The assembly and the environment of an address, by argument; those of a record that is one include its own name. */
export function surroundingsOf<T>(
  of: Pick<Kind, 'token'>,
  address: { readonly [argument: string]: T },
): { readonly [argument: string]: T } {
  const { name } = address;
  const words = name === undefined ? address : { ...address, [argumentFor(of)]: name };
  return Object.fromEntries(Object.entries(words).filter(([argument]) => SURROUNDINGS.includes(argument)));
}

const SURROUNDINGS = ['assembly', 'environment'];

/** Every record of a stage by its path, with what the release has to know of it. What another stack owns is no member. */
export const membersOf = (stage: Kind['stage']): SettledBy => ({
  stage,
  from: (of) => of.stage === stage,
  reads: [{ argument: 'existing' }],
  value: (_, others, derive) =>
    Object.fromEntries(
      others
        .filter(({ args }) => args['existing'] !== true)
        .map((other) => [memberPath(other.of, other.address), memberText(other, derive)]),
    ),
});

function memberText<R extends DeclaredRecord>(record: R, derive: Derive<R>): unknown {
  const { of, mark, address, args } = record;
  const { distinguishedBy, switchedOff, memberListsValuesOf } = of;
  const open = openName(of);
  const facts: { readonly [name: string]: Fact } = {
    revision: { output: 'revision' },
    origin: { output: 'origin' },
    ...(open === undefined ? {} : { entries: { entriesOf: open } }),
    ...(distinguishedBy === undefined ? {} : { type: { argument: distinguishedBy } }),
    ...(switchedOff === undefined ? {} : { power: { argument: switchedOff.argument } }),
    ...(memberListsValuesOf === undefined ? {} : { values: { argument: memberListsValuesOf } }),
  };
  return derive(record, facts, ({ revision, origin, entries, type, power, values }) =>
    formatMember({
      revision: typeof revision === 'string' ? revision : '',
      pack: origin === 'pack',
      ...('entries' in facts || of.memberListsArguments
        ? {
            declares: [
              ...entryNames(entries),
              ...(of.memberListsArguments
                ? listedNames(of, memberListsValuesOf === undefined ? args : { ...args, [memberListsValuesOf]: values })
                : []),
            ],
          }
        : {}),
      ...(mark ? { mark } : {}),
      ...(typeof type === 'string' && !(origin === 'pack' && type === address['name']) ? { type } : {}),
      ...(switchedOff !== undefined && power === switchedOff.value ? { down: true } : {}),
    }),
  );
}

/** An output of the record of a kind. */
export const settledOutput = (token: string, output: string): SettledBy => ({
  from: (of) => of.token === token,
  value: (_, [found], derive) => found && derive(found, { value: { output } }, ({ value }) => value),
});

/** The names of the entries of an argument of the record of a kind. */
export const entriesOf = (token: string, argument: string): SettledBy => ({
  from: (of) => of.token === token,
  value: (_, [found], derive) => found && derive(found, { map: { entriesOf: argument } }, ({ map }) => entryNames(map)),
});

/** What the records of a kind give a value, as `web/east/pctScale`; undefined where they give none. */
export const givenBy = (token: string, names: readonly string[]): SettledBy => ({
  from: (of) => of.token === token,
  value: (_, others) => {
    const given = others.flatMap(({ of, address, args }) =>
      names.filter((name) => args[name] !== undefined).map((name) => `${memberPath(of, address)}/${name}`),
    );
    return given.length === 0 ? undefined : given.sort();
  },
});

/** The value that the nearest of some kinds gives the same argument. */
const inherited = (argument: string, tokens: readonly string[]): SettledBy => ({
  from: (of) => tokens.includes(of.token),
  value: (_, others) => nearestValue(argument, tokens, others),
});

const nearestValue = (argument: string, tokens: readonly string[], others: readonly DeclaredRecord[]): unknown =>
  tokens
    .flatMap((token) => others.filter(({ of }) => of.token === token).map(({ args }) => args[argument]))
    .find((value) => value !== undefined);

/** The arguments that another declared record gives where a record gives none. */
export function inheritedValues<R extends DeclaredRecord>(
  own: R,
  all: readonly R[],
): { readonly [argument: string]: unknown } {
  const values = Object.entries(own.of.inherits ?? {})
    .filter(([argument]) => own.args[argument] === undefined)
    .map(([argument, tokens]) => {
      const others = bearingOn(own, all, inherited(argument, tokens));
      return [argument, nearestValue(argument, tokens, others)] as const;
    });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The records of a kind. */
export const recordsOf = (token: string): ComesAfter => ({
  from: (of) => of.token === token,
  records: (_, others) => others,
});

/** Whether a record has the same known name in an argument as another one. */
export const agreeIn = (argument: string, one: { readonly address: Address }, other: typeof one): boolean =>
  isSameName(one.address[argument], other.address[argument]);
