// A block of tests for each dialect of the service, in a world that is new in each test.
import { DIALECTS, type Dialect } from '../../api/contract';
import { testInTurn } from '../dialects-in-turn';
import { eachWorld, type World } from './world';

/** `test` plays what both dialects promise in one of them, by turns. `title`: with `%s` for the dialect. */
export const eachDialect = (
  title: string,
  block: (test: ReturnType<typeof testInTurn>, world: World, dialect: Dialect) => void,
): void => describe.each(DIALECTS)(title, (dialect) => block(testInTurn(dialect), eachWorld(dialect), dialect));
