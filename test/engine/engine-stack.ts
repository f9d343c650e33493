// One stack of the stories on the real engine and a service of its own: run to a declaration,
// looked at from all sides, and destroyed.
import { join } from 'node:path';
import { createApi, type Api } from '../../api/client';
import { type Dialect, routes } from '../../api/contract';
import { type ServiceClock, fastClock } from '../../service';
import { programOfSpec } from '../world/spec-program';
import type { StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import {
  findEngine,
  messagesOfRun,
  newProject,
  programFile,
  programFiles,
  stateOf,
  stepsOfPreview,
  stepsOfRun,
  type Project,
  type Run,
} from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';

/** What a run did, in words. */
export interface Done {
  readonly code: number;
  /** `update Platform::web`, in the order they began; what stayed as it was is left out. */
  readonly steps: readonly string[];
  /** Messages of its errors, a text. */
  readonly errors: string;
  /** Requests that were no reads, and were carried out: `PUT components.update`. */
  readonly writes: readonly string[];
}

export interface EngineStack {
  readonly live: LiveService;
  readonly project: Project;
  /** Writes what is declared into the project. */
  declare(spec: StackSpec): Promise<void>;
  /** `pulumi up --skip-preview` to a declaration, with further words. */
  up(spec: StackSpec, ...words: readonly string[]): Promise<Done>;
  preview(spec: StackSpec, ...words: readonly string[]): Promise<Done>;
  /** `pulumi destroy --skip-preview`, with further words. */
  destroy(...words: readonly string[]): Promise<Done>;
  /**
   * Everything that is not as declared: steps that a preview or a refresh would take, requests of a
   * preview and writes of a refresh, differences of the service's design, releases and running
   * instances, outages. None when all is well.
   */
  wrong(spec: StackSpec): Promise<readonly string[]>;
  /** What exists although everything was destroyed. */
  left(): Promise<readonly string[]>;
  /** Platforms that had no active primary or ran nothing, since it was asked last. */
  outages(): readonly string[];
  /** Differences of the service alone, from a declaration. */
  differences(spec: StackSpec): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Packs of the tests, in addition to those the service brings. */
const PACKS = join(__dirname, '..', 'packs');

/** Service time goes this many times as fast as real. */
const SPEED = 2000;

/** A project with an empty stack, and a service without assemblies. */
export async function openStack(dialect: Dialect, clock: ServiceClock = fastClock(SPEED)): Promise<EngineStack> {
  const live = await startService(dialect, TOKEN, clock, [], [PACKS]);
  const api: Api = createApi({ url: live.url, organization: 'acme', token: TOKEN, dialect });
  const project = await newProject({
    engine: await findEngine(),
    files: programFiles([]),
    config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKEN },
  });
  // Time passes by itself.
  const looked = { api: live.other, clock: { advance: () => undefined } };
  let seen = 0;
  let judged = 0;

  const written = (): readonly string[] => {
    const fresh = live.service.journal().slice(judged);
    judged = live.service.journal().length;
    return fresh
      .filter(({ method, user, status }) => method !== 'GET' && user !== 'maria' && status < 400)
      .map(({ method, route, path }) => `${method} ${route ?? path}`);
  };

  const done = (run: Run, steps: readonly { readonly op: string; readonly key: string }[]): Done => ({
    code: run.code,
    steps: steps.filter(({ op }) => op !== 'same' && op !== 'refresh').map(({ op, key }) => `${op} ${key}`),
    errors: messagesOfRun(run.output, 'error').join('\n') || (run.code === 0 ? '' : run.output),
    writes: written(),
  });
  const ran = async (...words: readonly string[]): Promise<Done> => {
    written();
    const run = await project.run(...words, '--skip-preview', '--json');
    return done(run, stepsOfRun(run.stdout));
  };
  const outages = (): readonly string[] => {
    const all = live.service.outages();
    const fresh = all.slice(seen);
    seen = all.length;
    return fresh.map((outage) => `outage: ${JSON.stringify(outage)}`);
  };

  const declare: EngineStack['declare'] = (spec) => project.write('program.json', programFile(programOfSpec(spec)));

  return {
    live,
    project,
    declare,
    outages,
    differences: (spec) => differences(looked, spec),

    async up(spec, ...words) {
      await declare(spec);
      return ran('up', ...words);
    },

    async preview(spec, ...words) {
      await declare(spec);
      written();
      const run = await project.run('preview', '--json', ...words);
      return done(run, stepsOfPreview(run.stdout));
    },

    destroy: (...words) => ran('destroy', ...words),

    async wrong(spec) {
      await declare(spec);
      live.requests();
      const preview = await project.run('preview', '--expect-no-changes', '--diff');
      const asked = live.requests().filter((request) => request !== 'GET clouds.list');
      const refresh = await project.run('refresh', '--preview-only', '--expect-no-changes', '--diff');
      const written = live.writes();
      return [
        ...(preview.code === 0 ? [] : [`preview:\n${preview.output}`]),
        ...asked.map((request) => `preview asks ${request}`),
        ...(refresh.code === 0 ? [] : [`refresh:\n${refresh.output}`]),
        ...written.map((request) => `refresh sends ${request}`),
        ...(await differences(looked, spec)),
        ...outages(),
      ];
    },

    async left() {
      const assemblies = await api.call(routes.assemblies.list, {});
      return [
        ...(await stateOf(project)).map(({ key }) => `in state: ${key}`),
        ...assemblies.map(({ ciName }) => `assembly ${ciName}`),
      ];
    },

    async close() {
      api.close();
      await project.remove();
      await live.stop();
    },
  };
}
