// Runs what generates files from its source: `npm run generate` needs no build.
require('../../test/run-source.cjs');

const words = process.argv.slice(2);
// The list of packs first: what follows is made of a contract that reads it. The page on commands
// is written last.
if (!words.includes('--print')) void require('../../cli/generate/main.ts').writeCatalogueFiles();
require('./main.ts').writeKindFiles(words);
