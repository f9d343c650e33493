// Secrets that a program gives to arguments: a variable keeps one as its secret value; where the service keeps an argument readable, a warning says so.
import { output, secret, unsecret } from '@pulumi/pulumi/output';
import * as sdk from '.';
import { recorded, type Registered } from '../test/recording-monitor';

const find = (all: readonly Registered[], key: string): Registered => {
  const found = all.find((each) => each.key === key);
  if (!found) throw new Error(`${key} is not registered`);
  return found;
};

const place = () => {
  const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
  const web = new sdk.Platform('web', { assembly: shop, pack: 'oneops/tomcat', version: '1' } as never);
  return { shop, web };
};

/** What a program registers, and the warnings it logs. */
async function run(
  program: (made: ReturnType<typeof place>) => void,
  preview = false,
): Promise<{ readonly all: readonly Registered[]; readonly warnings: readonly string[] }> {
  const warnings: string[] = [];
  const spy = jest.spyOn(console, 'warn').mockImplementation((text: string) => {
    if (/secret/.test(text)) warnings.push(text);
  });
  try {
    const all = await recorded(() => program(place()), undefined, preview);
    return { all, warnings };
  } finally {
    spy.mockRestore();
  }
}

describe('the value of a variable', () => {
  const values = [
    ['a secret', () => secret('canary'), true],
    ['made of a secret', () => secret('canary').apply((text) => `${text}!`), true],
    ['a promise of a secret', () => Promise.resolve(secret('canary')), true],
    ['an output that is no secret', () => output('plain'), false],
    ['a secret no more', () => unsecret(secret('plain')), false],
    ['a text', () => 'plain', false],
  ] as const;

  test.each(values)('%s', async (_, make, isSecret) => {
    const { all, warnings } = await run(({ shop, web }) => {
      const prod = new sdk.Environment('prod', { assembly: shop });
      new sdk.Variable('one', { assembly: shop, value: make() as never });
      new sdk.Variable('two', { platform: web, value: make() as never });
      new sdk.Variable('three', { environment: prod, name: 'one', value: make() as never });
    });
    for (const key of ['Variable::one', 'Variable::two', 'Variable::three']) {
      const { inputs } = find(all, key);
      if (isSecret) expect(inputs).toHaveProperty('encryptedValue', { secret: expect.stringMatching(/^canary/) });
      else expect(inputs).toHaveProperty('value', 'plain');
      expect(inputs).not.toHaveProperty(isSecret ? 'value' : 'encryptedValue');
    }
    expect(warnings).toEqual([]);
  });

  test('next to a secret value it stays, and is refused by the provider', async () => {
    const { all } = await run(({ shop }) => {
      new sdk.Variable('one', { assembly: shop, value: secret('canary'), encryptedValue: 'other' });
    });
    expect(Object.keys(find(all, 'Variable::one').inputs)).toEqual(expect.arrayContaining(['value', 'encryptedValue']));
  });
});

describe('elsewhere', () => {
  const text = (name: string): string =>
    `warning: [runtime] "${name}" is given a secret, but the service does not encrypt it: everybody who may read the assembly can read it: keep the secret in a secret variable of the assembly, and write $OO_GLOBAL{NAME} here`;

  test.each([false, true])('a warning for each argument that is readable; preview %s', async (preview) => {
    const { warnings } = await run(({ web }) => {
      new sdk.Platform('app', {
        assembly: 'shop',
        pack: 'tomcat',
        version: '1',
        description: secret('canary'),
      } as never);
      const tomcat = new sdk.Component('tomcat', {
        platform: web,
        type: 'tomcat',
        attributes: { environment: { A: secret('canary'), B: secret('canary') }, port: output('8080') },
      });
      new sdk.Attachment('motd', { component: tomcat, content: secret('canary'), runsOn: ['after-add'] });
    }, preview);
    expect([...warnings].sort()).toEqual([text('content'), text('description'), text('environment')]);
    expect(JSON.stringify(warnings)).not.toContain('canary');
  });

  test('none for what is encrypted, alone or within a map that is secret as a whole, nor for what is no secret', async () => {
    const { warnings } = await run(({ web }) => {
      new sdk.Component('db', { platform: web, type: 'mysql', attributes: { password: secret('canary') } });
      new sdk.Component('own', {
        platform: web,
        type: 'mysql',
        attributes: secret('canary').apply((password) => ({ password, port: '3307' })),
      });
      new sdk.Attachment('motd', {
        component: 'db',
        basicAuthPassword: secret('canary'),
        content: output('plain'),
      });
      new sdk.CloudService('nova', { cloud: 'east', attributes: { password: secret('canary') } });
      new sdk.Deployment('prod', { assembly: 'shop', environment: 'prod', timeout: 5 });
    });
    expect(warnings).toEqual([]);
  });
});
