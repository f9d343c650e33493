// A folder with a stack file and the export of its state, a service that contains what they say, and the drift commands run there in process.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Dialect } from '../../api/contract';
import { exitCodeOf, UsageError } from '../../cli/exit';
import { command as driftCommand } from '../../cli/commands/drift/drift';
import type { DriftFinding, Review } from '../../drift';
import { listen } from '../../service';
import { exportOf, keptOf } from './drift-world';
import { emptyStack, run as runStack } from './engine-simulation';
import { resourcesOf, type StackSpec, WITH_DEPLOYER } from './stack-spec';
import { makeWorld, type World } from './world';
import { runCommand, type Outcome } from '../run-command';

/** A secret of the stack: no output may contain it. */
export const CANARY = 'canary-drift-5d10';

/** `oneops.yaml` as it was applied. */
export const FILE = `# The shop.
assembly: { name: shop, owner: team@acme.io }
variables:
  KEY: { fn::secret: ${CANARY} }
platforms:
  web:
    pack: oneops/custom:1
    components:
      user:
        deployer:
          username: deployer # as on the image
          description: deploys
          attachments:
            motd: { content: hello, path: /etc/motd }
            cron: { content: x, path: /etc/cron }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    deploy: {}
`;

const SPEC: StackSpec = {
  variables: { KEY: { encryptedValue: CANARY } },
  platforms: { web: WITH_DEPLOYER },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};

/** How a command ended. `usage`: it was called in a way it does not take. */
export interface Ended extends Outcome {
  readonly usage: boolean;
}

/** How a command is run, besides its words. */
interface Circumstances {
  /** Variables in place of, or besides, those of the service. */
  readonly environment?: { readonly [name: string]: string };
  /** Folder it runs in, below the world's own. */
  readonly below?: string;
  /** What a person answers at a terminal; without it there is none. */
  readonly answer?: string;
  /** What a person types on a terminal of 80 columns. */
  readonly typed?: Typed;
}

/** What a person types on a terminal, each once it shows a text. The terminal's echo is left out. */
export type Typed = readonly (readonly [shown: RegExp, keys: string | (() => string)])[];

export interface CommandWorld {
  readonly world: World;
  readonly folder: string;
  /** Variables that name the service, for a separate process. */
  readonly settings: { readonly [name: string]: string };
  /** `pulumi-oneops drift` with these words. */
  drift(words: readonly string[], circumstances?: Circumstances): Promise<Ended>;
  /** The review as `--json` prints it; it names the state. */
  review(...words: readonly string[]): Promise<Review>;
  /** Saves a review as `review.json`, and answers its findings by attribute, or by address for complete records. */
  saved(): Promise<{ readonly [subject: string]: DriftFinding }>;
  /** Maria writes attributes of the deployer. */
  tamper(attributes: { readonly [name: string]: string }): Promise<void>;
  /** Maria writes attributes of an attachment of the deployer. */
  attach(attachment: string, attributes: { readonly [name: string]: string }): Promise<void>;
  /** Maria deletes an attachment of the deployer. */
  detach(attachment: string): Promise<void>;
  read(name: string): string;
  write(name: string, text: string): void;
  has(name: string): boolean;
  close(): Promise<void>;
}

/** A person who reads the standard output, and types the next keys once it shows what they wait for. */
function typist(typed: Typed, stdin: PassThrough): () => void {
  let [done, read] = [0, 0];
  return () => {
    const [shown, keys = ''] = typed[done] ?? [];
    if (shown === undefined || !jest.isMockFunction(process.stdout.write)) return;
    const { calls } = jest.mocked(process.stdout.write).mock;
    const text = calls
      .slice(read)
      .map(([chunk]) => String(chunk))
      .join('');
    if (!shown.test(stripVTControlCharacters(text))) return;
    done += 1;
    read = calls.length;
    stdin.write(typeof keys === 'string' ? keys : keys());
  };
}

/** Opens a separate world. The service's time does not move but while a command runs. */
export async function openCommandWorld(dialect: Dialect): Promise<CommandWorld> {
  const world = makeWorld(dialect);
  const { stack, errors } = await runStack(world, emptyStack, resourcesOf(SPEC));
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const listening = await listen(world.service, { port: 0 });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oneops-drift-')));
  const inFolder = (name: string): string => join(folder, name);
  writeFileSync(inFolder('oneops.yaml'), FILE);
  writeFileSync(inFolder('state.json'), JSON.stringify(exportOf(keptOf(stack))));
  const settings = { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: 'admin-token' };
  world.requests();

  const drift: CommandWorld['drift'] = async (words, { environment = {}, answer, typed, below = '' } = {}) => {
    const before = { folder: process.cwd(), stdin: process.stdin, isTTY: process.stdout.isTTY };
    const isTTY = answer !== undefined || typed !== undefined;
    const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => stdin });
    if (typed === undefined) stdin.end(answer);
    else process.stdout.isTTY = true;
    const next = typist(typed ?? [], stdin);
    const time = setInterval(() => {
      world.clock.advance(1_000);
      next();
    }, 1);
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    process.chdir(inFolder(below));
    let thrown: Error | undefined;
    const failing = async (given: readonly string[]): Promise<number> => {
      try {
        return await driftCommand.run(given);
      } catch (error) {
        thrown = error as Error;
        return exitCodeOf(error);
      }
    };
    try {
      const ended = await runCommand({ run: failing }, { ...settings, ...environment }, ...words);
      // What cli/main makes of it.
      return { ...ended, stderr: thrown?.message ?? ended.stderr, usage: thrown instanceof UsageError };
    } finally {
      process.stdout.isTTY = before.isTTY;
      process.chdir(before.folder);
      Object.defineProperty(process, 'stdin', { value: before.stdin, configurable: true });
      clearInterval(time);
    }
  };
  const review = async (...words: readonly string[]): Promise<Review> => {
    const { stdout, stderr } = await drift(['--state', 'state.json', '--json', ...words]);
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Review;
  };

  return {
    world,
    folder,
    settings,
    drift,
    review,
    saved: async () => {
      const found = await review();
      writeFileSync(inFolder('review.json'), JSON.stringify(found));
      return Object.fromEntries(found.findings.map((each) => [each.attribute ?? each.address, each]));
    },
    tamper: async (attributes) => {
      world.clock.advance(1_000);
      await world.maria.set('web/deployer', attributes);
      world.requests();
    },
    attach: async (attachment, attributes) => {
      world.clock.advance(1_000);
      await world.maria.set(`web/deployer/${attachment}`, attributes);
      world.requests();
    },
    detach: async (attachment) => {
      world.clock.advance(1_000);
      await world.maria.delete(`web/deployer/${attachment}`);
      world.requests();
    },
    read: (name) => readFileSync(inFolder(name), 'utf8'),
    write: (name, text) => {
      mkdirSync(dirname(inFolder(name)), { recursive: true });
      writeFileSync(inFolder(name), text);
    },
    has: (name) => existsSync(inFolder(name)),
    close: async () => {
      await listening.close();
      world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
