// `pulumi-oneops-policy <engine address>`: the policy pack, which the engine starts for
// `--policy-pack`. Only the port is written to the standard output.
import { AnalyzerService } from '@pulumi/pulumi/proto/analyzer_grpc_pb';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { servePlugin } from '../../provider/faces/served';
import { foldersFrom } from '../../stack';
import { analyzer } from './analyzer';

function servePack(): void {
  const required = createRequire(__filename);
  const { version } = required('pulumi-oneops/package.json') as { readonly version: string };
  servePlugin(
    AnalyzerService,
    analyzer({ version, directory: projectFolder(process.cwd()), environment: process.env }),
  );
  process.on('SIGINT', () => undefined);
}

/** The folder of the project: the engine starts a pack in the folder of the call. */
const projectFolder = (folder: string): string =>
  foldersFrom(folder).find((above) => existsSync(join(above, 'Pulumi.yaml'))) ?? folder;

servePack();
