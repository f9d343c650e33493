// What a terminal shows of a revert: its requests before they are sent, with every secret masked, and its progress.
import { fillPath, pathIn, type CallInput, type Dialect, type Route } from '../../api/contract';
import { fieldOf, valueIn, type Row } from '../../provider';
import type { SourceRecord } from '../review/subjects';

const MASK = '********';

/** How often a text may be encoded as JSON within JSON: an attribute's list in a text, in the body. */
const LEVELS = 3;

/** `PUT /acme/assemblies/shop {"cms_ci":…}`; `secrets` are masked in the body, however deep they are in texts of JSON. */
export function requestText(
  { dialect, organization }: { readonly dialect: Dialect; readonly organization: string },
  route: Route,
  { address = {}, body }: CallInput,
  secrets: readonly string[],
): string {
  const path = fillPath(pathIn(dialect, route), { organization, ...address });
  const line = `${route.method} ${path}`;
  if (body === undefined) return line;
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].sort((left, right) => right.length - left.length);
  return `${line} ${spellings.reduce((shown, secret) => shown.replaceAll(secret, MASK), JSON.stringify(body))}`;
}

/** A text as JSON spells it, and as JSON within JSON does. */
function spellingsOf(text: string): readonly string[] {
  const spellings: string[] = [];
  for (let spelling = text; spellings.length < LEVELS;) {
    spelling = JSON.stringify(spelling).slice(1, -1);
    spellings.push(spelling);
  }
  return spellings;
}

/** Texts of a record that are shown nowhere: those in secret arguments, at any depth. */
export function secretTexts({ kind, inputs, hidden }: SourceRecord): readonly string[] {
  const fields = Object.keys(inputs).filter((name) => fieldOf(kind, name)?.secret);
  const values = [
    ...fields.map((name) => inputs[name]),
    ...hidden.map(([name = '', ...steps]) => valueIn(inputs[name], steps)),
  ];
  return values.flatMap(leavesOf).filter((text) => text !== '');
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** Reports what goes on, each message once: a terminal keeps every line. `of`: whose messages they are, where several take turns. */
export function reportingRow(to: { tell(message: string): void }, of?: string): Row {
  const reported = new Set<string>();
  const report = (message: string): void => {
    if (reported.has(message)) return;
    reported.add(message);
    to.tell(of === undefined ? message : `${of}: ${message}`);
  };
  return { progress: report, notice: report };
}
