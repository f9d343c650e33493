// `pulumi-oneops drift merge`: one review of a fleet from the results of its shards.
import { FORMATS, mergeFleets, OLDEST_HOURS, readFleet, StaleResults, type Fleet } from '../../../drift';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { reviewCodeOf, reportsOf, show } from './reports';
import { numberOf, textIn } from './sources';
import { reportOptions, text } from '../../options';

export const command = commandOf({
  usage: ['drift merge FILE... [options]'],
  about: `Joins the results of shards (drift --all FOLDERS --shard N/OF --json > FILE) into the review
of the whole fleet. Sends no request. If the result of a shard is missing, the review is incomplete,
and says which. It says when the results began. Results that began more than an hour before the latest
are left out, and their shards are missing. If even the latest is old, nothing is joined and no report
is written: metrics of before stay.`,
  options: {
    'max-age': text('HOURS', `age from which on the latest result is too old; default ${OLDEST_HOURS}`),
    ...reportOptions(FORMATS),
  },
  exits: {
    done: 'nothing counts',
    differs: 'drift, or not deployed',
    notLetIn: 'the token was missing or refused',
    policy: 'only mandatory policies are broken',
    inPart: 'not everything could be read, or the results are old',
  },
  run({ values, positionals }) {
    if (positionals.length === 0) throw new UsageError('merge takes the files of the shards');
    const reports = reportsOf(values);
    const maxAge = numberOf('--max-age', values['max-age']);
    const given = positionals.map((name) => ({ name, fleet: readFleet(textIn(name)) }));
    const fleet = joined(given, { maxAge });
    if (fleet === undefined) return EXIT.inPart;
    show(reports, fleet);
    return reviewCodeOf(fleet);
  },
});

function joined(...given: Parameters<typeof mergeFleets>): Fleet | undefined {
  try {
    return mergeFleets(...given);
  } catch (error) {
    if (!(error instanceof StaleResults)) throw error;
    process.stderr.write(`pulumi-oneops: ${error.message}\n`);
    return undefined;
  }
}
