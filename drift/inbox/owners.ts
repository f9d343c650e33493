// Who owns a file of the repository, as a CODEOWNERS file says: GitHub's syntax, and GitLab's with its sections.

/** Where a repository keeps it; the first one that exists counts. */
export const OWNER_FILES: { readonly [syntax in OwnerSyntax]: readonly string[] } = {
  github: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  gitlab: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
};

/** `gitlab`: a path without a slash at its beginning matches at any depth. */
export type OwnerSyntax = 'github' | 'gitlab';

interface OwnerRule {
  /** Name of its section in lower case; empty outside of sections. */
  readonly section: string;
  readonly pattern: RegExp;
  readonly owners: readonly string[];
}

/** The owners of a path below the repository's root, in the order of the file. In each section, the last rule that matches counts. */
export function ownersIn(text: string, path: string, syntax: OwnerSyntax): readonly string[] {
  const last = new Map<string, readonly string[]>();
  for (const { section, pattern, owners } of rulesOf(text, syntax)) if (pattern.test(path)) last.set(section, owners);
  return [...new Set([...last.values()].flat())];
}

const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?(.*)$/;

function rulesOf(text: string, syntax: OwnerSyntax): readonly OwnerRule[] {
  let section = '';
  let standard: readonly string[] = [];
  return text.split(/\r?\n/).flatMap((line): readonly OwnerRule[] => {
    const bare = line.replace(/(^|\s)#.*$/, '').trim();
    const [, name, owners = ''] = SECTION.exec(bare) ?? [];
    if (name !== undefined) {
      section = name.trim().toLowerCase();
      standard = wordsOf(owners);
      return [];
    }
    const [path, ...own] = wordsOf(bare);
    if (path === undefined) return [];
    return [{ section, pattern: patternOf(path, syntax), owners: own.length === 0 ? standard : own }];
  });
}

/** Words between spaces; `\ ` is a space in a word, `\#` a number sign. */
const wordsOf = (text: string): readonly string[] =>
  (text.match(/(?:\\.|[^\s\\])+/g) ?? []).map((word) => word.replace(/\\(.)/g, '$1'));

/** `*` matches within a folder, `**` folders, too; a folder owns what is below it. */
function patternOf(path: string, syntax: OwnerSyntax): RegExp {
  const isAnchored = path.startsWith('/') || (syntax === 'github' && /\/./.test(path));
  const bare = path.replace(/^\//, '').replace(/\/$/, '');
  const body = bare
    .split(/(\*\*\/|\*+|\?)/)
    .map((piece) => {
      if (piece === '**/') return '(?:.*/)?';
      if (piece === '*') return '[^/]*';
      if (piece === '?') return '[^/]';
      return /^\*+$/.test(piece) ? '.*' : piece.replace(/[.+^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  // "docs/*" owns the files in docs, not those of its folders.
  const below = path.endsWith('/') ? '/.*' : bare.endsWith('/*') ? '' : '(?:/.*)?';
  return new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${body}${below}$`);
}
