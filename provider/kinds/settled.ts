// Arguments and predecessors that follow from everything that is declared. Pure.
import { mapValues } from '../../api/contract';
import {
  argumentFor,
  type Address,
  type ComesAfter,
  type DeclaredRecord,
  type Derive,
  type FromState,
  type Kind,
  type SettledBy,
  type StateRecord,
} from '../kind';
import { addressIn, leavingOf } from '../lifecycle/leaving';
import { memberPath } from '../address/member-path';
import { asMap, UNKNOWN, type Values, wordsAt, entryNames } from '../values/plain';

/** Arguments of a kind that follow from other records and that nobody writes. */
export const settledNames = (of: Kind): readonly string[] => Object.keys(of.settles ?? {});

/** The hidden name of an argument that nobody wrote; a program that writes it keeps its own. */
export const hiddenName = (argument: string): string => `__${argument}`;

type Named<T> = { readonly [name: string]: T };

/** Values as the engine keeps them, with each hidden argument under its own name. */
export function withOwnNames<T>(of: Kind, values: Named<T>): Named<T> {
  const hidden = settledNames(of).filter((name) => hiddenName(name) in values);
  if (hidden.length === 0) return values;
  const own = hidden.map((name) => [name, values[hiddenName(name)] as T]);
  return { ...withoutHiddenNames(of, values), ...(Object.fromEntries(own) as Named<T>) };
}

/** Values without the arguments under hidden names. */
const withoutHiddenNames: typeof withOwnNames = (of, values) => {
  const names = settledNames(of).map(hiddenName);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
};

/** Values with the arguments that nobody writes, or with some of them, under their hidden names. */
export const withHiddenNames = <T>(of: Kind, values: Named<T>, names = settledNames(of)): Named<T> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [names.includes(name) ? hiddenName(name) : name, value]),
  );

interface Rules {
  readonly [argument: string]: SettledBy;
}

const inheritedRules = (of: Kind): Rules =>
  mapValues(of.inherits ?? {}, (tokens, argument) => inherited(argument, tokens));

/** How each argument of a kind follows from other records. */
export const settlingRules = (of: Kind): Rules => ({ ...of.settles, ...inheritedRules(of) });

/** The arguments of a record that follow from all records, without given and empty ones. */
export function settle<R extends DeclaredRecord>(
  own: R,
  all: readonly R[],
  derive: Derive<R>,
  fromState?: FromState,
  rules = settlingRules(own.of),
): Values {
  const values = Object.entries(rules)
    .filter(([argument]) => own.args[argument] === undefined)
    .map(([argument, rule]) => [argument, rule.value(own, bearingOn(own, all, rule), derive, fromState)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The arguments that another declared record gives where a record gives none. */
export const inheritedValues = <R extends DeclaredRecord>(own: R, all: readonly R[]): Values =>
  settle(own, all, () => undefined, undefined, inheritedRules(own.of));

/** Arguments as a check may see them before it is known what follows from other records. */
export const withSettledUnknown = (of: Kind, args: Values): typeof args => ({
  ...Object.fromEntries(settledNames(of).map((name) => [name, UNKNOWN])),
  ...args,
});

/** The records that come before one although no argument of it names them. */
export const predecessorsOf = <R extends DeclaredRecord>(own: R, all: readonly R[]): readonly R[] =>
  own.of.after?.records(own, bearingOn(own, all, own.of.after)) ?? [];

function bearingOn<R extends DeclaredRecord>(own: R, all: readonly R[], rule: SettledBy | ComesAfter): readonly R[] {
  const { environment: _, ...around } = own.address;
  const place = isAcross(rule) ? { ...own, address: around } : own;
  return all.filter((other) => other !== own && rule.from(other.of) && isBeside(place, other));
}

/** Whether records of other environments of the same assembly bear on a value, too. */
export const isAcross = (rule: SettledBy | ComesAfter): boolean =>
  'acrossEnvironments' in rule && rule.acrossEnvironments === true;

/** Whether two records are not of different assemblies or environments. */
function isBeside(one: DeclaredRecord, other: DeclaredRecord): boolean {
  const [left, right] = [surroundingsOf(one.of, one.address), surroundingsOf(other.of, other.address)];
  return Object.keys(left).every((name) => !(name in right) || isSameName(left[name], right[name]));
}

/** Whether two names are known and equal. */
const isSameName = (one: string | undefined, other: string | undefined): boolean => one !== '' && one === other;

/** The assembly and the environment of an address, by argument, with the record's own name. */
export function surroundingsOf<T>(
  of: Pick<Kind, 'token'>,
  address: { readonly [argument: string]: T },
): { readonly [argument: string]: T } {
  const { name } = address;
  const words = name === undefined ? address : { ...address, [argumentFor(of)]: name };
  return Object.fromEntries(Object.entries(words).filter(([argument]) => SURROUNDINGS.includes(argument)));
}

const SURROUNDINGS = ['assembly', 'environment'];

/** The stamps of our last writes of a stage in one text: another text has to be committed. */
export const stampsOf = (stage: Kind['stage']): SettledBy => ({
  stage,
  from: (of) => of.stage === stage,
  reads: [{ argument: 'existing' }],
  value: (own, others, derive) => {
    const mine = others.filter(({ args }) => args['existing'] !== true);
    const byKey = [...mine].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
    return derive(byKey, { stamp: { output: 'revision' } }, (records) =>
      records.map(({ stamp }) => (typeof stamp === 'string' ? stamp : '')).join(' '),
    );
  },
});

const sortKey = ({ of, address }: DeclaredRecord): string => `${of.token} ${Object.values(address).join('/')}`;

/** Records of a stage that left the file, in the assembly or environment of the resource. */
export const leavingIn = (stage: Kind['stage']): SettledBy => ({
  stage,
  from: (of) => of.stage === stage,
  value: (own, others, _, fromState) =>
    fromState?.((state) => {
      const beside = state.filter(({ of, id }) => isBeside(own, { of, address: addressIn(of, id), args: {} }));
      const around = beside.filter(({ of }) => of.stage === stage);
      // An environment deploys by itself what the engine deletes of it after its deployment.
      return leavingOf(around, others, stage === 'design' ? beside : undefined);
    }),
});

/**
 * Names of an assembly's records of a kind in this stack; of environments also those in its state,
 * which the engine deletes last, unless it leaves them. `isOwned`: only of an own assembly.
 */
export const ownNames = (token: 'Environment' | 'Platform', isOwned: boolean): SettledBy => ({
  acrossEnvironments: true,
  from: (of) => of.token === 'Assembly' || of.token === token,
  reads: [{ argument: 'existing' }],
  value: (own, others, _, fromState) => {
    const assembly = others.find(({ of }) => of.token === 'Assembly');
    const isOwn = assembly !== undefined && assembly.isRetained !== true && assembly.args['existing'] !== true;
    if (isOwned && !isOwn) return undefined;
    const declared = others.flatMap(({ of, address }) => (of.token === token ? [address['name'] ?? ''] : []));
    const named = (state: readonly StateRecord[]): unknown => {
      const kept = state
        .filter(({ of, kept }) => of.token === token && kept !== 'retain')
        .map(({ of, id }) => addressIn(of, id))
        .filter(({ assembly: name }) => isSameName(name, own.address['assembly']))
        .flatMap(({ name }) => name ?? []);
      return declared.includes('') ? UNKNOWN : [...new Set([...declared, ...kept])].sort();
    };
    return (token === 'Environment' ? fromState?.(named) : undefined) ?? named([]);
  },
});

export const designRevision: SettledBy = {
  from: (of) => of.token === 'DesignRelease',
  value: (_, [found], derive) =>
    found && derive([found], { value: { output: 'revision' } }, ([only]) => only?.['value']),
};

/** The names of the clouds of the environment. */
export const cloudsDeclared: SettledBy = {
  from: (of) => of.token === 'Environment',
  value: (_, [found], derive) =>
    found && derive([found], { map: { entriesOf: 'clouds' } }, ([only]) => entryNames(only?.['map'])),
};

/** The names in records of a kind, sorted, each once; undefined where they name nothing. */
function namedBy(token: string, names: (record: DeclaredRecord) => readonly unknown[], argument?: string): SettledBy {
  return {
    from: (of) => of.token === token,
    ...(argument === undefined ? {} : { reads: [{ argument }] }),
    value: (_, others) => {
      const all = [...new Set(others.flatMap(names))].sort();
      return all.length === 0 ? undefined : all;
    },
  };
}

export const accepted = namedBy('Deployment', ({ args }) => wordsAt(args, 'accept'));

/** The names of the platforms that are declared to be down. */
export const platformsDown = namedBy(
  'EnvironmentPlatform',
  ({ address, args }) => (args['enabled'] === false ? [address['platform'] ?? ''] : []),
  'enabled',
);

/** The environments that stay as they are when their deployment is deleted. */
export const environmentsRetained: SettledBy = {
  ...namedBy(
    'Deployment',
    ({ address, args }) => (args['onDelete'] === 'retain' ? [address['environment'] ?? ''] : []),
    'onDelete',
  ),
  acrossEnvironments: true,
};

/** The records of a design that the engine leaves: a delete of the assembly would take them along. */
export const recordsRetained: SettledBy = {
  ...namedBy('', ({ of, address, isRetained }) => (isRetained === true ? [memberPath(of, address)] : [])),
  from: (of) => of.stage === 'design',
  acrossEnvironments: true,
};

/** Components with a declared number of instances: `web/compute`. */
export const componentsScaled = namedBy(
  'EnvironmentPlatform',
  ({ address, args: { scale } }) =>
    entryNames(scale).flatMap((component) =>
      entryNames(asMap(scale)[component]).includes('current') ? [`${address['platform']}/${component}`] : [],
    ),
  'scale',
);

/** Which of these arguments are declared for clouds of platforms: `web/east/pctScale`. */
export const cloudsConfigured = (names: readonly string[]): SettledBy =>
  namedBy('CloudConfiguration', ({ of, address, args }) =>
    names.filter((name) => args[name] !== undefined).map((name) => `${memberPath(of, address)}/${name}`),
  );

/** The value that the nearest of some kinds gives the same argument. */
export const inherited = (argument: string, tokens: readonly string[]): SettledBy => ({
  from: (of) => tokens.includes(of.token),
  value: (_, others) =>
    tokens
      .flatMap((token) => others.filter(({ of }) => of.token === token).map(({ args }) => args[argument]))
      .find((value) => value !== undefined),
});

/** Whether a record has the same known name in an argument as another one. */
export const agreeIn = (argument: string, one: { readonly address: Address }, other: typeof one): boolean =>
  isSameName(one.address[argument], other.address[argument]);
