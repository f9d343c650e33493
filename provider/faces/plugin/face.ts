// One kind as the plugin protocol has it: the dynamic face, with previews, differences, secrets.
import { face as dynamicFace, type Host, plain } from '../dynamic/face';
import { withInputs, withUrn } from '../dynamic/sdk-host';
import { IGNORED } from '../../lifecycle/ignored';
import { COMPUTED, type Kind } from '../../kind';
import { providerText } from '../../lifecycle/registration';
import { diff as differences, type Change } from '../../lifecycle/check';
import { secretPathsIn } from '../../secrets/attributes';
import { settledNames } from '../../kinds/settled';
import { isPlainObject, UNKNOWN, withoutAt } from '../../values/plain';
import { joined, type SecretPlaces, type PropertyValues } from './properties';

interface CheckFailure {
  /** Argument that the engine may print the value of; empty otherwise. */
  readonly property: string;
  readonly reason: string;
}

/** One difference: a path such as `attributes.max_threads`, and what happened there. */
interface Difference {
  readonly path: string;
  readonly kind: 'add' | 'delete' | 'update';
  readonly replaces: boolean;
}

/** Property paths of the option ignoreChanges. */
type Paths = readonly string[];

/** An update of a resource. */
interface Update {
  readonly olds: PropertyValues;
  readonly news: PropertyValues;
  readonly preview: boolean;
  readonly ignored: Paths;
}

const ignoring = (news: PropertyValues, ignored: Paths): PropertyValues => ({
  ...news,
  [IGNORED]: Object.fromEntries(ignored.map((path) => [path, {}])),
});

/**
 * Outputs hold the text of the dynamic provider, so that a stack can move to it: its refresh and
 * destroy need the text (engine-facts B §12). The engine hides names with two underscores.
 */
const PROVIDER = '__provider';

export type PluginFace = ReturnType<typeof pluginFace>;

/** The verbs of one kind over plain values. Each rejects with one message for a person. */
export function pluginFace(of: Kind, host: Host) {
  const inner = dynamicFace(of, host);
  const text = providerText(of.token);
  const marked = (values: PropertyValues, urn: string): PropertyValues => withUrn({ ...values, [PROVIDER]: text }, urn);
  const computed = [...Object.keys(COMPUTED), ...Object.keys(of.computed)];
  const warnOfSecrets = secretsWarning(of, host);
  return {
    async check(urn: string, olds: PropertyValues, news: PropertyValues) {
      const named = of.named && news['name'] === undefined ? { ...news, name: logicalName(urn) } : news;
      const { inputs = {}, failures = [] } = await inner.check({ ...olds }, marked(named, urn));
      const known: readonly CheckFailure[] = failures.filter(({ property }) => !isUnread(olds, named, property));
      return { inputs: withoutProvider(inputs), failures: known };
    },
    async diff(urn: string, id: string, olds: PropertyValues, news: PropertyValues, ignored: Paths) {
      const answer = await inner.diff(id, marked(olds, urn), marked(ignoring(news, ignored), urn));
      const replaces = answer.replaces ?? [];
      const changed = answer.changes === false ? [] : differences(of, olds, news);
      const some: 'some' | 'unknown' = answer.changes === true || changed.length > 0 ? 'some' : 'unknown';
      return {
        /** `unknown`: the engine compares the inputs itself. */
        changes: answer.changes === false ? ('none' as const) : some,
        /** Top-level arguments that differ. */
        names: [...new Set(changed.map(({ path }) => path[0] as string))],
        replaces,
        differences: changed.flatMap(pathsOf),
      };
    },
    async create(urn: string, inputs: PropertyValues, preview: boolean) {
      if (preview) return { id: '', outputs: { ...plain(inputs), ...unknown(computed) } };
      const { id, outs = {} } = await inner.create(marked(inputs, urn));
      return { id, outputs: outs };
    },
    /**
     * Undefined when the record no longer exists. Without known outputs it is an import.
     * `oldInputs`: those of the last run.
     */
    async read(urn: string, id: string, outputs: PropertyValues, oldInputs: PropertyValues = {}) {
      // The provider text alone would hide that this is an import.
      const properties =
        Object.keys(outputs).length === 0 ? withUrn({}, urn) : withInputs(marked(outputs, urn), oldInputs);
      const answer = await inner.read(id, properties);
      if (answer.id === undefined) return undefined;
      const { id: found, inputs = {}, props = {} } = answer;
      if (Object.keys(outputs).length === 0) {
        warnOfSecrets(urn, found, inputs);
        const outputs = { ...importedValues(of, props), [PROVIDER]: text };
        return { id: found, inputs: importedValues(of, withoutProvider(inputs)), outputs };
      }
      // A state of an older release lacks the text; a refresh must not show a difference.
      const kept = outputs[PROVIDER] === undefined ? withoutProvider(props) : { ...props, [PROVIDER]: text };
      return { id: found, inputs: withoutProvider(inputs), outputs: kept };
    },
    async update(urn: string, id: string, { olds, news, preview, ignored }: Update) {
      if (preview) {
        const stable = { ciId: olds['ciId'], origin: olds['origin'] };
        return { outputs: plain({ ...news, ...unknown(computed), ...stable }) };
      }
      const { outs = {} } = await inner.update(id, marked(olds, urn), marked(ignoring(news, ignored), urn));
      return { outputs: plain({ ...outs, [IGNORED]: news[IGNORED] }) };
    },
    /** `oldInputs`: those of the last run. */
    delete: (urn: string, id: string, outputs: PropertyValues, oldInputs: PropertyValues = {}) =>
      inner.delete(id, withInputs(marked(outputs, urn), oldInputs)),
    /** Where secrets are in a resource's inputs or outputs. */
    secrets: (values: PropertyValues) => secretPlacesOf(of, values),
  };
}

/** Names the secrets of a record that an import leaves out of the code. */
const secretsWarning =
  (of: Kind, host: Host) =>
  (urn: string, id: string, inputs: PropertyValues): void => {
    const left = secretsIn(of, inputs)
      .map((path) => path.join('.'))
      .join(', ');
    const row = host.connection(of.token).row(urn, `${of.token} ${id}`);
    if (left !== '') row.warn(`no code has the secret ${left}: ${SECRET_ADVICE}`);
  };

const SECRET_ADVICE =
  'it stays in the service; to declare it, add it to the code as a secret of the configuration, pulumi config set --secret NAME';

/** Paths of the secrets that values have. */
const secretsIn = (of: Kind, values: PropertyValues): readonly (readonly string[])[] =>
  secretPathsIn(of, values).filter(([name = '']) => name in values);

function secretPlacesOf(of: Kind, values: PropertyValues): SecretPlaces | undefined {
  const places = secretsIn(of, values).map(([name = '', entry]) => ({
    [name]: entry === undefined ? (true as const) : { [entry]: true as const },
  }));
  return places.reduce<SecretPlaces | undefined>(joined, undefined);
}

/**
 * What an import keeps of a record. Secrets are left out: Pulumi's CLI writes what is imported as
 * code, in clear. Settled values are empty, since nothing else is declared yet.
 */
function importedValues(of: Kind, values: PropertyValues): PropertyValues {
  const unsettled = settledNames(of).filter((name) => of.fields[name]?.required && values[name] === undefined);
  return {
    ...secretPathsIn(of, values).reduce(withoutAt, values),
    ...Object.fromEntries(unsettled.map((name) => [name, ''])),
  };
}

/** Whether a failure is about an argument that no read shows, after an import. */
const isUnread = (olds: PropertyValues, news: PropertyValues, property: string): boolean =>
  property !== '' && Object.keys(olds).length > 0 && olds[property] === undefined && news[property] === undefined;

/** A resource that is given no name of its own is called as the program calls it. */
const logicalName = (urn: string): string => urn.split('::').slice(3).join('::');

const withoutProvider = ({ [PROVIDER]: _, ...rest }: PropertyValues): PropertyValues => rest;

const unknown = (names: readonly string[]): PropertyValues => Object.fromEntries(names.map((name) => [name, UNKNOWN]));

/** The paths of a change, as deep as both sides are maps. */
const pathsOf = ({ path, was, now, replaces }: Change): readonly Difference[] =>
  pathsIn(path.join('.'), was, now).map((found) => ({ ...found, replaces }));

function pathsIn(path: string, was: unknown, now: unknown): readonly Omit<Difference, 'replaces'>[] {
  if (!isPlainObject(was) || !isPlainObject(now)) return [{ path, kind: kindOfChange(was, now) }];
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((key) => {
    if (JSON.stringify(was[key]) === JSON.stringify(now[key])) return [];
    const inside = /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
    return pathsIn(inside, was[key], now[key]);
  });
}

const kindOfChange = (was: unknown, now: unknown): Difference['kind'] =>
  was === undefined ? 'add' : now === undefined ? 'delete' : 'update';
