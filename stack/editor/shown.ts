// What is at a cursor once a stack is composed: the rendered values, each with the places that it comes from. Secrets are never shown.
// It must not know editors.
import { SECRET_WORD } from '../../provider';
import type { StackTrees } from '../bind/bind-stack';
import { newComposition } from '../compose/composition';
import { knownValue } from '../compose/known';
import { resolvedLines } from '../compose/resolved-file';
import { newReport, wayOf } from '../findings/finding';
import type { Choices } from '../compose/composition';
import { rangeText, type Range } from '../reader/source';
import type { Entry, MapNode, Node, Placed, ScalarNode } from '../reader/tree';
import { formatSteps } from '../values/interpolation';
import { narrowestAt, type Cursor } from './names';
import type { Sites } from './sites';

/** What is shown for a range. */
export interface ShownText {
  readonly at: Range;
  /** Markdown. */
  readonly text: string;
}

/** A stack as far as its values are shown. */
interface ShownStack {
  readonly trees: StackTrees;
  readonly sites: Sites;
  readonly choices: Choices;
  readonly secretConfig: ReadonlySet<string>;
}

/** A value of the composed tree. */
interface Value {
  readonly path: readonly string[];
  readonly entry: Entry;
}

/** Values that are shown for one place, and lines of each. */
const VALUES = 8;
const LINES = 20;

/** In place of a secret. */
const MASK = '(secret)';

/** What is at a cursor; undefined where it is as it is written. */
export function shownAt(stack: ShownStack, cursor: Cursor): ShownText | undefined {
  const { trees, sites } = stack;
  if (trees.composed === undefined) return undefined;
  const [reference] = narrowestAt(sites.names, cursor).filter(({ name }) => name[0] === 'config');
  if (reference && reference.role !== 'declaration') {
    return { at: reference.at, text: configText(stack, trees.composed, reference.name[1] ?? '') };
  }
  const [place] = narrowestAt(
    trees.written.flatMap((root) => placesIn(root)),
    cursor,
  );
  if (place === undefined) return undefined;
  const values = valuesAt(trees.composed, place.at, []);
  if (!values.some(({ entry }) => isChanged(entry.value) || isChanged(entry))) return undefined;
  const secrets = secretTexts(trees);
  const mask = (node: Node): Node => masked(node, trees.hidden, secrets);
  const shown = values
    .slice(0, VALUES)
    .map(({ path, entry }) => valueText(path, { ...entry, value: mask(entry.value) }));
  const more = values.length > VALUES ? [`… and ${values.length - VALUES} more places`] : [];
  return { at: place.at, text: [...shown, ...more].join('\n\n') };
}

/** Keys and single values of a tree. */
const placesIn = (node: Node): readonly Placed[] => {
  if (node.form === 'map') return node.entries.flatMap((entry) => [entry, ...placesIn(entry.value)]);
  if (node.form === 'list') return node.items.flatMap(placesIn);
  return node.form === 'scalar' ? [node] : [];
};

/** The outermost values that are written at a place, or came by it. */
function valuesAt(node: Node, at: Range, path: readonly string[]): readonly Value[] {
  const entries: readonly Entry[] =
    node.form === 'map'
      ? node.entries
      : node.form === 'list'
        ? node.items.map((value, index) => ({ key: String(index), value, path: value.path, at: value.at }))
        : [];
  return entries.flatMap((entry) => {
    const here = [...path, entry.key];
    const isHere = [entry, entry.value].some(
      (each) => isSame(each.at, at) || each.via?.some((via) => isSame(via.at, at)),
    );
    return isHere ? [{ path: here, entry }] : valuesAt(entry.value, at, here);
  });
}

const isSame = (left: Range, right: Range): boolean =>
  left.file === right.file && left.start.offset === right.start.offset && left.end.offset === right.end.offset;

/** Whether composing brought a value, or a part of it. */
function isChanged({ via, ...node }: Placed | Node): boolean {
  if (via?.some(({ how }) => how !== 'include')) return true;
  if ('entries' in node) return node.entries.some((entry) => isChanged(entry) || isChanged(entry.value));
  return 'items' in node && node.items.some(isChanged);
}

function valueText(path: readonly string[], entry: Entry): string {
  const root: MapNode = { form: 'map', entries: [entry], path: entry.path, at: entry.at };
  const lines = resolvedLines(root, entry.at.file).map(({ text, place }) => `${text}  # ${rangeText(place.at)}`);
  const cut = lines.length > LINES ? [...lines.slice(0, LINES), '…'] : lines;
  const way = wayOf(entry.value).map(({ at, text }) => `- ${text}: ${rangeText(at)}`);
  return [`**${formatSteps(path)}**`, '', '```yaml', ...cut, '```', ...(way.length === 0 ? [] : ['', ...way])].join(
    '\n',
  );
}

function configText({ trees, choices, secretConfig }: ShownStack, root: MapNode, name: string): string {
  const composition = newComposition(newReport([]), choices, secretConfig);
  const known = knownValue(composition, root, ['config', name]);
  const title = `**config.${name}**`;
  if ('message' in known && known.code !== 'secret-decides') return `${title}: ${known.message}`;
  const text = 'value' in known ? (JSON.stringify(known.value) ?? '') : '';
  const isSecret = 'message' in known || SECRET_WORD.test(name) || holdsAny(text, secretTexts(trees));
  return `${title} is \`${isSecret ? MASK : text}\`${choices.stack === undefined ? '' : ` in stack ${choices.stack}`}`;
}

/** The secrets that are written in a stack: they may have become part of other texts. */
function secretTexts({ written, composed, hidden }: StackTrees): ReadonlySet<string> {
  const texts = [...written, ...(composed ? [composed] : [])]
    .flatMap((root) => placesIn(root))
    .filter((place): place is ScalarNode => 'source' in place && hidden.some((range) => isInside(place.at, range)))
    .map(({ source }) => source);
  return new Set(texts.filter((text) => text !== '' && !text.startsWith('${')));
}

const isInside = (inner: Range, outer: Range): boolean =>
  inner.file === outer.file && inner.start.offset >= outer.start.offset && inner.end.offset <= outer.end.offset;

const holdsAny = (text: string, secrets: ReadonlySet<string>): boolean =>
  [...secrets].some((each) => text.includes(each));

/** The node with a mask in place of each secret. */
function masked(node: Node, hidden: readonly Range[], secrets: ReadonlySet<string>): Node {
  switch (node.form) {
    case 'map': {
      const entries = node.entries.map((entry) => {
        const isSecret = SECRET_WORD.test(entry.key) && entry.value.form === 'scalar';
        return { ...entry, value: isSecret ? maskedScalar(entry.value) : masked(entry.value, hidden, secrets) };
      });
      return { ...node, entries };
    }
    case 'list':
      return { ...node, items: node.items.map((item) => masked(item, hidden, secrets)) };
    case 'scalar': {
      const isHidden = hidden.some((range) => isInside(node.at, range)) || holdsAny(node.source, secrets);
      return isHidden ? maskedScalar(node) : node;
    }
    default:
      return node;
  }
}

/** A reference to a secret shows nothing of it. */
function maskedScalar(node: Node): Node {
  if (node.form !== 'scalar' || /^\$\{[^{}]*\}$/.test(node.source)) return node;
  return { ...node, value: MASK, source: MASK };
}
