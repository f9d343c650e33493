// `pulumi-oneops drift baseline`: keeps what is found now, so that later reviews report what came since.
import { baselineOf } from '../../../drift';
import { parseWords, UsageError, type Command } from '../../command';
import { CHOICE_HELP, CHOICE_OPTIONS, reviewFrom } from './chosen';
import { replaceFile } from '../../replace-file';

const STANDARD_BASELINE = 'drift-baseline.json';

const HELP = `usage: pulumi-oneops drift baseline [FILE] [options]

Writes the current findings to a file (default ${STANDARD_BASELINE}), with digests in place of values. A review with --baseline FILE
leaves them out until their value changes again.

${CHOICE_HELP}

exit codes: 0 written, 1 wrong use; nothing was written: 3 not everything could be read, 4 the token is missing or refused,
5 so many records are missing that a wrong setting or a failure is more likely`;

/** The baseline command. */
export const baselineCommand: Command = {
  help: HELP,
  options: CHOICE_OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, CHOICE_OPTIONS);
    if (positionals.length > 1) throw new UsageError('baseline takes one file');
    const name = positionals[0] ?? STANDARD_BASELINE;
    const review = await reviewFrom(values);
    if (review.unread.length > 0) {
      process.stderr.write(`${review.unread.length} records could not be read: no baseline was written\n`);
      return 3;
    }
    if (review.outcome === 'refused') {
      process.stderr.write(`${review.summary}: no baseline was written\n`);
      return 5;
    }
    replaceFile(name, baselineOf(review));
    const { findings } = review;
    // Whoever keeps these in silence shall see it once.
    const parts = [
      [findings.filter(({ severity }) => severity === 'high').length, 'of high severity'],
      [findings.filter(({ classification }) => classification === 'deleted').length, 'deleted'],
    ] as const;
    const severe = parts.flatMap(([count, says]) => (count === 0 ? [] : [`, ${count} ${says}`])).join('');
    process.stdout.write(`written: ${name}, ${findings.length} finding${findings.length === 1 ? '' : 's'}${severe}\n`);
    return 0;
  },
};
