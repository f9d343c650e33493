// `pulumi-language-oneops <engine address>`: the program behind `runtime: oneops`.
// It must not know how it is served.
import type { PluginRequest } from './language-runtime';
import { COMPONENT, serveComponent } from './run-plugin';
import { serveLanguageHost } from './serve';

const [word, request = ''] = process.argv.slice(2);
const engineAddress = process.argv.slice(2).at(-1);
if (engineAddress === undefined) {
  process.stderr.write(
    'usage: pulumi-language-oneops <engine address>\nThe Pulumi engine starts it for projects with "runtime: oneops".\n',
  );
  process.exitCode = 1;
} else if (word === COMPONENT) {
  void serveComponent(JSON.parse(request) as PluginRequest, engineAddress);
} else {
  serveLanguageHost(engineAddress);
}
