// The function of variables: of a design, of a platform of it, of an environment, or of a platform there (service-facts §2.2.7, §4.5.3, §4.7.5).
// It must not know how functions are called.
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction } from './api-function';
import { name } from './arguments';
import { attribute, byName, stagedFacts, stagedFactsOf } from './records';
import * as result from './result';

/** A variable. */
const variable = result.recordType('VariableRecord', {
  ...stagedFacts,
  /** Its value; empty when it is secure: the service keeps that value to itself. */
  value: result.text(),
  /** Whether its value is encrypted. */
  secure: result.flag(),
});

const variableOf = (record: WireRecord): result.Values<typeof variable.members> => {
  const secure = attribute(record, 'secure') === 'true';
  return { ...stagedFactsOf(record), value: secure ? '' : attribute(record, 'value'), secure };
};

/** The variables of a design or of an environment, or of one platform there. */
export const getVariables = apiFunction({
  token: 'getVariables',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of an environment, to see what was pulled into it and set there instead of the design. */
    environment: name().optional(),
    /** Name of a platform, to see its own variables instead of those of the whole design or environment. */
    platform: name().optional(),
  },
  reads: [
    routes.designVariables.list,
    routes.platformVariables.list,
    routes.environmentVariables.list,
    routes.environmentPlatformVariables.list,
  ],
  result: {
    /** Variables, by name in alphabetical order. Those that wait for the commit of their deletion are among them. */
    variables: result.list(result.one(variable)),
  },
  read: async (ask, { assembly, environment, platform }) => {
    const found = (): Promise<readonly WireRecord[]> => {
      if (environment === undefined)
        return platform === undefined
          ? ask(routes.designVariables.list, { address: { assembly } })
          : ask(routes.platformVariables.list, { address: { assembly, platform } });
      return platform === undefined
        ? ask(routes.environmentVariables.list, { address: { assembly, environment } })
        : ask(routes.environmentPlatformVariables.list, { address: { assembly, environment, platform } });
    };
    return { variables: byName((await found()).map(variableOf)) };
  },
});
