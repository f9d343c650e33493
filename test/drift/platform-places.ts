// Stand-ins of the APIs of GitHub and GitLab over HTTP on this machine. They hold issues, requests and branches, answer in short pages, and are strict: a
// request that they do not know, or that has no token, fails the test when they are closed.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeptIssue, Place } from './inbox-world';

/** The token of every test; no output may contain it. */
export const PLATFORM_TOKEN = 'canary-platform-token';
const LABEL = 'oneops-drift';
const PAGE = 2;

/** An open request that a test puts there. */
interface PutRequest {
  readonly path: string;
  readonly patch: string;
  readonly body?: string;
  /** It comes from a fork. */
  readonly isForeign?: boolean;
}

/** A request that the command made: its files as proposed. */
interface ProposedRequest {
  readonly number: number;
  readonly isOpen: boolean;
  readonly branch: string;
  readonly body: string;
  readonly files: { readonly [path: string]: string };
}

/** A platform in this process. */
export interface PlatformPlace extends Place {
  /** Address of its API. */
  readonly url: string;
  /** Every request so far: `GET /repos/acme/shop/issues`. */
  calls(): readonly string[];
  /** What comes instead of the next answer. */
  fail(status: number, headers?: { readonly [name: string]: string }, message?: string): void;
  put(request: PutRequest): void;
  proposed(): readonly ProposedRequest[];
  /** Somebody merges or closes every open request. */
  settleRequests(): void;
  /** Runs once, before the next answer to such a request. */
  before(call: RegExp, run: () => void): void;
  /** From now on, another run sends each such request, too, and is a little faster. */
  race(call: RegExp): void;
}

type Data = { [name: string]: unknown };
interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Data;
}
type Answer = { readonly status?: number; readonly json: unknown };
type Route = (call: Call, match: RegExpExecArray) => Answer | readonly Data[];
type Routes = readonly (readonly [RegExp, Route])[];

interface Store {
  readonly issues: { id: number; title: string; body: string; state: KeptIssue['state']; labels: string[] }[];
  readonly requests: (Data & {
    number: number;
    isOpen: boolean;
    isForeign: boolean;
    body: string;
    patches: PutRequest[];
  })[];
  readonly branches: Map<string, { readonly [path: string]: string }>;
  readonly trees: Map<string, { readonly [path: string]: string }>;
  url: string;
}

const textIn = (data: Data, name: string): string => data[name] as string;
const missing = { status: 404, json: { message: 'Not Found' } };
const limited = (text: string, most: number): string => {
  if (text.length > most) throw new Error('Validation Failed: body is too long');
  return text;
};

function githubRoutes(store: Store): Routes {
  const shown = (issue: Store['issues'][number]): Data => ({
    number: issue.id,
    title: issue.title,
    // As after an edit in a browser.
    body: issue.body,
    state: issue.state === 'open' ? 'open' : 'closed',
    state_reason: { open: null, closed: 'completed', declined: 'not_planned' }[issue.state],
    labels: issue.labels.map((name) => ({ name })),
    html_url: `${store.url}/acme/shop/issues/${issue.id}`,
  });
  const at = (text: string): RegExp => new RegExp(`^${text.replace(' ', ' /repos/acme/shop')}$`);
  const byNumber = (match: RegExpExecArray): Store['issues'][number] | undefined =>
    store.issues.find(({ id }) => id === Number(match[1]));
  const repository = { full_name: 'acme/shop' };
  return [
    [at('GET '), () => ({ json: { default_branch: 'main' } })],
    [
      at('GET /issues'),
      ({ query }) => [
        ...store.issues.filter(({ labels }) => labels.includes(query.get('labels') ?? '?')).map(shown),
        {
          number: 900,
          pull_request: {},
          labels: [{ name: LABEL }],
          body: '<!-- pulumi-oneops inbox acme/shop/dev -->',
        },
      ],
    ],
    [at('GET /issues/(\\d+)'), (_, match) => ({ json: shown(byNumber(match) as Store['issues'][number]) })],
    [
      at('POST /issues'),
      ({ body }) => {
        const issue = {
          id: store.issues.length + 1,
          title: textIn(body, 'title'),
          body: limited(textIn(body, 'body'), 65_536),
        };
        store.issues.push({ ...issue, state: 'open', labels: body['labels'] as string[] });
        return { status: 201, json: shown(store.issues.at(-1) as Store['issues'][number]) };
      },
    ],
    [
      at('PATCH /issues/(\\d+)'),
      ({ body }, match) => {
        const issue = byNumber(match);
        if (issue === undefined) return missing;
        if (body['body'] !== undefined) issue.body = limited(textIn(body, 'body'), 65_536);
        if (body['state'] === 'open') issue.state = 'open';
        if (body['state'] === 'closed') issue.state = body['state_reason'] === 'completed' ? 'closed' : 'declined';
        return { json: shown(issue) };
      },
    ],
    [
      at('GET /pulls'),
      () =>
        store.requests
          .filter(({ isOpen }) => isOpen)
          .map(({ number, body, isForeign, branch }) => ({
            number,
            body,
            base: { repo: repository },
            head: { ref: branch, repo: isForeign ? { full_name: 'mallory/shop' } : repository },
          })),
    ],
    [
      at('PATCH /pulls/(\\d+)'),
      ({ body }, match) => {
        const request = store.requests.find(({ number }) => number === Number(match[1]));
        if (request === undefined) return missing;
        request.isOpen = body['state'] !== 'closed';
        return { json: {} };
      },
    ],
    [
      at('GET /pulls/(\\d+)/files'),
      (_, match) =>
        (store.requests.find(({ number }) => number === Number(match[1]))?.patches ?? []).map(({ path, patch }) => ({
          filename: path,
          patch,
        })),
    ],
    [at('GET /git/commits/(\\w+)'), (_, match) => ({ json: { tree: { sha: `tree-of-${match[1]}` } } })],
    [
      at('GET /git/matching-refs/heads/(.+)'),
      (_, match) => (store.branches.has(match[1] ?? '') ? [{ ref: `refs/heads/${match[1]}` }] : []),
    ],
    [
      at('POST /git/trees'),
      ({ body }) => {
        const files = (body['tree'] as Data[]).map((item) => [textIn(item, 'path'), textIn(item, 'content')]);
        store.trees.set(`tree-${store.trees.size}`, Object.fromEntries(files) as { [path: string]: string });
        return { status: 201, json: { sha: `tree-${store.trees.size - 1}` } };
      },
    ],
    [at('POST /git/commits'), ({ body }) => ({ status: 201, json: { sha: textIn(body, 'tree') } })],
    [
      at('POST /git/refs'),
      ({ body }) => {
        const branch = textIn(body, 'ref').replace('refs/heads/', '');
        if (store.branches.has(branch)) return { status: 422, json: { message: 'Reference already exists' } };
        store.branches.set(branch, store.trees.get(textIn(body, 'sha')) ?? {});
        return { status: 201, json: {} };
      },
    ],
    [at('POST /pulls'), ({ body }) => propose(store, textIn(body, 'head'), textIn(body, 'body'), 422)],
  ];
}

/** A second open request for one branch is refused, by each platform with its own status. */
function propose(store: Store, branch: string, body: string, refusal: 422 | 409): Answer {
  if (store.requests.some((each) => each.isOpen && each['branch'] === branch))
    return { status: refusal, json: { message: 'a request for this branch already exists' } };
  const number = store.requests.length + 12;
  store.requests.push({ number, isOpen: true, isForeign: false, body, branch, patches: [] });
  return { status: 201, json: { number, iid: number } };
}

function gitlabRoutes(store: Store): Routes {
  const declined = `${LABEL}-declined`;
  // A label stays until somebody removes it, whatever becomes of the issue.
  const noteLabel = (issue: Store['issues'][number]): void => {
    if (issue.state === 'declined' && !issue.labels.includes(declined)) issue.labels.push(declined);
  };
  const shown = (issue: Store['issues'][number]): Data => ({
    iid: issue.id,
    title: issue.title,
    description: issue.body,
    state: issue.state === 'open' ? 'opened' : 'closed',
    labels: [...issue.labels, ...(issue.state === 'declined' && !issue.labels.includes(declined) ? [declined] : [])],
    web_url: `${store.url}/acme/shop/-/issues/${issue.id}`,
  });
  const at = (text: string): RegExp => new RegExp(`^${text.replace(' ', ' /projects/acme%2Fshop')}$`);
  const byNumber = (match: RegExpExecArray): Store['issues'][number] | undefined =>
    store.issues.find(({ id }) => id === Number(match[1]));
  return [
    [at('GET '), () => ({ json: { default_branch: 'main' } })],
    [
      at('GET /issues'),
      ({ query }) => store.issues.filter(({ labels }) => labels.includes(query.get('labels') ?? '?')).map(shown),
    ],
    [at('GET /issues/(\\d+)'), (_, match) => ({ json: shown(byNumber(match) as Store['issues'][number]) })],
    [
      at('GET /issues/(\\d+)/notes'),
      () => [
        { system: false, body: 'marked the checklist item as completed', author: { username: 'mallory' } },
        { system: true, body: 'marked the checklist item **accept** as completed', author: { username: 'ann' } },
      ],
    ],
    [
      at('POST /issues'),
      ({ body }) => {
        const issue = { id: store.issues.length + 1, title: textIn(body, 'title') };
        const text = limited(textIn(body, 'description'), 1_048_576);
        store.issues.push({ ...issue, body: text, state: 'open', labels: textIn(body, 'labels').split(',') });
        return { status: 201, json: shown(store.issues.at(-1) as Store['issues'][number]) };
      },
    ],
    [
      at('PUT /issues/(\\d+)'),
      ({ body }, match) => {
        const issue = byNumber(match);
        if (issue === undefined) return missing;
        if (body['description'] !== undefined) issue.body = limited(textIn(body, 'description'), 1_048_576);
        noteLabel(issue);
        if (body['remove_labels'] === declined) issue.labels.splice(0, Infinity, LABEL);
        if (body['state_event'] === 'reopen') issue.state = 'open';
        if (body['state_event'] === 'close') issue.state = body['add_labels'] === declined ? 'declined' : 'closed';
        noteLabel(issue);
        return { json: shown(issue) };
      },
    ],
    [
      at('GET /merge_requests'),
      () =>
        store.requests
          .filter(({ isOpen }) => isOpen)
          .map(({ number, body, isForeign, branch }) => ({
            iid: number,
            description: body,
            source_branch: branch,
            target_project_id: 1,
            source_project_id: isForeign ? 2 : 1,
          })),
    ],
    [
      at('PUT /merge_requests/(\\d+)'),
      ({ body }, match) => {
        const request = store.requests.find(({ number }) => number === Number(match[1]));
        if (request === undefined) return missing;
        request.isOpen = body['state_event'] !== 'close';
        return { json: {} };
      },
    ],
    [
      at('GET /merge_requests/(\\d+)/diffs'),
      (_, match) =>
        (store.requests.find(({ number }) => number === Number(match[1]))?.patches ?? []).map(({ path, patch }) => ({
          old_path: path,
          diff: patch,
        })),
    ],
    [
      at('GET /repository/branches'),
      ({ query }) =>
        [...store.branches.keys()]
          .filter((name) => new RegExp(query.get('search') ?? '?').test(name))
          .map((name) => ({ name })),
    ],
    [
      at('POST /repository/commits'),
      ({ body }) => {
        const files = (body['actions'] as Data[]).map((item) => [textIn(item, 'file_path'), textIn(item, 'content')]);
        if (store.branches.has(textIn(body, 'branch')))
          return { status: 400, json: { message: 'A branch of that name already exists' } };
        store.branches.set(textIn(body, 'branch'), Object.fromEntries(files) as { [path: string]: string });
        return { status: 201, json: {} };
      },
    ],
    [
      at('POST /merge_requests'),
      ({ body }) => propose(store, textIn(body, 'source_branch'), textIn(body, 'description'), 409),
    ],
  ];
}

/** GitHub in this process, with the repository acme/shop. */
export const githubPlace = (): Promise<PlatformPlace> =>
  platformPlace(githubRoutes, 'authorization', `Bearer ${PLATFORM_TOKEN}`, (url) => ({
    words: ['--github', 'acme/shop'],
    environment: { GITHUB_TOKEN: PLATFORM_TOKEN, GITHUB_API_URL: url },
  }));

/** GitLab in this process, with the project acme/shop; its address has a path, as that of your own GitLab. */
export const gitlabPlace = (): Promise<PlatformPlace> =>
  platformPlace(gitlabRoutes, 'private-token', PLATFORM_TOKEN, (url) => ({
    words: ['--gitlab', 'acme/shop', '--api', url],
    environment: { GITLAB_TOKEN: PLATFORM_TOKEN },
  }));

async function platformPlace(
  routesOf: (store: Store) => Routes,
  header: string,
  token: string,
  wordsOf: (url: string) => Pick<Place, 'words' | 'environment'>,
): Promise<PlatformPlace> {
  const store: Store = { issues: [], requests: [], branches: new Map(), trees: new Map(), url: '' };
  const routes = routesOf(store);
  const calls: string[] = [];
  const wrong: string[] = [];
  const failures: { status: number; headers: { readonly [name: string]: string }; message: string }[] = [];
  const hooks: { call: RegExp; run: () => void }[] = [];
  const races: RegExp[] = [];
  let writes = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', store.url);
    const path = url.pathname.replace(/^\/api/, '');
    const name = `${request.method} ${path}`;
    calls.push(name);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const hook = hooks.findIndex(({ call }) => call.test(name));
    if (hook >= 0) hooks.splice(hook, 1)[0]?.run();
    const failure = failures.shift();
    const end = (status: number, json: unknown, headers: { readonly [name: string]: string } = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
    };
    if (failure) return end(failure.status, failure.status < 300 ? [] : { message: failure.message }, failure.headers);
    if (request.headers[header] !== token) return end(401, { message: `Bad credentials ${PLATFORM_TOKEN}` });
    const found = routes.map(([route, run]) => ({ match: route.exec(name), run })).find(({ match }) => match !== null);
    if (!found?.match || url.pathname === path) {
      wrong.push(name);
      return end(500, { message: 'the stand-in does not know this request' });
    }
    if (request.method !== 'GET') writes += 1;
    const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Data);
    const call = { method: request.method ?? '', path, query: url.searchParams, body };
    try {
      if (races.some((each) => each.test(name))) found.run(call, found.match);
      const given = found.run(call, found.match);
      if (!Array.isArray(given)) return end((given as Answer).status ?? 200, (given as Answer).json);
      const page = Number(url.searchParams.get('page') ?? 1);
      const isMore = given.length > page * PAGE;
      const next = new URL(url);
      next.searchParams.set('page', String(page + 1));
      const github = isMore ? { link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` } : {};
      const gitlab = { 'x-next-page': isMore ? String(page + 1) : '' };
      end(200, given.slice((page - 1) * PAGE, page * PAGE), header === 'private-token' ? gitlab : github);
    } catch (error) {
      end(422, { message: String(error) });
    }
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  store.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${store.url}/api`,
    ...wordsOf(`${store.url}/api`),
    issues: () => store.issues.map(({ id, title, body, state }) => ({ id: String(id), title, body, state })),
    edit(id, change) {
      const issue = store.issues.find((each) => String(each.id) === id);
      if (issue) Object.assign(issue, change({ ...issue, id }), { id: issue.id });
    },
    writes() {
      const since = writes;
      writes = 0;
      return since;
    },
    calls: () => calls,
    fail: (status, headers = {}, message = 'no') => void failures.push({ status, headers, message }),
    put: ({ body = '', isForeign = false, ...patch }) =>
      void store.requests.push({
        number: store.requests.length + 12,
        isOpen: true,
        isForeign,
        body,
        patches: [{ ...patch }],
      }),
    proposed: () =>
      store.requests.flatMap(({ number, branch, body, isOpen }) =>
        typeof branch === 'string' ? [{ number, branch, body, isOpen, files: store.branches.get(branch) ?? {} }] : [],
      ),
    settleRequests: () => {
      for (const request of store.requests) request.isOpen = false;
    },
    before: (call, run) => void hooks.push({ call, run }),
    race: (call) => void races.push(call),
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      expect(wrong).toEqual([]);
    },
  };
}
