// The files of undici that carry requests: its index loads fetch, caches and mocks besides.
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export = buildConnector;
}

declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export = Client;
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import { ProxyAgent } from 'undici';
  export = ProxyAgent;
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Client } from 'undici';
  const connect: Client['connect'];
  export = connect;
}
