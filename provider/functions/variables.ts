// The function for variables: of a design, of a platform of it, of an environment, or of a platform there (service-facts §2.2.7, §4.5.3, §4.7.5).
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction } from './api-function';
import { name } from './arguments';
import { attribute, byName, stagedFacts, stagedFactsOf } from './records';
import * as result from './result';

/** A variable. */
const variable = result.recordType('VariableRecord', {
  ...stagedFacts,
  /** Its value; empty when it is secure, because the service does not return that value. */
  value: result.textResult(),
  /** Whether its value is encrypted. */
  secure: result.flagResult(),
});

const variableOf = (record: WireRecord): result.ResultValues<typeof variable.members> => {
  const secure = attribute(record, 'secure') === 'true';
  return { ...stagedFactsOf(record), value: secure ? '' : attribute(record, 'value'), secure };
};

/** The variables of a design or of an environment, or of one platform there. */
export const getVariables = apiFunction({
  token: 'getVariables',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of an environment, to read what was pulled into it and set there, instead of the design. */
    environment: name().optional(),
    /** Name of a platform, to read its own variables instead of those of the whole design or environment. */
    platform: name().optional(),
  },
  reads: [
    routes.designVariables.list,
    routes.platformVariables.list,
    routes.environmentVariables.list,
    routes.environmentPlatformVariables.list,
  ],
  result: {
    /** Variables in alphabetical order of their names, including those whose deletion is not committed yet. */
    variables: result.listResult(result.recordResult(variable)),
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
