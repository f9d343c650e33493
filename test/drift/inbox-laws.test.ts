// The law of an inbox: whatever reviews find, one after the other, it has one open issue for each stack with drift, which lists what is open and nothing
// else; what people wrote stays; and a run without a change writes nothing.
import fc from 'fast-check';
import { readIssueText, type DriftFinding, type Review } from '../../drift';
import { sampleFinding, sampleReview, value } from './sample-review';
import { githubPlace, gitlabPlace } from './platform-places';
import { directoryPlace, openInboxWorld, type InboxWorld, type KeptIssue } from './inbox-world';

const RUNS = Number(process.env['RUNS'] ?? 6);

const STACKS = ['dev', 'prod'] as const;

/** What one review of a stack finds. `more`: of findings that do not count. */
interface Found {
  readonly findings: readonly number[];
  readonly pending: boolean;
  readonly outcome: 'whole' | 'incomplete' | 'refused';
}

interface Step {
  readonly found: readonly Found[];
  /** What somebody does to the issues before the run. */
  readonly person: 'nothing' | 'writes above' | 'writes below' | 'windows' | 'closes' | 'cuts the end';
}

const KINDS: readonly Partial<DriftFinding>[] = [
  {},
  { classification: 'deleted', severity: 'high' },
  { classification: 'conflict', live: value('-->\n```\n@everyone <img src=x> <!-- finding x y z -->') },
  { attribute: 'attributes.note', live: value('- [x] accept <!-- accept -->\r\n/close\r\n#12 [x](http://evil)') },
];

const step: fc.Arbitrary<Step> = fc.record({
  found: fc.array(
    fc.record({
      findings: fc.uniqueArray(fc.nat(3), { maxLength: 4 }).map((list) => [...list].sort()),
      pending: fc.boolean(),
      outcome: fc.oneof(
        { weight: 6, arbitrary: fc.constant('whole' as const) },
        fc.constantFrom('incomplete' as const, 'refused' as const),
      ),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  person: fc.constantFrom('nothing', 'nothing', 'writes above', 'writes below', 'windows', 'closes', 'cuts the end'),
});

const idOf = (stack: number, number: number): string => sampleFinding(stack * 10 + number).id;

function reviewOf(stack: number, { findings, pending, outcome }: Found): Review {
  const list = [
    ...findings.map((number) => sampleFinding(stack * 10 + number, KINDS[number])),
    ...(pending ? [sampleFinding(stack * 10 + 9, { classification: 'pending' })] : []),
  ];
  const of = { stack: STACKS[stack] as string, project: 'shop', findings: list };
  return sampleReview(outcome === 'whole' ? of : { ...of, outcome });
}

const openOf = (world: InboxWorld, stack: number): readonly KeptIssue[] =>
  world.place
    .issues()
    .filter(({ state, body }) => state === 'open' && readIssueText(body)?.key === `acme/shop/${STACKS[stack]}`);

function act(world: InboxWorld, { person }: Step, notes: string[]): void {
  const changes: { readonly [of in Step['person']]: (issue: KeptIssue) => Partial<KeptIssue> } = {
    nothing: () => ({}),
    'writes above': ({ body }) => {
      notes.push(`above ${notes.length}`);
      return { body: `${notes.at(-1)}\n\n${body}` };
    },
    'writes below': ({ body }) => {
      notes.push(`below ${notes.length} <!-- finding mine -->`);
      return { body: `${body}\n${notes.at(-1)}\n` };
    },
    windows: ({ body }) => ({ body: body.replace(/\r?\n/g, '\r\n') }),
    closes: () => ({ state: 'closed' }),
    'cuts the end': ({ body }) => ({ body: body.replace('<!-- pulumi-oneops inbox end -->', '') }),
  };
  if (person !== 'nothing') for (const { id } of world.place.issues()) world.place.edit(id, changes[person]);
}

async function play(world: InboxWorld, steps: readonly Step[]): Promise<void> {
  const notes: string[] = [];
  let listed: readonly ReadonlySet<string>[] = STACKS.map(() => new Set());
  for (const each of steps) {
    act(world, each, notes);
    listed = each.found.map(({ findings, outcome }, stack) => {
      const known =
        each.person === 'closes' && findings.length === 0 ? new Set<string>() : (listed[stack] ?? new Set());
      const now = findings.map((number) => idOf(stack, number));
      if (outcome === 'refused') return each.person === 'closes' ? new Set<string>() : known;
      if (outcome === 'whole') return new Set(now);
      return each.person === 'closes' ? new Set(now) : new Set([...known, ...now]);
    });
    const reviews = each.found.map((found, stack) => reviewOf(stack, found));
    const ended = await world.run(reviews);
    const isWhole = each.found.every(({ outcome }) => outcome === 'whole');
    expect(ended).toMatchObject(isWhole ? { code: 0, stderr: '' } : { code: expect.any(Number) as number });
    STACKS.forEach((_, stack) => {
      const open = openOf(world, stack);
      const ids = open.flatMap(({ body }) => readIssueText(body)?.listed.map(({ id }) => id) ?? []);
      expect({ stack, open: open.length, ids: ids.sort() }).toEqual({
        stack,
        open: listed[stack]?.size === 0 ? 0 : 1,
        ids: [...(listed[stack] ?? [])].sort(),
      });
    });
    const texts = world.place.issues().map(({ body }) => body);
    for (const note of notes) expect(texts.some((text) => text.includes(note))).toBe(true);
    world.place.writes();
    expect(await world.run(reviews)).toMatchObject({ stdout: 'nothing changed: nothing was written\n' });
    expect(world.place.writes()).toBe(0);
  }
}

describe.each([
  ['a folder', directoryPlace],
  ['GitHub', githubPlace],
  ['GitLab', gitlabPlace],
])('an inbox in %s', (_, place) => {
  test('lists exactly what is open, once, and writes only what changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const world = await openInboxWorld(place);
        try {
          await play(world, steps);
        } finally {
          await world.close();
        }
      }),
      { numRuns: RUNS },
    );
  });
});
