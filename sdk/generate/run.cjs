// Runs what generates files from its source: `npm run generate` needs no build.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

// Extensions are tried in this order: `./templates` means templates.ts, next to which is a templates.json.
const { '.json': readJson } = require.extensions;
delete require.extensions['.json'];
require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};
require.extensions['.json'] = readJson;

const words = process.argv.slice(2);
// The list of packs first: what follows is made of a contract that reads it.
if (!words.includes('--print')) require('../../cli/generate/main.ts').writeCatalogueFiles();
require('./main.ts').writeKindFiles(words);
