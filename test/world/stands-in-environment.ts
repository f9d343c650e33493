// Whether the records of an environment say what a stack lays over its design, and follow the design in everything else.
import { ENCRYPTED, routes, type Attributes, type Record as WireRecord } from '../../api/contract';
import type { Api } from '../../api/client';
import { snakeCase } from '../../provider';
import { isPendingDelete } from '../../provider/verbs/live';
import { isTwin } from '../../provider/verbs/records';
import { variableArgs, type EnvironmentSpec, type OverrideSpec, type SwitchesSpec } from './stack-spec';

type Texts = { readonly [name: string]: string };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const VARIABLE_ATTRIBUTES = ['secure', 'value', 'encrypted_value'];

/** Records of the environment, those of the design they come from, and what is laid over each, by name. */
interface Compared {
  readonly what: string;
  readonly there: readonly WireRecord[];
  readonly designed: readonly WireRecord[];
  readonly laid: (record: WireRecord) => Texts;
  readonly locked: (record: WireRecord) => readonly string[];
}

/**
 * A line for each attribute that neither is as it is laid over the design, nor follows it, and for each record whose locks are not those. A record
 * whose deletion is committed waits for a deployment as it is.
 */
function compared({ what, there, designed, laid, locked }: Compared): readonly string[] {
  return there.flatMap((record) => {
    if (isPendingDelete(record)) return [];
    const twin = designed.find((other) => isTwin(other, record));
    const texts = { ...twin?.ciAttributes, ...laid(record) };
    const wrong = Object.entries(texts).flatMap(([name, wanted]) => {
      const text = record.ciAttributes[name] ?? '';
      if (text === ENCRYPTED || text === (wanted ?? '')) return [];
      return [`${what}${record.ciName} ${name}: ${text || 'nothing'}, wanted ${wanted || 'nothing'}`];
    });
    const owners = Object.entries(record.ciAttrProps?.owner ?? {}).flatMap(([name, owner]) => (owner ? [name] : []));
    const [found, wanted] = [owners.sort().join(' '), [...locked(record)].sort().join(' ')];
    return found === wanted ? wrong : [...wrong, `${what}${record.ciName} locks: ${found}, wanted ${wanted}`];
  });
}

function laidVariable({ variables = {} }: OverrideSpec, { ciName }: WireRecord): Texts {
  const spec = variables[ciName];
  if (spec === undefined) return {};
  const { value, encryptedValue } = variableArgs(spec);
  const isSecret = encryptedValue !== undefined;
  return { secure: String(isSecret), value: textOf(value ?? ''), encrypted_value: isSecret ? ENCRYPTED : '' };
}

const texts = (values: { readonly [name: string]: unknown } = {}): Texts =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name !== 'mark')
      .map(([name, value]) => [
        snakeCase(name),
        name === 'runsOn' ? (value as readonly string[]).join(',') : textOf(value),
      ]),
  );

/** What relays have by themselves, and what platforms do. */
const RELAY = { enabled: 'true', severity: 'info,warning,critical', text_regex: '' };
const SWITCHES = { autorepair: 'true', autoscale: 'false' };
const STEPS = { step_up: '1', step_down: '1', pct_dpmt: '100' };
const SCALING: { readonly [pack: string]: Texts } = {
  tomcat: { current: '2', min: '2', max: '10', ...STEPS },
  mysql: { current: '1', min: '1', max: '1', ...STEPS },
};

type Place = { readonly assembly: string; readonly environment: string };

const differing = (what: string, there: Attributes, wanted: Attributes): readonly string[] =>
  Object.entries(wanted).flatMap(([name, text]) =>
    there[name] === text ? [] : [`${what} ${name}: ${there[name]}, wanted ${text}`],
  );

/** Relays that are not as declared; the one that comes with each environment mails the owner of the assembly. */
async function differingRelays(
  api: Api,
  at: Place,
  declared: NonNullable<EnvironmentSpec['relays']>,
): Promise<readonly string[]> {
  const [all, { ciAttributes: assembly }] = await Promise.all([
    api.call(routes.relays.list, { address: at }),
    api.call(routes.assemblies.read, { address: at }),
  ]);
  const names = all.map(({ ciName }) => ciName).sort();
  const wanted = [...new Set(['default', ...Object.keys(declared)])].sort();
  const listed =
    names.join() === wanted.join() ? [] : [`relays of ${at.environment}: ${names.join()}, wanted ${wanted.join()}`];
  return all.reduce<readonly string[]>((found, { ciName, ciAttributes }) => {
    const lists = Object.fromEntries(
      Object.entries(declared[ciName] ?? {}).map(([name, value]) => [
        snakeCase(name),
        Array.isArray(value) ? value.join(',') : textOf(value),
      ]),
    );
    const texts = { ...RELAY, emails: assembly['owner'] ?? '', ...lists };
    return [...found, ...differing(`relay ${at.environment}/${ciName}`, ciAttributes, texts)];
  }, listed);
}

/** What is not switched, or scaled, as declared; what is not declared is as the pack has it. */
async function differingSwitches(
  api: Api,
  address: Place & { readonly platform: string },
  { ciName, ciAttributes }: WireRecord,
  { autorepair = true, autoscale = false, scale = {} }: SwitchesSpec = {},
): Promise<readonly string[]> {
  const what = `${address.environment}/${ciName}`;
  const wanted = { ...SWITCHES, autorepair: String(autorepair), autoscale: String(autoscale) };
  const { depends_on: relations } = await api.call(routes.environmentPlatforms.edit, { address });
  const scaled = relations.flatMap(({ toCi, relationAttributes, relationAttrProps }) => {
    const values = texts(scale[toCi?.ciName ?? '']);
    const owners = Object.entries(relationAttrProps?.owner ?? {}).flatMap(([name, owner]) => (owner ? [name] : []));
    const [locks, declared] = [owners.sort().join(), Object.keys(values).sort().join()];
    return [
      ...differing(`${what} scale of ${toCi?.ciName}`, relationAttributes, {
        ...SCALING[ciAttributes['pack'] ?? ''],
        ...values,
      }),
      ...(locks === declared ? [] : [`${what} locks of scale: ${locks}, wanted ${declared}`]),
    ];
  });
  return [...differing(what, ciAttributes, wanted), ...scaled];
}

/** What in the platforms of an environment is not as declared, a line each; none when all of it is. */
export async function differencesInPlatforms(
  api: Api,
  at: Place,
  { overrides = {}, switches = {}, relays = {} }: Pick<EnvironmentSpec, 'overrides' | 'switches' | 'relays'>,
): Promise<readonly string[]> {
  const found: string[] = [...(await differingRelays(api, at, relays))];
  for (const record of await api.call(routes.environmentPlatforms.list, { address: at })) {
    const { ciName: platform } = record;
    const address = { ...at, platform };
    const own = overrides[platform] ?? {};
    found.push(...(await differingSwitches(api, address, record, switches[platform])));
    const components = await api.call(routes.environmentPlatforms.components, { address });
    const attributes = ({ ciName }: WireRecord): Texts => texts(own.components?.[ciName]?.attributes);
    found.push(
      ...compared({
        what: `${at.environment}/${platform}/`,
        there: components,
        designed: await api.call(routes.components.list, { address }),
        laid: attributes,
        locked: (record) => Object.keys(attributes(record)),
      }),
    );
    for (const { ciName: component } of components) {
      const inside = { ...address, component };
      const laid = ({ ciName }: WireRecord): Texts => texts(own.components?.[component]?.attachments?.[ciName]);
      const designed = await api.call(routes.attachments.list, { address: inside }).catch(() => []);
      found.push(
        ...compared({
          what: `${at.environment}/${platform}/${component}/`,
          there: await api.call(routes.environmentAttachments.list, { address: inside }),
          designed,
          laid,
          locked: (record) => Object.keys(laid(record)),
        }),
      );
      const checked = ({ ciName }: WireRecord): Texts => texts(own.components?.[component]?.monitors?.[ciName]);
      const watching = await api.call(routes.monitors.list, { address: inside }).catch(() => []);
      found.push(
        ...compared({
          what: `${at.environment}/${platform}/${component}/!`,
          there: await api.call(routes.environmentMonitors.list, { address: inside }),
          designed: watching,
          laid: checked,
          locked: (record) => Object.keys(checked(record)),
        }),
      );
    }
    found.push(
      ...compared({
        what: `${at.environment}/${platform}/$`,
        there: await api.call(routes.environmentPlatformVariables.list, { address }),
        designed: await api.call(routes.platformVariables.list, { address }),
        laid: (record) => laidVariable(own, record),
        locked: ({ ciName }) => (own.variables?.[ciName] === undefined ? [] : VARIABLE_ATTRIBUTES),
      }),
    );
  }
  return found;
}
