// The breadth of what conformance is judged by: every field of every kind is in its sample and tampered with, or is as data with its reason.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { secretAttributes } from '../../provider/secrets';
import { keyOf, type ProgramResource } from '../world/engine';
import { programOf, SAMPLED, sampledAs } from '../world/samples';
import { tampered, tamperings } from '../world/tampering';
import { isUnsampled, isUnseen, SECRET_ENTRIES, UNSAMPLED, UNSEEN } from '../world/unseen';
import { titleOf } from '../world/world';

const cases = kinds.flatMap(scopesOf).map((of) => [titleOf(of), of] as const);

const whole = (of: Kind): Inputs => ({ ...of.sample.create, ...of.sample.update });

test.each(cases)('%s: each of its fields is in its sample, or is as data with its reason', (_, of) => {
  const missing = Object.keys(of.fields).filter((name) => name in whole(of) === isUnsampled(of, name));
  expect(missing).toEqual([]);
});

test.each(cases)('%s: each field of its sample is tampered with, or is as data with its reason', (_, of) => {
  const sample = of.sample.create as Inputs;
  const found = tamperings(of, sample);
  const wrong = Object.keys(sample).filter((name) => found.some(({ path }) => path[0] === name) === isUnseen(of, name));
  expect(wrong).toEqual([]);
});

/** Every place in a sample's maps, at any depth. */
const placesIn = (value: unknown): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, entry]) => placesIn(entry).map((rest) => [key, ...rest]))
    : [[]];

test.each(cases)('%s: each entry and member of its maps is tampered with by itself', (_, of) => {
  const sample = of.sample.create as Inputs;
  const found = tamperings(of, sample).map(({ path, within }) => [of.token, ...path, ...within].join('.'));
  const secrets = secretAttributes(of, sample)?.names ?? [];
  const seen = Object.fromEntries(Object.entries(sample).filter(([name]) => !isUnseen(of, name)));
  const places = Object.entries(seen)
    .flatMap(([name, value]) => placesIn(value).map((rest) => [name, ...rest]))
    .filter(([, entry]) => entry === undefined || !secrets.includes(entry));
  expect(found).toEqual(expect.arrayContaining(places.map((place) => [of.token, ...place].join('.'))));
  expect(new Set(found).size).toBe(found.length);
});

test.each(cases)('%s: tampered with, it differs in that place alone', (_, of) => {
  const sample = of.sample.create as Inputs;
  for (const one of tamperings(of, sample)) {
    const { [one.path[0] as string]: now, ...others } = tampered(sample, [one]);
    const { [one.path[0] as string]: before, ...same } = sample;
    expect([one.path, others]).toEqual([one.path, same]);
    expect([one.path, now]).not.toEqual([one.path, before]);
  }
});

test('no reason is given for what there is not', () => {
  const names = kinds.flatMap((of) => [
    ...Object.keys(of.fields).flatMap((name) => [`${of.token}.${name}`, `*.${name}`]),
    ...(secretAttributes(of, of.sample.create as Inputs)?.names ?? []).map((name) => `${of.token}.attributes.${name}`),
  ]);
  const given = Object.keys({ ...UNSAMPLED, ...UNSEEN, ...SECRET_ENTRIES });
  expect(given.filter((path) => !names.includes(path))).toEqual([]);
  const secret = kinds.flatMap((of) =>
    (secretAttributes(of, of.sample.create as Inputs)?.names ?? []).map((name) => `${of.token}.attributes.${name}`),
  );
  expect(Object.keys(SECRET_ENTRIES)).toEqual(secret);
});

/** Values that one text is on the wire. */
const SIMPLE = ['text', 'flag', 'int'];

const textOf = (values: Inputs, name: string): string | undefined =>
  name in values ? String(values[name]) : undefined;

test.each(cases)('%s: no value of `sample.create` is the one that the service has anyway (`base`)', (_, of) => {
  const same = Object.entries(of.fields).filter(
    ([name, { shape, channel, base }]) =>
      channel !== 'control' && SIMPLE.includes(shape.type) && textOf(of.sample.create, name) === base,
  );
  expect(same.map(([name]) => name)).toEqual([]);
});

const ofItself = cases.filter(([, { verbs }]) => verbs.base === undefined);
test.each(ofItself)(
  '%s: each optional flag and number has the value that it goes back to: base("false", flag())',
  (_, of) => {
    const lacking = Object.entries(of.fields).filter(
      ([, { shape, channel, required, base }]) =>
        channel !== 'control' && !required && ['flag', 'int'].includes(shape.type) && base === '',
    );
    expect(lacking.map(([name]) => name)).toEqual([]);
  },
);

const unreleased = join(__dirname, '..', 'fixtures', 'state', 'unreleased', 'program.json');
const kept = JSON.parse(readFileSync(unreleased, 'utf8')) as readonly ProgramResource[];
const samplesNow = programOf('create', 'documented').flatMap((one) => {
  const of = sampledAs(keyOf(one));
  return of === undefined ? [] : [[titleOf(of), one] as const];
});

test.each(samplesNow)(
  '%s is in the kept state of the next release, which later releases read: run make kept-state',
  (_, one) => {
    const there = kept.find((each) => keyOf(each) === keyOf(one));
    expect(Object.keys(there?.args ?? {})).toEqual(expect.arrayContaining(Object.keys(one.args)));
  },
);

test('the program of samples has a sample of each kind in each scope', () => {
  expect(samplesNow.map(([title]) => title).sort()).toEqual(SAMPLED.map(titleOf).sort());
});
