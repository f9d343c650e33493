// What a suite on the engine begins with: a service, and projects whose stack `dev` speaks to it.
import type { Dialect } from '../../api/contract';
import type { ServiceClock } from '../../service';
import { findEngine, newProject, type Project } from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';

/** What a project has besides the service, its organization and its token. */
interface Beginning extends Omit<Parameters<typeof newProject>[0], 'engine'> {
  /** Another service than the suite's. */
  readonly at?: LiveService;
}

interface Stories {
  /** The same object all along; the service runs while the tests of the block do. */
  readonly live: LiveService;
  /** Makes a project, which is removed after the tests of the block. */
  open(beginning?: Beginning): Promise<Project>;
}

/** A service for the tests of a block. */
export function openStories(dialect?: Dialect, clock?: ServiceClock): Stories {
  const live = {} as LiveService;
  const projects: Project[] = [];
  beforeAll(async () => {
    Object.assign(live, await startService(dialect, TOKEN, clock));
  });
  afterAll(async () => {
    await Promise.all(projects.map((project) => project.remove()));
    await live.stop();
  });
  return {
    live,
    async open({ at = live, config, secrets, ...project } = {}) {
      const made = await newProject({
        ...project,
        engine: await findEngine(),
        config: { 'oneops:url': at.url, 'oneops:organization': 'acme', ...config },
        secrets: { 'oneops:token': TOKEN, ...secrets },
      });
      projects.push(made);
      return made;
    },
  };
}

/** A service and one project for the tests of a block: the same objects all along. */
export function openStory({
  dialect,
  clock,
  ...beginning
}: Beginning & { readonly dialect?: Dialect; readonly clock?: ServiceClock } = {}): Stories & {
  readonly project: Project;
} {
  const stories = openStories(dialect, clock);
  const project = {} as Project;
  beforeAll(async () => {
    Object.assign(project, await stories.open(beginning));
  });
  return { ...stories, project };
}
