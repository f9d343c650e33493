// `pulumi-oneops drift diff`: what changed from one saved review to another.
import { compareReviews, readReview, findingSubject, type DriftFinding } from '../../../drift';
import { parseWords, type Command } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { textIn } from './sources';
import { flag } from '../../options';

const MARKS = { new: '+', changed: '~', gone: '-', ignored: 'i', unread: '?' } as const;

const OPTIONS = { json: flag('as JSON, findings in full') } as const;

export const diffCommand: Command = {
  usage: ['drift diff OLD NEW [options]'],
  about: 'Compares two saved reviews (drift --json > FILE): what is new, gone, changed and the same.',
  options: OPTIONS,
  exits: { done: 'nothing new', differs: 'something is new or has changed' },
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [older, newer] = positionals;
    if (older === undefined || newer === undefined || positionals.length > 2)
      throw new UsageError('diff takes two reviews');
    const compared = compareReviews(readReview(textIn(older)), readReview(textIn(newer)));
    const told = { ...compared, changed: compared.changed.map(({ now }) => now) };
    if (values.json) process.stdout.write(`${JSON.stringify(compared, null, 2)}\n`);
    else {
      for (const [name, mark] of Object.entries(MARKS) as [keyof typeof MARKS, string][])
        for (const finding of told[name]) process.stdout.write(`${mark} ${lineOf(finding)}\n`);
      const counts = [...Object.keys(MARKS), 'same'].map((name) => `${told[name as keyof typeof told].length} ${name}`);
      process.stdout.write(`${counts.join(', ')}\n`);
    }
    return Promise.resolve(compared.new.length + compared.changed.length > 0 ? EXIT.differs : EXIT.done);
  },
};

const lineOf = (finding: DriftFinding): string =>
  `${finding.id} ${finding.severity} ${findingSubject(finding)}: ${finding.classification}`;
