// `pulumi-oneops drift baseline`: keeps what is found now, so that later reviews tell what came since.
// It must not know what a baseline holds.
import { baselineOf } from '../../../drift';
import { parseWords, UsageError, type Command } from '../../command';
import { CHOICE_HELP, CHOICE_OPTIONS, reviewFrom } from './chosen';
import { replaceFile } from './replace-file';

const STANDARD_BASELINE = 'drift-baseline.json';

const HELP = `usage: pulumi-oneops drift baseline [FILE] [options]

Writes the present findings to a file (default ${STANDARD_BASELINE}), values as digests only. A review with --baseline FILE keeps them
out, until their value moves again.

${CHOICE_HELP}

exit codes: 0 written, 1 wrong use, 3 not everything could be read, 5 so much is gone at once that it is taken for trouble: with 3 and 5
nothing was written`;

/** The baseline command. */
export const baselineCommand: Command = {
  help: HELP,
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
    process.stdout.write(`written: ${name}, ${review.findings.length} findings\n`);
    return 0;
  },
};
