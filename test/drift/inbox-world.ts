// A folder in which `pulumi-oneops drift inbox` runs in this process, and the places that keep its issues.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inboxCommand } from '../../cli/commands/drift/inbox';
import type { Review } from '../../drift';
import { runCommand, type Outcome } from '../run-command';

/** An issue as a place keeps it. */
export interface KeptIssue {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed' | 'declined';
}

/** A place that keeps issues, as a test sees it. */
export interface Place {
  /** Words of the command that name it. */
  readonly words: readonly string[];
  readonly environment: { readonly [name: string]: string };
  issues(): readonly KeptIssue[];
  /** Somebody edits an issue. */
  edit(id: string, change: (issue: KeptIssue) => Partial<KeptIssue>): void;
  /** How often something was written since the last call, by the command alone. */
  writes(): number;
  close(): Promise<void>;
}

export interface InboxWorld {
  readonly folder: string;
  readonly place: Place;
  /** Runs the command with these reviews. */
  run(reviews: readonly Review[], ...words: readonly string[]): Promise<Outcome>;
  /** Runs the command in a folder of the world. */
  runIn(below: string, ...words: readonly string[]): Promise<Outcome>;
  write(name: string, text: string): void;
  read(name: string): string;
  has(name: string): boolean;
  close(): Promise<void>;
}

/** The commit of a run whose test names none. */
export const COMMIT = 'c0ffee0000000000000000000000000000000001';

/** Opens a world with a place in it. */
export async function openInboxWorld(placeIn: (folder: string) => Place | Promise<Place>): Promise<InboxWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oneops-inbox-')));
  mkdirSync(join(folder, '.git'));
  const place = await placeIn(folder);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const runIn: InboxWorld['runIn'] = async (below, ...words) => {
    const before = process.cwd();
    process.chdir(join(folder, below));
    let thrown: Error | undefined;
    const failing = async (given: readonly string[]): Promise<number> => {
      try {
        return await inboxCommand.run(given);
      } catch (error) {
        thrown = error as Error;
        return thrown.name === 'Unauthorized' ? 4 : 1;
      }
    };
    try {
      const environment = { GITHUB_SHA: COMMIT, ...place.environment };
      const ended = await runCommand({ run: failing }, environment, ...words);
      return { ...ended, stderr: ended.stderr + (thrown?.message ?? '') };
    } finally {
      process.chdir(before);
    }
  };
  return {
    folder,
    place,
    write,
    run: (reviews, ...words) => {
      reviews.forEach((review, index) => write(`review-${index}.json`, JSON.stringify(review)));
      const from = reviews.flatMap((_, index) => ['--from', `review-${index}.json`]);
      return runIn('.', ...place.words, ...from, ...words);
    },
    runIn,
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    has: (name) => existsSync(join(folder, name)),
    close: async () => {
      await place.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder `inbox` as a place. */
export function directoryPlace(folder: string): Place {
  const at = join(folder, 'inbox');
  const seen = new Map<string, number>();
  const inodeOf = (id: string): number => statSync(join(at, id)).ino;
  const names = (): readonly string[] => (existsSync(at) ? readdirSync(at).filter((name) => name.endsWith('.md')) : []);
  const issue = (id: string): KeptIssue => {
    const [head = '', title = '', state = ''] =
      /^---\ntitle: (.*)\nstate: (.*)\n---\n/.exec(readFileSync(join(at, id), 'utf8')) ?? [];
    const body = readFileSync(join(at, id), 'utf8').slice(head.length);
    return { id, title, body, state: state as KeptIssue['state'] };
  };
  return {
    words: ['--directory', 'inbox'],
    environment: {},
    issues: () => names().map(issue),
    edit(id, change) {
      const { title, state, body } = { ...issue(id), ...change(issue(id)) };
      writeFileSync(join(at, id), `---\ntitle: ${title}\nstate: ${state}\n---\n${body}`);
    },
    writes() {
      // A file that is replaced is another one.
      const written = names().filter((id) => seen.get(id) !== inodeOf(id));
      for (const id of names()) seen.set(id, inodeOf(id));
      return written.length;
    },
    close: () => Promise.resolve(),
  };
}
