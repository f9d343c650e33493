// An inbox in a folder: one Markdown file for each thread, with its title and its state in the first lines.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { threadKeyIn, unifiedDiff, type Issue } from '../../drift';
import { textFrom } from '../project';
import { replaceFile } from '../replace-file';
import { TrackerError, type Tracker } from './tracker';

const HEAD = /^\uFEFF?---\r?\ntitle: (.*)\r?\nstate: (open|closed|declined)\r?\n---\r?\n/;

/** The inbox in a folder, which is made with the first issue. */
export function directoryTracker(folder: string): Tracker {
  const read = (id: string): Issue & { readonly title: string } => {
    const text = textFrom(join(folder, id));
    const [head = '', title = '', state = 'open'] = HEAD.exec(text) ?? [];
    return { id, title, state: state as Issue['state'], body: text.slice(head.length), url: join(folder, id) };
  };
  const write = (id: string, title: string, state: Issue['state'], body: string): void =>
    attempted(`write ${join(folder, id)}`, () => {
      mkdirSync(folder, { recursive: true });
      replaceFile(join(folder, id), `---\ntitle: ${title}\nstate: ${state}\n---\n${body}`);
    });
  const names = (): readonly string[] =>
    existsSync(folder)
      ? attempted(`read ${folder}`, () => readdirSync(folder).filter((name) => name.endsWith('.md'))).sort()
      : [];

  return {
    syntax: 'github',
    proposes: 'patch',
    limit: Infinity,
    issues: () =>
      Promise.resolve(
        names()
          .map(read)
          .filter(({ body }) => threadKeyIn(body) !== undefined),
      ),
    read: (id) => Promise.resolve(read(id)),
    create: (title, body, key) => {
      // A file of that name may be there without its mark: it is somebody's now.
      const id = [...Array(1000).keys()]
        .map((number) => `${nameOf(key)}${number === 0 ? '' : `-${number + 1}`}.md`)
        .find((name) => !existsSync(join(folder, name)));
      if (id === undefined) throw new TrackerError(`${folder} contains too many files without their marks`);
      write(id, title, 'open', body);
      return Promise.resolve(read(id));
    },
    update: (id, body, state) => {
      const now = read(id);
      write(id, now.title, state ?? now.state, body);
      return Promise.resolve();
    },
    requests: () => Promise.resolve([]),
    propose: ({ branch, files }) => {
      const name = `${branch.replace(/[^\w.-]+/g, '-')}.patch`;
      const patch = files.map(({ path, before = '', text }) => unifiedDiff(path, before, text)).join('');
      attempted(`write ${join(folder, name)}`, () => replaceFile(join(folder, name), patch));
      return Promise.resolve(name);
    },
    withdraw: () => Promise.resolve(),
    ticker: () => Promise.resolve(undefined),
    close: () => undefined,
  };
}

/** The key as the name of a file; keys that differ have names that differ. */
function nameOf(key: string): string {
  const plain = key.replace(/[^\w.-]+/g, '-').slice(0, 80);
  return `${plain}-${createHash('sha256').update(key).digest('hex').slice(0, 6)}`;
}

function attempted<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new TrackerError(`cannot ${what}: ${String((error as NodeJS.ErrnoException).code)}`);
  }
}
