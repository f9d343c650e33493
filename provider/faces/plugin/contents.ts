// Resources and functions over one configuration, as the protocol asks for them: the dynamic faces,
// with previews, paths of differences, and secrets in envelopes. Loaded when the first is used.
import { Metadata, type ServerWritableStream, status } from '@grpc/grpc-js';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import type { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { FunctionFailed, functions, newCaller, wrapSecrets, type Caller } from '../../functions';
import { canBeFound, recordsWithin } from '../../import';
import { COMPUTED, type Kind } from '../../kind';
import { kinds } from '../../kinds';
import { settledNames } from '../../kinds/settled';
import { type Change, diff as differences } from '../../lifecycle/check';
import { IGNORED } from '../../lifecycle/ignored';
import { logicalName, parseUrn, providerText } from '../../lifecycle/registration';
import { secretPathsIn } from '../../secrets/attributes';
import { openApi, type Resolved } from '../../session/settings';
import { isPlainObject, UNKNOWN, type Values, withoutAt } from '../../values/plain';
import { newConnection, type Connection } from '../dynamic/connection';
import { face, type Face, plain } from '../dynamic/face';
import { withInputs, withUrn } from '../dynamic/sdk-host';
import type { Engine } from '../engine';
import { CallFailed, statusOf } from '../served';
import { enveloped, joined, received, type SecretPlaces, sent, withMembers } from './properties';
import { stoppable, stoppableReads } from './stopping';

interface Sources {
  readonly connection: Connection;
  readonly caller: Caller;
  /** Aborts when the engine cancels. */
  readonly stop: AbortSignal;
}

/** What a verb of a resource is answered with. */
interface Asked {
  readonly of: Kind;
  readonly inner: Face;
  /** Properties as the dynamic face takes them. */
  readonly marked: (values: Values) => Values;
  /** Properties as a message has them. `secrets`: what is secret beside what the kind says. */
  readonly structOf: (values: Values, secrets?: SecretPlaces) => Struct;
}

/**
 * Outputs hold the text of the dynamic provider, so that a stack can move to it: its refresh and
 * destroy need the text (engine-facts B §12). The engine hides names with two underscores.
 */
const PROVIDER = '__provider';

export type Contents = ReturnType<typeof contentsOf>;

/** What the protocol can ask. Each call rejects with the status of one message for a person. */
export function contentsOf({ connection, caller, stop }: Sources) {
  const host = { configure: () => undefined, connection: () => stoppable(connection, stop) };
  const faces = new Map(kinds.map((of) => [of.token, { of, inner: face(of, host) }] as const));

  async function asking<T>(urn: string, inputs: Values, job: (asked: Asked) => Promise<T>): Promise<T> {
    const type = parseUrn(urn)?.type ?? '';
    const found = faces.get(bareName(type));
    if (found === undefined) throw notOffered('resource type', type, status.INVALID_ARGUMENT);
    const { of } = found;
    const secrets = (values: Values) => secretPlacesOf(of, values);
    try {
      return await job({
        ...found,
        marked: (values) => withUrn({ ...values, [PROVIDER]: providerText(of.token) }, urn),
        structOf: (values, beside) => sent(values, joined(secrets(values), beside)),
      });
    } catch (error) {
      throw callFailed(error, inputs, secrets);
    }
  }

  /** Names the secrets of a record that an import leaves out of the code. */
  function warnOfSecrets(of: Kind, urn: string, id: string, inputs: Values): void {
    const left = secretsIn(of, inputs).map((path) => path.join('.'));
    const row = connection.row(urn, `${of.token} ${id}`);
    if (left.length > 0) row.warn(`no code has the secret ${left.join(', ')}: ${SECRET_ADVICE}`);
  }

  return {
    check(request: provider.CheckRequest): Promise<provider.CheckResponse> {
      const news = received(request.getNews());
      return asking(request.getUrn(), news.values, async ({ of, inner, marked, structOf }) => {
        const olds = received(request.getOlds()).values;
        const isNamed = !of.named || news.values['name'] !== undefined;
        // A resource without the argument `name` has the name that the program gives it.
        const given = isNamed ? news.values : { ...news.values, name: logicalName(request.getUrn()) };
        const { inputs = {}, failures = [] } = await inner.check({ ...olds }, marked(given));
        const known = failures.filter(({ property }) => !isUnread(olds, given, property));
        return withMembers(new provider.CheckResponse(), {
          inputs: structOf(withoutProvider(inputs), news.secrets),
          failuresList: known.map((failure) => withMembers(new provider.CheckFailure(), failure)),
        });
      });
    },

    diff(request: provider.DiffRequest): Promise<provider.DiffResponse> {
      const news = received(request.getNews()).values;
      return asking(request.getUrn(), news, async ({ of, inner, marked }) => {
        const olds = received(request.getOlds()).values;
        const declared = marked(ignoring(news, request.getIgnorechangesList()));
        const { changes, replaces = [] } = await inner.diff(request.getId(), marked(olds), declared);
        const changed = changes === false ? [] : differences(of, olds, news);
        const isSome = changes === true || changed.length > 0;
        const details = changed.flatMap(detailsOf);
        // With `unknown`, the engine compares the inputs itself.
        const { DIFF_NONE, DIFF_SOME, DIFF_UNKNOWN } = provider.DiffResponse.DiffChanges;
        const answer = withMembers(new provider.DiffResponse(), {
          changes: changes === false ? DIFF_NONE : isSome ? DIFF_SOME : DIFF_UNKNOWN,
          replacesList: [...replaces],
          deletebeforereplace: replaces.length > 0,
          diffsList: [...new Set(changed.map(({ path }) => String(path[0])))],
          hasdetaileddiff: details.length > 0,
        });
        for (const [path, detail] of details) answer.getDetaileddiffMap().set(path, detail);
        return answer;
      });
    },

    create(request: provider.CreateRequest): Promise<provider.CreateResponse> {
      const { values, secrets } = received(request.getProperties());
      return asking(request.getUrn(), values, async ({ of, inner, marked, structOf }) => {
        const { id, outs = {} } = request.getPreview()
          ? { id: '', outs: plain({ ...values, ...unknownOutputs(of) }) }
          : await inner.create(marked(values));
        return withMembers(new provider.CreateResponse(), { id, properties: structOf(outs, secrets) });
      });
    },

    /** Without known outputs it is an import. An empty answer: the record no longer exists. */
    read(request: provider.ReadRequest): Promise<provider.ReadResponse> {
      const known = received(request.getProperties());
      const old = received(request.getInputs());
      return asking(request.getUrn(), old.values, async ({ of, inner, marked, structOf }) => {
        const urn = request.getUrn();
        const isImport = Object.keys(known.values).length === 0;
        // The provider text alone would hide that this is an import.
        const given = isImport ? withUrn({}, urn) : withInputs(marked(known.values), old.values);
        const { id, inputs = old.values, props = {} } = await inner.read(request.getId(), given);
        if (id === undefined) return new provider.ReadResponse();
        if (isImport) warnOfSecrets(of, urn, id, inputs);
        const shown = (values: Values): Values => (isImport ? importedValues(of, values) : values);
        const secrets = joined(known.secrets, old.secrets);
        return withMembers(new provider.ReadResponse(), {
          id,
          properties: structOf({ ...shown(props), [PROVIDER]: providerText(of.token) }, secrets),
          inputs: structOf(shown(withoutProvider(inputs)), secrets),
        });
      });
    },

    update(request: provider.UpdateRequest): Promise<provider.UpdateResponse> {
      const { values: news, secrets } = received(request.getNews());
      return asking(request.getUrn(), news, async ({ of, inner, marked, structOf }) => {
        const olds = received(request.getOlds()).values;
        if (request.getPreview()) {
          const stable = { ciId: olds['ciId'], origin: olds['origin'] };
          const outputs = plain({ ...news, ...unknownOutputs(of), ...stable });
          return withMembers(new provider.UpdateResponse(), { properties: structOf(outputs, secrets) });
        }
        const declared = marked(ignoring(news, request.getIgnorechangesList()));
        const { outs = {} } = await inner.update(request.getId(), marked(olds), declared);
        const outputs = plain({ ...outs, [IGNORED]: news[IGNORED] });
        return withMembers(new provider.UpdateResponse(), { properties: structOf(outputs, secrets) });
      });
    },

    delete: (request: provider.DeleteRequest): Promise<Empty> =>
      asking(request.getUrn(), {}, async ({ inner, marked }) => {
        const outputs = marked(received(request.getProperties()).values);
        await inner.delete(request.getId(), withInputs(outputs, received(request.getOldInputs()).values));
        return new Empty();
      }),

    async invoke(request: provider.InvokeRequest): Promise<provider.InvokeResponse> {
      const { values, secrets } = received(request.getArgs());
      const of = functions.find(({ token }) => token === bareName(request.getTok()));
      if (of === undefined) throw notOffered('function', request.getTok());
      try {
        const result = await caller.call(of, values, secrets ? values : {});
        return withMembers(new provider.InvokeResponse(), { return: sent(wrapSecrets(of.result, result, enveloped)) });
      } catch (error) {
        throw error instanceof FunctionFailed ? new CallFailed(error.message) : error;
      }
    },

    /** Sends the records of a type, one message each. The complete list is one page. */
    async list(call: ServerWritableStream<provider.ListRequest, provider.ListResponse>): Promise<void> {
      const { request } = call;
      const { values } = received(request.getQuery());
      if (Object.values(values).includes(UNKNOWN)) {
        call.write(withMembers(new provider.ListResponse(), { computed: new provider.ListResponse.Computed() }));
        return;
      }
      const of = faces.get(bareName(request.getToken()))?.of;
      if (of === undefined || !canBeFound(of)) throw notOffered('list of', request.getToken(), status.UNIMPLEMENTED);
      const given = Object.entries(values).filter(([, value]) => value !== null && value !== '');
      const narrowed = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
      let left = request.getLimit() || Infinity;
      for await (const found of recordsWithin(stoppableReads(await connection.connect(), stop), of, narrowed)) {
        call.write(
          withMembers(new provider.ListResponse(), { result: withMembers(new provider.ListResponse.Result(), found) }),
        );
        left -= 1;
        if (left <= 0 || call.cancelled) return;
      }
    },
  };
}

/** The contents over the service that settings name. */
export const openContents = (resolved: Resolved, engine: Engine | undefined, stop: AbortSignal): Contents =>
  contentsOf({
    connection: newConnection(resolved, openApi, engine),
    caller: newCaller(resolved, async (settings) => stoppableReads(await openApi(settings), stop)),
    stop,
  });

/** With the property paths of the option ignoreChanges. */
const ignoring = (news: Values, paths: readonly string[]): Values => ({
  ...news,
  [IGNORED]: Object.fromEntries(paths.map((path) => [path, {}])),
});

const withoutProvider = ({ [PROVIDER]: _, ...rest }: Values): Values => rest;

const unknownOutputs = (of: Kind): Values =>
  Object.fromEntries(Object.keys({ ...COMPUTED, ...of.computed }).map((name) => [name, UNKNOWN]));

/** Whether a failure is about an argument that no read shows, after an import. */
const isUnread = (olds: Values, news: Values, property: string): boolean =>
  property !== '' && Object.keys(olds).length > 0 && olds[property] === undefined && news[property] === undefined;

const SECRET_ADVICE =
  'it stays in the service; to declare it, add it to the code as a secret of the configuration, pulumi config set --secret NAME';

const secretsIn = (of: Kind, values: Values): readonly (readonly string[])[] =>
  secretPathsIn(of, values).filter(([name = '']) => name in values);

const secretPlacesOf = (of: Kind, values: Values): SecretPlaces | undefined =>
  secretsIn(of, values)
    .map(([name = '', entry]): SecretPlaces => ({ [name]: entry === undefined ? true : { [entry]: true } }))
    .reduce<SecretPlaces | undefined>(joined, undefined);

/**
 * What an import keeps of a record. Secrets are left out: Pulumi's CLI writes what is imported as
 * code, in clear. Settled values are empty, since nothing else is declared yet.
 */
function importedValues(of: Kind, values: Values): Values {
  const unsettled = settledNames(of).filter((name) => of.fields[name]?.required && values[name] === undefined);
  return {
    ...secretPathsIn(of, values).reduce(withoutAt, values),
    ...Object.fromEntries(unsettled.map((name) => [name, ''])),
  };
}

/** The paths of a change, as deep as both sides are maps, and what happened at each. */
function detailsOf({ path, was, now, replaces }: Change): readonly (readonly [string, provider.PropertyDiff])[] {
  return pathsIn(path.join('.'), was, now).map(([at, before, after]) => {
    const does = before === undefined ? 'ADD' : after === undefined ? 'DELETE' : 'UPDATE';
    const kind = provider.PropertyDiff.Kind[replaces ? (`${does}_REPLACE` as const) : does];
    return [at, withMembers(new provider.PropertyDiff(), { kind, inputdiff: true })];
  });
}

function pathsIn(path: string, was: unknown, now: unknown): readonly (readonly [string, unknown, unknown])[] {
  if (!isPlainObject(was) || !isPlainObject(now)) return [[path, was, now]];
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((key) => {
    if (JSON.stringify(was[key]) === JSON.stringify(now[key])) return [];
    const inside = /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
    return pathsIn(inside, was[key], now[key]);
  });
}

// A failure is a status with one message, and what is known of the record.

/** What the dynamic face throws for a record that was written and is not right. */
interface Incomplete extends Error {
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];
}

const isIncomplete = (error: unknown): error is Incomplete =>
  error instanceof Error && 'reasons' in error && 'properties' in error && 'id' in error;

/** The error as gRPC sends it. `inputs` of the request are kept with an incomplete record. */
function callFailed(error: unknown, inputs: Values, secrets: (values: Values) => SecretPlaces | undefined): CallFailed {
  if (error instanceof CallFailed || !isIncomplete(error)) return statusOf(error);
  const { id, message, properties, reasons } = error;
  const detail = withMembers(new provider.ErrorResourceInitFailed(), {
    id,
    reasonsList: [...reasons],
    properties: sent(properties, secrets(properties)),
    inputs: sent(inputs, secrets(inputs)),
  });
  const packed = new Any();
  packed.pack(detail.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
  const answer = withMembers(new Status(), { code: status.UNKNOWN, message, detailsList: [packed] });
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', Buffer.from(answer.serializeBinary()));
  return new CallFailed(message, status.UNKNOWN, metadata);
}

const PACKAGE = 'oneops:index:';

/** `Component` from `oneops:index:Component`; empty for a name of another package. */
const bareName = (name: string): string => (name.startsWith(PACKAGE) ? name.slice(PACKAGE.length) : '');

/** The failure of a call of something that the package does not have. */
const notOffered = (what: string, name: string, code?: status): CallFailed =>
  new CallFailed(`there is no ${what} "${name}" in this package`, code);
