// What Ctrl-C ends at once: a call that nothing answers, and every call after it.
import { parse } from 'yaml';
import { type Api, routes } from '../../api/contract';
import { eachFolder } from '../../test/folder';
import { projectOnStage, stoppable, Stopped, untilStopped } from './stage';
import { SETTINGS } from '../../provider/session/settings';
import { placeholderOf, placeholdersFor, settingsOf, withPlaceholders } from './settings';
import { markedSecret, secretIn } from '../../provider/lifecycle/registration';

test('a person who asks for the end gets it, whatever a call waits for', async () => {
  const stop = new AbortController();
  let calls = 0;
  const silent = { call: () => new Promise(() => (calls += 1)) } as unknown as Api;
  const api = stoppable(silent, stop.signal);
  const waiting = api.call(routes.clouds.list, {});
  stop.abort();
  await expect(waiting).rejects.toThrow(Stopped);
  await expect(api.call(routes.clouds.list, {})).rejects.toThrow(Stopped);
  expect(calls).toBe(1);
});

test.each([
  ['its terminal is closed', () => process.listeners('SIGHUP').at(-1)],
  ['nobody reads what it prints', () => process.stdout.listeners('error').at(-1)],
])('a command on a stage ends with 130 when %s', async (_, listener) => {
  const asked = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, process.listeners(signal)] as const);
  const printed = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await untilStopped(async (stop) => {
    (listener() as () => void)();
    if (stop.aborted) throw new Stopped();
    return Promise.resolve(0);
  });
  expect([code, printed.mock.calls.join()]).toEqual([130, expect.stringContaining('nothing is left behind')]);
  printed.mockRestore();
  for (const [signal, before] of asked)
    for (const each of process.listeners(signal)) if (!before.includes(each)) process.removeListener(signal, each);
});

// The configuration of a stack on a stage: nothing of it leads to the service of the user, wherever it is written.

const SAME = ['dialect', 'allowHttp', 'readCache', 'catalogue', 'offlinePreview'].map((name) => `oneops:${name}`);
const given = { ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [`oneops:${name}`, 'CI'])), 'shop:own': 'x' };
const kept = Object.fromEntries([...SAME.map((name) => [name, 'CI']), ['shop:own', 'x']]) as object;
const project = JSON.stringify({ name: 'shop', runtime: 'oneops', config: given });

const folder = eachFolder({ isHere: true });

test('a stage has the settings of a stack, without those that name a service, a user or a file', () => {
  folder.write({ 'Pulumi.yaml': project, 'Pulumi.dev.yaml': JSON.stringify({ config: given }) });
  expect(settingsOf('dev', {})).toEqual(kept);
  expect((parse(projectOnStage(project, 'plugin')) as { config: object }).config).toEqual(kept);
});

// Placeholders for secrets: nothing that is a secret survives, and what follows from a setting follows from its placeholder.

test('a state has placeholders wherever it has the secrets of the configuration, and in every other secret text', () => {
  const settings = {
    'shop:key': 'canary-1',
    'shop:longer': 'canary-1-2',
    'oneops:token': 'canary-3',
    'shop:empty': '',
  };
  const hidden = placeholdersFor({ ...settings, 'shop:plain': 'text' }, new Set(Object.keys(settings)));
  const state = {
    urn: 'urn',
    inputs: {
      own: markedSecret('canary-1'),
      made: markedSecret({ url: 'https://x:canary-1-2@db', list: ['canary-3', 7], plain: 'text' }),
      rotated: markedSecret('canary-4'),
      inside: markedSecret({ list: ['canary-6', '', 7], map: { text: 'canary-7' } }),
      encrypted: { ...markedSecret(''), plaintext: undefined, ciphertext: 'canary-5' },
    },
  };
  const masked = withPlaceholders(state, hidden) as typeof state;
  expect(JSON.stringify(masked)).not.toContain('canary');
  expect(secretIn(masked.inputs.own)).toEqual({ value: placeholderOf('shop:key') });
  expect(secretIn(masked.inputs.made)).toEqual({
    value: { url: 'https://x:placeholder-of-longer@db', list: ['placeholder-of-token', 7], plain: 'text' },
  });
  const another = 'placeholder-of-another-secret';
  expect(secretIn(masked.inputs.inside)).toEqual({ value: { list: [another, '', 7], map: { text: another } } });
  expect(masked.urn).toBe('urn');
  const reference = markedSecret('$OO_GLOBAL{API_KEY}');
  expect(withPlaceholders(reference, hidden, new Set(['$OO_GLOBAL{API_KEY}']))).toEqual(reference);
});
