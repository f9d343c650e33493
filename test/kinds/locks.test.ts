// Locks (service-facts §2.1.5): ours are on what we declare and go with it; what another user locked, and we do not declare, keeps lock and value.
import { DIALECTS, routes, type Dialect, type Record as WireRecord } from '../../api/contract';
import { addressOf, pathAddress, scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import type { State } from '../../provider/lifecycle';
import { testInTurn } from '../dialects-in-turn';
import { basic } from '../service-caller';
import { commitDesignByHand } from '../world/by-hand';
import { emptyStack, run } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld, ROW, titleOf, type World } from '../world/world';

const RECORDS = {
  Platform: routes.platforms,
  Component: routes.components,
  Attachment: routes.attachments,
  'Monitor of Component': routes.monitors,
  'Monitor of Component in Environment': routes.environmentMonitors,
  EnvironmentComponent: {
    read: routes.environmentPlatforms.component,
    update: routes.environmentPlatforms.updateComponent,
  },
  EnvironmentAttachment: routes.environmentAttachments,
  'Variable of Assembly': routes.designVariables,
  'Variable of Platform': routes.platformVariables,
  'Variable of Environment': routes.environmentVariables,
  'Variable of Platform in Environment': routes.environmentPlatformVariables,
};

type Title = keyof typeof RECORDS;

/** What Maria sets, which no sample declares; what we declare at its base value, by argument or attribute; what we take out of the sample. */
interface Case {
  readonly theirs: readonly [name: string, text: string];
  readonly atBase: Inputs;
  readonly without: (inputs: Inputs) => Inputs;
  readonly gone: string;
}

const omitted = (inputs: Inputs, name: string): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([other]) => other !== name));

/** Variables are not among them: all three attributes of one are declared together. */
const CASES: { readonly [title in Title]?: Case } = {
  Platform: {
    theirs: ['pack_digest', 'set-by-maria'],
    atBase: { description: '' },
    without: (inputs) => omitted(inputs, 'description'),
    gone: 'description',
  },
  Component: {
    theirs: ['ulimit', '20000'],
    atBase: { attributes: { username: 'deployer', login_shell: '/bin/bash' } },
    without: (inputs) => ({ ...inputs, attributes: { username: 'deployer' } }),
    gone: 'login_shell',
  },
  Attachment: {
    theirs: ['run_on_action', '["true"]'],
    atBase: { path: '/tmp/download_file' },
    without: (inputs) => omitted(inputs, 'path'),
    gone: 'path',
  },
};

const all = DIALECTS.flatMap((dialect) =>
  kinds.flatMap(scopesOf).map((of): [Dialect, string, Kind] => [dialect, titleOf(of), of]),
);
const locked = all.filter(([, title]) => title in RECORDS);
const partly = all.filter(([, title]) => title in CASES);

let world: World;
let open = false;
const openWorld = (dialect: Dialect): void => {
  world = makeWorld(dialect);
  open = true;
};
const closeWorld = (): void => {
  if (open) world.close();
  open = false;
};
afterEach(closeWorld);

interface Made {
  readonly state: State;
  readonly inputs: Inputs;
  record(): Promise<WireRecord>;
  owners(): Promise<{ readonly [name: string]: string | null }>;
  /** Maria sets an attribute, and locks it next to whatever is locked. */
  maria(name: string, text: string): Promise<void>;
}

async function make(
  dialect: Dialect,
  of: Kind,
  change: (sample: Inputs) => Inputs = (sample) => sample,
): Promise<Made> {
  openWorld(dialect);
  const place = await world.prepare(of);
  const inputs = { ...place, ...change(of.sample.create) };
  const state = await world.life(of.token).create(inputs, ROW);
  world.nextRun();
  return { state, inputs, ...recordOf(of, inputs) };
}

function recordOf(of: Kind, inputs: Inputs): Pick<Made, 'record' | 'owners' | 'maria'> {
  const at = RECORDS[titleOf(of) as Title];
  const address = pathAddress(of, 'acme', addressOf(of, inputs));
  const record = (): Promise<WireRecord> => world.other.call(at.read, { address });
  const owners: Made['owners'] = async () => (await record()).ciAttrProps?.owner ?? {};
  return {
    record,
    owners,
    async maria(name, text) {
      const { ciId, ciName, ...more } = await record();
      const owner = { ...(await owners()), [name]: 'design' };
      const cms_dj_ci = { ciId, ciName, ciAttributes: { [name]: text }, ciAttrProps: { owner } };
      await world.other.call(at.update, { address, body: { cms_dj_ci, ...linksIn(more) } });
    },
  };
}

/** What a PUT without drops: links of a platform, siblings of a component (service-facts §4.5). */
function linksIn(record: object): object {
  const { links_to, dependsOn, ciClassName } = record as {
    readonly links_to?: readonly string[];
    readonly dependsOn?: readonly WireRecord[];
    readonly ciClassName?: string;
  };
  const siblings = (dependsOn ?? []).filter((other) => other.ciClassName === ciClassName);
  return {
    ...(links_to ? { links_to } : {}),
    ...(dependsOn ? { sibling_depends_on: siblings.map(({ ciId }) => String(ciId)) } : {}),
  };
}

test('the kinds whose records carry locks are those looked at here', async () => {
  const found = new Set<string>();
  for (const of of kinds.flatMap(scopesOf)) {
    openWorld('classic');
    const place = await world.prepare(of);
    const address = pathAddress(of, 'acme', addressOf(of, place));
    await world.life(of.token).create({ ...place, ...of.sample.create }, ROW);
    const path = of.path.replace(/\{(\w+)\}/g, (_, name: string) => address[name] ?? '');
    const headers = { accept: 'application/json', authorization: basic('admin-token') };
    const { body } = await world.service.handle({ method: 'GET', path, headers });
    if (/"(ciAttrProps|attrProps)":\{"owner"/.test(body)) found.add(titleOf(of));
    closeWorld();
  }
  expect([...found].sort()).toEqual(Object.keys(RECORDS).sort());
});

test.each(locked)('%s %s: everything declared is locked, and nothing else', async (dialect, _, of) => {
  const { owners, state } = await make(dialect, of);
  const before = await owners();
  expect(Object.keys(before)).not.toEqual([]);
  await world.life(of.token).delete(state.id, state.outputs, ROW);
  // An environment's variable is given back, with its lock; the others no longer exist.
  if (of.stage === 'environment') expect(await owners()).toEqual({});
});

describe.each(partly)('%s %s', (dialect, title, of) => {
  const { theirs, atBase, without, gone } = CASES[title as Title] as Case;
  const [name, text] = theirs;

  const expectTheirs = async ({ record }: Made): Promise<void> => {
    const { ciAttributes, ciAttrProps } = await record();
    expect([ciAttributes[name], ciAttrProps?.owner?.[name]]).toEqual([text, 'design']);
  };

  test('an update keeps what another user locked', async () => {
    const made = await make(dialect, of);
    const ours = await made.owners();
    await made.maria(name, text);
    const news = { ...made.inputs, ...of.sample.update };
    const updated = await world.life(of.token).update(made.state.id, made.state.outputs, news, ROW);
    await expectTheirs(made);
    expect(Object.keys(await made.owners())).toEqual(expect.arrayContaining(Object.keys(ours).filter(isAmong(news))));
    world.nextRun();
    await world.life(of.token).update(made.state.id, updated.outputs, made.inputs, ROW);
    await expectTheirs(made);
  });

  test('a take-over keeps what another user locked', async () => {
    const made = await make(dialect, of);
    await made.maria(name, text);
    await world.life(of.token).create({ ...made.inputs, ...of.sample.update, adopt: true }, ROW);
    await expectTheirs(made);
  });

  test('our lock goes with the field, also of a value that is its base', async () => {
    const made = await make(dialect, of, (sample) => ({ ...sample, ...atBase }));
    expect(await made.owners()).toHaveProperty(gone);
    await made.maria(name, text);
    await world.life(of.token).update(made.state.id, made.state.outputs, without(made.inputs), ROW);
    expect(await made.owners()).not.toHaveProperty(gone);
    await expectTheirs(made);
  });
});

/** Whether a wire name's argument, or attribute, is declared. */
const isAmong =
  (inputs: Inputs) =>
  (name: string): boolean => {
    const argument = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return argument in inputs || name in ((inputs['attributes'] ?? {}) as Inputs);
  };

describe.each(DIALECTS)('%s: a component of the pack, given back', (dialect) => {
  const test = testInTurn(dialect);
  const component = kinds.find(({ token }) => token === 'Component') as Kind;
  const OS = { assembly: 'shop', platform: 'web', name: 'os', type: 'os' };
  const specOf = (attributes?: Inputs): StackSpec => ({
    platforms: { web: { components: attributes ? { os: { attributes } } : {} } },
  });

  const facts = async (): Promise<unknown> => {
    const { ciAttributes, ciAttrProps } = await recordOf(component, OS).record();
    return { ostype: ciAttributes['ostype'], timezone: ciAttributes['timezone'], owner: ciAttrProps?.owner ?? {} };
  };
  const ONLY_THEIRS = { ostype: 'ubuntu-14.04', timezone: 'UTC', owner: { ostype: 'design' } };

  const platform = async (): Promise<void> => {
    openWorld(dialect);
    await world.prepare(component);
    world.nextRun();
  };

  test.each([{ timezone: 'PST' }, undefined])('declared with %j: theirs stay as they are', async (attributes) => {
    await platform();
    const made = await world.life('Component').create({ ...OS, ...(attributes ? { attributes } : {}) }, ROW);
    await recordOf(component, OS).maria('ostype', 'ubuntu-14.04');
    world.nextRun();
    world.writes();
    await world.life('Component').delete(made.id, made.outputs, ROW);
    expect(await facts()).toEqual(ONLY_THEIRS);
    expect(world.writes()).toEqual(attributes ? ['PUT components.update'] : []);
  });

  test('one that leaves the program gives back, before the commit, what it declared, and no more', async () => {
    openWorld(dialect);
    const first = await run(world, emptyStack, resourcesOf(specOf({ timezone: 'PST' })));
    expect(first.errors).toEqual([]);
    await recordOf(component, OS).maria('ostype', 'ubuntu-14.04');
    world.nextRun();
    let second = await run(world, first.stack, resourcesOf(specOf()));
    if (dialect === 'classic') {
      // Hers is not committed: it stops the commit, although this run gave the record back on top of it.
      expect(second.errors.join('\n')).toMatch(
        /component web\/os: update by maria at \S+: ostype there "ubuntu-14.04"/,
      );
      await commitDesignByHand(world.other);
      second = await run(world, second.stack, resourcesOf(specOf()));
    }
    expect(second.errors).toEqual([]);
    expect(await facts()).toEqual(ONLY_THEIRS);
    const release = await world.other.call(routes.designReleases.latest, { address: { assembly: 'shop' } });
    expect(release.releaseState).toBe('closed');
  });
});
