// Stands in for what a pipeline's platform brings: `curl` to a platform's API, `npm ci`. Keeps comments in a file and records each call.
const { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [program, ...words] = process.argv.slice(2);
const folder = process.env.PLATFORM_FOLDER;
const store = join(folder, 'comments.json');
const comments = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : [];

/** The value of an option, and whether it exists at all. */
const option = (...names) => {
  const at = words.findIndex((word) => names.includes(word));
  return at === -1 ? undefined : words[at + 1];
};
const save = () => writeFileSync(store, JSON.stringify(comments));

function write(method, id, body) {
  if (method === 'POST') {
    comments.push({ id: comments.length + 101, body, user: { login: 'github-actions[bot]' } });
  } else {
    const comment = comments.find((each) => String(each.id) === id);
    if (comment === undefined) throw new Error(`there is no comment ${id}`);
    comment.body = body;
    comment.edited = (comment.edited ?? 0) + 1;
  }
  save();
}

const idIn = (url) => /(?:comments|notes)\/(\d+)$/.exec(url)?.[1];
const fileIn = (text) => readFileSync(text.slice(text.indexOf('@') + 1), 'utf8');

/** The merged request is number 7, whatever the commit; the run of its pipeline is number 55. */
function answerTo(url) {
  if (url.endsWith('/pulls')) return [{ number: 7, merged_at: '2026-11-22T10:00:00Z', head: { sha: 'c0ffee' } }];
  if (url.endsWith('/merge_requests')) return [{ iid: 7, state: 'merged' }];
  if (url.endsWith('&head_sha=c0ffee')) return { workflow_runs: [{ id: 55 }] };
  return comments;
}

const PROGRAMS = {
  npm: () => undefined,
  curl: () => {
    if (option('--config') !== '-' || !/^header = "(PRIVATE-TOKEN|Authorization): /.test(readFileSync(0, 'utf8')))
      throw new Error('curl was given no token');
    const url = words.find((word) => word.startsWith('https://'));
    const method = option('--request') ?? 'GET';
    if (url.includes('/jobs/artifacts/')) return copyFileSync(join(folder, 'artifact.json'), option('--output'));
    if (method === 'GET') return process.stdout.write(JSON.stringify(answerTo(url)));
    const encoded = option('--data-urlencode');
    const body = encoded === undefined ? JSON.parse(fileIn(option('--data'))).body : fileIn(encoded);
    write(method, idIn(url.split('?')[0]), body);
    return writeFileSync(option('--output'), '{}');
  },
};

appendFileSync(join(folder, 'calls.jsonl'), `${JSON.stringify([program, ...words])}\n`);
PROGRAMS[program]();
