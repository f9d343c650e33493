// check, diff, create, read, update, delete: derived from a kind, written once (architecture §2).
// It must not know any single kind, the engine or a file.
import type { Diagnostic } from '../api/contract';
import type { Api } from '../api/client';
import { describe, OneOpsError } from '../api/errors';
import { PartialFailure } from './errors';
import { createOrTakeOver, takeOver } from './take-over';
import { formatId, parseId, pathAddress, scopeOfId } from './ids';
import { addressOf, scopeAt, type Address, type Kind } from './kind';
import { mistakes } from './mistakes';
import { insideReplaced, ownAddress } from './place';
import { check, diff, type Change, type Inputs } from './rules';
import { metWriters, noteWanted, noting, tellCrossed } from './own-writes';
import { countWrites, dropWritten } from './api-layers';
import { asUsed, isReference } from './refer';
import { revisionRead, revisionUnwritten, revisionUpdated } from './revision';
import { changedText, refuseUnknownSecrets, unknownSecrets, writtenSecrets } from './secret-writes';
import {
  commitKey,
  declaredKey,
  isSwept,
  rememberDistinction,
  rememberNumber,
  subjectKey,
  type Session,
} from './session';
import { declaredOf, halfDone, originOf, stateOf, type State } from './state';
import { holdsUnknown } from './unknown';
import { planUpdate } from './update-plan';
import { refreshing } from './verbs/records';
import { Incomplete, type Live, type Work } from './verbs/verbs';
import { leftUndone, subjectOf, told } from './verb-failures';
import { baseText, emptiedTexts, inputsFromLive, projectLive, textsOf, unseenInLive } from './wire-texts';

/** Where a resource's messages go. */
export interface Row {
  /** The resource's logical name, where the engine tells it. */
  readonly logicalName?: string;
  /** What is going on; shown live, not kept. */
  progress(message: string): void;
  /** What a person must see after the run. */
  notice(message: string): void;
}

interface DiffAnswer {
  readonly changes: readonly Change[];
  /** Argument names whose change replaces; replaced resources are deleted first, always. */
  readonly replaces: readonly string[];
  /** Nothing may happen: the reason, to be shown as the error. */
  readonly refusal?: string;
  /** What the run will do, for the row: `will deploy: ~prod`. */
  readonly plan?: string;
  /** What a person should know before the run does it. */
  readonly warning?: string;
}

export interface Lifecycle {
  /**
   * Findings, and the inputs to keep: as given, with what check fills in. No request; remembers what was declared. `known`: whether the engine
   * tells what it was: asked once more without, it is being replaced, whoever decided that. `urn`: of the resource, when it is known.
   */
  check(
    news: Inputs,
    known?: boolean,
    urn?: string,
  ): { readonly inputs: Inputs; readonly findings: readonly Diagnostic[] };
  /** Further findings, with the help of the service; none when it cannot be asked. An unchanged resource asks nothing. */
  foresee(olds: Inputs, news: Inputs, row: Row): Promise<readonly Diagnostic[]>;
  diff(id: string, olds: Inputs, news: Inputs): Promise<DiffAnswer>;
  create(inputs: Inputs, row: Row): Promise<State>;
  /** Undefined when gone. `known` are the outputs of the last run; none = import: everything that can be set. */
  read(id: string, known: Inputs | undefined, row: Row): Promise<State | undefined>;
  update(id: string, olds: Inputs, news: Inputs, row: Row): Promise<State>;
  /** `urn`: of the resource, when it is known: one that is declared as new under the same is replaced, and no rename. */
  delete(id: string, known: Inputs, row: Row, urn?: string): Promise<void>;
}

/**
 * The lifecycle of a kind, in whichever of its scopes a record is, over one connection and one run's memory. Failures are typed errors whose
 * message says it all (api/errors).
 */
export function lifecycle(of: Kind, connect: () => Promise<Api>, session: Session): Lifecycle {
  const byArguments = (args: Inputs): Lifecycle => lifecycleInScope(scopeAt(of, args) ?? of, connect, session);
  const byId = (id: string): Lifecycle => lifecycleInScope(scopeOfId(of, id) ?? of, connect, session);
  return {
    check: (news, known, urn) => byArguments(news).check(news, known, urn),
    foresee: (olds, news, row) => byArguments(news).foresee(olds, news, row),
    diff: (id, olds, news) => byId(id).diff(id, olds, news),
    create: (inputs, row) => byArguments(inputs).create(inputs, row),
    read: (id, known, row) => byId(id).read(id, known, row),
    update: (id, olds, news, row) => byId(id).update(id, olds, news, row),
    delete: (id, known, row, urn) => byId(id).delete(id, known, row, urn),
  };
}

function lifecycleInScope(of: Kind, connect: () => Promise<Api>, session: Session): Lifecycle {
  const connected = async (): Promise<Api> => {
    const api = noting(await connect(), session.own);
    return session.reads ? dropWritten(api, session.reads) : api;
  };
  const workFor = async (address: Address, inputs: Inputs, row: Row, known?: Inputs): Promise<Work> => {
    const api = await connected();
    return {
      api,
      session,
      address,
      at: pathAddress(of, api.organization, address),
      id: formatId(of, api.organization, address),
      args: inputs,
      wire: textsOf(of, inputs),
      ...(known ? { known } : {}),
      ...row,
    };
  };

  /** Whether it is in a platform that a pull of this run brought anew. */
  const isRenewed = (id: string): boolean => {
    const { organization, address = {} } = parseId(of, id) ?? {};
    const { assembly, environment, platform } = address;
    const isInPlatform = of.stage === 'environment' && of.verbs.isAction !== true && platform !== undefined;
    return isInPlatform && session.renewed.has([organization, assembly, environment, platform].join('/'));
  };

  const create = async (inputs: Inputs, row: Row): Promise<State> => {
    const work = await workFor(addressOf(of, inputs), inputs, row);
    return told('create', of, work.id, async () => {
      refuseUnknownSecrets(of, inputs);
      const live = await kept(of, work, inputs, () =>
        isReference(inputs) ? asUsed(of, inputs).verbs.create(work) : createOrTakeOver(of, work),
      );
      session.made.add(subjectKey(of, work.id));
      rememberNumber(session, of, work.address, live);
      return stateOf(of, work.id, inputs, live, live.stamp);
    });
  };

  return {
    check(news, known = true, urn) {
      const inputs = { ...news, ...of.fills };
      const address = addressOf(of, inputs);
      if (!Object.values(address).some((part) => part === '' || holdsUnknown(part))) {
        const key = declaredKey(of, address);
        if (!known && session.declared.has(key)) session.remade.add(key);
        if (!known && urn !== undefined) session.newcomers.set(key, urn);
        session.declared.add(key);
        session.inputs.set(key, inputs);
      }
      return { inputs, findings: [...check(of, inputs), ...mistakes(of, inputs, session, urn)] };
    },

    async foresee(olds, news, row) {
      if (of.verbs.foresee === undefined) return [];
      try {
        return await of.verbs.foresee(await workFor(addressOf(of, news), news, row), olds);
      } catch (error) {
        // A preview needs no service; the run itself says what is wrong with it.
        if (error instanceof OneOpsError) return [];
        throw error;
      }
    },

    async diff(id, olds, news) {
      const changes = [...diff(of, olds, news), ...(isRenewed(id) ? [ANEW_THERE] : [])];
      const replaces = changes.filter((change) => change.replaces).map((change) => change.path[0] as string);
      const stays = isReference(olds) || olds['origin'] === 'pack';
      if (replaces.length > 0) session.replacing.set(subjectKey(of, id), stays ? 'keeps' : 'deletes');
      const plan = changes.length > 0 ? of.verbs.plan?.(olds, news) : undefined;
      const address = addressOf(of, news);
      if (changes.length === 0) of.verbs.unchanged?.(session, address, (row) => workFor(address, news, row, olds));
      const fixedFields = replaces.filter((name) => name in of.fields);
      const facts = { changes, replaces, ...(plan === undefined ? {} : { plan }) };
      const changed = changes.flatMap(({ path: [name = ''] }) => (of.verbs.guarded?.includes(name) ? [name] : []));
      const { verbs } = asUsed(of, news);
      if (verbs.guard === undefined || changed.length === 0) return facts;
      const work = { ...(await workFor(addressOf(of, olds), olds, silent, olds)), args: news };
      return { ...facts, ...(await verbs.guard(work, { changed, replaces: fixedFields })) };
    },

    create,

    async read(id, known, row) {
      const address = await ownAddress(of, id, connect);
      const declared = known && declaredOf(of, known);
      const work = refreshing(await workFor(address, declared ?? address, row, known));
      session.seen.add(subjectKey(of, id));
      if (declared) rememberDistinction(session, of, declared);
      return told('read', of, id, async () => {
        const live = await of.verbs.read(work);
        if (live === undefined) return undefined;
        if (known) session.refreshed.set(declaredKey(of, address), { of, address, known });
        if (declared) {
          rememberNumber(session, of, address, live);
          const written = await writtenSecrets(of, work, known, live);
          for (const each of written)
            row.notice(`${changedText(...each)}: "pulumi up" writes the declared value again`);
          const inputs = projectLive(of, declared, { ...live.wire, ...unknownSecrets(written) });
          // What a refresh finds empty leaves the file, or is written: nobody else's change is left of it.
          noteWanted(session.own, live.ciId, emptiedTexts(of, declared, live.wire));
          const revision = revisionRead(of, known, inputs, live, session.clock.now());
          return stateOf(of, id, { ...inputs, ...live.fills }, live, revision, known);
        }
        const names = Object.keys(live.wire);
        const bases = of.verbs.base ? await of.verbs.base(work, live, names) : {};
        const isBase = (name: string, text: string): boolean =>
          (bases[name] ?? baseText(of, name)) === text && live.owners?.[name] === undefined;
        const inputs = inputsFromLive(of, live.wire, isBase);
        const named = { ...address, ...live.named };
        const all = { ...named, ...inputs, ...of.fills, ...live.fills };
        const own = formatId(of, work.api.organization, named);
        return { ...stateOf(of, own, all, live, live.stamp), unseen: unseenInLive(of, live.wire) };
      });
    },

    async update(id, olds, news, row) {
      await ownAddress(of, id, connect);
      const work = await workFor(addressOf(of, news), news, row, olds);
      const live = await told('update', of, id, async () => {
        if (isReference(news)) return asUsed(of, news).verbs.create(work);
        const there = await of.verbs.read(work);
        if (there === undefined) return undefined;
        if (isReference(olds)) return kept(of, work, news, () => takeOver(of, work, there));
        metWriters(session.own, there);
        // What was made anew has lost what we wrote to it: nobody else's value is overwritten.
        const planned = isRenewed(id) ? { ...work, args: { ...work.args, overwrite: true } } : work;
        const changes = await planUpdate(of, planned, olds, there);
        if (Object.keys(changes).length === 0 && !of.verbs.acts)
          return { ...there, stamp: revisionUnwritten(of, olds, news, there) };
        const { api, wrote } = countWrites(work.api);
        try {
          const updated = await kept(of, work, news, () => of.verbs.update({ ...work, api, live: there, changes }));
          tellCrossed(session.own, there.ciId, row);
          return updated;
        } catch (error) {
          if (error instanceof PartialFailure || !wrote()) throw error;
          const reason = describe(error, { attempt: 'update', subject: subjectOf(of, id) });
          throw halfDone(of, id, olds, news, reason, session.clock.now());
        }
      });
      if (live === undefined) {
        row.notice('it was deleted by somebody since our last run: created again');
        return create(news, row);
      }
      rememberNumber(session, of, addressOf(of, news), live);
      const revision = revisionUpdated(of, olds, news, live, session.clock.now());
      return stateOf(of, id, news, { ...live, origin: originOf(olds, live) }, revision);
    },

    async delete(id, known, row, urn) {
      const key = subjectKey(of, id);
      if (isReference(known)) return;
      const address = await ownAddress(of, id, connect);
      const own = declaredKey(of, address);
      // With --replace the engine asks for no diff, and check only once, as new.
      const isReplaced = urn !== undefined && session.newcomers.get(own) === urn;
      const isReplacing = isReplaced || session.replacing.has(key) || session.remade.has(own);
      if (session.made.has(key) || (session.declared.has(own) && !isReplacing)) {
        row.notice(isReplaced ? ANEW : renamed(id));
        return;
      }
      if (isSwept(session, of, id, known) || insideReplaced(of, id, session)) return;
      const work = await workFor(address, declaredOf(of, known), row, known);
      await told('delete', of, id, () => leftUndone(() => of.verbs.delete(work)));
      // What is replaced is deleted amid the run: the commit comes later.
      if (!isReplacing) await session.afterDelete.get(commitKey(of.stage, work.at))?.(row);
    },
  };
}

const renamed = (id: string): string =>
  `${id} is declared under another name, so nothing was deleted: when you rename a resource, add an alias with its old name`;

const ANEW =
  'stays as it is: the engine made the replacement first, which took it over; to have it made anew, set deleteBeforeReplace: true on it';

/** A record that is to be looked at again, though nothing else is declared of it. */
const ANEW_THERE: Change = { path: [], replaces: false, secret: false };

const silent: Row = { progress: () => undefined, notice: () => undefined };

/** A record that is there but not right is kept: the failure carries its state (architecture §3, partial failure). */
async function kept(of: Kind, work: Work, inputs: Inputs, job: () => Promise<Live>): Promise<Live> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof Incomplete)) throw error;
    const { outputs } = stateOf(of, work.id, inputs, error.live, error.live.stamp);
    throw new PartialFailure({ id: work.id, outputs, reasons: error.reasons });
  }
}
