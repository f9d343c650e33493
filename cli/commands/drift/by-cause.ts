// A decision on a cause: on its findings, in the folder of each stack, as if called there.
import { existsSync } from 'node:fs';
import { readFleet, type FleetStack, type Review } from '../../../drift';
import type { ValuesOf } from '../../command';
import type { CAUSE_OPTION, CHOICE_OPTIONS } from '../../options';
import { EXIT, UsageError, exitCodeOf } from '../../exit';
import { named, textIn } from './sources';
import { inFolder } from '../../here/project';

/** The stack's name before a message, where there are several. */
export const inStack = (stack: string | undefined): string => (stack === undefined ? '' : `${stack}: `);

/** The words of a decision, as they are parsed. */
interface Asked<V> {
  readonly values: V;
  readonly positionals: string[];
}

/** A decision in one of several stacks: its name among them, and its part of the saved review. */
export interface InFleet {
  readonly stack?: string;
  readonly review?: Review;
}

/** `patch`: whether the standard output is a patch, and nothing else. */
type CauseValues = Pick<ValuesOf<typeof CHOICE_OPTIONS & typeof CAUSE_OPTION>, 'cause' | 'from' | 'stack'> & {
  readonly patch?: boolean;
  /** Every finding, without ids. */
  readonly all?: boolean;
};

/**
 * Runs a decision on findings, or on a cause in stack after stack: a failure in one stack stops no
 * other. Returns the exit code: `inPart` when some stacks were done, and that of the first when none
 * was.
 */
export async function decideOnFindingsOrCause<V extends CauseValues>(
  { values, positionals }: Asked<V>,
  decide: (own: Asked<V> & InFleet) => Promise<number>,
): Promise<number> {
  const { cause: id, from, patch = false, all = false } = values;
  if (id === undefined && positionals.length === 0 && !all)
    throw new UsageError('name at least one finding by its id: pulumi-oneops drift lists them');
  if (id === undefined) return decide({ values, positionals });
  if (positionals.length > 0) throw new UsageError('--cause names all of its findings: leave out the others');
  if (from === undefined)
    throw new UsageError(
      "--cause takes the saved review of a fleet: --from fleet.json, made by drift --all 'stacks/*' --json",
    );
  const fleet = readFleet(textIn(from));
  const cause = named(fleet.causes, id, `${from} has no cause ${id}: its "causes" list the ids`);
  const codes: number[] = [];
  for (const { stack: name, findings } of cause.stacks) {
    (patch ? process.stderr : process.stdout).write(`${name}:\n`);
    const stack = fleet.stacks.find((each) => each.name === name);
    codes.push(
      await decideIn(name, stack, (review) => {
        const own = { ...values, cause: undefined, from: undefined, stack: stack?.stack ?? values.stack };
        return decide({ values: own, positionals: [...findings], stack: name, review });
      }),
    );
  }
  const done = codes.filter((code) => code === 0).length;
  if (done < codes.length) process.stderr.write(`${done} of ${codes.length} stacks are done\n`);
  return done === codes.length ? EXIT.done : done > 0 ? EXIT.inPart : (codes[0] ?? EXIT.failed);
}

async function decideIn(
  name: string,
  stack: FleetStack | undefined,
  decide: (review: Review) => Promise<number>,
): Promise<number> {
  const { folder, review } = stack ?? {};
  if (review === undefined || folder === undefined) {
    process.stderr.write(
      `${name}: not decided: the stack was found in a backend, without its files; decide in the folder of its project\n`,
    );
    return EXIT.failed;
  }
  if (!existsSync(folder)) {
    process.stderr.write(`${name}: not decided: there is no folder ${folder} here; call this where the review ran\n`);
    return EXIT.failed;
  }
  try {
    return await inFolder(folder, () => decide(review));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    return exitCodeOf(error);
  }
}
