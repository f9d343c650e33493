// The text of an issue: the part between two marks, which the inbox writes, and what people wrote around it, which stays as it is.
// The part is also the memory of the inbox: what it listed, since which commit, and which boxes were ticked.

/** What a box asks for. */
type Decision = 'accept' | 'revert' | 'ignore';

/** A finding as an issue lists it. */
export interface ListedFinding {
  readonly id: string;
  /** Key of the stack it was found in. */
  readonly stack: string;
  /** The commit it was first seen at, shortened; `-` when it was not known. */
  readonly since: string;
  /** As written. */
  readonly text: string;
  /** The boxes that somebody ticked. */
  readonly ticked: readonly Decision[];
  /** Whether it waited for a request. */
  readonly isWaiting: boolean;
  /** Last day of the rule that the third box asks for. */
  readonly until: string | undefined;
  /** What was answered to a tick. */
  readonly answer: string | undefined;
}

/** What an inbox wrote into an issue, and what people wrote around it. */
export interface IssueText {
  readonly key: string;
  readonly before: string;
  readonly after: string;
  readonly listed: readonly ListedFinding[];
  /** Lines on what is settled, as written; newest first. */
  readonly settled: readonly string[];
}

const BEGIN = /^<!-- pulumi-oneops inbox (\S+\/\S*) -->[ \t]*\r?$/m;
const END = '<!-- pulumi-oneops inbox end -->';
const FINDING = /<!-- finding (\S+) (\S+) (\S+) -->\s*$/;
const SETTLED = /<!-- settled (\S+) -->\s*$/;
const BOX = /^\s*[-*+] \[([ xX])\] .*<!-- (accept|revert|ignore) -->\s*$/;
const WAITS = /^\s*- waits for .*<!-- waits -->\s*$/;
const ANSWER = /^\s*- (.*)<!-- answer -->\s*$/;
/** The words that a head of a part ends with. */
export const HEAD_END = '<sub>`pulumi-oneops drift inbox` writes this part';
/** A line that only an inbox writes. */
const OWN = new RegExp(
  `^(?:- \\[[ xX]\\] .*<!-- (?:finding|settled) \\S.*-->|  - .*<!-- (?:accept|revert|ignore|answer|waits) -->|${HEAD_END}.*)[ \\t]*\\r?$`,
  'gm',
);

/** The first line of the part of a thread. */
const beginMark = (key: string): string => `<!-- pulumi-oneops inbox ${key} -->`;

/** The mark of a finding, at the end of its first line. */
export const findingMark = ({ id, stack, since }: Pick<ListedFinding, 'id' | 'stack' | 'since'>): string =>
  `<!-- finding ${id} ${stack} ${since} -->`;

/** A line on a finding that is settled. */
export const settledLine = (id: string, subject: string, how: string): string =>
  `- [x] ${subject}: ${how} <!-- settled ${id} -->`;

/** A box to tick, or one that is ticked and not carried out yet. */
export const boxLine = (decision: Decision, words: string, ticked: readonly Decision[]): string =>
  `  - [${ticked.includes(decision) ? 'x' : ' '}] ${words} <!-- ${decision} -->`;

/** What is said of a finding while a request is open that settles it. */
export const waitsLine = (request: string): string => `  - waits for ${request} <!-- waits -->`;

/** An answer to a tick. */
export const answerLine = (answer: string): string => `  - ${answer} <!-- answer -->`;

/** The key of the thread that an issue is about; undefined when it has no mark. */
export const threadKeyIn = (body: string): string | undefined => BEGIN.exec(body)?.[1];

/** Reads the text of an issue; undefined when it has no mark. */
export function readIssueText(body: string): IssueText | undefined {
  const begin = BEGIN.exec(body);
  if (begin === null) return undefined;
  const start = begin.index + begin[0].length;
  const rest = body.slice(start);
  const end = endOf(rest);
  const { listed, settled } = readPart(rest.slice(0, end));
  return { key: begin[1] ?? '', before: body.slice(0, begin.index), after: rest.slice(end), listed, settled };
}

/** Where the part ends; without its last line, after the last line that only an inbox writes. */
function endOf(rest: string): number {
  const last = rest.indexOf(END);
  if (last >= 0) return last + END.length;
  return [...rest.matchAll(OWN)].reduce((most, match) => match.index + match[0].length, 0);
}

function readPart(part: string): Pick<IssueText, 'listed' | 'settled'> {
  const listed: ListedFinding[] = [];
  const settled: string[] = [];
  let block: string[] | undefined;
  const close = (): void => {
    if (block !== undefined) listed.push(listedIn(block));
    block = undefined;
  };
  for (const line of part.split(/\r?\n/)) {
    if (FINDING.test(line)) {
      close();
      block = [line];
    } else if (SETTLED.test(line)) {
      close();
      settled.push(line.trimEnd());
    } else if (block !== undefined && line.startsWith('  ')) block.push(line);
    else close();
  }
  close();
  return { listed, settled };
}

function listedIn(lines: readonly string[]): ListedFinding {
  const [, id = '', stack = '', since = ''] = FINDING.exec(lines[0] ?? '') ?? [];
  const boxes = lines.flatMap((line) => {
    const [, tick, decision] = BOX.exec(line) ?? [];
    return decision === undefined ? [] : [{ isTicked: tick !== ' ', decision: decision as Decision, line }];
  });
  const ignoring = boxes.find(({ decision }) => decision === 'ignore')?.line;
  return {
    id,
    stack,
    since,
    text: lines.map((line) => line.trimEnd()).join('\n'),
    ticked: boxes.flatMap(({ isTicked, decision }) => (isTicked ? [decision] : [])),
    isWaiting: lines.some((line) => WAITS.test(line)),
    until: /\d{4}-\d{2}-\d{2}/.exec(ignoring ?? '')?.[0],
    answer: lines.map((line) => ANSWER.exec(line)?.[1]?.trim()).find((answer) => answer !== undefined),
  };
}

/** A part as it is written: its head, what it lists, what is settled. */
interface WrittenPart {
  readonly key: string;
  readonly head: readonly string[];
  /** Each finding in forms of less and less text; the last one has little more than its mark. */
  readonly listed: readonly (readonly string[])[];
  readonly settled: readonly string[];
}

/** Settled findings that stay in an issue. */
const MOST_SETTLED = 20;

/** The text of an issue, of at most `limit` characters as long as what people wrote leaves room. */
export function issueText(part: WrittenPart, around: Pick<IssueText, 'before' | 'after'>, limit: number): string {
  const { key, head, listed } = part;
  const frame = (items: readonly string[], settled: readonly string[]): string =>
    [
      beginMark(key),
      ...head,
      ...(items.length === 0 ? [] : ['', ...items]),
      ...(settled.length === 0 ? [] : ['', '**Settled**', '', ...settled]),
      '',
      END,
    ].join('\n');
  const room = limit - around.before.length - around.after.length;
  const settled = part.settled.slice(0, MOST_SETTLED);
  const most = frame(
    listed.map(([longest = '']) => longest),
    settled,
  );
  const text = most.length <= room ? most : frame(fitted(listed, room - frame(['', REST], []).length), []);
  return `${around.before}${text}${around.after}`;
}

const REST = '… and more than fits in this text: the report of the review has all of them.';

/** The longest form of each item that leaves room for the shortest forms of the others; where not even those fit, the first ones. */
function fitted(listed: readonly (readonly string[])[], room: number): readonly string[] {
  const least = (forms: readonly string[]): number => (forms.at(-1) ?? '').length + 1;
  let reserved = listed.reduce((sum, forms) => sum + least(forms), 0);
  let free = room;
  const items: string[] = [];
  for (const forms of listed) {
    reserved -= least(forms);
    const form = forms.find((each) => each.length < free - reserved) ?? forms.at(-1) ?? '';
    if (form.length >= free) return [...items, REST];
    items.push(form);
    free -= form.length + 1;
  }
  return items;
}
