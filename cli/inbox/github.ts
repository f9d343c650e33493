// An inbox in the issues of a repository on GitHub, or on a GitHub Enterprise Server.
import { UsageError } from '../command';
import { openPlatform, memberPart, memberText, unlessMeanwhile, type Members, type Platform } from './platform';
import { LABEL, TrackerError, type OpenRequest, type Proposal, type Tracker } from './tracker';
import type { Issue } from '../../drift';

/** The inbox in a repository: `acme/shop`. Throws TrackerError without a token. */
export function githubTracker(repository: string, api: string | undefined): Tracker {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new UsageError('--github takes a repository: acme/shop');
  const { GITHUB_API_URL, GITHUB_TOKEN } = process.env;
  const platform = openPlatform({
    name: 'GitHub',
    url: api ?? GITHUB_API_URL ?? 'https://api.github.com',
    token: GITHUB_TOKEN,
    variable: 'GITHUB_TOKEN',
    rights: 'may write issues (issues: write); for ticked boxes, contents and pull-requests, too',
    headers: (token) => ({
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    }),
    about: repository,
  });
  const at = `/repos/${repository}`;
  return {
    syntax: 'github',
    proposes: 'request',
    limit: 65_536,
    issues: async () => {
      const query = `state=all&labels=${LABEL}&sort=created&direction=asc&per_page=100`;
      const found = await platform.list(`${at}/issues?${query}`);
      return found.filter((each) => each['pull_request'] === undefined).map(issueIn);
    },
    read: async (id) => issueIn(await platform.get(`${at}/issues/${id}`)),
    create: async (title, body) => {
      const made = await platform.send('POST', `${at}/issues`, { title, body, labels: [LABEL] });
      const issue = issueIn(made);
      if (labelsOf(made).includes(LABEL)) return issue;
      // Without its label nobody would find it again.
      await platform.send('PATCH', `${at}/issues/${issue.id}`, { state: 'closed', state_reason: 'not_planned' });
      throw new TrackerError(
        `GitHub did not set the label ${LABEL}: GITHUB_TOKEN must be the token of a user who may do that`,
      );
    },
    update: async (id, body, state) => {
      await platform.send('PATCH', `${at}/issues/${id}`, { body, ...STATES[state ?? 'kept'] });
    },
    requests: async () =>
      (await platform.list(`${at}/pulls?state=open&per_page=100`)).flatMap((each) => requestIn(platform, at, each)),
    propose: (proposal) => propose(platform, at, proposal),
    withdraw: async (reference) => {
      await platform.send('PATCH', `${at}/pulls/${reference.slice(1)}`, { state: 'closed' });
    },
    // The REST API does not show who edited a text.
    ticker: () => Promise.resolve(undefined),
    close: () => platform.close(),
  };
}

const STATES: { readonly [state: string]: Members } = {
  kept: {},
  open: { state: 'open' },
  closed: { state: 'closed', state_reason: 'completed' },
  declined: { state: 'closed', state_reason: 'not_planned' },
};

const labelsOf = ({ labels }: Members): readonly string[] =>
  Array.isArray(labels)
    ? labels.map((label) => memberText(typeof label === 'string' ? label : memberPart(label)['name']))
    : [];

function issueIn(json: Members): Issue {
  const isDeclined = json['state_reason'] === 'not_planned' || json['state_reason'] === 'duplicate';
  return {
    id: memberText(json['number']),
    body: memberText(json['body']),
    state: json['state'] === 'open' ? 'open' : isDeclined ? 'declined' : 'closed',
    url: memberText(json['html_url']),
  };
}

function requestIn(platform: Platform, at: string, json: Members): readonly OpenRequest[] {
  const repositoryOf = (side: string): string => memberText(memberPart(memberPart(json[side])['repo'])['full_name']);
  if (repositoryOf('head') === '' || repositoryOf('head') !== repositoryOf('base')) return [];
  const number = memberText(json['number']);
  return [
    {
      reference: `#${number}`,
      body: memberText(json['body']),
      patches: async () =>
        (await platform.list(`${at}/pulls/${number}/files?per_page=100`)).map((file) => ({
          path: memberText(file['previous_filename'] ?? file['filename']),
          patch: memberText(file['patch']),
        })),
    },
  ];
}

/**
 * One commit on a new branch, and a pull request for it. A branch that exists is from a run that did not end, or from one that runs at the same time:
 * the platform makes a branch, and a request for it, only once.
 */
async function propose(
  platform: Platform,
  at: string,
  { branch, commit, title, body, files }: Proposal,
): Promise<string> {
  const base = memberText((await platform.get(at))['default_branch']);
  const isThere = async (): Promise<boolean> =>
    (await platform.list(`${at}/git/matching-refs/heads/${branch}`)).length > 0;
  const open = async (): Promise<string | undefined> => {
    const owner = at.split('/')[2] ?? '';
    const found = await platform.list(`${at}/pulls?state=open&per_page=100&head=${owner}:${branch}`);
    const own = found.find((each) => memberPart(each['head'])['ref'] === branch);
    return own && `#${memberText(own['number'])}`;
  };
  if (!(await isThere())) {
    const tree = memberText(memberPart((await platform.get(`${at}/git/commits/${commit}`))['tree'])['sha']);
    const items = files.map(({ path, text }) => ({ path, mode: '100644', type: 'blob', content: text }));
    const made = await platform.send('POST', `${at}/git/trees`, { base_tree: tree, tree: items });
    const change = { message: title, tree: made['sha'], parents: [commit] };
    const { sha } = await platform.send('POST', `${at}/git/commits`, change);
    const ref = (): Promise<unknown> => platform.send('POST', `${at}/git/refs`, { ref: `refs/heads/${branch}`, sha });
    await unlessMeanwhile(ref, async () => ((await isThere()) ? branch : undefined));
  }
  return unlessMeanwhile(
    async () =>
      `#${memberText((await platform.send('POST', `${at}/pulls`, { title, body, head: branch, base }))['number'])}`,
    open,
  );
}
