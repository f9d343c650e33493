// What Boo does to a design, in its order: every record is requested before it is written, all of them are written again, each platform is
// committed by itself; one request after the other. It must not know engines: it takes the list of resources from program.json.
const { readFileSync } = require('node:fs');
const axios = require('axios');
const { attributesOf, bodyOf, collectionOf } = require('./plain/wire.cjs');

const [operation, url, token] = process.argv.slice(2);

const client = axios.create({
  baseURL: `${url}/acme`,
  auth: { username: token, password: '' },
  headers: { Accept: 'application/json' },
  validateStatus: (status) => status === 200 || status === 404,
});

/** A request; again when the service had closed an idle connection just then: then it has not read the request. */
async function send(method, path, body) {
  try {
    return await client.request({ method, url: path, data: body });
  } catch (error) {
    if (error.code !== 'ECONNRESET') throw error;
    return client.request({ method, url: path, data: body });
  }
}

const declared = JSON.parse(readFileSync('program.json', 'utf8'));

/** The record with its place, from its name: `shop0/web1/user2/file3`. */
function recordOf(declaration) {
  const [assembly, platform, component] = declaration.name.split('/').slice(0, -1);
  const { name, type } = declaration.args;
  const template = declaration.token === 'Component' ? { template: type } : {};
  return {
    kind: declaration.token,
    assembly,
    platform,
    component,
    name,
    ...template,
    attributes: attributesOf(declaration),
  };
}

const pathOf = (record) => `${collectionOf(record)}/${record.name}`;

async function commit(assembly) {
  const releases = `assemblies/${assembly}/design/releases`;
  const { status, data } = await send('GET', `${releases}/latest`);
  if (status === 200 && data.releaseState === 'open') await send('POST', `${releases}/${data.releaseId}/commit`, {});
}

async function write(record) {
  const { status } = await send('GET', pathOf(record));
  if (status === 404) await send('POST', collectionOf(record), bodyOf(record));
  else await send('PUT', pathOf(record), bodyOf(record));
}

async function writeAll() {
  for (const [index, declaration] of declared.entries()) {
    if (declaration.token === 'DesignRelease') {
      await commit(declaration.name);
      continue;
    }
    await write(recordOf(declaration));
    const next = declared[index + 1];
    if (next?.token === 'Platform') await commit(next.name.split('/')[0]);
  }
}

async function readAll() {
  for (const declaration of declared)
    if (declaration.token !== 'DesignRelease') await send('GET', pathOf(recordOf(declaration)));
}

async function deleteAll() {
  for (const declaration of declared) {
    if (declaration.token !== 'Assembly') continue;
    const path = pathOf(recordOf(declaration));
    if ((await send('GET', path)).status === 200) await send('DELETE', path);
  }
}

const work = { refresh: readAll, destroy: deleteAll }[operation] ?? writeAll;

work().catch((error) => {
  process.stderr.write(
    `${error.message} ${error.config?.method} ${error.config?.url} ${JSON.stringify(error.response?.data)}\n`,
  );
  process.exitCode = 1;
});
