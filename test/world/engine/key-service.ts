// The key of a story's stacks, in a service of its own. From a passphrase the CLI derives a key anew
// in each command, for half a second of CPU. The package as a user gets it, `demo`, `test`,
// `rehearse` and the bench keep passphrases.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface KeyService {
  /** Variables with which the CLI finds it. */
  readonly environment: { readonly [name: string]: string };
  close(): void;
}

/** What `pulumi stack init --secrets-provider` calls it. */
export const KEY = 'hashivault://stories';

/**
 * Starts a stand-in for Vault's transit engine: it wraps the key of a stack once, and unwraps it in
 * each command. It encrypts nothing, so it is only for tests.
 */
export async function startKeyService(): Promise<KeyService> {
  const answer = async (request: IncomingMessage): Promise<object> => {
    const { plaintext, ciphertext = '' } = JSON.parse(await text(request)) as {
      plaintext?: string;
      ciphertext?: string;
    };
    return plaintext === undefined ? { plaintext: ciphertext.slice(MARK.length) } : { ciphertext: MARK + plaintext };
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    void answer(request).then((data) => response.end(JSON.stringify({ data })));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { environment: { VAULT_ADDR: address, VAULT_TOKEN: 'stories' }, close: () => server.close() };
}

const MARK = 'vault:v1:';
