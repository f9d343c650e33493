// Users of `pulumi-oneops serve`, as the command line, a file or the environment names them.
// It must not know where a text came from beyond its name, nor how a service keeps users.
import { UsageError } from '../command';

/** A user the service is started with. */
export interface ServedUser {
  readonly name: string;
  readonly token: string;
  readonly rights: 'full' | 'read';
  /** Left out: no token over HTTP for a password. */
  readonly password?: string;
  /** Left out: all organizations. */
  readonly organizations?: readonly string[];
  /** Left out: all rights, or those of a reader. */
  readonly teams?: readonly string[];
}

/** What a line says: a user who writes, reads or has the rights of teams, or the password of one. */
export const USER_KINDS = ['user', 'reader', 'member', 'password'] as const;
type UserKind = (typeof USER_KINDS)[number];

/** One user, or one password, as it was written. */
interface UserLine {
  readonly kind: UserKind;
  /** Holds a token or password: no error repeats it. */
  readonly text: string;
  /** Where it was written, for errors. */
  readonly place: string;
}

/** The lines of a text, `user NAME:TOKEN` each; empty ones and those that begin with `#` count for nothing. Throws UsageError. */
export function userLinesIn(text: string, source: string): readonly UserLine[] {
  return text.split(/\r?\n/).flatMap((line, index): UserLine[] => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return [];
    const place = `${source}, line ${index + 1}`;
    const [, word, rest = ''] = /^\s*(\S+)\s+(.*)$/s.exec(line) ?? [];
    const kind = USER_KINDS.find((each) => each === word);
    if (kind === undefined)
      throw new UsageError(`${place}: a line begins with one of the words ${USER_KINDS.join(', ')}`);
    return [{ kind, text: kind === 'password' ? rest : rest.trim(), place }];
  });
}

/** The users that lines name. Throws UsageError for a user or a token that exists twice, and for a password of nobody. */
export function servedUsers(lines: readonly UserLine[]): readonly ServedUser[] {
  const users = lines.filter(({ kind }) => kind !== 'password').map(userOf);
  users.forEach((user, index) => {
    const earlier = users.slice(0, index);
    if (earlier.some(({ name }) => name === user.name)) throw new UsageError(`user "${user.name}" is given twice`);
    const same = earlier.find(({ token }) => token === user.token);
    if (same !== undefined)
      throw new UsageError(`users "${same.name}" and "${user.name}" have the same token: give each a different one`);
  });
  const passwords = new Map(lines.filter(({ kind }) => kind === 'password').map((line) => passwordOf(line, users)));
  return users.map((user) => {
    const password = passwords.get(user.name);
    return password === undefined ? user : { ...user, password };
  });
}

/** `NAME:PASSWORD` as name and password; a password may hold colons. */
function passwordOf({ text, place }: UserLine, users: readonly ServedUser[]): readonly [string, string] {
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (name === '' || password === '') throw new UsageError(`${place} takes NAME:PASSWORD`);
  if (!users.some((user) => user.name === name)) throw new UsageError(`${place} names "${name}", who is no user here`);
  return [name, password];
}

/** `NAME:TOKEN`, `NAME:TOKEN:ORGANIZATION,…` or, of a member, `NAME:TOKEN:TEAM,…`. */
function userOf({ kind, text, place }: UserLine): ServedUser {
  const [name = '', token = '', list, ...more] = text.split(':');
  const names = list?.split(',');
  const isMember = kind === 'member';
  // A token ends at its first colon when it is sent, so it cannot contain one.
  if (
    name === '' ||
    token === '' ||
    more.length > 0 ||
    names?.includes('') === true ||
    (isMember && names === undefined)
  ) {
    const forms = isMember ? 'NAME:TOKEN:TEAM,TEAM' : 'NAME:TOKEN or NAME:TOKEN:ORGANIZATION,ORGANIZATION';
    throw new UsageError(`${place} takes ${forms}; a token contains no colon`);
  }
  const rights = kind === 'reader' ? 'read' : 'full';
  if (names === undefined) return { name, token, rights };
  return isMember ? { name, token, rights, teams: names } : { name, token, rights, organizations: names };
}
