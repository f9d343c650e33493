// Stands in for what a pipeline's platform brings: `curl` to a platform's API, `npm ci`. Keeps comments in a file and records each call.
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [program, ...words] = process.argv.slice(2);
const folder = process.env.PLATFORM_FOLDER;
const store = join(folder, 'comments.json');
const comments = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : [];

/** The value of an option, and whether it is there at all. */
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

const PROGRAMS = {
  npm: () => undefined,
  curl: () => {
    if (option('--config') !== '-' || !/^header = "(PRIVATE-TOKEN|Authorization): /.test(readFileSync(0, 'utf8')))
      throw new Error('curl was given no token');
    const url = words.find((word) => word.startsWith('https://'));
    const method = option('--request') ?? 'GET';
    if (method === 'GET') return process.stdout.write(JSON.stringify(comments));
    const encoded = option('--data-urlencode');
    const body = encoded === undefined ? JSON.parse(fileIn(option('--data'))).body : fileIn(encoded);
    write(method, idIn(url.split('?')[0]), body);
    return writeFileSync(option('--output'), '{}');
  },
};

appendFileSync(join(folder, 'calls.jsonl'), `${JSON.stringify([program, ...words])}\n`);
PROGRAMS[program]();
