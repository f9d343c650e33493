// `pulumi-oneops/dynamic`, which the provider texts in states load. The engine kills its host at the
// end of a run: compiled code is written as soon as there is some.
const { flushCompileCache } = require('node:module');
require('../dist/cli/start.js').keepCompiledCode();
module.exports = require('../dist/provider/faces/dynamic/index.js');
setImmediate(flushCompileCache);
