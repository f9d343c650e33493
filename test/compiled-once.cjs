// Loaded into every Node process that the stories start: what one of them compiles is kept for the others, which load the
// same packages. The engine ends its plugins without a word, so it is written after a moment, not at their end.
const { enableCompileCache, flushCompileCache } = require('node:module');
const { join } = require('node:path');

enableCompileCache(join(__dirname, '..', 'node_modules', '.cache', 'compiled'));
setTimeout(flushCompileCache, 1_500).unref();
