// The laws of ownership on the real engine: short random histories of two stacks and another user, with
// `pulumi state move` and `state delete`, `--target` and `--exclude`, kills and failing deployments, and
// a destroy at the end. HISTORIES_ON_ENGINE and SEED in the environment say how many, and which; HISTORY
// plays the one of this number alone, and prints it.
import fc from 'fast-check';
import { createApi } from '../../api/client';
import type { Dialect } from '../../api/contract';
import { createService, fastClock, listen, type Service } from '../../service';
import {
  drawFrom,
  edited,
  firstSpecs,
  shortHistories,
  withoutPlatform,
  type ForeignWrite,
  type History,
  type StackIndex,
  type StateAct,
  type UpAct,
} from '../world/ownership-history';
import { nameOfWrite, writeAs } from '../world/ownership-foreign';
import {
  brokenLaws,
  newMemory,
  type InstanceChange,
  type OwnedRecord,
  type RunningInstance,
} from '../world/ownership-laws';
import { acceptable, accepting, heldIn, pathOf, recordsAt, runningAt, variablesAt } from '../world/ownership-play';
import { programOfSpec } from '../world/spec-program';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import {
  descendantsOf,
  findEngine,
  killAll,
  messagesOfRun,
  newProject,
  noticesOfRun,
  pendingOperations,
  programFile,
  programFiles,
  stateOf,
  stepsOfRun,
  type Engine,
  type StateResource,
} from '../world/engine';

const COUNT = Number(process.env['HISTORIES_ON_ENGINE'] ?? 6);
const ONLY = process.env['HISTORY'];
const SEED = Number(process.env['SEED'] ?? 20_261_126);

/** Service time goes this many times as fast as real. */
const SPEED = 2000;

const STACKS = ['dev', 'second'] as const;
const TOKENS = ['token-of-admin', 'token-of-pia'] as const;

/** A service, and a project with two stacks of two users at it. */
async function openGround(engine: Engine, dialect: Dialect) {
  const users = [
    { name: 'admin', token: TOKENS[0] },
    { name: 'pia', token: TOKENS[1] },
    { name: 'maria', token: 'token-of-maria' },
  ];
  const service = createService({ database: ':memory:', dialect, clock: fastClock(SPEED), users });
  let onRequest = (): void => undefined;
  const handle: Service['handle'] = (request, signal) => {
    onRequest();
    return service.handle(request, signal);
  };
  const listening = await listen({ ...service, handle }, { port: 0 });
  const other = createApi({
    url: listening.url,
    organization: 'acme',
    token: 'token-of-maria',
    dialect,
    send: service.handle,
  });
  const project = await newProject({
    engine,
    files: programFiles([]),
    config: { 'oneops:url': listening.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKENS[0] },
  });
  await project.succeeds('stack', 'init', 'second', '--copy-config-from', 'dev');
  await project.succeeds('config', 'set', '--stack', 'second', '--secret', 'oneops:token', TOKENS[1]);
  return {
    project,
    service,
    other,
    /** Calls back at the request of this number, from now on. */
    at: (number: number, then: () => void): void => {
      let left = number;
      onRequest = () => {
        left -= 1;
        if (left === 0) then();
      };
    },
    async close() {
      other.close();
      await listening.close();
      service.close();
      await project.remove();
    },
  };
}

/** The records in the state of a stack. */
const heldBy = (resources: readonly StateResource[]): readonly OwnedRecord[] =>
  heldIn(
    resources.map(({ protect, retainOnDelete, ...each }) => ({
      ...each,
      mark: protect ? 'protect' : retainOnDelete ? 'retain' : undefined,
    })),
  );

/** What changed between two looks at what runs: the engine's runs are looked at from outside. */
function changesBetween(
  before: readonly RunningInstance[],
  after: readonly RunningInstance[],
): readonly InstanceChange[] {
  const of = (action: string, all: readonly RunningInstance[]): readonly InstanceChange[] =>
    all.map(({ environment, platform, component }) => ({ environment, platform, component, action, changed: {} }));
  return [...of('delete', before), ...of('add', after)];
}

interface Player {
  spec: StackSpec;
  readonly memory: ReturnType<typeof newMemory>;
}

async function play(
  engine: Engine,
  history: History,
): Promise<{ readonly broken: readonly string[]; readonly story: readonly string[] }> {
  const ground = await openGround(engine, history.dialect);
  const { project, other, service } = ground;
  const story: string[] = [];
  const broken: string[] = [];
  const players = firstSpecs(history.second).map((spec) => ({ spec, memory: newMemory() })) as [Player, Player];
  const resourcesIn = (index: StackIndex): Promise<readonly StateResource[]> => stateOf(project, STACKS[index]);
  /** Runs a command of words without spaces; answers its exit code. */
  const pulumi = async (line: string): Promise<number> => (await project.run(...line.split(' '))).code;

  const runOf = async (
    index: StackIndex,
    command: 'up' | 'destroy',
    words: readonly string[],
    kill?: UpAct['kill'],
  ) => {
    const player = players[index];
    await project.write('program.json', programFile(programOfSpec(player.spec)));
    const held = heldBy(await resourcesIn(index));
    const theirs = heldBy(await resourcesIn((1 - index) as StackIndex));
    const runningBefore = await runningAt(other);
    const before = await recordsAt(other);
    const running = project.start([command, '--stack', STACKS[index], '--skip-preview', '--json', ...words]);
    let isKilled = false;
    if (kill !== undefined)
      ground.at(kill.request, () => {
        isKilled = true;
        killAll([running.pid, ...descendantsOf(running.pid)]);
      });
    const done = await running.ended;
    ground.at(0, () => undefined);
    if (isKilled) {
      await pulumi(`cancel ${STACKS[index]}`);
      if ((await pendingOperations(project, STACKS[index])) > 0)
        await pulumi(`refresh --stack ${STACKS[index]} --clear-pending-creates --skip-preview`);
    }
    const now = await runningAt(other);
    const messages = noticesOfRun(done.output);
    const errors = done.code === 0 ? [] : messagesOfRun(done.output, 'error');
    const observed = {
      held,
      others: new Set(theirs.flatMap(({ ciId, isReference }) => (isReference ? [] : [ciId]))),
      declared:
        command === 'destroy'
          ? []
          : resourcesOf(player.spec).flatMap(({ key, token, args }) => {
              const path = pathOf(token, args);
              return path === undefined ? [] : [{ key, path, isReference: args['existing'] === true }];
            }),
      commits: true,
      looksAtDesign: true,
      unseen: new Set<string>(),
      spec: command === 'destroy' ? {} : player.spec,
      steps: stepsOfRun(done.stdout)
        .map(({ op, key }) => `${op} ${key}`)
        .filter((step) => !/^(same|refresh|read) /.test(step)),
      errors: done.code !== 0 && errors.length === 0 ? [done.output.slice(-500)] : errors,
      notices: messages,
      isKilled,
      isLimited: words.some((word) => /^--(target|exclude)/.test(word)),
      isDestroy: command === 'destroy',
      isRefresh: words.includes('--refresh'),
      isBlind: false,
      spans: [{ before, after: await recordsAt(other) }],
      changes: changesBetween(runningBefore, now),
      runningBefore,
      running: now,
      variables: await variablesAt(other),
    };
    story.push(`${command} ${index} ${words.join(' ')}: ${isKilled ? 'killed, ' : ''}${observed.steps.join(', ')}`);
    story.push(...observed.errors.map((error) => `  error ${error}`), ...messages.map((message) => `  ${message}`));
    const found = brokenLaws(observed, player.memory);
    broken.push(...found.map((law) => `${command} ${index}: ${law}`));
    return observed;
  };

  const up = async (of: UpAct): Promise<void> => {
    const player = players[of.stack];
    for (const number of of.edits) {
      const { name, spec } = edited(player.spec, number);
      story.push(`stack ${of.stack} edits: ${name}`);
      player.spec = spec;
    }
    if (of.fails !== undefined) service.failures.set([{ match: of.fails, message: 'no room', times: 1 }]);
    const chosen = (await resourcesIn(of.stack)).filter((_, index) => (of.draw >> (index % 16)) % 2 === 1);
    const words = [
      ...(of.refresh ? ['--refresh'] : []),
      ...(of.limit === undefined ? [] : chosen.flatMap(({ urn }) => [`--${of.limit}`, urn])),
    ];
    const done = await runOf(of.stack, 'up', words, of.kill);
    service.failures.set([]);
    if (done.errors.length === 0 || done.isKilled || of.answer === 'nothing') return;
    const entries = acceptable(done.errors);
    if (of.answer === 'accept' && entries.length === 0) return;
    if (of.answer === 'accept') player.spec = accepting(player.spec, entries);
    await runOf(of.stack, 'up', of.answer === 'refresh' ? ['--refresh'] : []);
  };

  const changeState = async ({ what, stack: index, draw: number }: StateAct): Promise<void> => {
    const player = players[index];
    const draw = drawFrom(number);
    const resources = await resourcesIn(index);
    const ofStack = `--stack ${STACKS[index]}`;
    if (what === 'move' && history.second !== 'copy') {
      const target = players[1 - index] as (typeof players)[0];
      const names = Object.keys(player.spec.platforms ?? {}).filter(
        (name) => target.spec.platforms?.[name] === undefined,
      );
      const name = draw.maybe(names);
      const platform = name === undefined ? undefined : player.spec.platforms?.[name];
      const logical = platform?.logical ?? name ?? '';
      const urns = resources.flatMap(({ urn, token, name: path }) => {
        const isIn = path.startsWith(token === 'Variable' ? `platforms/${logical}/` : `${logical}/`);
        const isPlatform = token === 'Platform' && path === logical;
        return isPlatform || (isIn && ['Component', 'Attachment', 'Variable'].includes(token)) ? [urn] : [];
      });
      if (name === undefined || platform === undefined || urns.length === 0) return;
      const places = `--source ${STACKS[index]} --dest ${STACKS[1 - index]}`;
      const moved = await pulumi(`state move --yes ${places} ${urns.join(' ')}`);
      story.push(`state move of ${name} from ${index}: ${moved}`);
      if (moved !== 0) return;
      target.spec = { ...target.spec, platforms: { ...target.spec.platforms, [name]: platform } };
      player.spec = withoutPlatform(player.spec, name);
    } else if (what === 'delete') {
      const { key, urn } =
        draw.maybe(resources.filter(({ token }) => ['Component', 'Variable', 'Attachment'].includes(token))) ?? {};
      if (urn === undefined) return;
      const done = await pulumi(`state delete ${urn} ${ofStack} --target-dependents --force --yes`);
      story.push(`state delete ${key} of ${index}: ${done}`);
    } else if (what === 'unprotect') {
      await pulumi(`state unprotect --all ${ofStack} --yes`);
      story.push(`state unprotect of ${index}`);
    } else {
      const exported = await pulumi(`stack export ${ofStack} --file exported.json`);
      const imported = await pulumi(`stack import ${ofStack} --file exported.json`);
      story.push(`export and import of ${index}: ${exported} ${imported}`);
    }
  };

  const asMaria = async (write: ForeignWrite, unique: number): Promise<void> => {
    story.push(`maria ${nameOfWrite(write)} ${write.draw}, ${write.then}`);
    const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 10));
    await writeAs({ api: other, tick: pause }, write, unique);
  };

  try {
    await runOf(0, 'up', []);
    await runOf(1, 'up', []);
    for (const [index, act] of history.acts.entries()) {
      if (act.act === 'up') await up(act);
      else if (act.act === 'foreign') await asMaria(act, index);
      else await changeState(act);
    }
    const held = heldBy(await resourcesIn(history.destroyed));
    const own = new Set(held.flatMap(({ path }) => (path.startsWith('~') ? [path.slice(1)] : [])));
    const ofOther = (all: readonly RunningInstance[]): number =>
      all.filter(({ environment }) => !own.has(environment)).length;
    const before = ofOther(await runningAt(other));
    await runOf(history.destroyed, 'destroy', []);
    const after = ofOther(await runningAt(other));
    if (after < before)
      broken.push(`destroy ${history.destroyed}: ${before - after} instances of the other stack are gone`);
    return { broken, story };
  } finally {
    await ground.close();
  }
}

test(
  'no run takes away, or brings along, what its file does not say, on the engine',
  async () => {
    const engine = await findEngine();
    const failures: string[] = [];
    const all = fc.sample(shortHistories, { seed: SEED, numRuns: COUNT });
    for (const [index, history] of all.entries()) {
      if (ONLY !== undefined && Number(ONLY) !== index) continue;
      const { broken, story } = await play(engine, history);
      if (ONLY !== undefined) process.stdout.write(`${story.join('\n')}\n`);
      if (broken.length > 0)
        failures.push(`history ${index} (${history.dialect}, ${history.second}): ${[...broken, ...story].join('\n')}`);
    }
    process.stdout.write(`histories on the engine ${COUNT}, seed ${SEED}\n`);
    expect(failures).toEqual([]);
  },
  60_000 + COUNT * 120_000,
);
