// The files of axios and undici that carry requests: their indexes load much more.

// Without axios' own connections, which load forms, proxies and all types of files.
declare module 'axios/dist/browser/axios.cjs' {
  export { Axios, AxiosHeaders } from 'axios';
}

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
