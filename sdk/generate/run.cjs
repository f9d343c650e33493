// `npm run generate`: writes every generated file from its source, without a build. With `--print`, it
// prints those that are made of kinds as one JSON map of texts by path, and a test compares them.
require('../../test/run-source.cjs');
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const ROOT = join(__dirname, '..', '..');

const write = ([path, text]) => {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
};

const ofKinds = () => require('./main.ts').generatedFromKinds(ROOT);

async function generate() {
  const { commandsPage, generatedFromCatalogue, stalePages } = require('../../cli/generate/pages.ts');
  const files = generatedFromCatalogue(ROOT);
  for (const path of stalePages(ROOT, files)) rmSync(join(ROOT, path));
  // The list of packs first: what follows is made of a contract that reads it.
  [...files].forEach(write);
  [...ofKinds()].forEach(write);
  write(await commandsPage());
}

if (process.argv.includes('--print')) process.stdout.write(JSON.stringify(Object.fromEntries(ofKinds())));
else void generate();
