// Every promise of every kind's lifecycle on the real engine, from the kind's own sample: one
// engine run for all kinds, in the other dialect in `make verify`. Single attributes are judged in
// process (reviews/laws, kinds/lifecycle), and the plugin in engine/plugin (kinds/plugin).
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '../../api/contract';
import { importFile } from '../../provider/import';
import { addressNames, COMPUTED, type Inputs, KEPT as STATE_KEPT, type Kind, scopeAt } from '../../provider';
import { kinds } from '../../provider/kinds';
import { hiddenName, settledNames } from '../../provider/kinds/settled';
import { lifecycle, type Lifecycle, type Row } from '../../provider/lifecycle';
import { secretAttributes } from '../../provider/secrets';
import { newSession } from '../../provider/session';
import { dialectsInTurn } from '../dialects-in-turn';
import {
  keyOf,
  programFile,
  programFiles,
  type ProgramResource,
  type Project,
  type Run,
  stateOf,
  type StateResource,
  type Step,
  stepsOfPreview,
  stepsOfRun,
} from '../world/engine';
import { leftEverywhere } from '../world/left-to-deploy';
import { programOf, SAMPLED, sampledAs, sampleKey, type Variant } from '../world/samples';
import { comesWithPull, kindOf, titleOf } from '../world/world';
import { startService } from './live-service';
import { openStories } from './story';

/** An export of a stack, as far as it matters here. */
interface Exported {
  readonly version: number;
  readonly deployment: {
    readonly manifest?: unknown;
    readonly secrets_providers?: unknown;
    readonly resources: readonly ExportedResource[];
  };
}

interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Values;
  readonly outputs?: Values;
  readonly [member: string]: unknown;
}

interface Values {
  readonly [name: string]: unknown;
}

/** Members that hold the place of a machine or the time of a run, and that the engine does without. */
const OF_A_RUN = ['sourcePosition', 'stackTrace', 'created', 'modified'];

const KEPT_URL = 'http://127.0.0.1:9090';

/** Values a service gives by itself, in which two services filled alike differ: numbers, stamps, and what is made of them. */
const NUMBERED =
  'ciId revision updated updatedBy releaseId deploymentId procedureId marked pulled __stamps __designRelease'.split(
    ' ',
  );

/** What is kept: without times and places of the run that made it. */
function keptState(exported: Exported, url: string): string {
  const { version, deployment } = exported;
  const resources = deployment.resources.map((resource) =>
    Object.fromEntries(Object.entries(resource).filter(([member]) => !OF_A_RUN.includes(member))),
  );
  const { secrets_providers } = deployment;
  const manifest = { time: '2026-01-05T00:00:00Z', magic: '', version: '' };
  const text = JSON.stringify({ version, deployment: { manifest, secrets_providers, resources } }, undefined, 1);
  return `${text.replaceAll(url, KEPT_URL)}\n`;
}

/** A kept state for another service: its values as they are, numbers and stamps those of that service's own state. */
function renumbered(text: string, present: Exported, url: string): string {
  const before = JSON.parse(text.replaceAll(KEPT_URL, url)) as Exported;
  const now = new Map(present.deployment.resources.map((resource) => [resource.urn, resource]));
  const resources = before.deployment.resources.map((resource) => {
    const { inputs, outputs } = now.get(resource.urn) ?? {};
    return {
      ...resource,
      ...(resource.inputs ? { inputs: withNumbers(resource.inputs, inputs) } : {}),
      ...(resource.outputs ? { outputs: withNumbers(resource.outputs, outputs) } : {}),
    };
  });
  return JSON.stringify({ ...before, deployment: { ...before.deployment, resources } });
}

const withNumbers = (values: Values, numbered: Values = {}): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      NUMBERED.includes(name) && name in numbered ? numbered[name] : value,
    ]),
  );

/** What grows with the program and not with the resource: edges, and where it was declared. */
const OF_THE_PROGRAM = ['dependencies', 'propertyDependencies', 'stackTrace', 'sourcePosition'];

/** Bytes of a resource in an export, without what grows with the program: its edges, its place, and its members. */
function bytesOf(resource: ExportedResource): number {
  const lean = (values: Values = {}): Values => ('__stamps' in values ? { ...values, __stamps: '' } : values);
  const own = Object.entries(resource).filter(([member]) => !OF_THE_PROGRAM.includes(member));
  const counted = { ...Object.fromEntries(own), inputs: lean(resource.inputs), outputs: lean(resource.outputs) };
  return Buffer.byteLength(JSON.stringify(counted));
}

/** Bytes of a resource in an export, as the engine writes it. */
const wholeBytesOf = (resource: ExportedResource): number => Buffer.byteLength(JSON.stringify(resource));

/** Reasons by the title of a kind; a kind of several scopes by scope. */
interface Reasons {
  readonly [title: string]: string;
}

/** Why a record cannot be deleted by another user; undefined for one that can. */
function undeletable(of: Kind): string | undefined {
  if (of.verbs.isAction === true) return 'an action, not a record: nobody can delete it';
  if (comesWithPull(of)) return 'created with its environment: it cannot be deleted, only set back';
  return undefined;
}

const UNDELETABLE: Reasons = Object.fromEntries(
  SAMPLED.flatMap((of) => {
    const reason = undeletable(of);
    return reason === undefined ? [] : [[titleOf(of), reason]];
  }),
);

/** Why a kind is not replaced here. */
const REPLACED_ALONG: Reasons = {
  DesignRelease: 'its address is its assembly: replaced along with it, in the stories of renames',
  Deployment: 'its address is its environment: replaced along with it, as the second one here is',
};

/** Expects that every kind keeps a promise, and that those with a reason do not. */
function keeps(promise: string, isKept: (of: Kind) => boolean, exceptions: Reasons = {}): void {
  const wrong = SAMPLED.filter((of) => isKept(of) === titleOf(of) in exceptions).map(titleOf);
  expect({ promise, wrong }).toEqual({ promise, wrong: [] });
}

/**
 * State by release, and what declared it. `WRITE_STATE=unreleased` writes that of the next release
 * where it is missing, and reads no other (`make kept-state`). Those of releases stay as they are.
 */
const STATES = join(__dirname, '..', 'fixtures', 'state');
const KEPT: readonly {
  readonly source: string;
  readonly state: string;
  readonly files: (source: string) => { readonly [path: string]: string };
}[] = [
  {
    source: 'program.json',
    state: 'every-kind.json',
    files: (source) => programFiles(JSON.parse(source) as readonly ProgramResource[]),
  },
  { source: 'oneops.yaml', state: 'file.json', files: (source) => ({ 'oneops.yaml': source }) },
];

/** Most bytes in an exported state of a resource that declares only what it must. */
const LEAN = 1650;

const SILENT: Row = { progress: () => undefined, notice: () => undefined };

/** Kinds whose samples contain secrets. */
const WITH_SECRETS = ['Attachment', 'Cloud', 'CloudService', 'EnvironmentAttachment', 'Variable'];

/** Texts in a value, at any depth. */
const leaves = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];

describe.each(dialectsInTurn(0))('every kind keeps every promise, %s', (dialect) => {
  const { live, open } = openStories(dialect);
  let project: Project;
  /** Clouds and their services, before anything was declared. */
  let before: readonly string[];

  beforeAll(async () => {
    before = await outsideAssemblies();
    project = await open({ files: programFiles(programOf('create', dialect)) });
  });

  const succeeded = (run: Run): Run => {
    expect(run).toExitWith(0);
    return run;
  };

  const up = async (...flags: readonly string[]): Promise<readonly Step[]> =>
    stepsOfRun(succeeded(await project.run('up', '--skip-preview', '--json', ...flags)).stdout);

  const did = (steps: readonly Step[], of: Kind, op: string): boolean =>
    steps.some((step) => step.key === sampleKey(of) && step.op === op);

  const declare = (variant: Variant): Promise<void> =>
    project.write('program.json', programFile(programOf(variant, dialect)));

  /** The service contains what is declared, and runs it. */
  const expectAsDeclared = async (): Promise<void> => {
    succeeded(await project.run('refresh', '--preview-only', '--expect-no-changes', '--diff'));
    expect(await leftEverywhere(live.other)).toEqual([]);
  };

  /** A kind's lifecycle in the hands of another user, who remembers nothing. */
  const lifeOfOther = (token: string): Lifecycle =>
    lifecycle(kindOf(token), () => Promise.resolve(live.other), newSession(kinds));

  const samples = async (): Promise<readonly StateResource[]> =>
    (await stateOf(project)).filter(({ key }) => sampledAs(key) !== undefined);

  /** What the organization holds in addition to assemblies: clouds, and `cloud/service` of each. */
  const outsideAssemblies = async (): Promise<readonly string[]> => {
    const clouds = (await live.other.call(routes.clouds.list, {})).map(({ ciName }) => ciName);
    const services = clouds.map(async (cloud) =>
      (await live.other.call(routes.cloudServices.list, { address: { cloud } })).map(
        ({ ciName }) => `${cloud}/${ciName}`,
      ),
    );
    return [...clouds, ...(await Promise.all(services)).flat()].sort();
  };

  /**
   * Expects that the inputs of each resource are what was declared and is filled in, and its
   * outputs these and the computed names.
   */
  const expectStateNames = async (variant: Variant): Promise<void> => {
    const program = programOf(variant, dialect);
    const wrong = (await stateOf(project)).flatMap(({ key, token, inputs, outputs }) => {
      const of = scopeAt(kindOf(token), inputs) ?? kindOf(token);
      const { args = {} } = program.find((resource) => keyOf(resource) === key) ?? {};
      const declared = [
        ...Object.keys(args),
        ...addressNames(of),
        ...Object.keys(of.fills ?? {}),
        '__provider',
        STATE_KEPT,
      ];
      const settled = settledNames(of).flatMap((name) => [name, hiddenName(name)]);
      const given = Object.keys(inputs).filter((name) => !settled.includes(name));
      const computed = [...Object.keys(COMPUTED), ...Object.keys(of.computed), '__api'];
      const expected = [...new Set([...Object.keys(inputs), ...computed])].sort();
      const names = Object.keys(outputs).sort();
      return [
        ...(given.sort().join() === [...new Set(declared)].sort().join() ? [] : [`${key} has inputs ${given.join()}`]),
        ...(names.join() === expected.join() ? [] : [`${key} has outputs ${names.join()}, not ${expected.join()}`]),
      ];
    });
    expect(wrong).toEqual([]);
  };

  const exported = async (): Promise<Exported> =>
    JSON.parse(succeeded(await project.run('stack', 'export')).stdout) as Exported;

  /** Declared values of a sample beside its references to resources. */
  const plainArgs = (variant: Variant, key: string): Inputs => {
    const { args = {} } = programOf(variant, dialect).find((resource) => keyOf(resource) === key) ?? {};
    const isResource = (value: unknown): boolean => typeof value === 'object' && value !== null && 'resource' in value;
    return Object.fromEntries(Object.entries(args).filter(([, value]) => !isResource(value)));
  };

  /** What no read shows and is secret: a person has to fill it in. */
  const secretsOf = (key: string, variant: Variant = 'replace'): Inputs => {
    const of = kindOf(key.slice(0, key.indexOf('::')));
    const plain = plainArgs(variant, key);
    const { argument = '', names = [] } = secretAttributes(of, plain) ?? {};
    const within = Object.entries((plain[argument] ?? {}) as Inputs).filter(([name]) => names.includes(name));
    return {
      ...Object.fromEntries(Object.entries(plain).filter(([name]) => of.fields[name]?.secret)),
      ...(within.length > 0 ? { [argument]: Object.fromEntries(within) } : {}),
    };
  };

  /** Declared values that are only written, such as the action of a procedure. */
  const unseenOf = (key: string): Inputs => {
    const of = kindOf(key.slice(0, key.indexOf('::')));
    const isUnseen = ([name]: readonly [string, unknown]): boolean => of.fields[name]?.writeOnly === true;
    return Object.fromEntries(Object.entries(plainArgs('replace', key)).filter(isUnseen));
  };

  test('created', async () => {
    const steps = await up();
    keeps('created', (of) => did(steps, of, 'create'));
    await expectStateNames('create');
  });

  test('no secret is in clear in the state or its export, of any kind that has some', async () => {
    const texts = [await project.state(), JSON.stringify(await exported())];
    const secrets = programOf('create', dialect).flatMap((resource) =>
      leaves(secretsOf(keyOf(resource), 'create')).map((text) => ({ token: resource.token, text })),
    );
    expect([...new Set(secrets.map(({ token }) => token))].sort()).toEqual(WITH_SECRETS);
    expect(secrets.filter(({ text }) => texts.some((whole) => whole.includes(text)))).toEqual([]);
  });

  test('preview and refresh are empty, and nothing is left to deploy', async () => {
    succeeded(await project.run('preview', '--expect-no-changes'));
    succeeded(await project.run('refresh', '--expect-no-changes', '--diff'));
    expect(await leftEverywhere(live.other)).toEqual([]);
    await expectStateNames('create');
  });

  test('state of every release is read: preview and refresh are empty', async () => {
    const written = process.env['WRITE_STATE'];
    if (written !== undefined) {
      await mkdir(join(STATES, written), { recursive: true });
      const program = join(STATES, written, 'program.json');
      if (!existsSync(program)) await writeFile(program, `${programFile(programOf('create', dialect))}\n`);
    }
    expect(readdirSync(STATES)).toContain('unreleased');
    for (const release of written === undefined ? readdirSync(STATES) : [written]) {
      for (const { source, state, files } of KEPT) {
        const [sourceFile, stateFile] = [source, state].map((name) => join(STATES, release, name)) as [string, string];
        if (!existsSync(sourceFile)) continue;
        const own = await startService(dialect);
        const later = await open({ at: own, files: files(await readFile(sourceFile, 'utf8')) });
        try {
          succeeded(await later.run('up', '--skip-preview'));
          const now = JSON.parse(succeeded(await later.run('stack', 'export')).stdout) as Exported;
          if (release === written && !existsSync(stateFile)) await writeFile(stateFile, keptState(now, own.url));
          const text = await readFile(stateFile, 'utf8');
          expect(text).not.toMatch(/canary|s3cret|k3y-|file:|(?<!\w)\/(?:home|root|tmp|var)\//);
          await later.write('state.json', renumbered(text, now, own.url));
          succeeded(await later.run('stack', 'import', '--file', 'state.json'));
          succeeded(await later.run('preview', '--expect-no-changes', '--diff'));
          succeeded(await later.run('refresh', '--preview-only', '--expect-no-changes', '--diff'));
        } finally {
          await own.stop();
        }
      }
    }
  });

  test('updated in place', async () => {
    await declare('update');
    const steps = await up();
    await expectAsDeclared();
    keeps('updated in place', (of) => did(steps, of, 'update'));
    await expectStateNames('update');
  });

  test('what a state keeps of a record whose fields are no longer declared is small', async () => {
    await declare('bare');
    await up();
    await expectAsDeclared();
    const { resources } = (await exported()).deployment;
    const lean = SAMPLED.flatMap((of) => {
      const found = resources.find(({ urn }) => urn.endsWith(`oneops:${sampleKey(of)}`));
      return found ? [{ title: titleOf(of), bytes: bytesOf(found), whole: wholeBytesOf(found) }] : [];
    });
    const sizes = lean.map(({ title, bytes, whole }) => `${title} ${bytes} (${whole})`).join(', ');
    process.stdout.write(
      `\nbytes in state, ${dialect}: a resource's own, held to ${LEAN} (and as the engine writes it, with its edges, its place and its members): ${sizes}\n`,
    );
    expect(lean.filter(({ bytes }) => bytes > LEAN)).toEqual([]);
  });

  test('replaced', async () => {
    await declare('replace');
    const steps = await up();
    await expectAsDeclared();
    keeps('replaced', (of) => did(steps, of, 'replace'), REPLACED_ALONG);
  });

  test('deleted by somebody: the preview says so, and up creates it again', async () => {
    const canGo = ({ key }: StateResource): boolean => !(titleOf(sampledAs(key) as Kind) in UNDELETABLE);
    const doomed = (await samples()).filter(canGo).reverse();
    // What runs in the sample environment is in the way of deleting it.
    const second = (await stateOf(project)).find(({ token, name }) => token === 'Deployment' && name === 'second');
    for (const { token, id, outputs } of [...(second ? [second] : []), ...doomed])
      await lifeOfOther(token).delete(id, outputs, SILENT);
    const preview = stepsOfPreview(succeeded(await project.run('preview', '--refresh', '--json')).stdout);
    keeps('deleted by somebody: said', (of) => did(preview, of, 'create'), UNDELETABLE);
    const steps = await up('--refresh');
    await expectAsDeclared();
    keeps('deleted by somebody: made again', (of) => did(steps, of, 'create'), UNDELETABLE);
  });

  test('taken over by an import file', async () => {
    const stood = await stateOf(project);
    const importing = await open({ files: programFiles(programOf('replace', dialect)) });
    const taken = stood.map(({ key, token, name, id }) => ({
      of: kindOf(token),
      name,
      id,
      declared: { ...unseenOf(key), ...secretsOf(key) },
    }));
    const { resources, incomplete, unseen, leftOut } = await importFile(taken, ({ token }) => lifeOfOther(token));
    expect([incomplete, unseen, leftOut]).toEqual([[], [], []]);
    await importing.write('import.json', JSON.stringify({ resources }));
    live.requests();
    const flags = ['--file', 'import.json', '--generate-code=false', '--protect=false'];
    succeeded(await importing.run('import', ...flags));
    expect(live.writes()).toEqual([]);
    succeeded(await importing.run('preview', '--expect-no-changes', '--diff'));
    // An import keeps no dependencies, and a preview keeps nothing: the next up does.
    live.requests();
    succeeded(await importing.run('up', '--skip-preview', '--expect-no-changes'));
    expect(live.writes()).toEqual([]);
    succeeded(await importing.run('destroy', '--skip-preview'));
    expect(await live.assemblies()).toEqual([]);
    expect(await outsideAssemblies()).toEqual(before);
    const left = await Promise.all(
      stood.map(async ({ key, token, id, outputs }) =>
        (await lifeOfOther(token).read(id, outputs, SILENT)) === undefined ? [] : [key],
      ),
    );
    expect(left.flat()).toEqual([]);
    keeps('gone after destroy', (of) => stood.some(({ key }) => key === sampleKey(of)));
  });
});
