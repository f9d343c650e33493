// An inbox in the issues of a project on GitLab, or on your own GitLab.
import { openPlatform, memberPart, memberText, unlessMeanwhile, type Members, type Platform } from './platform';
import { LABEL, TrackerError, type OpenRequest, type Proposal, type Tracker } from './tracker';
import type { Issue } from '../../drift';

/** GitLab has no "closed as not planned": this label says it. */
const DECLINED = `${LABEL}-declined`;

/** The inbox in a project: `acme/web/shop`, or its number. Throws TrackerError without a token. */
export function gitlabTracker(project: string, api: string | undefined): Tracker {
  const { CI_API_V4_URL, GITLAB_TOKEN } = process.env;
  const platform = openPlatform({
    name: 'GitLab',
    url: api ?? CI_API_V4_URL ?? 'https://gitlab.com/api/v4',
    token: GITLAB_TOKEN,
    variable: 'GITLAB_TOKEN',
    rights: 'may write issues (scope api, role Reporter; for ticked boxes, Developer)',
    headers: (token) => ({ 'private-token': token, accept: 'application/json' }),
    about: project,
  });
  const at = `/projects/${encodeURIComponent(project)}`;
  return {
    syntax: 'gitlab',
    proposes: 'request',
    limit: 1_048_576,
    issues: async () => {
      const query = `labels=${LABEL}&state=all&order_by=created_at&sort=asc&per_page=100`;
      return (await platform.list(`${at}/issues?${query}`)).map(issueIn);
    },
    read: async (id) => issueIn(await platform.get(`${at}/issues/${id}`)),
    create: async (title, description) => {
      const made = await platform.send('POST', `${at}/issues`, { title, description, labels: LABEL });
      const issue = issueIn(made);
      if (labelsOf(made).includes(LABEL)) return issue;
      // Without its label nobody would find it again.
      await platform.send('PUT', `${at}/issues/${issue.id}`, { state_event: 'close' });
      throw new TrackerError(
        `GitLab did not set the label ${LABEL}: GITLAB_TOKEN must be the token of a user who may do that`,
      );
    },
    update: async (id, description, state) => {
      await platform.send('PUT', `${at}/issues/${id}`, { description, ...STATES[state ?? 'kept'] });
    },
    requests: async () =>
      (await platform.list(`${at}/merge_requests?state=opened&per_page=100`)).flatMap((each) =>
        requestIn(platform, at, each),
      ),
    propose: (proposal) => propose(platform, at, proposal),
    withdraw: async (reference) => {
      await platform.send('PUT', `${at}/merge_requests/${reference.slice(1)}`, { state_event: 'close' });
    },
    ticker: async (id) => {
      const notes = await platform.list(`${at}/issues/${id}/notes?sort=desc&order_by=created_at&per_page=100`);
      const tick = notes.find(
        (note) => note['system'] === true && /^marked the .* as completed/.test(memberText(note['body'])),
      );
      const name = memberText(memberPart(tick?.['author'])['username']);
      return name === '' ? undefined : name;
    },
    close: () => platform.close(),
  };
}

const STATES: { readonly [state: string]: Members } = {
  kept: {},
  open: { state_event: 'reopen', remove_labels: DECLINED },
  closed: { state_event: 'close' },
  declined: { state_event: 'close', add_labels: DECLINED },
};

const labelsOf = ({ labels }: Members): readonly string[] => (Array.isArray(labels) ? labels.map(memberText) : []);

const issueIn = (json: Members): Issue => ({
  id: memberText(json['iid']),
  body: memberText(json['description']),
  state: json['state'] === 'opened' ? 'open' : labelsOf(json).includes(DECLINED) ? 'declined' : 'closed',
  url: memberText(json['web_url']),
});

function requestIn(platform: Platform, at: string, json: Members): readonly OpenRequest[] {
  if (json['source_project_id'] !== json['target_project_id']) return [];
  const number = memberText(json['iid']);
  return [
    {
      reference: `!${number}`,
      body: memberText(json['description']),
      patches: async () =>
        (await platform.list(`${at}/merge_requests/${number}/diffs?per_page=100`)).map((file) => ({
          path: memberText(file['old_path']),
          patch: memberText(file['diff']),
        })),
    },
  ];
}

/**
 * One commit on a new branch, and a merge request for it. A branch that exists is from a run that did not end, or from one that runs at the same time:
 * the platform makes a branch, and a request for it, only once.
 */
async function propose(
  platform: Platform,
  at: string,
  { branch, commit, title, body, files }: Proposal,
): Promise<string> {
  const base = memberText((await platform.get(at))['default_branch']);
  const isThere = async (): Promise<boolean> =>
    (await platform.list(`${at}/repository/branches?search=${encodeURIComponent(`^${branch}$`)}`)).length > 0;
  const open = async (): Promise<string | undefined> => {
    const query = `state=opened&per_page=100&source_branch=${encodeURIComponent(branch)}`;
    const found = await platform.list(`${at}/merge_requests?${query}`);
    const own = found.find((each) => each['source_branch'] === branch);
    return own && `!${memberText(own['iid'])}`;
  };
  const change = {
    branch,
    start_sha: commit,
    commit_message: title,
    actions: files.map(({ path, before, text }) => ({
      action: before === undefined ? 'create' : 'update',
      file_path: path,
      content: text,
    })),
  };
  if (!(await isThere()))
    await unlessMeanwhile(
      () => platform.send('POST', `${at}/repository/commits`, change),
      async () => ((await isThere()) ? {} : undefined),
    );
  const request = { title, description: body, source_branch: branch, target_branch: base, remove_source_branch: true };
  return unlessMeanwhile(
    async () => `!${memberText((await platform.send('POST', `${at}/merge_requests`, request))['iid'])}`,
    open,
  );
}
