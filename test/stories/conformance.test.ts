// Every promise of every kind's lifecycle on the real engine, from the kind's own sample, in both dialects: one engine run for all kinds at once.
// What does not hold for a kind stands here as data, with its reason; the suite prints the table kind × promise.
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../package.json';
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import {
  diff,
  importFile,
  kinds,
  lifecycle,
  newSession,
  secretAttributes,
  type Inputs,
  type Kind,
  type Lifecycle,
  type Row,
} from '../../provider';
import { bytesOf, kept as keptState, renumbered, type Exported } from '../conformance/state-fixture';
import { leftToDeploy } from '../conformance/left-to-deploy';
import { programOf, type Variant } from '../conformance/samples';
import { tampered, tamperings } from '../conformance/tampering';
import { kindOf } from '../conformance/world';
import {
  findEngine,
  keyOf,
  newProject,
  programFile,
  programFiles,
  stepsOfPreview,
  stepsOfRun,
  type Engine,
  type Project,
  type Run,
  stateOf,
  type StateResource,
  type Step,
} from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';

const PROMISES = [
  'created',
  'preview empty',
  'refresh empty',
  'updated in place',
  'removed fields go to their base',
  'replaced',
  'deleted by somebody: said',
  'deleted by somebody: made again',
  'tampering named',
  'tampering repaired and deployed',
  'taken over by an import file',
  'gone after destroy',
] as const;
type Promised = (typeof PROMISES)[number];

const BORN = 'born with its environment: it cannot be deleted, only set back';
const NO_RECORD = 'an act, not a record: nobody can delete it';
const NO_ATTRIBUTES = 'an act, not a record: it has no attributes';
const ACTS = ['DesignRelease', 'Deployment', 'Procedure', 'InstanceReplacement'];
const ofActs = (reason: string): { readonly [token: string]: string } =>
  Object.fromEntries(ACTS.map((token) => [token, reason]));

/** Promises that a kind cannot keep, and why. */
const EXCEPTIONS: { readonly [promise in Promised]?: { readonly [token: string]: string } } = {
  'deleted by somebody: said': { ...ofActs(NO_RECORD), CloudConfiguration: BORN },
  'deleted by somebody: made again': { ...ofActs(NO_RECORD), CloudConfiguration: BORN },
  'tampering named': ofActs(NO_ATTRIBUTES),
  replaced: {
    DesignRelease: 'its address is its assembly: replaced along with it, in the stories of renames',
    Deployment: 'its address is its environment: replaced along with it, as the second one here is',
  },
};

/** State of each release, by folder; `WRITE_STATE=1` writes that of this version, where there is none. */
const STATES = join(__dirname, '..', 'fixtures', 'state');
const STATE_FILE = 'every-kind.json';

/** Most bytes of a resource without anything that need not be declared, as it stands in an exported state. */
const LEAN = 1536;

const SILENT: Row = { progress: () => undefined, notice: () => undefined };

/** What a failed run told: with --json, the messages of its errors. */
const messagesOf = ({ output }: Run): readonly string[] => {
  const errors = output.split('\n').flatMap((line) => {
    if (!line.startsWith('{"sequence"')) return [];
    const { diagnosticEvent: told } = JSON.parse(line) as {
      readonly diagnosticEvent?: { readonly severity: string; readonly message: string };
    };
    return told?.severity === 'error' ? [told.message] : [];
  });
  return errors.length > 0 ? errors : [output];
};

/** Cells of the printed table: what each kind kept, by dialect. */
const kept = new Map<string, Set<Dialect>>();

let engine: Engine;

beforeAll(async () => {
  engine = await findEngine();
});

afterAll(() => {
  const cell = (of: Kind, promise: Promised): string =>
    EXCEPTIONS[promise]?.[of.token] !== undefined
      ? '–'
      : DIALECTS.map((dialect) => (kept.get(`${of.token} ${promise}`)?.has(dialect) ? '✓' : '✗')).join('');
  const rows = PROMISES.map(
    (promise) => `${promise.padEnd(34)}${kinds.map((of) => cell(of, promise).padEnd(of.token.length + 2)).join('')}`,
  );
  const reasons = Object.entries(EXCEPTIONS).flatMap(([promise, tokens]) =>
    Object.entries(tokens).map(([token, reason]) => `– ${token}, ${promise}: ${reason}`),
  );
  const head = `${''.padEnd(34)}${kinds.map(({ token }) => `${token}  `).join('')}`;
  process.stdout.write([`\nkind × promise (${DIALECTS.join(', ')})`, head, ...rows, ...reasons, ''].join('\n'));
});

describe.each(DIALECTS)('every kind keeps every promise, %s', (dialect) => {
  let live: LiveService;
  let project: Project;

  const newSamples = (variant: Variant): Promise<Project> =>
    newProject({
      engine,
      files: programFiles(programOf(variant, dialect)),
      config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
      secrets: { 'oneops:token': TOKEN },
    });

  beforeAll(async () => {
    live = await startService(dialect);
    project = await newSamples('create');
  });

  afterAll(async () => {
    await project.remove();
    await live.stop();
  });

  /** Records that a promise was kept by every kind that can keep it; an exception that is none any more is told, too. */
  const keeps = (promise: Promised, isKept: (of: Kind) => boolean): void => {
    const wrong = kinds.flatMap((of) => {
      const excepted = EXCEPTIONS[promise]?.[of.token] !== undefined;
      if (isKept(of) === excepted) return [`${of.token}: ${excepted ? 'keeps it after all' : 'does not keep it'}`];
      return [];
    });
    expect({ promise, wrong }).toEqual({ promise, wrong: [] });
    for (const { token } of kinds) {
      const key = `${token} ${promise}`;
      kept.set(key, new Set([...(kept.get(key) ?? []), dialect]));
    }
  };

  const succeeded = (run: Run): Run => {
    expect([run.code, run.code === 0 ? [] : messagesOf(run)]).toEqual([0, []]);
    return run;
  };

  const up = async (...flags: readonly string[]): Promise<readonly Step[]> =>
    stepsOfRun(succeeded(await project.run('up', '--skip-preview', '--json', ...flags)).stdout);

  const did = (steps: readonly Step[], of: Kind, op: string): boolean =>
    steps.some((step) => step.key === `${of.token}::sample` && step.op === op);

  const declare = (variant: Variant): Promise<void> =>
    project.write('program.json', programFile(programOf(variant, dialect)));

  /** What the service finds to do in the environments, once everything is said to be deployed. */
  const leftEverywhere = async (): Promise<readonly string[]> => {
    const assembly = 'home';
    const environments = await live.other.call(routes.environments.list, { address: { assembly } });
    const left = environments.map(({ ciName }) =>
      leftToDeploy(live.other, { assembly, environment: ciName }, () => undefined),
    );
    return (await Promise.all(left)).flat();
  };

  /** The service holds what is declared, and runs it. */
  const expectAsDeclared = async (): Promise<void> => {
    succeeded(await project.run('refresh', '--preview-only', '--expect-no-changes', '--diff'));
    expect(await leftEverywhere()).toEqual([]);
  };

  /** A kind's lifecycle in the hands of somebody else, who remembers nothing. */
  const lifeOfOther = (token: string): Lifecycle =>
    lifecycle(kindOf(token), () => Promise.resolve(live.other), newSession(kinds));

  const samples = async (): Promise<readonly StateResource[]> =>
    (await stateOf(project)).filter(({ name }) => name === 'sample');

  const exported = async (): Promise<Exported> =>
    JSON.parse(succeeded(await project.run('stack', 'export')).stdout) as Exported;

  /** Declared values of a sample that are values, not resources: state holds secrets encrypted. */
  const plainArgs = (variant: Variant, key: string): Inputs => {
    const { args = {} } = programOf(variant, dialect).find((resource) => keyOf(resource) === key) ?? {};
    const isResource = (value: unknown): boolean => typeof value === 'object' && value !== null && 'resource' in value;
    return Object.fromEntries(Object.entries(args).filter(([, value]) => !isResource(value)));
  };

  /** What no read shows and is secret: a person has to fill it in. */
  const secretsOf = (key: string): Inputs => {
    const of = kindOf(key.slice(0, key.indexOf('::')));
    const plain = plainArgs('replace', key);
    const { argument = '', names = [] } = secretAttributes(of, plain) ?? {};
    const within = Object.entries((plain[argument] ?? {}) as Inputs).filter(([name]) => names.includes(name));
    return {
      ...Object.fromEntries(Object.entries(plain).filter(([name]) => of.fields[name]?.secret)),
      ...(within.length > 0 ? { [argument]: Object.fromEntries(within) } : {}),
    };
  };

  /** What no read shows because it steers our own work: a procedure's action. */
  const controlsOf = (key: string): Inputs => {
    const of = kindOf(key.slice(0, key.indexOf('::')));
    const isControl = ([name]: readonly [string, unknown]): boolean => of.fields[name]?.channel === 'control';
    return Object.fromEntries(Object.entries(plainArgs('replace', key)).filter(isControl));
  };

  test('created', async () => {
    const steps = await up();
    keeps('created', (of) => did(steps, of, 'create'));
  });

  test('preview and refresh are empty, and nothing is left to deploy', async () => {
    succeeded(await project.run('preview', '--expect-no-changes'));
    keeps('preview empty', () => true);
    await expectAsDeclared();
    keeps('refresh empty', () => true);
  });

  test('state of every release is read: preview and refresh are empty', async () => {
    const now = await exported();
    const file = join(STATES, version, STATE_FILE);
    if (process.env['WRITE_STATE'] === '1' && !existsSync(file)) {
      await mkdir(join(STATES, version), { recursive: true });
      await writeFile(file, keptState(now, live.url));
    }
    expect(readdirSync(STATES)).toContain(version);
    for (const release of readdirSync(STATES)) {
      const text = await readFile(join(STATES, release, STATE_FILE), 'utf8');
      expect(text).not.toMatch(/canary|s3cret|k3y-|file:|(?<!\w)\/(?:home|root|tmp|var)\//);
      const later = await newSamples('create');
      try {
        await later.write('state.json', renumbered(text, now, live.url));
        succeeded(await later.run('stack', 'import', '--file', 'state.json'));
        succeeded(await later.run('preview', '--expect-no-changes', '--diff'));
        succeeded(await later.run('refresh', '--preview-only', '--expect-no-changes', '--diff'));
      } finally {
        await later.remove();
      }
    }
  });

  test('updated in place', async () => {
    await declare('update');
    const steps = await up();
    await expectAsDeclared();
    keeps('updated in place', (of) => did(steps, of, 'update'));
  });

  test('fields that are no longer declared go to their base', async () => {
    await declare('bare');
    await up();
    await expectAsDeclared();
    const found = await Promise.all(
      (await samples()).map(async ({ token, id, inputs }) => {
        const of = kindOf(token);
        // Read as an import does: everything that is not at its base, whoever declared it.
        const state = await lifeOfOther(token).read(id, undefined, SILENT);
        const live = state?.inputs ?? {};
        return (
          diff(of, inputs, live)
            .filter(({ path: [field = ''] }) => of.fields[field]?.channel !== 'control')
            // Secrets read as encrypted, and its class requires those it has.
            .filter(({ path: [field = ''] }) => secretAttributes(of, inputs)?.argument !== field)
            .map(({ path: [field] }) => `${token}.${field}`)
        );
      }),
    );
    const { resources } = (await exported()).deployment;
    const lean = kinds.flatMap(({ token }) => {
      const found = resources.find(({ urn }) => urn.endsWith(`oneops:${token}::sample`));
      return found ? [{ token, bytes: bytesOf(found), outputs: Object.keys(found.outputs ?? {}) }] : [];
    });
    process.stdout.write(
      `\nbytes in state, ${dialect}: ${lean.map(({ token, bytes }) => `${token} ${bytes}`).join(', ')}\n`,
    );
    expect(lean.filter(({ bytes }) => bytes > LEAN)).toEqual([]);
    keeps('removed fields go to their base', (of) => !found.flat().some((path) => path.startsWith(`${of.token}.`)));
  });

  test('replaced', async () => {
    await declare('replace');
    const steps = await up();
    await expectAsDeclared();
    keeps('replaced', (of) => did(steps, of, 'replace'));
  });

  test('deleted by somebody: the preview says so, and up makes it again', async () => {
    const promise = 'deleted by somebody: said';
    const doomed = (await samples()).filter(({ token }) => EXCEPTIONS[promise]?.[token] === undefined).reverse();
    // What runs in the sample environment stands in the way of deleting it.
    const second = (await stateOf(project)).find(({ token, name }) => token === 'Deployment' && name === 'second');
    for (const { token, id, outputs } of [...(second ? [second] : []), ...doomed])
      await lifeOfOther(token).delete(id, outputs, SILENT);
    const preview = stepsOfPreview(succeeded(await project.run('preview', '--refresh', '--json')).stdout);
    keeps(promise, (of) => did(preview, of, 'create'));
    const steps = await up('--refresh');
    await expectAsDeclared();
    keeps('deleted by somebody: made again', (of) => did(steps, of, 'create'));
  });

  test('every single attribute tampered with: named, repaired, and the repair deployed', async () => {
    const expected = new Map<string, readonly string[]>();
    for (const { key, token, id, inputs, outputs } of await samples()) {
      const plain = plainArgs('replace', key);
      const changes = tamperings(kindOf(token), { ...inputs, ...plain });
      if (changes.length === 0) continue;
      expected.set(
        token,
        changes.map(({ path }) => path.join('.')),
      );
      const known = { ...outputs, ...plain };
      await lifeOfOther(token).update(id, known, { ...known, ...tampered(plain, changes) }, SILENT);
    }
    const preview = stepsOfPreview(succeeded(await project.run('preview', '--refresh', '--json')).stdout);
    const named = (of: Kind): readonly string[] =>
      preview.filter(({ key }) => key === `${of.token}::sample`).flatMap(({ differs }) => differs);
    const unnamed = kinds.flatMap((of) =>
      (expected.get(of.token) ?? [])
        .filter(
          (path) =>
            !named(of).some(
              (differs) => differs === path || (/^[.[]/.test(differs.slice(path.length)) && differs.startsWith(path)),
            ),
        )
        .map((path) => `${of.token}.${path}`),
    );
    expect(unnamed).toEqual([]);
    keeps('tampering named', (of) => expected.has(of.token));
    await up('--refresh');
    await expectAsDeclared();
    keeps('tampering repaired and deployed', () => true);
  });

  test('taken over by an import file', async () => {
    const before = await stateOf(project);
    const importing = await newSamples('replace');
    try {
      const taken = before.map(({ key, token, name, id }) => ({
        of: kindOf(token),
        name,
        id,
        given: { ...controlsOf(key), ...secretsOf(key) },
      }));
      const { resources, toAdd, unseen, leftOut } = await importFile(taken, ({ token }) => lifeOfOther(token));
      expect([toAdd, unseen, leftOut]).toEqual([[], [], []]);
      await importing.write('import.json', JSON.stringify({ resources }));
      live.requests();
      const flags = ['--file', 'import.json', '--generate-code=false', '--protect=false'];
      succeeded(await importing.run('import', ...flags));
      expect(live.writes()).toEqual([]);
      const preview = await importing.run('preview', '--expect-no-changes', '--diff');
      succeeded(preview);
      keeps('taken over by an import file', () => true);
      // An import keeps no dependencies, and a preview keeps nothing: the next up does.
      live.requests();
      succeeded(await importing.run('up', '--skip-preview', '--expect-no-changes'));
      expect(live.writes()).toEqual([]);
      succeeded(await importing.run('destroy', '--skip-preview'));
    } finally {
      await importing.remove();
    }
    expect(await live.assemblies()).toEqual([]);
    keeps('gone after destroy', () => true);
  });
});
