// Lives of stacks at random: versions that follow each other, marks of what is in all of them, and
// an assembly that another user owns.
import fc from 'fast-check';
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';
import { withSettings } from './random-settings';
import { randomStack } from './random-stacks';
import type { EnvironmentSpec, Options, PlatformSpec, StackSpec, Variables, VariableSpec } from './stack-spec';
import { choosing, type Choose } from './stack-yaml';

/** Versions of a stack. `isShared`: its assembly, and a platform in it, are another user's. */
export interface Versions {
  readonly specs: readonly StackSpec[];
  readonly isShared: boolean;
}

/** Versions of one stack: every fourth in an assembly of another user. */
export const randomVersions = (count: number): fc.Arbitrary<Versions> =>
  fc
    .tuple(
      fc.array(randomStack, { minLength: count, maxLength: count }),
      fc.array(fc.nat(59), { minLength: 40, maxLength: 40 }),
      fc.nat(3),
    )
    .map(([specs, numbers, turn]) => {
      const isShared = turn === 3;
      const marked = withMarks(specs.map(withSettings), choosing(numbers));
      return { isShared, specs: isShared ? marked.map(inShared) : marked };
    });

type Named<T> = { readonly [name: string]: T };

const MARKS: readonly Options['mark'][] = [undefined, undefined, undefined, 'protect', 'retain'];

/** Marks only what is in every version: what leaves with a mark is refused, or left behind. */
function withMarks(specs: readonly StackSpec[], choose: Choose): readonly StackSpec[] {
  const stays = (path: string): boolean =>
    specs.every((spec) => pathsOf(spec).includes(path)) && templatesOf(specs, path).every((types) => types.size < 2);
  const marks = new Map([...new Set(specs.flatMap(pathsOf))].filter(stays).map((path) => [path, MARKS[choose(5)]]));
  return specs.map((spec) => mapped(spec, (path) => marks.get(path)));
}

/** Templates of each component of a platform. One that is replaced would stay with its mark. */
function templatesOf(specs: readonly StackSpec[], platform: string): readonly ReadonlySet<string>[] {
  const components = specs.flatMap((spec) => Object.entries(spec.platforms?.[platform]?.components ?? {}));
  const names = [...new Set(components.map(([name]) => name))];
  return names.map(
    (own) => new Set(components.filter(([name]) => name === own).map(([name, { type = name }]) => type)),
  );
}

/** The same without any mark: what has to be before everything can leave. */
const withoutMarks = (spec: StackSpec): StackSpec => mapped(spec, () => undefined);

/** Components that are always of the same template. */
const STEADY = ['compute', 'deployer'];

function pathsOf(spec: StackSpec): readonly string[] {
  const found: string[] = [];
  mapped(spec, (path) => {
    found.push(path);
    return undefined;
  });
  return found;
}

type MarkOf = (path: string) => Options['mark'];

const withMark = <T extends object>(of: T, mark: Options['mark']): T & Options => {
  const { mark: _, ...rest } = of as T & Options;
  return { ...(rest as T), ...(mark ? { mark } : {}) };
};

const mappedEntries = <T>(map: Named<T> = {}, change: (name: string, value: T) => T): Named<T> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(name, value)]));

/** A stack with the mark of each of its records. */
function mapped(spec: StackSpec, markOf: MarkOf): StackSpec {
  return {
    ...spec,
    variables: mappedVariables(spec.variables, '', markOf),
    platforms: mappedEntries(spec.platforms, (name, platform) => mappedPlatform(platform, name, markOf)),
    environments: mappedEntries(spec.environments, (name, environment) => mappedEnvironment(environment, name, markOf)),
  };
}

const mappedVariables = (variables: Variables | undefined, path: string, markOf: MarkOf): Variables =>
  mappedEntries<VariableSpec>(variables, (name, variable) => {
    const mark = markOf(`${path}$${name}`);
    if (typeof variable === 'string') return mark ? { value: variable, mark } : variable;
    return withMark(variable, mark);
  });

const mappedPlatform = (platform: PlatformSpec, name: string, markOf: MarkOf): PlatformSpec => ({
  ...withMark(platform, platform.existing ? undefined : markOf(name)),
  variables: mappedVariables(platform.variables, `${name}/`, markOf),
  components: mappedEntries(platform.components, (component, own) => {
    if (!STEADY.includes(component)) return own;
    const path = `${name}/${component}`;
    const attachments = mappedEntries(own.attachments, (attachment, its) =>
      withMark(its, markOf(`${path}/${attachment}`)),
    );
    return { ...withMark(own, markOf(path)), attachments };
  }),
});

const mappedEnvironment = (environment: EnvironmentSpec, name: string, markOf: MarkOf): EnvironmentSpec => ({
  ...withMark(environment, markOf(`~${name}`)),
  variables: mappedVariables(environment.variables, `~${name}/`, markOf),
  platforms: mappedEntries(environment.platforms, (platform, links) =>
    mappedEntries(links, (cloud, link) => withMark(link, markOf(`~${name}/${platform}/${cloud}`))),
  ),
});

/** What a run says that leaves a platform without an active primary for a while. */
export const REFUSED = /would be left without a cloud that is active with priority 1/;

/** The way around it: first without primaries in cloud configurations, and then with them. */
const gently = (before: StackSpec, after: StackSpec): readonly StackSpec[] => [
  withoutOwnPrimaries(before),
  withoutOwnPrimaries(after),
  after,
];

const withoutOwnPrimaries = (spec: StackSpec): StackSpec => ({
  ...spec,
  environments: mappedEntries(spec.environments, (_, environment) => ({
    ...environment,
    platforms: mappedEntries(environment.platforms, (__, links) =>
      mappedEntries(links, (___, { priority: ____, adminstatus: _____, ...link }) => link),
    ),
  })),
});

/** What another user owns in a shared assembly. */
const SHARED = 'shared';

const inShared = (spec: StackSpec): StackSpec => ({
  ...spec,
  existing: true,
  platforms: { ...spec.platforms, [SHARED]: { existing: true } },
});

const AT = { assembly: 'shop', platform: SHARED };

/** Makes the assembly of another user, and the platform in it, as that user's own stack does. */
async function makeShared(api: Api): Promise<void> {
  const assembly = { ciName: AT.assembly, ciAttributes: { owner: 'team@acme.io' } };
  await api.call(routes.assemblies.create, { body: { cms_ci: assembly } });
  const ciAttributes = { source: 'oneops', pack: 'custom', version: '1' };
  const ciAttrProps = { owner: { source: 'design', pack: 'design', version: 'design' } };
  const body = { cms_dj_ci: { ciName: SHARED, ciAttributes, ciAttrProps } };
  await api.call(routes.platforms.create, { address: AT, body });
  await api.call(routes.platforms.commit, { address: AT, body: { desc: 'hers' } });
}

/** What exists besides what is another user's. */
async function leftBeside(api: Api, isShared: boolean): Promise<readonly string[]> {
  const assemblies = await api.call(routes.assemblies.list, {});
  const others = assemblies.filter(({ ciName }) => !isShared || ciName !== AT.assembly);
  if (!isShared) return others.map(({ ciName }) => `assembly ${ciName}`);
  const platforms = await api.call(routes.platforms.list, { address: AT });
  const environments = await api.call(routes.environments.list, { address: AT });
  const variables = await api.call(routes.designVariables.list, { address: AT });
  const { releaseState } = await api.call(routes.designReleases.latest, { address: AT });
  return [
    ...others.map(({ ciName }) => `assembly ${ciName}`),
    ...(platforms.some(({ ciName }) => ciName === SHARED) ? [] : ['the platform of somebody else is gone']),
    ...platforms.flatMap(({ ciName }) => (ciName === SHARED ? [] : [`platform ${ciName}`])),
    ...environments.map(({ ciName }) => `environment ${ciName}`),
    ...variables.map(({ ciName }) => `variable ${ciName}`),
    ...(releaseState === 'open' ? ['an open release of the design'] : []),
  ];
}

/** A stack that somebody runs: in process, or on the engine. */
interface Lived {
  readonly other: Api;
  /** Up to a declaration, once more where it is killed; answers its errors. */
  up(spec: StackSpec, options: { readonly refresh?: boolean; readonly killAfter?: number }): Promise<readonly string[]>;
  /** All that is not as declared, or left to do. */
  wrong(spec: StackSpec): Promise<readonly string[]>;
  /** Destroys everything; answers its errors, and what is left in the state. */
  destroy(): Promise<readonly string[]>;
}

/** The same stack, whose deployments include open changes of others. */
const takingAlong = (spec: StackSpec): StackSpec => ({
  ...spec,
  environments: mappedEntries(spec.environments, (_, environment) =>
    environment.deploy === false
      ? environment
      : { ...environment, deploy: { ...environment.deploy, whenBusy: 'proceed' } },
  ),
});

/**
 * The law of every stack: after each version nothing is left to do, and the service holds and runs
 * what is declared, also when the run was killed after so many writes; after destroy it contains
 * nothing. Answers how often a version was refused, and reached step by step.
 */
export async function expectConverges(
  stack: Lived,
  { specs, isShared }: Versions,
  kills: readonly (number | undefined)[] = [],
): Promise<number> {
  if (isShared) await makeShared(stack.other);
  const reached = async (spec: StackSpec, options: Parameters<Lived['up']>[1]): Promise<boolean> => {
    const errors = [...(await stack.up(spec, options))];
    if (errors.length > 0 && errors.every((error) => REFUSED.test(error))) return false;
    // Half of the instances wait for a second run.
    if (errors.length === 0 && JSON.stringify(spec).includes('"pctDpmt":50'))
      errors.push(...(await stack.up(spec, {})));
    const found = { spec, errors, wrong: errors.length > 0 ? [] : await stack.wrong(spec) };
    expect(found).toEqual({ spec, errors: [], wrong: [] });
    return true;
  };
  let refused = 0;
  for (const [index, spec] of specs.entries()) {
    const killAfter = kills[index];
    if (await reached(spec, killAfter === undefined ? {} : { killAfter })) continue;
    refused += 1;
    // The state still has what the refused run took out of the design. What a killed one wrote, and
    // these steps do not declare, looks like another user's: it has to be said that it is included.
    const steps = gently(specs[index - 1] ?? spec, spec);
    for (const step of steps) {
      const isOnTheWay = killAfter !== undefined && step !== steps.at(-1);
      if (!(await reached(isOnTheWay ? takingAlong(step) : step, { refresh: true })))
        throw new Error(`refused although it is gentle: ${JSON.stringify(step)}`);
    }
  }
  // What is protected, or retained, would stay.
  const last = specs.at(-1)!;
  const unmarked = withoutMarks(last);
  if (JSON.stringify(unmarked) !== JSON.stringify(last)) expect(await stack.up(unmarked, {})).toEqual([]);
  expect([...(await stack.destroy()), ...(await leftBeside(stack.other, isShared))]).toEqual([]);
  return refused;
}
