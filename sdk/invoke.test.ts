// What a program gets from functions: its own service or an explicit one, secrets as secrets,
// unknown for unknown. Against a recording engine.
import { isSecret, secret, type Output } from '@pulumi/pulumi/output';
import { setAllConfig } from '@pulumi/pulumi/runtime/config';
import { startService, TOKEN, type LiveService } from '../test/engine/live-service';
import { recorded } from '../test/recording-monitor';
import * as sdk from './index';

let live: LiveService;

beforeAll(async () => {
  live = await startService();
});

afterAll(() => live.stop());

const stackConfig = (token = TOKEN): void =>
  setAllConfig({ 'oneops:url': live.url, 'oneops:organization': 'acme', 'oneops:token': token });

const seen = async <T>(result: Output<T>): Promise<readonly [unknown, boolean]> => [
  await new Promise((resolve) => result.apply(resolve)),
  await isSecret(result),
];

test('both forms read the configuration of the stack; only what is described as secret is secret', async () => {
  await recorded(async () => {
    stackConfig();
    const plain = await sdk.getCloud({ name: 'east' });
    expect(plain).toMatchObject({ name: 'east', description: 'Primary' });
    expect(await seen(plain.auth)).toEqual(['east-key', true]);
    const cloud = sdk.getCloudOutput({ name: 'east' });
    expect(await seen(cloud.ciId)).toEqual([plain.ciId, false]);
    expect(await seen(cloud.auth)).toEqual(['east-key', true]);
  });
});

test('a secret argument makes the result secret', async () => {
  await recorded(async () => {
    stackConfig();
    const [name, hidden] = await seen(sdk.getCloudOutput({ name: secret('east') }).name);
    expect([name, hidden]).toEqual(['east', true]);
  });
});

test('with a provider its service is asked, as its user, and never with the token of the stack', async () => {
  await recorded(async () => {
    stackConfig('token-of-the-stack');
    const provider = new sdk.Provider('other', { url: live.url, organization: 'acme', token: TOKEN });
    expect((await sdk.getCloud({ name: 'west' }, { provider })).name).toBe('west');
    const cloud = sdk.getCloudOutput({ name: 'west' }, { provider });
    expect(await seen(cloud.name)).toEqual(['west', false]);
    const bare = new sdk.Provider('bare', { url: live.url, organization: 'acme' });
    await expect(sdk.getCloud({ name: 'west' }, { provider: bare })).rejects.toThrow('has no token');
  });
});

test('what goes wrong is one message without the token', async () => {
  await recorded(async () => {
    stackConfig('token-of-nobody');
    const failure = await sdk.getClouds().catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ message: expect.stringMatching(/^getClouds\(\): the service answered 401/) });
    expect((failure as Error).message).not.toContain('token-of-nobody');
    const given = { name: secret('east') as unknown as string };
    await expect(sdk.getCloud(given)).rejects.toThrow('name is an output, whose value is known only later');
  });
});
