// One configuration's connection: settings, client, memory of the run, secrets, and trouble.
import type { Api, ClientEvent, Observe } from '../../../api/client';
import { type Route, routes } from '../../../api/contract';
import { ConnectionFailed, ContractError, messageOf, Unauthenticated } from '../../../api/errors';
import { catalogueAt } from '../../kinds/catalogue';
import { kinds } from '../../kinds';
import { LifecycleError } from '../../errors';
import type { Row } from '../../lifecycle';
import { isNotedAt, marksOf } from '../../lifecycle/leaving';
import { logicalName } from '../../lifecycle/registration';
import { masked } from '../../secrets/mask';
import { indented } from '../../values/text';
import { newSession, remembering, type Session } from '../../session';
import type { Resolved, Settings } from '../../session/settings';
import { type Engine, type EngineMessage, isWholeDestroy, mayBeTargeted, mayReplace } from '../engine';

/** A row that can warn, too. */
export interface FaceRow extends Row {
  /** What is suspicious and lets the run continue; reported once a run. */
  warn(message: string): void;
}

export interface Connection {
  readonly session: Session;
  /** The service as outputs note it, with its oldest cloud: `https://oneops.io acme mK3x_`. */
  note(noted?: unknown): string;
  /** Asks for the clouds of the organization, which identify the service. */
  readonly look: () => Promise<boolean>;
  /** Throws where outputs noted another service; `ask` answers false where nothing may be asked. */
  refuseElsewhere(subject: string, noted: unknown, ask?: () => Promise<boolean>): Promise<void>;
  /** Texts that no message may hold. */
  readonly secrets: Set<string>;
  /** The client, made at the first call. Rejects when the settings do not allow one. */
  readonly connect: () => Promise<Api>;
  /** Throws when the settings do not allow a connection, before anything is planned. */
  settled(): void;
  /**
   * Looks once in a run, and asks for `beside`, the list that the first resource needs next. Rejects, as
   * `up` would, when the service does not answer, refuses the token or does not know the organization.
   * With `oneops:offlinePreview` it asks nothing, and says so once. Answers whether a preview may ask.
   */
  admitted(beside?: Route): Promise<boolean>;
  /** Where a resource's messages go: its row, or the stack's with the subject in front. */
  row(urn: string | undefined, subject: string): FaceRow;
  hide(text: string): string;
  /** What a person reads about an error; trouble of the connection in full once, then in short. */
  tell(error: unknown, subject: string): string;
}

/** The settings do not allow a connection; the message says what to do. */
class NotConfigured extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotConfigured';
  }
}

/** The service did not let this run in: its error is the cause. */
class NotAdmitted extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'NotAdmitted';
  }
}

const NOT_ASKED =
  'oneops:offlinePreview is set: the service was not asked, so a wrong address, organization or token is found only by the first request';

/** Makes the client; `observe`, if there is one, sees its work. */
type Open = (settings: Settings, observe?: Observe) => Promise<Api>;

/** Makes a connection. `engine` is missing outside of Pulumi's dynamic host. */
export function newConnection(resolved: Resolved, open: Open, engine: Engine | undefined): Connection {
  const secrets = new Set<string>('settings' in resolved ? [resolved.settings.token] : []);
  const hide = (text: string): string => masked(text, secrets);
  const warned = new Set<string>();
  const session = sessionOf(resolved);
  let api: Promise<Api> | undefined;
  const troubles = new Set<string>();
  const say = (text: string, severity: 'info' | 'warning', more: Partial<EngineMessage> = {}): void =>
    engine?.log({ text: hide(text), severity, ephemeral: false, ...more });
  const warnOnce = (key: string, text: string, more: Partial<EngineMessage> = {}): void => {
    if (!warned.has(key)) say(text, 'warning', more);
    warned.add(key);
  };
  const warn = once(() => 'settings' in resolved && resolved.warnings?.forEach((text) => say(text, 'warning')));
  const settled = (): Settings => {
    if ('problem' in resolved) throw new NotConfigured(resolved.problem);
    warn();
    return resolved.settings;
  };

  const observe: Observe = (event) => {
    const line = traceLine(event);
    if (line !== undefined) say(`oneops: ${line}`, 'info');
  };
  const connect = async (): Promise<Api> => (api ??= open(settled(), settled().trace ? observe : undefined));
  const asking = async (): Promise<Api> => remembering(await connect(), session.answers);
  const here = 'settings' in resolved ? `${resolved.settings.url} ${resolved.settings.organization}` : '';
  let marks: readonly string[] | undefined;
  const isHere = (noted: string): boolean => noted === '' || isNotedAt(noted, here, marks);
  const look = async (api?: Api): Promise<boolean> => {
    // The service is recognized by a cloud that this run deletes, too.
    if (marks !== undefined) return true;
    const asked = api ?? (await asking());
    marks = marksOf(await asked.call(routes.clouds.list, { address: { organization: asked.organization } }));
    return true;
  };
  const ask = async (beside?: Route): Promise<boolean> => {
    if (settled().offlinePreview) {
      say(NOT_ASKED, 'info');
      return false;
    }
    try {
      const api = await asking();
      const looked = look(api);
      // The run remembers both answers.
      await Promise.allSettled([looked, beside && api.call(beside, {})]);
      return await looked;
    } catch (error) {
      throw new NotAdmitted(error);
    }
  };
  let admission: Promise<boolean> | undefined;

  return {
    session: {
      ...session,
      hide,
      isHere,
      isSimulated: 'settings' in resolved && resolved.settings.simulated,
      ...(engine && { isLimited: once(mayBeTargeted), isReplacing: once(mayReplace), isDestroy: once(isWholeDestroy) }),
    },
    note: (noted) =>
      marks?.[0] === undefined && typeof noted === 'string' && isNotedAt(noted, here)
        ? noted
        : [here, ...(marks ?? []).slice(0, 1)].join(' '),
    look,
    async refuseElsewhere(subject, noted, ask = look) {
      settled();
      if (typeof noted !== 'string' || isNotedAt(noted, here)) return;
      const [[there, theirs], [url, ours]] = [noted.split(' '), here.split(' ')];
      // Another organization has other clouds.
      if (theirs === ours && !(await ask())) return;
      if (!isHere(noted))
        throw new LifecycleError(
          `${subject} of this stack is at ${there}/${theirs}, and not at ${url}/${ours}`,
          `correct oneops:url or ONEOPS_URL, and the organization; to create the stack at ${url}: pulumi state delete --target-dependents URN, or --all, then pulumi up`,
        );
      const moved = `this stack was at ${there}; ${url} has its clouds, and counts as the same service: pulumi refresh notes the new address`;
      warnOnce(moved, moved);
    },
    secrets,
    settled,
    hide,
    connect,
    admitted: (beside) => (admission ??= ask(beside)),
    row(urn, subject) {
      const place = urn === undefined ? {} : { urn };
      const full = (text: string): string => (urn === undefined ? `${subject}: ${text}` : text);
      let shown: string | undefined;
      return {
        ...(urn ? { logicalName: logicalName(urn) } : {}),
        progress(message) {
          if (message === shown) return;
          shown = message;
          say(full(message), 'info', { ephemeral: true, ...place });
        },
        notice: (message) => say(full(message), 'info', place),
        warn: (message) => warnOnce(`${urn ?? subject} ${message}`, full(message), place),
      };
    },
    tell(error, subject) {
      const message = indented(hide(messageOf(error)));
      const short = inShort(error);
      if (short === undefined) return message;
      if (troubles.has(short)) return `${subject}: ${short}`;
      troubles.add(short);
      return message;
    },
  };
}

/** A job that is done by the first call alone. */
function once<T>(job: () => T): () => T {
  let done: { readonly answer: T } | undefined;
  return () => (done ??= { answer: job() }).answer;
}

function sessionOf(resolved: Resolved): Session {
  const session = newSession(kinds);
  if ('problem' in resolved) return session;
  const { readCache, catalogue, url } = resolved.settings;
  return { ...session, readCache, catalogue, known: catalogueAt(url) };
}

/** What further resources say that fail for a common reason; otherwise undefined. */
function inShort(error: unknown): string | undefined {
  if (error instanceof NotConfigured) return 'not tried: the service is not configured, as said before';
  if (error instanceof ConnectionFailed) return 'not tried again: the service did not answer, as said before';
  if (error instanceof Unauthenticated) return 'not tried again: the service refused access, as said before';
  if (error instanceof ContractError && error.elsewhere) return `${error.what}, as said before`;
  const short = error instanceof Error && error.cause !== undefined ? inShort(error.cause) : undefined;
  return error instanceof NotAdmitted
    ? (short ?? 'not tried: the service did not let this run in, as said before')
    : short;
}

// `ONEOPS_LOG=debug`: one line for each request, its answer and its repetitions.

/**
 * `GET /acme/clouds 200 in 12 ms, attempt 1`; a failure with its kind, and the pause before the
 * next attempt in ms or why there is none. Undefined for what another line shows. Without headers
 * and bodies.
 */
export function traceLine(event: ClientEvent): string | undefined {
  const about = `${event.method} ${event.path}`;
  const attempt = `attempt ${event.attempt}`;
  switch (event.kind) {
    case 'request':
      return undefined;
    case 'response':
      return `${about} ${event.status} in ${event.took} ms, ${attempt}`;
    case 'retry':
      return `${about} ${event.error.name}, ${attempt}: again in ${Math.round(event.pause)} ms`;
    case 'error':
      return `${about} ${event.error.name}, ${attempt}: given up (${event.gaveUp})`;
  }
}
