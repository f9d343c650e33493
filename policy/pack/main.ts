// `pulumi-oneops-policy <engine address>`: the policy pack, which the engine starts for
// `--policy-pack`. Only the port is written to the standard output.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { AnalyzerService } from '@pulumi/pulumi/proto/analyzer_grpc_pb';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { foldersFrom } from '../../stack';
import { analyzer } from './analyzer';

/** Large states pass, as with Pulumi's own plugins. */
const LARGEST_MESSAGE = 400 * 1024 * 1024;

function servePack(): void {
  const server = new Server({
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    'grpc.max_send_message_length': LARGEST_MESSAGE,
  });
  const required = createRequire(__filename);
  const { version } = required('pulumi-oneops/package.json') as { readonly version: string };
  server.addService(
    AnalyzerService,
    analyzer({ version, directory: projectFolder(process.cwd()), environment: process.env }),
  );
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
  process.on('SIGINT', () => undefined);
}

/** The folder of the project: the engine starts a pack in the folder of the call. */
const projectFolder = (folder: string): string =>
  foldersFrom(folder).find((above) => existsSync(join(above, 'Pulumi.yaml'))) ?? folder;

servePack();
