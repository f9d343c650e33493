// Settings that lead nowhere: the hint names the one that is wrong, in the words of who set it.
import { createApi } from '../../api/client';
import { routes, type Dialect } from '../../api/contract';
import { pulumiWords } from '../../provider/settings';
import { createService, fastClock, listen, type Listening, type Service } from '../../service';

describe.each<Dialect>(['documented', 'classic'])('%s', (dialect) => {
  let service: Service;
  let listening: Listening;
  beforeAll(async () => {
    service = createService({
      database: ':memory:',
      dialect,
      clock: fastClock(100),
      users: [{ name: 'admin', token: 'token' }],
    });
    listening = await listen(service, { port: 0 });
  });
  afterAll(async () => {
    await listening.close();
    service.close();
  });

  const refusalAt = async (
    url: string,
    organization: string,
    address: { readonly [name: string]: string } = {},
  ): Promise<string> => {
    const api = createApi({ url, organization, token: 'token', dialect, attempts: 1, words: pulumiWords });
    const route = 'assembly' in address ? routes.assemblies.read : routes.assemblies.list;
    const message = await api.call(route, { address }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    api.close();
    return message;
  };

  test('an address with the organization in it', async () => {
    expect(await refusalAt(`${listening.url}/acme`, 'acme')).toMatch(/oneops:url ends in "\/acme".*the service alone/);
  });

  test('https to a port of plain http', async () => {
    const message = await refusalAt(listening.url.replace('http:', 'https:'), 'acme');
    expect(message).toMatch(
      /does not speak TLS \(ERR_SSL_WRONG_VERSION_NUMBER\)\ncheck the protocol and the port in oneops:url/,
    );
  });

  test('an organization that does not exist', async () => {
    expect(await refusalAt(listening.url, 'acmee')).toMatch(/check oneops:organization/);
  });

  test('of a record that is missing no setting is blamed', async () => {
    const message = await refusalAt(listening.url, 'acme', { assembly: 'nowhere' });
    expect(message).toMatch(/404/);
    expect(message).not.toMatch(/oneops:/);
  });
});
