// `pulumi-language-oneops <engine address>`: the program behind `runtime: oneops`.
// It must not know how it is served.
import { serveLanguageHost } from './serve';

const engineAddress = process.argv.slice(2).at(-1);
if (engineAddress === undefined) {
  process.stderr.write(
    'usage: pulumi-language-oneops <engine address>\nThe Pulumi engine starts it for projects with "runtime: oneops".\n',
  );
  process.exitCode = 1;
} else {
  serveLanguageHost(engineAddress);
}
