// Decides whether somebody wrote a secret since our last write. No read shows its value.
import { ENCRYPTED } from '../../api/contract';
import { LifecycleError } from '../errors';
import { userOf } from '../history/change';
import type { Kind, Work } from '../kind';
import type { Inputs } from '../lifecycle/check';
import { declaredValues } from '../values/wire';
import type { Live, RecordWrite, RecordWrites, Writer } from '../address/live';
import type { Texts } from '../values/plain';

/** Kinds whose records get a new stamp by writes of others: pack versions and pulls. */
const RESTAMPED = ['Component', 'EnvironmentComponent', 'EnvironmentAttachment'];

/** A write since our last one that changed a secret, or may have. */
export interface SecretWrite extends Writer {
  /** The open change lists the secret; otherwise nothing says which attribute was written. */
  readonly isCertain: boolean;
  /** By the user of this run: a killed run, or a person with its token. */
  readonly isOwn: boolean;
}

const appliedUser = ({ updatedBy }: Inputs): string | undefined =>
  typeof updatedBy === 'string' ? updatedBy : undefined;

/**
 * The write since our last one that changed the secret `name`, or may have; undefined for none, or
 * without our own last write. `user`: of this run, if known.
 */
export function secretWrite(
  of: Kind,
  known: Inputs,
  { closed, open }: RecordWrites,
  { name, user = appliedUser(known) }: { readonly name: string; readonly user?: string | undefined },
): SecretWrite | undefined {
  const ours = serviceStamp(known['revision']);
  if (ours === '') return undefined;
  const since = typeof known['updated'] === 'number' ? known['updated'] : Infinity;
  const secretWrite = ({ who, when }: RecordWrite, isCertain: boolean): SecretWrite => ({
    ...{ who, when, isCertain },
    isOwn: who !== '' && who === user,
  });
  const maybe = (write: RecordWrite): SecretWrite | undefined =>
    RESTAMPED.includes(of.token) && write.who === user ? undefined : secretWrite(write, false);
  // An open change takes further writes without a new stamp.
  if (open && (open.stamp !== ours || open.when > since)) {
    if (open.names?.includes(name)) return secretWrite(open, true);
    if (open.names === undefined && (open.stamp !== ours || open.who !== user)) return maybe(open);
  }
  // What is in force is older than our own open change.
  if (closed === undefined || open?.stamp === ours) return undefined;
  if (closed.stamp !== ours) return maybe(closed);
  // A write on top of our open change: the change keeps its stamp and names its last writer.
  return closed.when > since && closed.who !== user ? maybe(closed) : undefined;
}

/** The service's part of a revision: what follows a dot is ours. */
export const serviceStamp = (revision: unknown): string =>
  typeof revision === 'string' ? (revision.split('.')[0] ?? '') : '';

/** Secrets that somebody wrote since our last write, or may have. `known`: old outputs. */
export async function writtenSecrets(
  of: Kind,
  work: Work,
  known: Inputs,
  live: Live,
): Promise<ReadonlyMap<string, SecretWrite>> {
  const { writes, wire } = live;
  const isSecret = (name: string): boolean => wire[name] === ENCRYPTED;
  // Most records have no secret: what they declare is not looked at.
  const secrets = Object.keys(wire).some(isSecret) ? [...declaredValues(of, known).keys()].filter(isSecret) : [];
  if (writes === undefined || !secrets.some((name) => secretWrite(of, known, writes, { name }))) return new Map();
  const user = await userOf(work);
  return new Map(
    secrets.flatMap((name) => {
      const write = secretWrite(of, known, writes, { name, user });
      return write === undefined ? [] : [[name, write]];
    }),
  );
}

/** Whether this run's user is the only one of some writers, so that nobody loses a secret. */
export async function isOursAlone(
  work: Pick<Work, 'api' | 'session'>,
  writers: readonly string[] = [],
): Promise<boolean> {
  if (writers.length === 0) return false;
  const user = await userOf(work);
  return writers.every((writer) => writer === user);
}

/** `maria at 2026-01-05T00:00:01.000Z`. */
const writerText = ({ who, when }: SecretWrite): string =>
  [who || 'somebody', ...(when > 0 ? [`at ${new Date(when).toISOString()}`] : [])].join(' ');

/** `password may have been changed by maria at 2026-01-05T00:00:01.000Z`. */
export const changedText = (name: string, write: SecretWrite): string =>
  `${name} ${write.isCertain ? 'was' : 'may have been'} changed by ${writerText(write)}`;

const UNKNOWN_SECRET = '[not known to be the declared value: ';

/** Texts of a refresh in place of changed secrets: they differ from every declared value. */
export const unknownSecrets = (written: ReadonlyMap<string, SecretWrite>): Texts =>
  Object.fromEntries([...written].map(([name, write]) => [name, `${UNKNOWN_SECRET}written by ${writerText(write)}]`]));

/** Stands for a secret of which nobody knows whether it was given back. */
export const GIVEN_BACK = `${UNKNOWN_SECRET}a run that gave it back failed]`;

/** Whether a value stands for a secret that nobody knows. It must never be sent. */
export const isUnknownSecret = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith(UNKNOWN_SECRET);

/** Throws LifecycleError when a new record declares an unknown secret by `ignoreChanges`. */
export function refuseUnknownSecrets(of: Kind, inputs: Inputs): void {
  const unknown = [...declaredValues(of, inputs)].flatMap(([name, { value }]) =>
    isUnknownSecret(value) ? [name] : [],
  );
  if (unknown.length === 0) return;
  throw new LifecycleError(
    `the value of ${unknown.join(', ')} is not known: somebody changed it, and ignoreChanges keeps what was read`,
    'take it out of ignoreChanges for this run, so that the declared value is written',
  );
}
