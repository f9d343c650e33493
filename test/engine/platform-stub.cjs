// Stands in for what a pipeline's platform brings: `curl` to a platform's API, `gh`, `glab`, `npm ci`. Keeps comments and issues in files and
// records each call.
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
  if (url.includes('/pulls?state=open')) return [{ number: 7 }];
  if (url.endsWith('/pulls')) return [{ number: 7, merged_at: '2026-11-22T10:00:00Z', head: { sha: 'c0ffee' } }];
  if (url.endsWith('/merge_requests')) return [{ iid: 7, state: 'merged' }];
  if (url.endsWith('&head_sha=c0ffee')) return { workflow_runs: [{ id: 55 }] };
  return comments;
}

const issueStore = join(folder, 'issues.json');
const issues = existsSync(issueStore) ? JSON.parse(readFileSync(issueStore, 'utf8')) : [];

/** A command about issues, as `gh` and `glab` have it: `words` begin with `issue`. The newest issue is listed first. */
function issueCommand(body, listed) {
  const [, verb, number] = words;
  if (verb === 'list') {
    const [found] = issues.filter(({ label, state }) => label === option('--label') && listed(state)).reverse();
    return found;
  }
  if (verb === 'create')
    issues.push({ number: issues.length + 1, title: option('--title'), label: option('--label'), state: 'OPEN', body });
  else {
    const issue = issues.find((each) => String(each.number) === number);
    if (issue === undefined) throw new Error(`there is no issue ${number}`);
    if (['edit', 'update'].includes(verb)) issue.body = body;
    else issue.state = { close: 'CLOSED', reopen: 'OPEN' }[verb];
  }
  return writeFileSync(issueStore, JSON.stringify(issues));
}

const PROGRAMS = {
  gh: () => {
    if (!process.env.GH_TOKEN || !process.env.GH_REPO) throw new Error('gh was given no token, or no repository');
    if (words[0] === 'label') return;
    const file = option('--body-file');
    const found = issueCommand(file && readFileSync(file, 'utf8'), () => option('--state') === 'all');
    if (found !== undefined) process.stdout.write(`${found.number} ${found.state}\n`);
  },
  glab: () => {
    if (!process.env.GITLAB_TOKEN || !option('--repo')) throw new Error('glab was given no token, or no project');
    const wanted = words.includes('--closed') ? 'CLOSED' : 'OPEN';
    const found = issueCommand(option('--description'), (state) => state === wanted);
    if (found !== undefined) process.stdout.write(`${found.number}\n`);
  },
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
