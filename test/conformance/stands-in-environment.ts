// Whether the records of an environment say what a stack lays over its design, and follow the design in everything else.
import { ENCRYPTED, routes, type Record as WireRecord } from '../../api/contract';
import type { Api } from '../../api/client';
import { snakeCase } from '../../provider';
import { isTwin } from '../../provider/verbs/records';
import { variableArgs, type EnvironmentSpec, type OverrideSpec } from './stack-spec';

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

/** A line for each attribute that neither is as it is laid over the design, nor follows it, and for each record whose locks are not those. */
function compared({ what, there, designed, laid, locked }: Compared): readonly string[] {
  return there.flatMap((record) => {
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
  return { secure: String(encryptedValue !== undefined), value: textOf(value ?? '') };
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

/** What in the platforms of an environment is not as declared, a line each; none when all of it is. */
export async function differencesInPlatforms(
  api: Api,
  at: { readonly assembly: string; readonly environment: string },
  { overrides = {} }: Pick<EnvironmentSpec, 'overrides'>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { ciName: platform } of await api.call(routes.environmentPlatforms.list, { address: at })) {
    const address = { ...at, platform };
    const own = overrides[platform] ?? {};
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
