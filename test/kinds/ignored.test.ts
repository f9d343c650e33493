// What a run ignores: for every kind, and at every depth, an ignored path keeps the value that another user gave it, and stops no edit of anything else.
// In both dialects, through both faces: `make test` plays each kind in one dialect through one face. No answer of the plugin contains a secret in clear. Exceptions are data with a reason.
import { DIALECTS } from '../../api/contract';
import { check, scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle } from '../../provider/lifecycle';
import { formatPropertyPath } from '../../provider/values';
import { rowsInTurn } from '../dialects-in-turn';
import { emptyStack, run, type Declared, type Stack } from '../world/engine-simulation';
import { servePlugin, type ServedPlugin } from '../world/plugin-face';
import { tampered, tamperings, type Tampering } from '../world/tampering';
import { makeWorld, ROW, titleOf, type World } from '../world/world';

const FACES = ['dynamic', 'plugin'] as const;

const cases = rowsInTurn(
  kinds
    .flatMap(scopesOf)
    .filter((of) => of.verbs.isAction !== true && tamperings(of, of.sample.create).length > 0)
    .map((of, turn) => [turn, titleOf(of), of] as const),
).map(([dialect, turn, title, of]) => {
  const face = FACES[(DIALECTS.indexOf(dialect) + (turn >> 1)) % FACES.length];
  return [dialect, face, title, of] as const;
});

let plugin: ServedPlugin;
beforeAll(async () => {
  plugin = await servePlugin(/s3cret|k3y-|canary/);
});
afterAll(() => {
  expect(plugin.leaks).toEqual([]);
  plugin.close();
});

/** What is declared, with another value of one attribute that is not the tampered one; the same where there is no other. */
function edited(of: Kind, inputs: Inputs, { path: [argument = '', entry] }: Tampering): Inputs {
  const update = of.sample.update ?? {};
  for (const [name, value] of Object.entries(update)) {
    if (of.fields[name]?.channel === 'control' || name === 'comments') continue;
    if (name !== argument) return { ...inputs, [name]: value };
    if (entry === undefined) continue;
    const [other] = Object.entries(value as Inputs).filter(
      ([each, text]) => each !== entry && JSON.stringify(text) !== JSON.stringify((inputs[name] as Inputs)[each]),
    );
    if (other) return { ...inputs, [name]: { ...(inputs[name] as Inputs), [other[0]]: other[1] } };
  }
  return inputs;
}

const valueAt = (inputs: Inputs, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Inputs | undefined)?.[key], inputs);

test.each(cases)('%s %s %s', async (dialect, face, _, of) => {
  const inner = makeWorld(dialect);
  const world: World = face === 'plugin' ? { ...inner, faceOf: plugin.faceOf } : inner;
  try {
    const address = await world.prepare(of);
    const inputs: Inputs = { ...address, ...of.sample.create };
    const key = `${of.token}::sample`;
    let stack: Stack = emptyStack;
    const up = async (args: Inputs, ignored: readonly string[], options = {}): Promise<readonly string[]> => {
      const declared: Declared = { key, token: of.token, args, ignoreChanges: ignored };
      const result = await run(world, stack, [declared], options);
      ({ stack } = result);
      return result.errors;
    };
    const record = (): { readonly id: string; readonly outputs: Inputs } => stack.get(key) as never;
    const maria = async (news: Inputs): Promise<void> => {
      world.clock.advance(1000);
      const life = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
      const { __provider: _, ...known } = record().outputs;
      await life.update(record().id, known, { ...news, overwrite: true }, ROW);
    };
    const there = async (): Promise<Inputs> => {
      // Comments that our own last write could not store read as declared: no write of ours was the last one here.
      const { __provider: _, ...known } = record().outputs;
      world.nextRun();
      return (await world.life(of.token).read(record().id, { ...known, revision: 'another' }, ROW))?.inputs ?? {};
    };
    const insisting = of.fields['overwrite'] ? { overwrite: true } : {};
    expect(await up(inputs, [])).toEqual([]);
    const writable = tamperings(of, inputs, dialect).filter((one) => check(of, tampered(inputs, [one])).length === 0);
    for (const one of writable) {
      const path = [...one.path, ...one.within];
      const named = formatPropertyPath(path);
      for (const ignored of new Set([named, formatPropertyPath(one.path)])) {
        const other = tampered(inputs, [one]);
        await maria(other);
        const seen = valueAt(await there(), path);
        const edit = edited(of, inputs, one);
        expect([ignored, await up(edit, [ignored])]).toEqual([ignored, []]);
        expect([ignored, valueAt(await there(), path)]).toEqual([ignored, seen]);
        // The state now has her value, and she takes it back: what a refresh has read must not be written over that.
        expect([ignored, await up(edit, [ignored], { refresh: true })]).toEqual([ignored, []]);
        await maria(edit);
        const back = valueAt(await there(), path);
        expect([ignored, await up({ ...inputs, ...insisting }, [ignored])]).toEqual([ignored, []]);
        expect([ignored, valueAt(await there(), path)]).toEqual([ignored, back]);
        expect([ignored, await up(inputs, [], { refresh: true })]).toEqual([ignored, []]);
      }
    }
  } finally {
    world.close();
  }
});
