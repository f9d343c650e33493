// Rules of settings (architecture §3): configuration first, the environment for gaps, a token only where it is meant for.
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

test.each([
  ['https://ops.acme.io', false],
  ['https://127.0.0.1.acme.io', false],
  ['http://127.0.0.1:9090', true],
  ['http://[::1]:9090', true],
  ['http://localhost:9090', true],
])('ONEOPS_SIMULATED is for a service on this machine alone: %s', (url, simulated) => {
  expect(settings({ ...CONFIG, 'oneops:url': url }, { ONEOPS_SIMULATED: 'true' })).toMatchObject({ simulated });
});

test('the environment fills every gap', () => {
  const environment = { ONEOPS_URL: 'https://ops.acme.io/', ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: 'fresh' };
  expect(settings({}, environment)).toMatchObject({ url: 'https://ops.acme.io', organization: 'acme', token: 'fresh' });
});

test('configuration wins over the environment for address and organization', () => {
  const environment = { ONEOPS_URL: 'https://other.acme.io', ONEOPS_ORGANIZATION: 'other' };
  expect(settings(CONFIG, environment)).toMatchObject({ url: 'https://ops.acme.io', organization: 'acme' });
});

test.each<[string, Texts, string]>([
  ['wins when the environment names no address', { ONEOPS_TOKEN: 'fresh' }, 'fresh'],
  [
    'wins when it is meant for the address in use',
    { ONEOPS_TOKEN: 'fresh', ONEOPS_URL: 'https://ops.acme.io/' },
    'fresh',
  ],
  [
    'stays away from an address it is not meant for',
    { ONEOPS_TOKEN: 'fresh', ONEOPS_URL: 'https://other.acme.io' },
    'saved-token',
  ],
])("the environment's token %s", (_, environment, token) => {
  const found = settings(CONFIG, environment);
  expect([found.token, found.tokenVariable]).toEqual([token, token === 'fresh' ? 'ONEOPS_TOKEN' : undefined]);
});

test('a token meant for another address is no reason to send it: without one of its own it is missing', () => {
  const { 'oneops:token': _, ...config } = CONFIG;
  expect(problem(config, { ONEOPS_TOKEN: 'fresh', ONEOPS_URL: 'https://other.acme.io' })).toContain(
    'oneops:token is missing',
  );
});

test('a token that is not sent is not passed over in silence', () => {
  const { 'oneops:token': _, ...others } = CONFIG;
  expect(problem(others, { ONEOPS_URL: 'https://other.acme.io', ONEOPS_TOKEN: 'secret-token' })).toMatch(
    /ONEOPS_TOKEN is not sent to https:\/\/ops\.acme\.io: it is meant for ONEOPS_URL, which is https:\/\/other\.acme\.io/,
  );
  expect(problem(others, { ONEOPS_URL: 'https://other.acme.io', ONEOPS_TOKEN: 'secret-token' })).not.toContain(
    'secret-token',
  );
});

describe('a provider declared in a program', () => {
  const explicit = { ...CONFIG, 'oneops:explicit': 'true' };

  test('takes nothing of the three variables', () => {
    expect(settings(explicit, { ONEOPS_TOKEN: 'fresh' }).token).toBe('saved-token');
    expect(
      problem({ 'oneops:explicit': 'true' }, { ONEOPS_TOKEN: 'x', ONEOPS_URL: 'https://a', ONEOPS_ORGANIZATION: 'a' }),
    ).toContain('has no url, organization, token');
  });

  test('names its own variable, which wins over a saved token', () => {
    const east = settings({ ...explicit, 'oneops:tokenEnv': 'EAST' }, { EAST: 'east-token' });
    expect([east.token, east.tokenVariable]).toEqual(['east-token', 'EAST']);
    expect(settings({ ...explicit, 'oneops:tokenEnv': 'EAST' }).token).toBe('saved-token');
    const { 'oneops:token': _, ...without } = explicit;
    expect(problem({ ...without, 'oneops:tokenEnv': 'EAST' })).toContain(
      'the variable EAST, named by tokenEnv, is not set',
    );
  });
});

test('everything missing is said together, each with the command that sets it', () => {
  const text = problem({});
  expect(text).toContain('oneops:url, oneops:organization, oneops:token are missing');
  expect(text).toContain('pulumi config set oneops:url <url>   (or set ONEOPS_URL)');
  expect(text).toContain('pulumi config set --secret oneops:token   (or set ONEOPS_TOKEN)');
});

test.each([
  ['http://127.0.0.1:4000', 'none'],
  ['http://localhost:4000', 'none'],
  ['http://[::1]:4000', 'none'],
  ['http://127.acme.io', 'would send the token unencrypted to 127.acme.io'],
  ['http://ops.acme.io', 'would send the token unencrypted to ops.acme.io'],
  ['ops.acme.io', 'is not a URL'],
  ['ftp://ops.acme.io', 'has the protocol ftp:'],
  ['https://user:pass@ops.acme.io', 'contains a user name or password'],
])('address %s: %s', (url, text) => {
  expect(problem({ ...CONFIG, 'oneops:url': url })).toContain(text);
});

test('plain http is allowed when asked for, as text or as a flag', () => {
  for (const allowHttp of [true, 'true']) {
    expect(problem({ ...CONFIG, 'oneops:url': 'http://ops.acme.io', 'oneops:allowHttp': allowHttp })).toBe('none');
  }
});

test.each([
  ['off', false],
  ['false', false],
  [false, false],
  ['on', true],
  ['true', true],
  ['', true],
])('readCache %j: %j', (readCache, expected) => {
  expect(settings({ ...CONFIG, 'oneops:readCache': readCache }).readCache).toBe(expected);
});

test('another word for readCache is a problem', () => {
  expect(problem({ ...CONFIG, 'oneops:readCache': 'of' })).toContain('"of", which is neither on nor off');
});

test.each([
  ['debug', true],
  ['DEBUG', true],
  ['info', false],
  ['', false],
])('ONEOPS_LOG=%s: %j, for a provider of the program too', (word, expected) => {
  expect(settings(CONFIG, { ONEOPS_LOG: word }).trace).toBe(expected);
  expect(settings({ ...CONFIG, 'oneops:explicit': 'true' }, { ONEOPS_LOG: word }).trace).toBe(expected);
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
  for (const config of [CONFIG, { ...CONFIG, 'oneops:explicit': 'true' }])
    expect(settings({ ...config, 'oneops:readOnly': readOnly }, environment).readOnly).toBe(expected);
});

test('a misspelled word for read-only is a problem, and lets nothing through', () => {
  expect(problem({ ...CONFIG, 'oneops:readOnly': 'yes' })).toContain('oneops:readOnly is "yes"');
  expect(problem(CONFIG, { ONEOPS_READ_ONLY: 'ture' })).toContain('ONEOPS_READ_ONLY is "ture"');
});

test('the audit file of the environment wins', () => {
  expect(settings({ ...CONFIG, 'oneops:audit': 'a.jsonl' }).audit).toBe('a.jsonl');
  expect(settings({ ...CONFIG, 'oneops:audit': 'a.jsonl' }, { ONEOPS_AUDIT: 'b.jsonl' }).audit).toBe('b.jsonl');
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

test('no message contains a token', () => {
  const bad = { ...CONFIG, 'oneops:url': 'nowhere', 'oneops:dialect': 'clasic' };
  expect(problem(bad, { ONEOPS_TOKEN: 'fresh-token' })).not.toMatch(/saved-token|fresh-token/);
  expect(problem({ ...CONFIG, 'oneops:dialect': 'clasic' })).toContain('did you mean "classic"?');
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

// Rules of unknown settings: a misspelt one stops everything, another one is named, and what Pulumi adds is none.
describe('setting names', () => {
  const CONFIG = { 'oneops:url': 'https://ops.acme.io', 'oneops:organization': 'acme', 'oneops:token': 'saved-token' };

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
