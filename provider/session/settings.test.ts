// Rules of settings (architecture §3).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { misspeltSettings, type Resolved, resolveSettings, serviceIdentity, unknownSettings } from './settings';
import type { Texts, Values } from '../values/plain';

const CONFIG = { 'oneops:url': 'https://ops.acme.io', 'oneops:organization': 'acme', 'oneops:token': 'saved-token' };

const resolve = (config: Values, environment: Texts = {}): Resolved =>
  resolveSettings((key) => config[key], environment);

const settings = (config: Values, environment: Texts = {}) => {
  const resolved = resolve(config, environment);
  if ('problem' in resolved) throw new Error(resolved.problem);
  return resolved.settings;
};

const problem = (config: Values, environment: Texts = {}): string => {
  const resolved = resolve(config, environment);
  return 'problem' in resolved ? resolved.problem : 'none';
};

test('configuration alone is enough', () => {
  expect(settings(CONFIG)).toEqual({
    url: 'https://ops.acme.io',
    organization: 'acme',
    token: 'saved-token',
    dialect: 'auto',
    allowHttp: false,
    readCache: true,
    catalogue: 'auto',
    readOnly: false,
    offlinePreview: false,
    audit: undefined,
    trace: false,
    simulated: false,
  });
});

const { 'oneops:token': _, ...WITHOUT_TOKEN } = CONFIG;
const EXPLICIT = { ...CONFIG, 'oneops:explicit': 'true' };
const SIMULATED = { ONEOPS_SIMULATED: 'true' };
const OTHER = { ONEOPS_URL: 'https://other.acme.io', ONEOPS_ORGANIZATION: 'other' };
const FRESH = { ONEOPS_TOKEN: 'fresh' };

test.each<[string, object, Texts, object]>([
  [
    'the environment fills every gap',
    { 'oneops:token': undefined, 'oneops:url': undefined, 'oneops:organization': undefined },
    { ...FRESH, ONEOPS_URL: 'https://ops.acme.io/', ONEOPS_ORGANIZATION: 'acme' },
    { url: 'https://ops.acme.io', organization: 'acme', token: 'fresh' },
  ],
  ['configuration wins for address and organization', {}, OTHER, { url: 'https://ops.acme.io', organization: 'acme' }],
  ['a token wins without an address', {}, FRESH, { token: 'fresh', tokenVariable: 'ONEOPS_TOKEN' }],
  ['a token wins for its address', {}, { ...FRESH, ONEOPS_URL: 'https://ops.acme.io/' }, { token: 'fresh' }],
  ['a token stays away from other addresses', {}, { ...FRESH, ...OTHER }, { token: 'saved-token' }],
  ['a program takes no variable', { 'oneops:explicit': 'true' }, FRESH, { token: 'saved-token' }],
  [
    'a program names its own variable',
    { 'oneops:explicit': 'true', 'oneops:tokenEnv': 'EAST' },
    { EAST: 'east' },
    { token: 'east', tokenVariable: 'EAST' },
  ],
  ['its saved token', { 'oneops:explicit': 'true', 'oneops:tokenEnv': 'EAST' }, {}, { token: 'saved-token' }],
  ['a service elsewhere is not simulated', {}, SIMULATED, { simulated: false }],
  ['nor one whose name begins so', { 'oneops:url': 'https://127.0.0.1.acme.io' }, SIMULATED, { simulated: false }],
  ['by number', { 'oneops:url': 'http://127.0.0.1:9090' }, SIMULATED, { simulated: true }],
  ['by number', { 'oneops:url': 'http://[::1]:9090' }, SIMULATED, { simulated: true }],
  ['by name', { 'oneops:url': 'http://localhost:9090' }, SIMULATED, { simulated: true }],
  ['http as a flag', { 'oneops:url': 'http://ops.acme.io', 'oneops:allowHttp': true }, {}, { allowHttp: true }],
  ['http as text', { 'oneops:url': 'http://ops.acme.io', 'oneops:allowHttp': 'true' }, {}, { allowHttp: true }],
  ['off', { 'oneops:readCache': 'off' }, {}, { readCache: false }],
  ['false', { 'oneops:readCache': 'false' }, {}, { readCache: false }],
  ['a flag', { 'oneops:readCache': false }, {}, { readCache: false }],
  ['on', { 'oneops:readCache': 'on' }, {}, { readCache: true }],
  ['true', { 'oneops:readCache': 'true' }, {}, { readCache: true }],
  ['blank', { 'oneops:readCache': '' }, {}, { readCache: true }],
  ['debug', {}, { ONEOPS_LOG: 'debug' }, { trace: true }],
  ['DEBUG', { 'oneops:explicit': 'true' }, { ONEOPS_LOG: 'DEBUG' }, { trace: true }],
  ['info', {}, { ONEOPS_LOG: 'info' }, { trace: false }],
  ['a file', { 'oneops:audit': 'a.jsonl' }, {}, { audit: 'a.jsonl' }],
  ['the file of the environment', { 'oneops:audit': 'a.jsonl' }, { ONEOPS_AUDIT: 'b.jsonl' }, { audit: 'b.jsonl' }],
])('%s: %j with %j', (_, config, environment, expected) => {
  expect(settings({ ...CONFIG, ...config }, environment)).toMatchObject(expected);
});

test.each<[object, Texts, readonly string[]]>([
  [
    WITHOUT_TOKEN,
    { ...FRESH, ONEOPS_URL: OTHER.ONEOPS_URL },
    [
      'oneops:token is missing',
      'ONEOPS_TOKEN is not sent to https://ops.acme.io: it is meant for ONEOPS_URL, which is https://other.acme.io',
    ],
  ],
  [{ 'oneops:explicit': 'true' }, { ...FRESH, ...OTHER }, ['has no url, organization, token']],
  [
    { ...WITHOUT_TOKEN, 'oneops:explicit': 'true', 'oneops:tokenEnv': 'EAST' },
    {},
    ['the variable EAST, named by tokenEnv, is not set'],
  ],
  [
    {},
    {},
    [
      'oneops:url, oneops:organization, oneops:token are missing',
      'pulumi config set oneops:url <url>   (or set ONEOPS_URL)',
      'pulumi config set --secret oneops:token   (or set ONEOPS_TOKEN)',
    ],
  ],
  [{ ...CONFIG, 'oneops:readCache': 'of' }, {}, ['"of", which is neither on nor off']],
  [{ ...CONFIG, 'oneops:readOnly': 'yes' }, {}, ['oneops:readOnly is "yes"']],
  [CONFIG, { ONEOPS_READ_ONLY: 'ture' }, ['ONEOPS_READ_ONLY is "ture"']],
  [{ ...CONFIG, 'oneops:dialect': 'clasic' }, FRESH, ['did you mean "classic"?']],
  [{ ...CONFIG, 'oneops:url': 'nowhere' }, FRESH, ['is not a URL']],
  ...(
    [
      ['http://127.acme.io', 'would send the token unencrypted to 127.acme.io'],
      ['http://ops.acme.io', 'would send the token unencrypted to ops.acme.io'],
      ['ops.acme.io', 'is not a URL'],
      ['ftp://ops.acme.io', 'has the protocol ftp:'],
      ['https://user:pass@ops.acme.io', 'contains a user name or password'],
    ] as const
  ).map(([url, text]): [object, Texts, readonly string[]] => [{ ...CONFIG, 'oneops:url': url }, {}, [text]]),
])('%j with %j is a problem, whose text has no token', (config, environment, texts) => {
  const said = problem({ ...config }, environment);
  for (const text of texts) expect(said).toContain(text);
  expect(said).not.toMatch(/saved-token|fresh/);
});

test.each([
  [undefined, undefined, false],
  [true, undefined, true],
  ['true', undefined, true],
  ['false', 'true', true],
  ['true', 'false', true],
  ['false', 'false', false],
  [undefined, 'on', true],
])('readOnly %j with ONEOPS_READ_ONLY %j: %j, for a provider of the program too', (readOnly, variable, expected) => {
  const environment = variable === undefined ? {} : { ONEOPS_READ_ONLY: variable };
  for (const config of [CONFIG, EXPLICIT])
    expect(settings({ ...config, 'oneops:readOnly': readOnly }, environment).readOnly).toBe(expected);
});

test.each([
  [{ 'oneops:url': 'https://ops.acme.io', 'oneops:organization': 'acme' }, true],
  [{}, true],
  [{ ...CONFIG, 'oneops:url': 'ftp://ops.acme.io' }, false],
  [{ 'oneops:token': 'x' }, false],
])('%j: whether nobody can be let in since there is no token: %s', (values, lacksToken) => {
  const configuration: Texts = values;
  expect(resolveSettings((key) => configuration[key], {})).toMatchObject({ lacksToken });
});

test.each([
  ['https://Ops.acme.io:443/oneops/', 'https://ops.acme.io/oneops'],
  ['http://127.0.0.1:9090', 'http://127.0.0.1:9090'],
  ['https://maria:canary@ops.acme.io/?token=canary#canary', 'https://ops.acme.io'],
  ['no address', undefined],
])('the identity of the service at %s contains no secret and has one spelling', (url, expected) => {
  const named = serviceIdentity((key) => ({ 'oneops:organization': 'acme' })[key], { ONEOPS_URL: url });
  expect(named).toEqual({ organization: 'acme', ...(expected === undefined ? {} : { url: expected }) });
});

test('the identity of a service is the one that a run speaks to, and needs no token', () => {
  const environment = { ONEOPS_URL: 'https://other.acme.io', ONEOPS_ORGANIZATION: 'other' };
  const { url, organization } = settings(CONFIG, environment);
  expect(serviceIdentity((key) => CONFIG[key as keyof typeof CONFIG], environment)).toEqual({ url, organization });
  expect(serviceIdentity(() => undefined, {})).toEqual({});
});

// Unknown settings: a misspelt one stops everything, and another one is named.
describe('setting names', () => {
  const resolve = (config: Values, project = 'shop') =>
    resolveSettings((key) => config[key], {}, { keys: Object.keys(config), project });

  const known = Object.keys(
    (
      JSON.parse(readFileSync(join(__dirname, '..', '..', 'schema.json'), 'utf8')) as {
        readonly config: { readonly variables: Values };
      }
    ).config.variables,
  );

  test('every setting of the schema is known, and those of the stack', () => {
    const keys = [...known, 'overlay', 'resources'].map((name) => `oneops:${name}`);
    expect(unknownSettings({ keys })).toEqual([]);
  });

  test.each(known.flatMap((name) => [...new Set([name.toUpperCase(), `${name}x`, name.slice(1), `${name}_`])]))(
    'a setting written as %s is a problem that names the one that is meant, before anything else',
    (name) => {
      const resolved = resolve({ [`oneops:${name}`]: 'true' });
      expect(resolved).toEqual({
        problem: expect.stringMatching(`^there is no setting oneops:${name}: did you mean oneops:\\w+\\?`) as string,
        lacksToken: false,
      });
    },
  );

  test('a switch that forbids writes is a problem in another case', () => {
    const resolved = resolve({ ...CONFIG, 'oneops:readonly': 'true' });
    expect(resolved).toMatchObject({
      problem: [
        'there is no setting oneops:readonly: did you mean oneops:readOnly?',
        '  pulumi config rm oneops:readonly, then pulumi config set oneops:readOnly',
        '  refresh, destroy and import see the configuration of the last up: run pulumi up after the change, or give --run-program',
      ].join('\n'),
    });
  });

  test('a key that is nothing like a setting is a warning', () => {
    expect(resolve({ ...CONFIG, 'oneops:region': 'east' })).toMatchObject({
      settings: { url: 'https://ops.acme.io' },
      warnings: [expect.stringContaining('there is no setting oneops:region, so that it has no effect') as string],
    });
  });

  test('what Pulumi adds, and other namespaces, are no settings that are missing', () => {
    const keys = ['version', 'pluginDownloadURL', '__internal', 'explicit'].map((name) => `oneops:${name}`);
    expect(unknownSettings({ keys: [...keys, 'shop:readonly', 'aws:region', 'readonly'] })).toEqual([]);
  });

  test('a project called oneops has its own configuration in the namespace; another case of a setting is still none of it', () => {
    expect(resolve({ ...CONFIG, 'oneops:urls': 'a', 'oneops:region': 'b' }, 'oneops')).not.toHaveProperty('warnings');
    expect(resolve({ ...CONFIG, 'oneops:readonly': 'true' }, 'oneops')).toHaveProperty('problem');
  });

  test('of a provider that a program declares, the argument is named', () => {
    const unknown = unknownSettings({ keys: ['oneops:readonly'] });
    expect(misspeltSettings(unknown, true)).toMatch(
      /^the provider declared in the program has no setting readonly: did you mean readOnly\?\n/,
    );
  });
});
