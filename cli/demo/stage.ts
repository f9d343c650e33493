// Where the demo happens: a service in memory, and a project in a folder that is removed at the end.
// It must not know what happens there.
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createApi, type Api } from '../../api/client';
import { createService, fastClock, listen } from '../../service';
import { copyPlugin, PLUGINS, pulumiHome } from '../setup/plugins';

/** How much faster than real the service's own work goes. */
const SPEED = 20;

/** The stage of a demo. */
export interface DemoStage {
  /** Folder of the project. */
  readonly project: string;
  readonly url: string;
  /** Token of the user whose stack it is. */
  readonly token: string;
  /** Environment of the commands: with a home, a state and a language host of the demo, and no settings of the user. */
  readonly environment: NodeJS.ProcessEnv;
  /** The client of another user, maria. */
  readonly maria: Api;
  /** Stops the service and removes the folder. */
  close(): Promise<void>;
}

const PROJECT_FILE = `name: storefront
runtime: { name: oneops, options: { resources: plugin } }
plugins:
  languages: [{ name: oneops, path: ../plugins/language }]
  providers: [{ name: oneops, path: ../plugins/resource }]
`;

/** Makes the stage. */
export async function openStage(): Promise<DemoStage> {
  const folder = mkdtempSync(join(tmpdir(), 'pulumi-oneops-demo-'));
  const [token, marias] = [newToken(), newToken()];
  const service = createService({
    database: ':memory:',
    dialect: 'documented',
    clock: fastClock(SPEED),
    users: [
      { name: 'admin', token },
      { name: 'maria', token: marias },
    ],
  });
  const listening = await listen(service, { port: 0 });
  const maria = createApi({ url: listening.url, organization: 'acme', token: marias, dialect: 'documented' });
  const close = async (): Promise<void> => {
    maria.close();
    await listening.close();
    service.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    writeProject(folder);
    return {
      project: join(folder, 'storefront'),
      url: listening.url,
      token,
      environment: environmentOf(folder),
      maria,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const newToken = (): string => randomBytes(20).toString('hex');

function writeProject(folder: string): void {
  const root = dirname(createRequire(__filename).resolve('pulumi-oneops/package.json'));
  const project = join(folder, 'storefront');
  for (const name of ['state', 'home']) mkdirSync(join(folder, name));
  cpSync(join(root, 'examples', 'storefront'), project, { recursive: true });
  writeFileSync(join(project, 'Pulumi.yaml'), PROJECT_FILE);
  for (const plugin of PLUGINS.filter(({ kind }) => kind !== 'converter'))
    copyPlugin(plugin, join(folder, 'plugins', plugin.kind));
  // The CLI that comes with npm looks for itself in the home, and would be downloaded again.
  const versions = resolve(pulumiHome(), 'versions');
  if (existsSync(versions)) symlinkSync(versions, join(folder, 'home', 'versions'), 'junction');
}

const environmentOf = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|ONEOPS)_/.test(name))),
  PULUMI_HOME: join(folder, 'home'),
  PULUMI_BACKEND_URL: `file://${join(folder, 'state')}`,
  PULUMI_CONFIG_PASSPHRASE: '',
  PULUMI_SKIP_UPDATE_CHECK: 'true',
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
  PULUMI_DISABLE_REGISTRY_RESOLVE: 'true',
  NO_COLOR: '1',
});
