// Messages on what changed in an inbox, to Slack, to Teams, or as JSON. Nothing is sent when nothing changed, and no value is in a message.
// The address is a secret: whoever has it can send messages. It comes from the environment, and no output names more of it than its host.
import { isLoopback, httpTransport } from '../../api/transport';
import { findingSubject, type DriftFinding, type News, type Review } from '../../drift';
import { UsageError } from '../command';
import type { WrittenIssue } from './run-inbox';

const VARIABLES = { slack: 'SLACK_WEBHOOK_URL', teams: 'TEAMS_WEBHOOK_URL', webhook: 'ONEOPS_WEBHOOK_URL' } as const;
type Receiver = keyof typeof VARIABLES;

/** Where messages go. */
interface Notice {
  readonly receiver: Receiver;
  readonly url: URL;
}

/** The receivers that a command names. Throws UsageError for an unknown one, and for one without a usable address. */
export const noticesFor = (names: readonly string[]): readonly Notice[] =>
  [...new Set(names)].map((name) => {
    const receiver = (Object.keys(VARIABLES) as Receiver[]).find((each) => each === name);
    if (receiver === undefined) throw new UsageError(`--notify takes one of ${Object.keys(VARIABLES).join(', ')}`);
    const text = process.env[VARIABLES[receiver]] ?? '';
    if (text === '') throw new UsageError(`--notify ${receiver} needs its address in ${VARIABLES[receiver]}`);
    if (!URL.canParse(text))
      throw new UsageError(`what is in ${VARIABLES[receiver]} is no address: it has to begin with https://`);
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
      throw new UsageError(`the address in ${VARIABLES[receiver]} is not https: everybody on the way could read it`);
    return { receiver, url };
  });

/** Sends what changed to every receiver. Returns one message for each that did not take it. */
export async function notify(
  notices: readonly Notice[],
  written: readonly WrittenIssue[],
  reviews: readonly Review[],
): Promise<readonly string[]> {
  const changes = written.filter(({ news }) => news.added.length + news.changed.length + news.settled.length > 0);
  if (changes.length === 0) return [];
  const findings = new Map(reviews.flatMap((review) => review.findings.map((finding) => [finding.id, finding])));
  const failures: string[] = [];
  for (const { receiver, url } of notices) {
    const status = await post(url, BODIES[receiver](changes, findings));
    if (status >= 200 && status < 300) continue;
    const why = status === 0 ? 'cannot be reached' : `answered ${status}`;
    failures.push(`the message to ${receiver} was not delivered: ${url.host} ${why}; check ${VARIABLES[receiver]}`);
  }
  return failures;
}

/** The status of the answer; 0 without one. */
async function post(url: URL, body: unknown): Promise<number> {
  const transport = httpTransport({ url: url.origin, answerTimeout: 30_000 });
  const headers = { 'content-type': 'application/json', 'user-agent': 'pulumi-oneops' };
  try {
    const request = { method: 'POST', path: `${url.pathname}${url.search}`, headers, body: JSON.stringify(body) };
    return (await transport.send(request)).status;
  } catch {
    // The error names the path, which is the secret.
    return 0;
  } finally {
    transport.close();
  }
}

type Findings = ReadonlyMap<string, DriftFinding>;

/** Findings that a message names. */
const MOST_NAMED = 5;

function linesOf({ title, url, is, news }: WrittenIssue, findings: Findings): readonly string[] {
  const { added, changed } = news;
  const named = [...added, ...changed]
    .flatMap((id) => findings.get(id) ?? [])
    .map((finding) => {
      const again = changed.includes(finding.id) ? ', with another value' : '';
      return `${finding.severity}: ${findingSubject(finding)}${again}`;
    });
  const rest = added.length + changed.length - MOST_NAMED;
  return [
    `${title} (${is}): ${newsText(news)}`,
    ...named.slice(0, MOST_NAMED),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    url,
  ].map((line) => line.replace(/[\p{Cc}\p{Cf}]+/gu, ' '));
}

/** How much is new in an issue: `1 new, 0 settled`. */
export const newsText = ({ added, changed, settled }: News): string =>
  [
    `${added.length} new`,
    ...(changed.length === 0 ? [] : [`${changed.length} with other values`]),
    `${settled.length} settled`,
  ].join(', ');

/** Findings as JSON, without their values. */
const noticed = (ids: readonly string[], findings: Findings): readonly object[] =>
  ids.flatMap((id) => {
    const finding = findings.get(id);
    if (finding === undefined) return [];
    const { kind, address, attribute, classification, severity } = finding;
    return [{ id, kind, address, attribute, classification, severity }];
  });

const BODIES: { readonly [of in Receiver]: (changes: readonly WrittenIssue[], findings: Findings) => unknown } = {
  slack: (changes, findings) => ({
    text: changes
      .flatMap((change) => linesOf(change, findings))
      .map((line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'))
      .join('\n'),
  }),
  teams: (changes, findings) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          // Texts of a card are Markdown: no line may begin a list, and no text may be a link.
          body: changes
            .flatMap((change) => linesOf(change, findings))
            .map((line) => ({ type: 'TextBlock', wrap: true, text: line.replace(/[[\]*_`~\\]/g, '\\$&') })),
        },
      },
    ],
  }),
  webhook: (changes, findings) => ({
    version: 1,
    changes: changes.map(({ is, title, url, news }) => ({
      is,
      title,
      url,
      added: noticed(news.added, findings),
      changed: noticed(news.changed, findings),
      settled: news.settled,
    })),
  }),
};
