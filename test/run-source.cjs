// Lets plain node run the TypeScript of this repository: `node --require ./test/run-source.cjs test/bench/main.ts`.
const Module = require('node:module');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

Module.enableCompileCache(join(__dirname, '..', 'node_modules', '.cache', 'node'));

const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  configFile: false,
  swcrc: false,
};

/** Compiled files: most are the same from one process to the next. Each ends with the digest of what it was made of. */
const CACHE = join(__dirname, '..', 'node_modules', '.cache', 'run-source');
mkdirSync(CACHE, { recursive: true });

const COMPILER = require('@swc/core/package.json').version;
const digestOf = (text) => createHash('sha256').update(text).digest('hex');

function compiled(filename) {
  const text = readFileSync(filename, 'utf8');
  const end = `\n//${digestOf(`${COMPILER}\n${text}`)}`;
  const kept = join(CACHE, digestOf(filename));
  try {
    const code = readFileSync(kept, 'utf8');
    if (code.endsWith(end)) return code;
  } catch {
    // It was not compiled yet.
  }
  const { code } = require('@swc/core').transformSync(text, { ...OPTIONS, filename });
  // Another process may write the same text at the same time.
  writeFileSync(`${kept}.${process.pid}`, code + end);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
}

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
  module._compile(compiled(filename), filename);
};
Object.assign(Module._extensions, Object.fromEntries(others));
