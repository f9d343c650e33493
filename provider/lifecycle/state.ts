// A resource as the engine keeps it: after a run, a refresh, or a stopped update.
import { scryptSync } from 'node:crypto';
import type { Live, Origin } from '../address/live';
import { diff, type Inputs } from './check';
import { PartialFailure } from '../errors';
import { COMPUTED, type Kind } from '../kind';
import { asMap, textAt, wordsAt } from '../values/plain';
import { canonical, type Shape } from '../values/shape';
import { isStampOf } from '../verbs/live';

/** Outputs contain the declared inputs, the computed names of all kinds and the kind's own. */
export interface State {
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
  /** Of an undeclared record: paths of arguments with a value that no read shows. */
  readonly unseen?: readonly (readonly string[])[];
  /** Those of them that somebody set: the others came with the record. */
  readonly ownSecrets?: readonly (readonly string[])[];
  /** Who set what leaves no mark on the record, by wire name. No part of what the engine keeps. */
  readonly setBy?: Live['setBy'];
  /** Why values are not known, by wire name. No part of what the engine keeps. */
  readonly unknown?: Live['unknown'];
}

/** Outputs, without values of the service (architecture §2). The stamp is the revision. */
export function stateOf(id: string, inputs: Inputs, live: Live, known?: Inputs): State {
  const outputs = {
    ...inputs,
    ciId: live.ciId,
    revision: live.stamp,
    origin: known ? originOf(known, live) : live.origin,
    updated: live.updated,
    updatedBy: live.updatedBy,
    ...live.outputs,
  };
  const { setBy, unknown } = live;
  return { id, inputs, outputs, ...(setBy ? { setBy } : {}), ...(unknown ? { unknown } : {}) };
}

/** Who made the record, as the last run knew it; as it reads, when none did. */
export const originOf = (known: Inputs, { origin }: Pick<Live, 'origin'>): Origin =>
  ORIGINS.find((each) => each === known['origin']) ?? origin;

const ORIGINS: readonly Origin[] = ['created', 'adopted', 'pack'];

export function declaredOf(of: Kind, outputs: Inputs): Inputs {
  const isComputed = (name: string): boolean => Object.hasOwn(COMPUTED, name) || Object.hasOwn(of.computed, name);
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => !name.startsWith('__') && !isComputed(name)));
}

interface Stopped {
  readonly id: string;
  readonly olds: Inputs;
  readonly news: Inputs;
  readonly now: number;
}

/**
 * Digests of the parts that maps had before updates that failed, by argument: an update writes a
 * map in several requests. A program may have marked the values as secret.
 */
export const BEFORE = '__before';

export const partsBefore = (outputs: Inputs, argument: string): readonly string[] =>
  wordsAt(asMap(outputs[BEFORE]), argument);

/**
 * The digest of one part of a map of a record, or of its absence. It is slow to make, and each
 * record has its own: a short secret is not found by trying out all of them.
 */
export function partDigest(id: string, inner: Shape, map: Inputs, key: string): string {
  const text = JSON.stringify([key, ...(key in map ? [canonical(inner, map[key])] : [])]);
  return scryptSync(text, id, 12, { N: 4096 }).toString('base64url');
}

/** Whether a map lacked a part before updates that failed. What is absent has no shape. */
export function lackedPart(id: string, outputs: Inputs, argument: string, key: string): boolean {
  const parts = partsBefore(outputs, argument);
  return parts.length > 0 && parts.includes(partDigest(id, { type: 'text' }, {}, key));
}

/**
 * An update that failed after a write: the next run continues. Triggers keep their old values, so
 * that a refresh leaves the work undone.
 */
export function halfDone(of: Kind, { id, olds, news, now }: Stopped, error: Error): PartialFailure {
  const names = Object.entries(of.fields).filter(([, field]) => field.channel === 'control' && !field.quiet);
  const undone = names.flatMap(([name]) => (name in olds ? [[name, olds[name]] as const] : []));
  const declared = declaredOf(of, olds);
  const computed = Object.entries(olds).filter(([name]) => !(name in declared));
  const revision = revisionMoved(textAt(olds, 'revision'), now);
  const before = Object.entries(of.fields).flatMap(([name, { channel, shape }]) => {
    if (channel !== 'member' || shape.type !== 'map') return [];
    const was = asMap(declared[name]);
    const keys = Object.keys({ ...was, ...asMap(news[name]) });
    const parts = [...partsBefore(olds, name), ...keys.map((key) => partDigest(id, shape.values, was, key))];
    return parts.length === 0 ? [] : [[name, [...new Set(parts)]] as const];
  });
  const hidden = before.length === 0 ? {} : { [BEFORE]: Object.fromEntries(before) };
  const outputs = { ...news, ...Object.fromEntries([...computed, ...undone]), revision, ...hidden };
  return new PartialFailure({ id, outputs, reasons: [error.message] });
}

interface Redeclared {
  readonly olds: Inputs;
  readonly news: Inputs;
}

/** The revision of our last write; the record's own stamp when we know of none. */
const revisionKnown = (known: Inputs, live: Live): string => textAt(known, 'revision', live.stamp);

const revisionMoved = (revision: string, now: number): string => `${revision.split('.')[0]}.${now}`;

/**
 * The revision of a refresh: another one when a value moved, which then counts as written, so that
 * what is declared next reaches what runs. `now` in ms.
 */
export function revisionRead(
  of: Kind,
  { known, inputs }: { readonly known: Inputs; readonly inputs: Inputs },
  live: Live,
  now: number,
): string {
  const moved = diff(of, known, inputs).some(({ path: [name] }) => name !== undefined && name in inputs);
  return moved ? anotherThan(known, live.stamp, now) : revisionKnown(known, live);
}

/**
 * The stamp of an update without a write: the record's own if other values are declared than
 * before, since nobody knows whether they reached what runs.
 */
export const revisionUnwritten = (of: Kind, { olds, news }: Redeclared, there: Live): string =>
  declaresOtherValues(of, olds, news) ? there.stamp : revisionKnown(olds, there);

/** The revision after an update: another one whenever other values are declared. `now` in ms. */
export const revisionUpdated = (of: Kind, { olds, news }: Redeclared, live: Live, now: number): string =>
  declaresOtherValues(of, olds, news) ? anotherThan(olds, live.stamp, now) : live.stamp;

/** Whether more than what steers our own work differs. */
const declaresOtherValues = (of: Kind, olds: Inputs, news: Inputs): boolean =>
  diff(of, olds, news).some(({ path: [name = ''] }) => of.fields[name]?.channel !== 'control');

/** A write of links alone leaves the stamp. A revision that a refresh moved is not moved back. */
const anotherThan = (known: Inputs, stamp: string, now: number): string =>
  isStampOf(stamp, textAt(known, 'revision')) ? revisionMoved(stamp, now) : stamp;
