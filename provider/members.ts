// Members: the map by which a DesignRelease or a Deployment knows every record declared in its stage (architecture §5).
// It must not know who builds the map, nor what is done with it.
import { addressNames, type Kind } from './kind';

/** A member's facts: stamp of our last write, whether the record is the pack's own, and what its options forbid. */
export interface Member {
  readonly revision: string;
  readonly pack: boolean;
  readonly mark?: 'retain' | 'protect';
}

/** Path of a record below its assembly (`web/deployer/motd`), or, of an environment's record, below that (`web/east`). */
export function memberPath(of: Kind, address: { readonly [name: string]: string }): string {
  const outer = of.stage === 'design' ? ['assembly'] : ['assembly', 'environment'];
  return addressNames(of)
    .filter((name) => !outer.includes(name))
    .map((name) => address[name])
    .join('/');
}

/** `"1332 pack protect"`. */
export function formatMember(member: Member): string {
  return [member.revision, ...(member.pack ? ['pack'] : []), ...(member.mark ? [member.mark] : [])].join(' ');
}

/** The facts back from their text. */
export function parseMember(value: string): Member {
  const [revision = '', ...words] = value.split(' ');
  const mark = words.find((word) => word === 'retain' || word === 'protect');
  return { revision, pack: words.includes('pack'), ...(mark ? { mark } : {}) };
}

/** Members that were declared and no longer are, and those whose revision changed or that are new. */
export function compareMembers(
  olds: unknown,
  news: unknown,
): { readonly removed: readonly string[]; readonly written: readonly string[] } {
  const before = entries(olds);
  const after = entries(news);
  return {
    removed: [...before.keys()].filter((path) => !after.has(path)),
    written: [...after].filter(([path, value]) => before.get(path) !== value).map(([path]) => path),
  };
}

function entries(members: unknown): Map<string, unknown> {
  return new Map(typeof members === 'object' && members !== null ? Object.entries(members) : []);
}
