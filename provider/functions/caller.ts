// Calls functions at one service: arguments are checked, and only GETs sent.
import type { Api } from '../../api/client';
import { type Diagnostic, formatPath, mapValues, routes } from '../../api/contract';
import { Bug, messageOf, NamedError, NotFound, OneOpsError } from '../../api/errors';
import { masked, textsIn } from '../secrets/mask';
import { openApi, type Resolved, type Settings } from '../session/settings';
import { type ApiFunction, type Ask, checkArguments } from './api-function';
import { isNumber } from '../verbs/named-component';
import { indented, nearest } from '../values/text';
import { presentIn, type Texts, type Values } from '../values/plain';

export interface Caller {
  /** Rejects with FunctionFailed. `secrets`: arguments whose texts no message may hold. */
  call(of: ApiFunction, args: Values, secrets?: Values): Promise<Values>;
}

/** A message for a person: what was attempted, what came back, what to do. Without secrets. */
export class FunctionFailed extends NamedError {}

export function newCaller(resolved: Resolved, open: (settings: Settings) => Promise<Api> = openApi): Caller {
  let api: Promise<Api> | undefined;
  return {
    async call(of, args, secrets = {}) {
      const token = 'settings' in resolved ? [resolved.settings.token] : [];
      const hide = (message: string): string => masked(message, [...token, ...textsIn(secrets)]);
      const given = presentIn(args);
      const findings = checkArguments(of, given);
      if (findings.length > 0) throw new FunctionFailed(hide(findingsText(of, findings)));
      if ('problem' in resolved) throw new FunctionFailed(`${of.token}: ${resolved.problem}`);
      let opened: Api | undefined;
      try {
        opened = await (api ??= open(resolved.settings));
        return await of.read(askOf(of, opened), valuesOf(of, given), resolved.settings.organization);
      } catch (error) {
        const near = error instanceof NotFound && opened ? await nearName(opened, of.token, given) : undefined;
        throw new FunctionFailed(indented(hide(`${subjectOf(of, given)}: ${failureText(error, near)}`)));
      }
    },
  };
}

/** Only GETs that change nothing. */
const askOf =
  ({ token }: ApiFunction, api: Api): Ask =>
  async (route, { address = {}, query = {} } = {}) => {
    if (route.method !== 'GET' || route.repeat !== 'read')
      throw new Bug(`${token} may not send ${route.method} ${route.name}`);
    return api.call(route, { address, query });
  };

/** Numbers and flags may come as texts: a file's references do. */
function valuesOf(of: ApiFunction, given: Values): Values {
  return mapValues(given, (value, name) => {
    const shape = of.arguments[name]?.shape.type;
    if (typeof value !== 'string') return value;
    return shape === 'int' ? Number(value) : shape === 'flag' ? value === 'true' : value;
  });
}

/** `getPlatform(assembly: shop, name: web)`. */
function subjectOf(of: ApiFunction, given: Values): string {
  const names = Object.keys(of.arguments).filter((name) => name in given);
  return `${of.token}(${names.map((name) => `${name}: ${String(given[name])}`).join(', ')})`;
}

/** What the program makes itself cannot be there before it is made. */
const WAIT = 'if this stack makes it, give a reference to the resource as the argument: the function then waits for it';

function failureText(error: unknown, near: string | undefined): string {
  if (!(error instanceof NotFound)) return messageOf(error);
  return [messageOf(error), ...(near === undefined ? [] : [near]), WAIT].join('\n');
}

function findingsText(of: ApiFunction, findings: readonly Diagnostic[]): string {
  const lines = findings.map(({ path, message, hint }) => {
    const place = formatPath(path);
    const sentence = message.includes(`"${place}"`) ? message : `${place} ${message}`;
    return hint === undefined ? sentence : `${sentence}: ${hint}`;
  });
  return lines.length === 1
    ? `${of.token}: ${lines[0]}`
    : [`${of.token}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** What arguments name, and the list of all things of its sort there, outermost first. */
const NAMED = [
  ['cloud', () => routes.clouds.list],
  ['assembly', () => routes.assemblies.list],
  ['environment', () => routes.environments.list],
  ['platform', ({ environment }: Texts) => (environment ? routes.environmentPlatforms : routes.platforms).list],
] as const;

/** `no assembly is called "shpo": did you mean "shop"?`; undefined without a near name. */
async function nearName(api: Api, token: string, given: Values): Promise<string | undefined> {
  const names = namesIn(token, given);
  try {
    for (const [noun, listOf] of NAMED) {
      const wanted = names[noun];
      if (wanted === undefined || isNumber(wanted)) continue;
      const known = (await api.call(listOf(names), { address: names })).map(({ ciName }) => ciName);
      if (known.includes(wanted)) continue;
      const near = nearest(wanted, known);
      return near === undefined ? undefined : `no ${noun} is called "${wanted}": did you mean "${near}"?`;
    }
  } catch (error) {
    // The caller reports the first failure, not this one.
    if (!(error instanceof OneOpsError)) throw error;
  }
  return undefined;
}

/** The names in the arguments, by what they name: `name` of getPlatform is a platform's. */
function namesIn(token: string, { name, ...others }: Values): Texts {
  const own = token.replace(/^get/, '').toLowerCase();
  const all = Object.entries({ ...others, [own]: name });
  return Object.fromEntries(all.flatMap(([noun, text]) => (typeof text === 'string' ? [[noun, text]] : [])));
}
