// Members: the map by which a DesignRelease or a Deployment knows every record declared in its stage (architecture §5).
// It must not know who builds the map, nor what is done with it.
import { addressNames, argumentFor, entryNames, openName, scopesOf, type Address, type Kind } from './kind';
import { oncePer } from './once-per';
import { isPlainObject } from './plain-object';
import { UNKNOWN } from './unknown';

/** A member's facts: stamp of our last write, whether the record is the pack's own, and what its options forbid. */
export interface Member {
  readonly revision: string;
  readonly pack: boolean;
  /** For a record of a pack: names of the declared entries of its open map, or of its declared arguments: what is given back. Old states lack it. */
  readonly declares?: readonly string[];
  readonly mark?: 'retain' | 'protect';
  /** What distinguishes it from others of its name (`Kind.distinguishedBy`), unless it is a pack's own, named like that. Old states lack it. */
  readonly type?: string;
  /** For a platform in an environment: whether it is declared to be down. */
  readonly down?: true;
}

/**
 * The part of a member's text that is no news when it changes: states of 0.1.0 do not have the type, and programs that put the output `origin` into
 * the text say of a record of their own that it is `own:size`.
 */
export const MEMBER_TYPE = /( (type:|own\b)\S*)+/;

/**
 * Path of a record below its assembly (`web/deployer/motd`, `$LOG_LEVEL`, `web/$HEAP`), or, of an environment's record, below that (`web/east`,
 * `web/+tomcat`, `$LOG_LEVEL`); an environment's own is `environment`. `of` is in the record's scope.
 */
export function memberPath(of: Kind, address: Address): string {
  const names = namesInside(of);
  if (names.length === 0) return argumentFor(of);
  if (
    of.stage === 'environment' &&
    names.length === 1 &&
    markOf(of, names, 0) + (address[names[0] ?? ''] ?? '') === HOLDER
  )
    return `${HOLDER}!`;
  return names.map((name, index) => `${markOf(of, names, index)}${address[name] ?? ''}`).join('/');
}

/** What a part of a kind's paths begins with. */
const markOf = ({ memberMark = '', memberMarks = {} }: Kind, names: readonly string[], index: number): string =>
  memberMarks[names[index] ?? ''] ?? (index === names.length - 1 ? memberMark : '');

/** The path of an environment itself. The path of a platform with this name gets a mark at its end, which no name contains. */
const HOLDER = 'environment';

/** The kind, in its scope, that a path is of, and the address part that the path shows; undefined when there is none. */
export function parseMemberPath(
  kinds: readonly Kind[],
  stage: Kind['stage'],
  path: string,
): { readonly of: Kind; readonly inside: Address } | undefined {
  if (stage === 'environment' && path === HOLDER) return undefined;
  const parts = path === `${HOLDER}!` ? [HOLDER] : path.split('/');
  const marks = parts.map((part) => /^[^A-Za-z0-9]*/.exec(part)?.[0] ?? '');
  const of = inAnyScope(kinds).find((each) => {
    const names = namesInside(each);
    const isAlike = each.stage === stage && names.length === parts.length;
    return isAlike && marks.every((mark, index) => mark === markOf(each, names, index));
  });
  if (of === undefined) return undefined;
  const words = parts.map((part, index) => part.slice(marks[index]?.length));
  return { of, inside: Object.fromEntries(namesInside(of).map((name, index) => [name, words[index] ?? ''])) };
}

/** Each kind in each of its scopes. */
const inAnyScope: (kinds: readonly Kind[]) => readonly Kind[] = oncePer((kinds) => kinds.flatMap(scopesOf));

/** Names of a kind's address below the assembly, or the environment, whose members it is among; none for an environment itself. */
const namesInside: (of: Kind) => readonly string[] = oncePer((of) => {
  const outer = of.stage === 'design' ? ['assembly'] : ['assembly', 'environment'];
  const names = addressNames(of);
  return outer.every((name) => names.includes(name)) ? names.filter((name) => !outer.includes(name)) : [];
});

/** `"1332 pack:size,ports protect"`, `"1333 type:user"`. */
export function formatMember({ revision, pack, declares, mark, type, down }: Member): string {
  const born = declares === undefined ? 'pack' : `pack:${[...declares].sort().join(',')}`;
  const own = type === undefined ? [] : [`type:${type}`];
  return [revision, ...(pack ? [born] : []), ...own, ...(mark ? [mark] : []), ...(down ? ['down'] : [])].join(' ');
}

/** The names that a member lists: declared arguments that the service stores, and for `memberListsValuesOf` each of its values. */
export function listedNames(of: Kind, args: { readonly [name: string]: unknown }): readonly string[] {
  const open = openName(of);
  const names = entryNames(args).filter((name) => ['attribute', 'member'].includes(of.fields[name]?.channel ?? ''));
  // Next to the entries of its open map, which have no mark.
  if (open !== undefined)
    return names.filter((name) => ![open, of.distinguishedBy].includes(name)).map((name) => `.${name}`);
  return names.flatMap((name) => (name === of.memberListsValuesOf ? valueNames(name, args[name]) : [name]));
}

/** The values of an argument, as `scale.compute.current`; one entry for all of them while they are not known. */
const valueNames = (argument: string, value: unknown): readonly string[] =>
  isPlainObject(value)
    ? entryNames(value).flatMap((key) => entryNames(value[key]).map((name) => `${argument}.${key}.${name}`))
    : [String(value)];

/** The facts back from their text. */
export function parseMember(value: string): Member {
  const [revision = '', ...words] = value.split(' ');
  const mark = words.find((word) => word === 'retain' || word === 'protect');
  const [born, names] = words.find((word) => /^pack(:|$)/.test(word))?.split(':') ?? [];
  const declares = names?.split(',').filter((name) => name !== '');
  const type = words.find((word) => word.startsWith('type:'))?.slice('type:'.length);
  return {
    revision,
    pack: born !== undefined,
    ...(declares ? { declares } : {}),
    ...(mark ? { mark } : {}),
    ...(type ? { type } : {}),
    ...(words.includes('down') ? { down: true } : {}),
  };
}

/** Members that were declared and no longer are, and those whose revision changed or that are new. Of a map that is not known yet: none. */
export function compareMembers(
  olds: unknown,
  news: unknown,
): { readonly removed: readonly string[]; readonly written: readonly string[] } {
  if (news === UNKNOWN) return { removed: [], written: [] };
  const before = entries(olds);
  const after = entries(news);
  return {
    removed: [...before.keys()].filter((path) => !after.has(path)),
    written: [...after].filter(([path, value]) => newsIn(before.get(path)) !== newsIn(value)).map(([path]) => path),
  };
}

const newsIn = (value: unknown): unknown => (typeof value === 'string' ? value.replace(MEMBER_TYPE, '') : value);

function entries(members: unknown): Map<string, unknown> {
  return new Map(typeof members === 'object' && members !== null ? Object.entries(members) : []);
}
