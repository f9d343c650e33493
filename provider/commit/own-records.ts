// This stack's records in a design or environment: declared by this run, or gone from the file.
import { isDeepStrictEqual } from 'node:util';
import { type Diagnostic, problem, type Record as WireRecord } from '../../api/contract';
import { formatId, isWithin } from '../address/ids';
import { workAt } from '../address/place';
import { addressNames, scopesOf, type Address, type Kind, type Work } from '../kind';
import { mayHold, signOf } from '../history/change';
import { isIgnored } from '../lifecycle/ignored';
import { leavingRecords, type LeavingRecord } from '../lifecycle/leaving';
import { memberPath, NAME_MARKS, parseMemberPath } from '../address/member-path';
import { isReference } from '../lifecycle/refer';
import { textAt } from '../values/plain';
import type { PropertyPath } from '../values/property-path';
import { declaredValues, textsOf, type Declared } from '../values/wire';
import {
  declaredIn,
  type DeclaredInRun,
  isDeclared,
  memoryOf,
  memoryOfCommit,
  memoryOfStage,
  refreshedIn,
  type Session,
  subjectKey,
} from '../session';

/** A record of this stack as this run declares it, ready to be written. */
export interface DeclaredMember {
  readonly of: Kind;
  readonly work: Work;
  /** What of its arguments this run neither compares nor writes. */
  readonly ignored: readonly PropertyPath[];
  /** By wire name, without what is ignored. */
  readonly declared: ReadonlyMap<string, Declared>;
}

/** The record declared at a path; undefined without one, or where another stack owns it. */
export function declaredMember(work: Work, stage: Kind['stage'], path: string): DeclaredMember | undefined {
  const place = placeAt(work, stage, path);
  const found = place && memoryOf(work.session, place.of, place.address);
  if (found === undefined || !isDeclared(found) || isReference(found.inputs)) return undefined;
  const { of, inputs, known, ignored = [] } = found;
  const declared = [...declaredValues(of, inputs)].filter(([name, value]) => !isIgnored(name, value, ignored));
  return {
    of,
    ignored,
    work: { ...workAt(work, found), known: known ?? {}, args: inputs, wire: textsOf(of, inputs) },
    declared: new Map(declared),
  };
}

/** Whether this run declares a record of the design at a path, as its own or another stack's. */
export function isDesigned(work: Work, path: string): boolean {
  const place = placeAt(work, 'design', path);
  return place !== undefined && isDeclared(memoryOf(work.session, place.of, place.address));
}

/** Whether a path is of a record of this stack: declared, or in the state and not in the file. */
export function isOwn(work: Work, stage: Kind['stage'], path: string): boolean {
  const place = placeAt(work, stage, path);
  const isOwned = place && memoryOf(work.session, place.of, place.address).isOwned;
  return isOwned === true || declaredMember(work, stage, path) !== undefined || leavingAt(work, path) !== undefined;
}

/** Whether a path of the design is in a record that this stack created and this run declares. */
export function isInCreated(work: Work, path: string): boolean {
  const words = path.split('/');
  const above = words.slice(1).map((_, index) => placeAt(work, 'design', words.slice(0, index + 1).join('/')));
  const around = above.flatMap((place) => (place ? [memoryOf(work.session, place.of, place.address)] : []));
  return [memoryOfStage(work, 'design'), ...around].some(
    ({ known, inputs }) => inputs !== undefined && known?.['origin'] === 'created' && !isReference(inputs),
  );
}

/**
 * Whether a run that has not begun to write makes again or deletes a record of the design, or one
 * above it, or changes the pack of its platform.
 */
export function isToBeWritten(work: Work, path: string, { rfcAction }: WireRecord): boolean {
  const [platform = ''] = path.split('/');
  const packs = Object.keys(memoryOfStage(work, 'design').newPacks ?? {}).map((name) => name.split('/')[0]);
  const isMade = ({ of, address, isChanged, isNew }: DeclaredInRun<Kind>): boolean => {
    const own = memberPath(of, address);
    return isChanged === true && ((own === path && rfcAction !== 'update') || (own === platform && isNew === true));
  };
  const replaced = declaredAround(work, 'design').filter((each) => each.replaced !== undefined || each.isAskedAgain);
  // The values that a pack's record goes back to are not all of it. A limited run deletes nothing.
  const left = (work.session.isLimited() ? [] : leftTheFile(work)).filter(
    ({ record }) => record.origin !== 'pack' || rfcAction !== 'update',
  );
  return (
    packs.includes(platform) ||
    declaredAround(work, 'design').some(isMade) ||
    [...replaced, ...left]
      .map(({ of, address }) => memberPath(of, address))
      .some((own) => path === own || path.startsWith(`${own}/`))
  );
}

/** The record of this stack at a path that left the file. */
export const leavingAt = (work: Work, path: string): LeavingRecord | undefined =>
  leftTheFile(work).find(({ of, address }) => memberPath(of, address) === path)?.record;

/** Paths of this stack's records of the environment of a work. */
export function ownPaths(work: Work): readonly string[] {
  const declared = declaredAround(work, 'environment').filter(({ inputs }) => !isReference(inputs));
  return [...declared, ...leftTheFile(work)].map(({ of, address }) => memberPath(of, address));
}

/** The records of a stage that this run declares in the assembly or environment of a work. */
function declaredAround({ session, address }: Pick<Work, 'session' | 'address'>, stage: Kind['stage']) {
  const { name: _, ...around } = address;
  return declaredIn(session).filter((each) => each.of.stage === stage && isWithin(each.of, each.address, around));
}

/** In a release's stamps: records left that the engine deletes, and environments follow later. */
export const LEFT = 'left';

export const saysLeft = (outputs: Work['known']): boolean => textAt(outputs, 'stamps').endsWith(` ${LEFT}`);

/** The stamps of a commit, without the mark `LEFT`. */
export const stampsIn = (values: Work['known']): readonly string[] =>
  textAt(values, 'stamps')
    .split(' ')
    .filter((stamp) => stamp !== '' && stamp !== LEFT);

/**
 * Whether the stamps of a design release lack a record of the last run and nothing names it, in a
 * program of plain resources: the engine deletes it after the release.
 */
export function isLeftUnnamed(work: Work): boolean {
  if (work.args['leaving'] !== undefined) return false;
  const now = stampsIn(work.args);
  const isMade = ({ isNew, known }: DeclaredInRun<Kind>): boolean =>
    isNew === true && now.includes(textAt(known, 'revision'));
  return now.length < stampsIn(work.known).length + declaredAround(work, 'design').filter(isMade).length;
}

interface Left {
  readonly of: Kind;
  readonly address: Address;
  readonly record: LeavingRecord;
}

/**
 * The records that left the file and still exist at the service of this run, as far as it knows;
 * nothing that another process declares.
 */
export function leftTheFile(work: Pick<Work, 'api' | 'session' | 'args'>): readonly Left[] {
  const { api, session, args } = work;
  return leavingRecords(session.kinds, api.organization, args['leaving']).flatMap((record) => {
    const memory = session.memory.of(subjectKey(record.of, record.id));
    if (!session.isHere(record.service) || isDeclared(memory) || memory.isGone) return [];
    return [{ of: record.of, address: record.address, record }];
  });
}

/** The work of deleting a record that left the file. */
export function leavingWork(work: Work, left: Left): Work {
  const { names, ciId, origin, revision } = left.record;
  const { clouds } = work.args;
  const own = { ...workAt(work, left), known: { ...names, ciId, origin, revision }, args: names, wire: {} };
  return Array.isArray(clouds) ? { ...own, declaredClouds: clouds as readonly string[] } : own;
}

function placeAt(work: Work, stage: Kind['stage'], path: string) {
  if (stage === 'environment' && path === 'environment') {
    const of = work.session.kinds.flatMap(scopesOf).find(({ token }) => token === 'Environment');
    const { assembly = '', environment = '' } = work.at;
    return of && { of, address: { assembly, name: environment } as Address };
  }
  const found = parseMemberPath(work.session.kinds, stage, path);
  if (found === undefined) return undefined;
  const { name: _, ...outer } = work.address;
  const all: Address = { ...outer, ...found.inside };
  const names = addressNames(found.of);
  return {
    of: found.of,
    address: Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
  };
}

/** Templates of this stack's component at a path of the design, in the last run and this one. */
export function memberTemplates(work: Work, path: string): readonly (string | undefined)[] {
  const declared = declaredMember(work, 'design', path)?.work;
  const left = leavingAt(work, path)?.names;
  return [declared?.args, declared?.known, left].flatMap((values) =>
    typeof values?.['type'] === 'string' ? [values['type']] : [],
  );
}

/**
 * `~web/deployer +web/motd -web/cron`: records that this run changes, makes, and, unless it is
 * limited, deletes.
 */
export function changedPaths(
  work: Pick<Work, 'session' | 'address' | 'args'>,
  stage: Kind['stage'],
): readonly string[] {
  const written = declaredAround(work, stage).filter(({ isChanged, inputs }) => isChanged && !isReference(inputs));
  return [
    // A replaced record is asked about again, as a new one.
    ...written.map(({ of, address, isNew, isAskedAgain }) =>
      isNew && !isAskedAgain ? `+${memberPath(of, address)}` : `~${memberPath(of, address)}`,
    ),
    ...(work.session.isLimited() ? [] : leavingPaths(work)).map((path) => `-${path}`),
  ];
}

/** Paths of the records that left the file, without what is gone or has another record in its place. */
export const leavingPaths = ({ session, args }: Pick<Work, 'session' | 'args'>): readonly string[] =>
  leavingRecords(session.kinds, '', args['leaving']).flatMap(({ of, address }) => {
    const memory = memoryOf(session, of, address);
    return isDeclared(memory) || memory.isGone || memory.isStranger ? [] : [memberPath(of, address)];
  });

/** Findings for what is declared in a record that left the file, whose delete would delete it, too. */
export function leftAround(of: Kind, address: Address, session: Session): readonly Diagnostic[] {
  const { pending } = memoryOfCommit({ session, at: address }, 'design');
  const left = leavingRecords(session.kinds, '', pending?.['leaving']).filter(
    (each) => each.origin !== 'pack' && !isDeclared(memoryOf(session, each.of, each.address)),
  );
  if (left.length === 0 || session.isLimited()) return [];
  return (of.token === 'DesignRelease' ? declaredIn(session) : [{ of, address }]).flatMap((each) => {
    const around = left.find((other) => `${pathInDesign(each)}/`.startsWith(`${pathInDesign(other)}/`));
    const what = `${each.of.token} ${formatId(each.of, '', each.address).slice(1)} would be deleted with`;
    const hint = 'declare that, too, or remove what is declared in it';
    return around ? [problem('left-around', [], `${what} ${around.id.slice(1)}, which left the file`, hint)] : [];
  });
}

/** Path in the design of a record there, or of that which a record of an environment has values for. */
function pathInDesign({ of, address }: Pick<DeclaredInRun<Kind>, 'of' | 'address'>): string {
  const { assembly, environment, platform, component, name } = address;
  if (environment === undefined) return `${assembly}/${memberPath(of, address)}`;
  if (platform === undefined && of.token !== 'Variable') return '';
  return [assembly, platform, component, name && (NAME_MARKS[of.token] ?? '') + name].filter(Boolean).join('/');
}

/** `+web ~db/deployer`: records that a stopped run wrote, and that the open design release holds. */
export function uncommittedPaths({ session, address: { assembly = '' } }: Pick<Work, 'session' | 'address'>) {
  const work = { session, at: { assembly }, address: { assembly } };
  const { open } = memoryOfStage(work, 'design');
  if (open === undefined) return [];
  return writtenSince(work, 'design', memoryOfCommit(work, 'design').known)
    .filter(({ ciId }) => mayHold(open, ciId))
    .map(({ path, ciId }) => {
      const { rfcAction: action } = open.rfc_cis?.find((each) => each.ciId === ciId) ?? {};
      return `${signOf({ action: action ?? 'update' })}${path}`;
    });
}

/** Declared records that this run leaves as they are, and of which the last stamps know nothing. */
export function writtenSince(work: Pick<Work, 'session' | 'address'>, stage: Kind['stage'], known: Work['known']) {
  if (known === undefined) return [];
  const stamps = textAt(known, 'stamps').split(' ');
  return declaredAround(work, stage).flatMap(({ of, address, inputs, known: own, isChanged }) => {
    const isWritten = own !== undefined && !stamps.includes(textAt(own, 'revision'));
    const path = memberPath(of, address);
    return isWritten && !isChanged && !isReference(inputs) ? [{ path, ciId: Number(own['ciId']) }] : [];
  });
}

/** The stamps of the last run, where this one changes no record of a stage: at most their options. */
export function unchangedStamps(
  work: Pick<Work, 'session' | 'address'>,
  stage: Kind['stage'],
  known: Work['known'],
): string | undefined {
  const own = declaredAround(work, stage).filter(({ inputs }) => !isReference(inputs));
  const now = own.map((each) => textAt(each.known, 'revision')).sort();
  const isSame = !own.some(({ isChanged }) => isChanged) && isDeepStrictEqual(now, stampsIn(known).toSorted());
  return isSame && !saysLeft(known) ? textAt(known, 'stamps') : undefined;
}

/** The records that left the design, as the release of this run names them. */
export const leftDesign = (work: Pick<Work, 'session' | 'at'>): unknown =>
  memoryOfCommit(work, 'design').pending?.['leaving'];

/** What changed of the design that an environment of this run pulls. */
export const changedInDesign = ({ session, address: { assembly = '' } }: Pick<Work, 'session' | 'address'>) =>
  changedPaths(
    { session, address: { assembly }, args: { leaving: leftDesign({ session, at: { assembly } }) } },
    'design',
  );

/** Whether this run changes how many instances of a platform run in an environment. */
export function changesNumber(work: Work, platform: string): boolean {
  const isAbout = (path: string): boolean =>
    path.slice(1) === platform || (path.slice(1).startsWith(`${platform}/`) && !/[+$!]/.test(path.slice(1)));
  // The revision of an environment has the numbers of what was written to links of its platforms.
  const hasLinks = environmentStamp(work).includes('.');
  return (
    changedPaths(work, 'environment').some((path) => isAbout(path) || (path.slice(1) === 'environment' && hasLinks)) ||
    changedInDesign(work).some((path) => isAbout(path) && !/^[~+].*\//.test(path))
  );
}

export const environmentId = ({ api, at }: Pick<Work, 'api' | 'at'>): string =>
  [api.organization, at['assembly'], at['environment']].join('/');

/** Stamp of the last write of the environment of a work, as far as this run knows it. */
export const environmentStamp = (work: Pick<Work, 'session' | 'at'>): string =>
  textAt(memoryOfStage(work, 'environment').known, 'revision');

const refreshedHere = ({ session, at }: Pick<Work, 'session' | 'at'>) =>
  refreshedIn(session).filter(
    ({ of, address }) =>
      of.stage === 'environment' &&
      address['assembly'] === at['assembly'] &&
      address['environment'] === at['environment'],
  );

/** A refreshed record: others' values of what the file declares there are drift, which it resets. */
export const refreshedAt = (work: Pick<Work, 'session' | 'at'>, path: string) =>
  refreshedHere(work).find(({ of, address }) => memberPath(of, address) === path);

export const refreshedPaths = (work: Pick<Work, 'session' | 'at'>): readonly string[] =>
  refreshedHere(work).map(({ of, address }) => memberPath(of, address));

/** `~prod`, `+prod/web/west`, `-prod/web/east`: by path below the assembly. */
export const changesIn = (work: Pick<Work, 'session' | 'address' | 'args'>): readonly string[] =>
  changedPaths(work, 'environment').map((path) => {
    const changed = `${path.charAt(0)}${work.address['environment']}`;
    return path.slice(1) === 'environment' ? changed : `${changed}/${path.slice(1)}`;
  });

/** The comment of the release and the deployment: the declared one, or what changed. */
export function describeRun(work: Work): string {
  const parts = changesIn(work);
  return textAt(work.args, 'comment', parts.length === 0 ? 'pulumi up' : `pulumi up: ${parts.slice(0, 20).join(' ')}`);
}
