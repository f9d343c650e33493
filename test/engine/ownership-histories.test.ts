// The play about ownership on the real engine: short random histories with `state delete`, moved
// resources, older states, `--target`, `--exclude`, kills and failures. HISTORIES_ON_ENGINE and
// SEED say how many, and which; HISTORY plays and prints the one of this number.
import fc from 'fast-check';
import type { Dialect } from '../../api/contract';
import type { Inputs } from '../../provider';
import { fastClock } from '../../service';
import { shortHistories, type StackIndex } from '../world/ownership-moves';
import { play, type Ground } from '../world/ownership-play';
import { programOfSpec } from '../world/spec-program';
import {
  descendantsOf,
  findEngine,
  keyOfUrn,
  killAll,
  messagesOfRun,
  newProject,
  noticesOfRun,
  programFile,
  programFiles,
  stepsOfRun,
  type Engine,
} from '../world/engine';
import { startService } from './live-service';

const COUNT = Number(process.env['HISTORIES_ON_ENGINE'] ?? 6);
const ONLY = process.env['HISTORY'];
const SEED = Number(process.env['SEED'] ?? 20_261_126);

/** Service time goes this many times as fast as real. */
const SPEED = 2000;

const STACKS = ['dev', 'second'] as const;
const [ADMIN, PIA] = ['token-of-admin', 'token-of-pia'];

/** The last state in a stack's file. */
interface Latest {
  readonly resources?: readonly {
    readonly urn: string;
    readonly inputs?: Inputs;
    readonly outputs?: Inputs;
    readonly protect?: boolean;
    readonly retainOnDelete?: boolean;
    readonly initErrors?: readonly string[];
    readonly dependencies?: readonly string[];
  }[];
  readonly pending_operations?: readonly object[];
}

/** A resource in an exported state, with its relations to others. */
interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly parent?: string;
  readonly deletedWith?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
}

interface Exported {
  readonly resources: readonly StateResource[];
}

/** A resource without its relations to some others. */
function withoutRelations(resource: StateResource, urns: readonly string[]): StateResource {
  const { deletedWith = '', ...rest } = resource;
  return {
    ...rest,
    ...(deletedWith === '' || urns.includes(deletedWith) ? {} : { deletedWith }),
    dependencies: (resource.dependencies ?? []).filter((urn) => !urns.includes(urn)),
    propertyDependencies: {},
  };
}

/**
 * Resources of one stack as another one has them: with its names and its provider, without
 * relations to what stays behind. `pulumi state move` refuses this, since the provider of each stack has a
 * token of its own; a person edits what `pulumi stack export` says.
 */
function movedInto(
  dest: readonly StateResource[],
  moved: readonly StateResource[],
  stays: readonly string[],
  [from, to]: readonly [string, string],
): readonly StateResource[] {
  const provider = dest.find(({ type }) => type === 'pulumi:providers:pulumi-nodejs');
  const root = dest.find(({ type }) => type === 'pulumi:pulumi:Stack');
  if (provider === undefined || root === undefined) return [];
  const urns = new Map<string, string>();
  // Parents come before their children in a state.
  for (const { urn, type, parent = '' } of moved) {
    const [stack = '', project = '', , name = ''] = urn.split('::');
    const typeOfParent = urns.get(parent)?.split('::')[2];
    const types = typeOfParent === undefined ? type : `${typeOfParent}$${type}`;
    urns.set(urn, [stack.replace(`:${from}`, `:${to}`), project, types, name].join('::'));
  }
  const renamed = (urn: string): string => urns.get(urn) ?? urn;
  return moved.map((each) => {
    const rest = withoutRelations(each, stays);
    return {
      ...rest,
      urn: renamed(each.urn),
      parent: urns.get(each.parent ?? '') ?? root.urn,
      provider: `${provider.urn}::${provider.id}`,
      dependencies: (rest.dependencies ?? []).map(renamed),
      ...(rest.deletedWith === undefined ? {} : { deletedWith: renamed(rest.deletedWith) }),
    };
  });
}

/** A project with two stacks of two users at a service. */
async function groundOn(engine: Engine, dialect: Dialect): Promise<Ground> {
  const live = await startService(dialect, ADMIN, fastClock(SPEED), [{ name: 'pia', token: PIA }]);
  const { url } = live;
  const plain = { 'oneops:url': url, 'oneops:organization': 'acme' };
  const project = await newProject({
    engine,
    files: programFiles([]),
    config: plain,
    secrets: { 'oneops:token': ADMIN },
  });
  await project.addStack('second');
  const words = Object.entries(plain).flatMap(([key, value]) => ['--plaintext', `${key}=${value}`]);
  await project.run('config', 'set-all', '--stack', 'second', ...words, '--secret', `oneops:token=${PIA}`);
  /** Former states, oldest first. */
  const past: readonly [Latest[], Latest[]] = [[], []];
  const latestOf = async (index: StackIndex): Promise<Latest> => {
    const text = await project.state(STACKS[index]);
    return (JSON.parse(text) as { checkpoint: { latest?: Latest } }).checkpoint.latest ?? {};
  };
  const urnsOf = async (index: StackIndex, keys: readonly string[]): Promise<readonly string[]> => {
    const { resources = [] } = await latestOf(index);
    return resources.map(({ urn }) => urn).filter((urn) => keys.includes(keyOfUrn(urn) ?? ''));
  };

  const exported = async (index: StackIndex): Promise<Exported> => {
    const { stdout } = await project.run('stack', 'export', '--stack', STACKS[index], '--show-secrets');
    return (JSON.parse(stdout) as { deployment: Exported }).deployment;
  };
  const imported = async (index: StackIndex, deployment: object): Promise<void> => {
    await project.write('state.json', JSON.stringify({ version: 3, deployment }));
    await project.succeeds('stack', 'import', '--stack', STACKS[index], '--file', 'state.json', '--force');
  };

  return {
    // Her writes have times of their own in the service, whose clock is real.
    maria: { api: live.other, tick: () => new Promise((resolve) => void setTimeout(resolve, 10)) },
    service: live.service,
    async stateOf(index) {
      const { resources = [] } = await latestOf(index);
      return resources.flatMap(({ urn, inputs = {}, outputs = {}, ...of }) => {
        const key = keyOfUrn(urn);
        const mark = of.protect ? 'protect' : of.retainOnDelete ? 'retain' : undefined;
        const after = (of.dependencies ?? []).flatMap((other) => keyOfUrn(other) ?? []);
        const isIncomplete = (of.initErrors ?? []).length > 0;
        return key === undefined ? [] : [{ key, inputs, outputs, mark, after, isIncomplete }];
      });
    },
    // Maria writes between the runs only: nothing stops the requests of the engine meanwhile.
    async go(index, spec, { limit, kill, refresh }) {
      const before = await latestOf(index);
      if (spec !== undefined) await project.write('program.json', programFile(programOfSpec(spec)));
      const urns = limit === undefined ? [] : await urnsOf(index, limit.keys);
      const running = project.start([
        spec === undefined ? 'destroy' : 'up',
        ...['--stack', STACKS[index], '--skip-preview', '--json'],
        ...(refresh ? ['--refresh'] : []),
        ...urns.flatMap((urn) => [`--${limit?.by}`, urn]),
      ]);
      let isKilled = false;
      let left = kill?.request ?? 0;
      live.intercept((request, next) => {
        left -= 1;
        if (left === 0) {
          isKilled = true;
          killAll([running.pid, ...descendantsOf(running.pid)]);
        }
        return next(request);
      });
      const { code, output, stdout } = await running.ended;
      live.intercept();
      if (isKilled) {
        await project.run('cancel', STACKS[index]);
        if (((await latestOf(index)).pending_operations ?? []).length > 0)
          await project.run('refresh', '--stack', STACKS[index], '--clear-pending-creates', '--skip-preview');
      }
      past[index].push(before);
      const errors = code === 0 ? [] : messagesOfRun(output, 'error');
      const steps = stepsOfRun(stdout).map(({ op, key }) => `${op} ${key}`);
      return {
        steps: steps.filter((step) => !/^(same|refresh|read) /.test(step)),
        errors: code !== 0 && errors.length === 0 ? [output.slice(-500)] : errors,
        notices: noticesOfRun(output),
        isKilled,
        isBlind: false,
      };
    },
    async move(from, keys) {
      const to = from === 0 ? 1 : 0;
      const [source, dest] = [await exported(from), await exported(to)];
      const leaves = ({ urn }: StateResource): boolean => keys.includes(keyOfUrn(urn) ?? '');
      const leaving = source.resources.filter(leaves);
      const staying = source.resources.filter((each) => !leaves(each));
      const urnsOfStaying = staying.map(({ urn }) => urn);
      const moved = movedInto(dest.resources, leaving, urnsOfStaying, [STACKS[from], STACKS[to]]);
      if (moved.length === 0) return false;
      const urnsOfLeaving = leaving.map(({ urn }) => urn);
      const resources = staying.map((each) => withoutRelations(each, urnsOfLeaving));
      await imported(to, { ...dest, resources: [...dest.resources, ...moved] });
      await imported(from, { ...source, resources });
      return true;
    },
    async forget(index, keys) {
      const urns = await urnsOf(index, keys.slice(0, 1));
      await project.run(
        'state',
        'delete',
        ...urns,
        '--stack',
        STACKS[index],
        '--target-dependents',
        '--force',
        '--yes',
      );
    },
    async restore(index, draw) {
      const deployment = draw.maybe(past[index].slice(-3)) ?? (await latestOf(index));
      await imported(index, deployment);
    },
    async unprotect(index) {
      await project.run('state', 'unprotect', '--all', '--stack', STACKS[index], '--yes');
    },
    async close() {
      await live.stop();
      await project.remove();
    },
  };
}

test(
  'no run takes away, or brings along, what its file does not say, on the engine',
  async () => {
    const engine = await findEngine();
    const failures: string[] = [];
    const all = fc.sample(shortHistories, { seed: SEED, numRuns: COUNT });
    for (const [index, history] of all.entries()) {
      if (ONLY !== undefined && Number(ONLY) !== index) continue;
      const ground = await groundOn(engine, history.dialect);
      const { broken, story } = await play(history, ground);
      await ground.close();
      if (ONLY !== undefined) process.stdout.write(`${story.join('\n')}\n`);
      if (broken.length > 0)
        failures.push(`history ${index} (${history.dialect}, ${history.second}): ${[...broken, ...story].join('\n')}`);
    }
    process.stdout.write(`histories on the engine ${COUNT}, seed ${SEED}\n`);
    expect(failures).toEqual([]);
  },
  60_000 + COUNT * 240_000,
);
