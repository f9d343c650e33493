// Writes a value into a YAML text. The text must contain the old value once, and not composed.
import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  Scalar,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { type FilePlace, editedYaml } from '../../stack';

/** Why something cannot be accepted, and where to look. */
export interface Obstacle {
  readonly reason: string;
  readonly at?: FilePlace;
}

/** The text with a value at a path of keys; undefined takes the entry out. */
export function withValue(text: string, path: readonly string[], value: unknown): { readonly text: string } | Obstacle {
  let reason: string | undefined;
  const edited = editedYaml(text, (document) => {
    const before = commentsIn(document);
    reason = put(document, path, value);
    if (reason === undefined && value !== undefined && commentsIn(document).length < before.length)
      reason = 'comments of its parts would get lost';
  });
  return reason === undefined ? { text: edited } : { reason };
}

const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

function put(document: Document, path: readonly string[], value: unknown): string | undefined {
  let holder: Pair<unknown, unknown> | undefined;
  let map = document.contents as unknown;
  for (const [index, key] of path.entries()) {
    const shared = obstacleAt(map);
    if (shared !== undefined) return shared;
    const rest = path.slice(index + 1);
    const isEmpty = map === null || (isScalar(map) && map.value === null);
    if (holder !== undefined && isEmpty) {
      if (value === undefined) return 'it is not in the file';
      holder.value = replaced(document, map, nested(path.slice(index), value));
      return undefined;
    }
    if (!isMap(map)) return 'the file says it in short: write it as a map first';
    const pair = map.items.find((each) => keyOf(each) === key);
    if (pair === undefined) {
      if (map.items.some((each) => keyOf(each) === '<<')) return 'a merge key brings what is there';
      if (value === undefined) return 'it is not in the file';
      map.add(document.createPair(key, nested(rest, value)));
      return undefined;
    }
    if (rest.length === 0) return set(document, map, pair, value);
    holder = pair;
    map = pair.value;
  }
  return 'the file cannot be without it';
}

const nested = (keys: readonly string[], value: unknown): unknown =>
  keys.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);

function set(document: Document, map: YAMLMap, pair: Pair<unknown, unknown>, value: unknown): string | undefined {
  const old = pair.value;
  const shared = obstacleAt(old) ?? obstacleWithin(old, value === undefined && isMap(old));
  if (shared !== undefined) return shared;
  if (value === undefined) map.items.splice(map.items.indexOf(pair), 1);
  else if (isScalar(old) && (typeof value !== 'object' || value === null)) {
    // A text stays a text, and a number a number.
    if (typeof old.value === 'number' && String(Number(value)) === value) old.value = Number(value);
    else old.value = typeof old.value === 'string' && typeof value === 'number' ? String(value) : value;
    if (typeof value === 'string' && value.includes('\n') && !old.type?.startsWith('BLOCK'))
      old.type = Scalar.QUOTE_DOUBLE;
    delete old.format;
    delete old.minFractionDigits;
  } else pair.value = replaced(document, old, value);
  return undefined;
}

function replaced(document: Document, old: unknown, value: unknown): Node {
  const node = document.createNode(value) as Node;
  const { comment, commentBefore, spaceBefore } = (old ?? {}) as Node;
  if (isCollection(old) && old.flow === true && isCollection(node)) node.flow = true;
  return Object.assign(
    node,
    comment ? { comment } : {},
    commentBefore ? { commentBefore } : {},
    spaceBefore ? { spaceBefore } : {},
  );
}

/** An alias, an anchor or a function: others use the value, or it is written in another place. */
function obstacleAt(node: unknown, isLeaving = false): string | undefined {
  if (isAlias(node)) return `it is an alias, *${node.source}: its value is where the anchor is, and others use it, too`;
  if ((isScalar(node) || isCollection(node)) && node.anchor)
    return `it has the anchor &${node.anchor}: what uses it would change, too`;
  const call = isMap(node) && !isLeaving ? node.items.map(keyOf).find((key) => key.startsWith('fn::')) : undefined;
  return call === undefined ? undefined : `its value comes from ${call}: change it there`;
}

/** What a value is made of, if it is not literal. `isLeaving`: only what others use counts. */
function obstacleWithin(node: unknown, isLeaving: boolean): string | undefined {
  let found: string | undefined;
  if (!isScalar(node) && !isCollection(node)) return undefined;
  visit(node, (_, each) => {
    const text = isScalar(each) && typeof each.value === 'string' ? each.value : '';
    const reference = /(?<!\$)(?:\$\$)*(\$\{[^}]*\}?)/.exec(text)?.[1];
    found ??=
      isLeaving || reference === undefined
        ? obstacleAt(each, isLeaving)
        : `its value comes from ${reference}: change it there`;
    return found === undefined ? undefined : visit.BREAK;
  });
  return found;
}

function commentsIn(document: Document): readonly string[] {
  const found: string[] = [];
  const add = ({ comment, commentBefore }: { comment?: string | null; commentBefore?: string | null }): void =>
    void found.push(...[comment, commentBefore].flatMap((each) => each?.split('\n') ?? []));
  add(document);
  visit(document, { Node: (_, node) => add(node) });
  return found;
}
