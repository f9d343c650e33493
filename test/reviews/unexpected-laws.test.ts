// The promise of a review for what nobody declares: each attribute of every record that comes with an environment, set there by another user, is
// found, named and attributed, and is no longer in the review once it was given back.
import { addressOf, formatId, scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type Lifecycle } from '../../provider/lifecycle';
import {
  acceptFindings,
  applyReversals,
  planRevert,
  recordFindings,
  type DriftFinding,
  type Review,
  type ReviewOptions,
} from '../../drift';
import { rowsInTurn } from '../dialects-in-turn';
import { ACCEPTING, type Kept, NO_RULES, revertingIn, reviewIn, rulesOf } from '../world/drift-world';
import { tampered, tamperings } from '../world/tampering';
import { eachWorld, ROW, titleOf } from '../world/world';

/** Attributes that cannot be set alone, and why. */
const NOT_ALONE: { readonly [path: string]: string } = {
  'Variable.comments': 'a variable is declared with a value',
};

const cases = rowsInTurn(
  kinds
    .flatMap(scopesOf)
    .filter(
      ({ stage, token, verbs, found }) => stage === 'environment' && token !== 'Environment' && verbs.base && found,
    )
    .map((of) => [titleOf(of), of] as const),
);

/** Declares what every case needs, and nothing of the environment but its clouds. */
const FILE = `assembly: { name: shop, owner: team@acme.io }
variables: { sample: of the design }
platforms:
  web:
    pack: oneops/custom:1
    variables: { sample: of the design }
    components:
      user: { parent: { username: parent } }
      os:
        attachments: { sample: { path: /etc/motd, source: http://files.acme.io/motd } }
        monitors: { sample: { cmd: check } }
environments:
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 1 } }
`;

describe.each(cases)('%s %s', (dialect, _, of) => {
  const world = eachWorld(dialect);
  let address: Inputs;
  let kept: readonly Kept[];

  beforeEach(async () => {
    address = await world.prepare(of);
    world.nextRun();
    const environment = { assembly: address['assembly'], name: address['environment'] };
    const state = await world
      .life('Environment')
      .read(`acme/${String(environment.assembly)}/${String(environment.name)}`, environment, ROW);
    if (state === undefined) throw new Error('there is no environment');
    kept = [{ token: 'Environment', name: 'prod', ...state }];
    world.requests();
  });

  /** Another user's run. */
  const maria = (): Lifecycle => lifecycle(of, () => Promise.resolve(world.other), world.freshSession());

  const reviewed = async (options: Partial<ReviewOptions> & { readonly text?: string } = {}): Promise<Review> => {
    world.nextRun();
    const review = await reviewIn(world, kept, options);
    expect([review.unread, world.writes()]).toEqual([[], []]);
    return review;
  };

  const unexpected = async (
    options: Partial<ReviewOptions> & { readonly text?: string } = {},
  ): Promise<readonly DriftFinding[]> =>
    (await reviewed(options)).findings.filter(({ classification }) => classification === 'unexpected');

  /** Each attribute alone: its path, and arguments that declare it with a value it does not have. */
  const changes = async (): Promise<
    readonly { readonly path: string; readonly inputs: Inputs; readonly id: string }[]
  > => {
    const sample = { ...address, ...of.sample.create };
    const all = tamperings(of, sample, dialect).filter(({ path }) => !([of.token, ...path].join('.') in NOT_ALONE));
    const id = formatId(of, 'acme', addressOf(of, address));
    const found = [];
    for (const one of new Map(all.map((each) => [each.path.join('.'), each])).values()) {
      const [name = '', entry] = one.path;
      const at = (inputs: Inputs): unknown =>
        entry === undefined ? inputs[name] : (inputs[name] as Inputs | undefined)?.[entry];
      const only = (inputs: Inputs): Inputs => ({
        ...address,
        ...required(of, sample),
        [name]: entry === undefined ? at(inputs) : { [entry]: at(inputs) },
      });
      const before = (await maria().read(id, only(sample), ROW))?.inputs ?? {};
      const values = [sample, tampered(sample, [one])].find(
        (inputs) => JSON.stringify(at(inputs)) !== JSON.stringify(at(before)),
      );
      found.push({ path: one.path.join('.'), inputs: only(values ?? sample), id });
    }
    expect(found.length).toBeGreaterThan(0);
    return found;
  };

  test('each attribute that another user sets is found, named and attributed', async () => {
    expect(await unexpected()).toEqual([]);
    for (const { path, inputs, id } of await changes()) {
      world.clock.advance(1000);
      const made = await maria().create(inputs, ROW);
      world.requests();
      const found = await unexpected();
      expect(found.map(({ kind, address: where, attribute, author }) => [kind, where, attribute, author?.who])).toEqual(
        [[of.token, id, path, made.outputs['updatedBy'] === '' ? '' : 'maria']],
      );
      await maria().delete(id, made.outputs, ROW);
      world.requests();
      expect(await unexpected()).toEqual([]);
    }
  });

  test('what is advised holds: accepted, recorded or reverted, an attribute is no finding any more', async () => {
    expect(await unexpected({ text: FILE })).toEqual([]);
    for (const { path, inputs } of await changes()) {
      world.clock.advance(1000);
      await maria().create(inputs, ROW);
      world.requests();
      const first = await reviewed({ text: FILE });
      const found = first.findings.filter(({ classification }) => classification === 'unexpected');
      expect(found.map(({ attribute }) => attribute)).toEqual([path]);
      if (found[0]?.advice.accept !== undefined) {
        const { files, refused } = acceptFindings(found, [{ name: 'oneops.yaml', text: FILE }], ACCEPTING);
        expect([path, refused]).toEqual([path, []]);
        expect([path, await unexpected({ text: files[0]?.text ?? '' })]).toEqual([path, []]);
      }
      const { text: recorded, refused: secret } = recordFindings(found, NO_RULES);
      expect([path, secret.length]).toEqual([path, found[0]?.live?.is === 'secret' ? 1 : 0]);
      if (secret.length === 0) expect(await unexpected({ text: FILE, rules: rulesOf(recorded) })).toEqual([]);
      const context = revertingIn(world, FILE);
      const { reversals, refused } = await planRevert(context, found);
      expect([path, refused]).toEqual([path, []]);
      await applyReversals(context, reversals);
      world.requests();
      expect([path, await unexpected({ text: FILE })]).toEqual([path, []]);
    }
  });
});

test.each([
  ['EnvironmentAttachment', 'attachments/other', 'priority', 5, 'attachments: { other: { priority: 5 } }'],
  ['Monitor', 'monitors/other', 'enable', false, 'monitors: { other: { enable: false } }'],
])(
  '%s of a component that is not named like its template is accepted below it',
  (kind, inside, attribute, value, line) => {
    const text = FILE.replace(
      '{ parent: { username: parent } }',
      '{ parent: { username: parent, attachments: { other: { content: x } }, monitors: { other: { cmd: check } } } }',
    );
    const finding: DriftFinding = {
      id: '0123456789',
      classification: 'unexpected',
      severity: 'low',
      kind,
      address: `acme/shop/prod/web/components/parent/${inside}`,
      attribute,
      live: { is: 'value', value },
      advice: {},
    };
    const { files, refused } = acceptFindings([finding], [{ name: 'oneops.yaml', text }], ACCEPTING);
    expect(refused).toEqual([]);
    const written = files[0]?.text.replace(/:\n\s+/g, ': { ') ?? '';
    expect(written).toContain(`components: { user: { parent: { ${line.replace(/ \}/g, '')}`);
  },
);

const required = (of: Kind, sample: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(of.fields).flatMap(([name, { required: isRequired }]) =>
      isRequired && sample[name] !== undefined ? [[name, sample[name]]] : [],
    ),
  );
