// Lets plain node run the TypeScript of this repository: `node --require ./test/run-source.cjs test/bench/main.ts`.
const Module = require('node:module');
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  configFile: false,
  swcrc: false,
};

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolve(request, ...rest) {
  // Node would take `name.json` for `./name` before it looks for `name.ts`.
  const isOurs = /^\.{1,2}\//.test(request) && !String(rest[0]?.filename).includes('node_modules');
  if (!isOurs) return resolveFilename.call(this, request, ...rest);
  try {
    return resolveFilename.call(this, `${request.replace(/\.js$/, '')}.ts`, ...rest);
  } catch (notFound) {
    if (notFound.code !== 'MODULE_NOT_FOUND') throw notFound;
    return resolveFilename.call(this, request, ...rest);
  }
};

// Before `.json`: `./templates` means the code next to the data of the same name, as it does once it is compiled.
const others = Object.entries(Module._extensions).filter(([ending]) => ending !== '.js');
for (const [ending] of others) delete Module._extensions[ending];
Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
  module._compile(code, filename);
};
Object.assign(Module._extensions, Object.fromEntries(others));
