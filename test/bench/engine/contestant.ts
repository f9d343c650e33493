// Who is measured: a project on the engine with one of the providers.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newProject, programFile, programFiles, REPOSITORY, type Engine, type Project } from '../../world/engine';
import { startMeasuredService, type MeasuredService, type Traffic } from './measured-service';
import { resourcesOf, type Shape } from './stack-shape';

const TOKEN = 'token-of-bench';

/** What is done to a stack, in this order. */
export const OPERATIONS = ['create', 'unchanged', 'change', 'refresh', 'destroy'] as const;

export type Operation = (typeof OPERATIONS)[number];

/** What one operation took. */
export interface Measurement extends Traffic {
  /** ms from the start of the command to its end. */
  readonly wall: number;
}

export type Contestant = Awaited<ReturnType<typeof openOnEngine>>;

/** A stack to be measured, and where. */
export interface Course {
  readonly engine: Engine;
  readonly shape: Shape;
  /** ms of the service. */
  readonly latency: number;
  /** Requests, and resources of the engine, at once. */
  readonly parallel: number;
}

const ARGUMENTS: { readonly [operation in Operation]: readonly string[] } = {
  create: ['up', '--skip-preview'],
  unchanged: ['up', '--skip-preview', '--expect-no-changes'],
  change: ['up', '--skip-preview'],
  refresh: ['refresh', '--skip-preview', '--expect-no-changes'],
  destroy: ['destroy', '--skip-preview'],
};

/** A contestant on the engine, and its packages. */
interface OnEngine {
  readonly name: string;
  /** Packages of the project's folder, by name. */
  readonly packages: { readonly [name: string]: string };
}

const PULUMI = join(REPOSITORY, 'node_modules', '@pulumi');

export const OURS: OnEngine = { name: 'ours', packages: { 'pulumi-oneops': REPOSITORY, '@pulumi': PULUMI } };

export const FLOOR: OnEngine = {
  name: 'floor',
  packages: { 'pulumi-oneops': join(__dirname, 'at-once'), '@pulumi': PULUMI },
};

/** Makes a contestant on the engine, with a service and a project of its own. */
export async function openOnEngine(course: Course, which: OnEngine) {
  const packages = await mkdtemp(join(tmpdir(), 'oneops-bench-packages-'));
  await Promise.all(Object.entries(which.packages).map(([name, folder]) => symlink(folder, join(packages, name))));
  const service = await startMeasuredService(TOKEN, course.latency);
  const project = await newProject({
    engine: course.engine,
    hasPassphrase: true,
    files: programFiles(resourcesOf(course.shape)),
    config: { 'oneops:url': service.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKEN },
    nodeModules: packages,
  });
  let revision = 0;
  return {
    name: which.name,
    async run(operation: Operation): Promise<Measurement> {
      if (operation === 'change') revision += 1;
      await project.write('program.json', programFile(resourcesOf(course.shape, revision)));
      const words = [...ARGUMENTS[operation], '--parallel', String(course.parallel)];
      return measured(project, service, words);
    },
    async close(): Promise<void> {
      await service.stop();
      await project.remove();
      await rm(packages, { recursive: true });
    },
  };
}

async function measured(project: Project, service: MeasuredService, words: readonly string[]): Promise<Measurement> {
  await service.taken();
  const began = performance.now();
  const { code, output } = await project.run(...words);
  const wall = performance.now() - began;
  if (code !== 0) throw new Error(`pulumi ${words.join(' ')} ended with ${code}:\n${output}`);
  return { wall, ...(await service.taken()) };
}
