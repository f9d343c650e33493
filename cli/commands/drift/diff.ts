// `pulumi-oneops drift diff`: what changed from one saved review to another.
import { compareReviews, readReview, findingSubject, type DriftFinding } from '../../../drift';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { textIn } from './sources';
import { flag } from '../../options';

const MARKS = { new: '+', changed: '~', gone: '-', ignored: 'i', unread: '?' } as const;

export const command = commandOf({
  usage: ['drift diff OLD NEW [options]'],
  about: 'Compares two saved reviews (drift --json > FILE): what is new, gone, changed and the same.',
  options: { json: flag('as JSON, findings in full') },
  exits: { done: 'nothing new', differs: 'something is new or has changed' },
  run({ positionals: [older, newer, ...more], print }) {
    if (older === undefined || newer === undefined || more.length > 0) throw new UsageError('diff takes two reviews');
    const compared = compareReviews(readReview(textIn(older)), readReview(textIn(newer)));
    const listed = { ...compared, changed: compared.changed.map(({ now }) => now) };
    print(compared, () => {
      const marks = Object.entries(MARKS) as [keyof typeof MARKS, string][];
      const lines = marks.flatMap(([name, mark]) => listed[name].map((finding) => `${mark} ${lineOf(finding)}`));
      const counts = [...marks.map(([name]) => name), 'same' as const].map((name) => `${listed[name].length} ${name}`);
      return `${[...lines, counts.join(', ')].join('\n')}\n`;
    });
    return compared.new.length + compared.changed.length > 0 ? EXIT.differs : EXIT.done;
  },
});

const lineOf = (finding: DriftFinding): string =>
  `${finding.id} ${finding.severity} ${findingSubject(finding)}: ${finding.classification}`;
