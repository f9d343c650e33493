// Blocks of tests for each dialect, in a world that is new in each test; rows of tables for each
// kind.
import { DIALECTS, type Dialect } from '../../api/contract';
import { type Kind, scopesOf } from '../../provider';
import { kinds } from '../../provider/kinds';
import { rowsInTurn, testInTurn } from '../dialects-in-turn';
import { eachWorld, titleOf, type World } from './world';

/** `test` plays in one dialect, by turns, what both promise. `title`: with `%s` for the dialect. */
export const eachDialect = (
  title: string,
  block: (test: ReturnType<typeof testInTurn>, world: World, dialect: Dialect) => void,
): void => describe.each(DIALECTS)(title, (dialect) => block(testInTurn(dialect), eachWorld(dialect), dialect));

/** Every kind in each of its scopes, with its title. */
export const TITLED: readonly (readonly [title: string, of: Kind])[] = kinds
  .flatMap(scopesOf)
  .map((of) => [titleOf(of), of]);

/** A row for each kind in each of its scopes, played in one dialect by turns. */
export const kindsInTurn = (
  which: (of: Kind) => boolean = () => true,
): readonly (readonly [dialect: Dialect, title: string, of: Kind])[] =>
  rowsInTurn(TITLED.filter(([, of]) => which(of)));
