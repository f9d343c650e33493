// `pulumi-oneops drift` without a decision: makes a review, shows it, and says by its exit code what came of it.
// It must not know how differences are found.
import { UsageError, type Command } from '../../command';

const HELP = `usage: pulumi-oneops drift [FILE] [options]`;

/** The review. */
export const reviewCommand: Command = {
  help: HELP,
  run: async () => {
    throw new UsageError('there is no review yet');
  },
};
