// What a suite on the engine begins with: a service of its own, and a project whose stack `dev` speaks to it.
import type { Dialect } from '../../api/contract';
import { findEngine, newProject, type Project } from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';

interface Beginning {
  readonly dialect?: Dialect;
  /** Files of the project; default: those of an empty stack file's project. */
  readonly files?: { readonly [path: string]: string };
  /** Configuration and secrets besides the service, its organization and its token; variables of the CLI. */
  readonly config?: { readonly [key: string]: string };
  readonly secrets?: { readonly [key: string]: string };
  readonly environment?: { readonly [name: string]: string };
}

/** Both are there once the tests of the block run, and gone after them: what surrounds the call contains the same objects all along. */
export function openStory({ dialect, config, secrets, ...project }: Beginning = {}): {
  readonly live: LiveService;
  readonly project: Project;
} {
  const story = { live: {} as LiveService, project: {} as Project };
  beforeAll(async () => {
    Object.assign(story.live, await startService(dialect));
    const made = await newProject({
      ...project,
      engine: await findEngine(),
      config: { 'oneops:url': story.live.url, 'oneops:organization': 'acme', ...config },
      secrets: { 'oneops:token': TOKEN, ...secrets },
    });
    Object.assign(story.project, made);
  });
  afterAll(async () => {
    await story.project.remove();
    await story.live.stop();
  });
  return story;
}
