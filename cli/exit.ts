// What the exit code of a command says: one table for all commands.
import { BadSettings, Forbidden, NamedError, Unauthenticated, WrongInput } from '../api/errors';

export const EXIT = { done: 0, failed: 1, differs: 2, wrong: 3, notLetIn: 4, policy: 5, inPart: 6 } as const;
export type ExitName = keyof typeof EXIT;

/** What a code means where a command does not say more. */
export const EXIT_WORDS: { readonly [name in ExitName]: string } = {
  done: 'done',
  failed: 'could not be done',
  differs: 'something differs',
  wrong: 'wrong use, a wrong file or wrong settings',
  notLetIn: 'the token is missing, or the service refuses it',
  policy: 'a mandatory policy is broken',
  inPart: 'not everything could be read, or done',
};

/** A word that nothing is called, and the words that it may be a mistake for. */
interface UnknownWord {
  readonly word: string;
  readonly known: readonly string[];
}

/** Wrong arguments of a command. `unknown`: the message adds the nearest known word. */
export class UsageError extends WrongInput {
  constructor(
    message: string,
    readonly unknown?: UnknownWord,
  ) {
    super(message);
  }
}

/** There is no token, or the service refuses it. */
export class Unauthorized extends NamedError {}

/** Whether a failure says that the service lets nobody in with this token. */
export const isNotLetIn = (error: unknown): boolean =>
  error instanceof Unauthorized || error instanceof Unauthenticated || error instanceof Forbidden;

/** The exit code of a command that ends with an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof WrongInput || error instanceof BadSettings) return EXIT.wrong;
  return isNotLetIn(error) ? EXIT.notLetIn : EXIT.failed;
}
