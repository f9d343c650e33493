// `pulumi-oneops drift merge`: one review of a fleet from the results of its shards.
import {
  exitCodeOf,
  FLEET_FORMATS,
  mergeFleets,
  OLDEST_HOURS,
  readFleet,
  renderFleet,
  StaleResults,
  type Fleet,
} from '../../../drift';
import { parseWords, UsageError, type Command } from '../../command';
import { fleetCodeOf } from './fleet';
import { earlierIn, reportsOf, show } from './reports';
import { numberOf, textIn } from './sources';

const HELP = `usage: pulumi-oneops drift merge FILE... [options]

Joins the results of shards (drift --all FOLDERS --shard N/OF --json > FILE) into the review of the whole fleet. Sends no request. If the
result of a shard is missing, the review is incomplete, and says which. It says
when the results began. Results that began more than an hour before the latest are
left out, and their shards are missing. If even the latest is old, nothing is joined
and no report is written: metrics of before stay.

  --max-age HOURS       age from which on the latest result is too old; default ${OLDEST_HOURS}

  --report FORMAT=FILE  writes a report; can be repeated; without =FILE to the standard output
                        formats: ${FLEET_FORMATS.join(', ')}
  --json                the same as --report json

exit codes: those of the review: 0 nothing counts, 1 wrong use, 2 drift, 3 not everything could be read, or the results are old, 4 the token is missing or refused,
5 so many records of a stack are missing that a wrong setting or a failure is more likely`;

const OPTIONS = {
  report: { type: 'string', multiple: true, default: [] as string[] },
  'max-age': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** The merge command. */
export const mergeCommand: Command = {
  help: HELP,
  options: OPTIONS,
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length === 0) throw new UsageError('merge takes the files of the shards');
    const reports = reportsOf(values, FLEET_FORMATS);
    const maxAge = numberOf('--max-age', values['max-age']);
    const given = positionals.map((name) => ({ name, fleet: readFleet(textIn(name)) }));
    const fleet = joined(given, { maxAge });
    if (fleet === undefined) return Promise.resolve(exitCodeOf('incomplete'));
    show(reports, ({ format, file }, options) =>
      renderFleet(format, fleet, { ...options, ...earlierIn(format, file) }),
    );
    return Promise.resolve(fleetCodeOf(fleet));
  },
};

/** The review of the fleet; undefined, after the reason is printed, when the results are too old. */
function joined(...given: Parameters<typeof mergeFleets>): Fleet | undefined {
  try {
    return mergeFleets(...given);
  } catch (error) {
    if (!(error instanceof StaleResults)) throw error;
    process.stderr.write(`pulumi-oneops: ${error.message}\n`);
    return undefined;
  }
}
