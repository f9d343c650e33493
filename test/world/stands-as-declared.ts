// Whether the service contains what a stack says: design, open releases, environments, clouds and
// what runs.
import type { Api } from '../../api/client';
import { ENCRYPTED, routes, type Record as WireRecord } from '../../api/contract';
import { leftToDeploy } from './left-to-deploy';
import {
  variableArgs,
  type ComponentSpec,
  type EnvironmentSpec,
  type PlatformSpec,
  type StackSpec,
  type Variables,
} from './stack-spec';
import { differencesInPlatforms } from './stands-in-environment';
import { makeWorld } from './world';

type Texts = { readonly [name: string]: string | null };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const same = (left: string, right: string): boolean =>
  left === right || JSON.stringify(parsed(left)) === JSON.stringify(parsed(right));

const listed = (names: readonly string[]): string => [...names].sort().join(' ');

/** Components and variables that a platform of a pack is born with. */
async function bornWith(
  pack: string,
  version: string,
  packs: readonly string[] | undefined,
): Promise<{ readonly components: readonly string[]; readonly variables: Variables }> {
  const pristine = makeWorld('documented', packs);
  const at = { assembly: 'pristine', platform: 'web' };
  await pristine.api.call(routes.assemblies.create, { body: { cms_ci: { ciName: at.assembly, ciAttributes: {} } } });
  const ciAttributes = { source: 'oneops', pack, version };
  await pristine.api.call(routes.platforms.create, {
    address: at,
    body: { cms_dj_ci: { ciName: at.platform, ciAttributes } },
  });
  const born = await pristine.api.call(routes.components.list, { address: at });
  const variables = await pristine.api.call(routes.platformVariables.list, { address: at });
  pristine.close();
  const values = variables.map(({ ciName, ciAttributes }) => [
    ciName,
    ciAttributes['secure'] === 'true' ? { encryptedValue: ENCRYPTED } : (ciAttributes['value'] ?? ''),
  ]);
  return { components: born.map(({ ciName }) => ciName), variables: Object.fromEntries(values) as Variables };
}

/** A service to look at: a client on it, and a clock that moves on while a job of it runs. */
interface Looked {
  readonly api: Api;
  readonly clock: { advance(milliseconds: number): void };
  /** Folders of packs that it has besides the tests' own. */
  readonly packs?: readonly string[];
}

/** Everything that is not as declared, a line each: of no declaration, each assembly. */
export async function differences(looked: Looked, spec: StackSpec | undefined): Promise<readonly string[]> {
  const { api, clock, packs } = looked;
  const assemblies = (await api.call(routes.assemblies.list, {})).map(({ ciName }) => ciName);
  if (spec === undefined) return assemblies.map((name) => `assembly ${name}`);
  const shop = { assembly: spec.assembly ?? 'shop' };
  const found: string[] = [];
  const tell = (what: string, there: string, declared: string): void => {
    if (!same(there, declared)) found.push(`${what}: ${there || 'nothing'}, declared ${declared || 'nothing'}`);
  };

  const texts = (what: string, there: Texts, declared: Texts): void => {
    for (const [name, text] of Object.entries(declared)) {
      if (there[name] !== ENCRYPTED) tell(`${what} ${name}`, there[name] ?? '', text ?? '');
    }
  };

  /** Variables of one place. `declared`: ours, which are locked; `followed`: all others. */
  const variables = (what: string, there: readonly WireRecord[], declared: Variables, followed: Variables): void => {
    tell(
      `variables of ${what}`,
      listed(there.map(({ ciName, rfcAction }) => `${ciName}${rfcAction === 'delete' ? '(leaving)' : ''}`)),
      listed([...new Set([...Object.keys(declared), ...Object.keys(followed)])]),
    );
    for (const { ciName, ciAttributes, ciAttrProps } of there) {
      const { value, encryptedValue } = variableArgs(declared[ciName] ?? followed[ciName] ?? '');
      tell(`${what} $${ciName} secure`, ciAttributes['secure'] ?? '', String(encryptedValue !== undefined));
      tell(`${what} $${ciName}`, ciAttributes['value'] ?? '', textOf(value ?? ''));
      const isLocked = Object.values(ciAttrProps?.owner ?? {}).some(Boolean);
      tell(`${what} $${ciName} locked`, String(isLocked), String(ciName in declared));
    }
  };

  const component = async (platform: string, live: WireRecord, spec: ComponentSpec | undefined): Promise<void> => {
    const what = `${platform}/${live.ciName}`;
    const at = { ...shop, platform, component: live.ciName };
    const template = await api.call(routes.components.template, {
      address: at,
      query: { template_name: spec?.type ?? live.ciName },
    });
    tell(`${what} class`, live.ciClassName, template.ciClassName ?? '');
    const declared = Object.entries(spec?.attributes ?? {}).map(([name, value]) => [name, textOf(value)]);
    texts(what, live.ciAttributes, { ...template.ciAttributes, ...(Object.fromEntries(declared) as Texts) });
    const owned = Object.entries(live.ciAttrProps?.owner ?? {}).flatMap(([name, owner]) => (owner ? [name] : []));
    tell(`${what} locks`, listed(owned), listed(Object.keys(spec?.attributes ?? {})));
    if (spec?.depends) {
      const { dependsOn } = await api.call(routes.components.read, { address: at });
      const siblings = (dependsOn ?? []).filter(({ ciClassName }) => ciClassName === live.ciClassName);
      tell(`${what} depends`, listed(siblings.map(({ ciName }) => ciName)), listed(spec.depends));
    }
    const attachments = await api.call(routes.attachments.list, { address: at });
    tell(
      `${what} attachments`,
      listed(attachments.map(({ ciName }) => ciName)),
      listed(Object.keys(spec?.attachments ?? {})),
    );
    for (const attachment of attachments) {
      const { mark: _, ...wanted } = spec?.attachments?.[attachment.ciName] ?? {};
      texts(`${what}/${attachment.ciName}`, attachment.ciAttributes, wanted as Texts);
    }
  };

  const platform = async (live: WireRecord, spec: PlatformSpec): Promise<void> => {
    const at = { ...shop, platform: live.ciName };
    const { links_to: links } = await api.call(routes.platforms.read, { address: at });
    tell(`${live.ciName} links`, listed(links ?? []), listed(spec.links ?? []));
    texts(live.ciName, live.ciAttributes, {
      pack: spec.pack ?? 'custom',
      version: spec.version ?? '1',
      description: spec.description ?? '',
    });
    const components = await api.call(routes.components.list, { address: at });
    const born = await bornWith(spec.pack ?? 'custom', spec.version ?? '1', packs);
    tell(
      `components of ${live.ciName}`,
      listed(components.map(({ ciName }) => ciName)),
      listed([...new Set([...born.components, ...Object.keys(spec.components ?? {})])]),
    );
    const locals = await api.call(routes.platformVariables.list, { address: at });
    variables(live.ciName, locals, spec.variables ?? {}, born.variables);
    for (const each of components) await component(live.ciName, each, spec.components?.[each.ciName]);
  };

  const environment = async (name: string, wanted: EnvironmentSpec): Promise<void> => {
    const at = { ...shop, environment: name };
    const live = await api.call(routes.environments.read, { address: at });
    tell(`${name} description`, live.ciAttributes['description'] ?? '', wanted.description ?? '');
    const all = await api.call(routes.clouds.list, {});
    const nameOf = (id: string): string => all.find(({ ciId }) => String(ciId) === id)?.ciName ?? id;
    tell(
      `${name} clouds`,
      listed(Object.keys(live.clouds ?? {}).map(nameOf)),
      listed(Object.keys(wanted.clouds ?? {})),
    );
    const linkOf = (link: object): Texts => {
      const {
        priority = 1,
        pctScale = 100,
        dpmtOrder = 1,
        adminstatus = 'active',
      } = link as NonNullable<EnvironmentSpec['clouds']>[string];
      return {
        priority: String(priority),
        pct_scale: String(pctScale),
        dpmt_order: String(dpmtOrder),
        adminstatus,
      };
    };
    for (const [id, link] of Object.entries(live.clouds ?? {}))
      texts(`${name} ${nameOf(id)}`, link, linkOf(wanted.clouds?.[nameOf(id)] ?? {}));
    const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
    tell(
      `platforms of ${name}`,
      listed(
        platforms.map(
          ({ ciName, ciState, rfcAction }) =>
            `${ciName}${ciState === 'default' && !rfcAction ? '' : `(${ciState} ${rfcAction})`}`,
        ),
      ),
      listed(Object.keys(spec.platforms ?? {})),
    );
    const values = await api.call(routes.environmentVariables.list, { address: at });
    variables(name, values, wanted.variables ?? {}, spec.variables ?? {});
    found.push(...(await differencesInPlatforms(api, at, wanted)));
    const instances = await api.call(routes.operations.environmentInstances, {
      address: at,
      query: { instances_state: 'all' },
    });
    for (const { ciName, ciAttributes } of platforms) {
      const own = wanted.platformAvailability?.[ciName] ?? 'default';
      const mode = own === 'default' ? (wanted.availability ?? 'single') : own;
      tell(`${name}/${ciName} availability`, ciAttributes['availability'] ?? '', mode);
      const consumes =
        (await api.call(routes.environmentPlatforms.read, { address: { ...at, platform: ciName } })).consumes ?? [];
      tell(
        `${name}/${ciName} clouds`,
        listed(consumes.map((link) => link.toCi?.ciName ?? '')),
        listed(Object.keys(wanted.clouds ?? {})),
      );
      const runsOn = (cloud: string | undefined): boolean =>
        instances.some(({ nsPath, deployedTo }) => nsPath.split('/')[5] === ciName && deployedTo?.ciName === cloud);
      for (const link of consumes) {
        const cloud = link.toCi?.ciName ?? '';
        const own = { ...wanted.clouds?.[cloud], ...wanted.platforms?.[ciName]?.[cloud] };
        texts(`${name}/${ciName}/${cloud}`, link.relationAttributes, linkOf(own));
        if (wanted.deploy === false || own.adminstatus === 'inactive') continue;
        const runs = own.adminstatus !== 'offline' && wanted.switches?.[ciName]?.enabled !== false;
        tell(`${name}/${ciName}/${cloud} runs`, String(runsOn(cloud)), String(runs));
      }
    }
    const strange = instances.filter(({ nsPath }) => !(nsPath.split('/')[5] ?? '' in (spec.platforms ?? {})));
    tell(`${name} runs besides`, listed(strange.map(({ ciName }) => ciName)), '');
    if (wanted.deploy !== false) found.push(...(await leftToDeploy(api, at, () => clock.advance(1000))));
  };

  tell('assemblies', listed(assemblies), shop.assembly);
  const platforms = await api.call(routes.platforms.list, { address: shop });
  tell(
    'platforms',
    listed(platforms.map(({ ciName, rfcAction }) => `${ciName}${rfcAction ? `(${rfcAction})` : ''}`)),
    listed(Object.keys(spec.platforms ?? {})),
  );
  for (const live of platforms) {
    const wanted = spec.platforms?.[live.ciName];
    if (wanted) await platform(live, wanted);
  }
  const globals = await api.call(routes.designVariables.list, { address: shop });
  variables('the assembly', globals, spec.variables ?? {}, {});
  const release = await api.call(routes.designReleases.latest, { address: shop }).catch(() => undefined);
  if (release?.releaseState === 'open') found.push('a design release is open');
  const environments = await api.call(routes.environments.list, { address: shop });
  tell('environments', listed(environments.map(({ ciName }) => ciName)), listed(Object.keys(spec.environments ?? {})));
  for (const { ciName } of environments) {
    const wanted = spec.environments?.[ciName];
    if (wanted) await environment(ciName, wanted);
  }
  return found;
}
