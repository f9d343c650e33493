// The Variable kind: a value that attributes refer to, of an assembly or a platform, and of either in an environment (service-facts §2.2.7, flows §3.4).
import { nameRules, problem, routes } from '../../../api/contract';
import { member, secret, takingOver, text, textLike, whenSecret } from '../../field';
import { kind, type Scope } from '../../kind';
import { hasOwnComments } from '../../verbs/comments';
import { isLocked } from '../../verbs/live';
import {
  designVariableVerbs,
  environmentPlatformVariableVerbs,
  environmentVariableVerbs,
  platformVariableVerbs,
  searchEnvironmentVariables,
  searchPlatformVariables,
} from './flow';
import { assembly } from '../assembly';
import { environment } from '../environment/kind';
import { platform } from '../platform';

const sample = {
  create: { value: 'info', comments: 'made first' },
  update: { value: 'debug', comments: 'made later' },
};

const inAssembly = {
  path: routes.designVariables.read.path,
  id: '{assembly}/variables/{name}',
  within: assembly,
  cascades: true,
  stage: 'design',
  found: { list: { route: routes.designVariables.list, isReviewed: true } },
  verbs: designVariableVerbs,
  sample,
} satisfies Scope;

const inPlatform = {
  path: routes.platformVariables.read.path,
  id: '{assembly}/platforms/{platform}/variables/{name}',
  within: platform,
  cascades: true,
  stage: 'design',
  found: {
    list: {
      route: routes.platformVariables.list,
      isReviewed: true,
      isGiven: (record) => !isLocked(record) && !hasOwnComments(record),
    },
  },
  verbs: platformVariableVerbs,
  sample,
} satisfies Scope;

const inEnvironment = {
  path: routes.environmentVariables.read.path,
  id: '{assembly}/environments/{environment}/variables/{name}',
  within: environment,
  cascades: true,
  stage: 'environment',
  // A pull brings all of the design's: those that nobody has set are not the environment's own.
  found: { search: searchEnvironmentVariables },
  verbs: environmentVariableVerbs,
  sample,
} satisfies Scope;

const inPlatformOfEnvironment = {
  path: routes.environmentPlatformVariables.read.path,
  id: '{assembly}/environments/{environment}/platforms/{platform}/variables/{name}',
  within: environment,
  cascades: true,
  stage: 'environment',
  found: { search: searchPlatformVariables },
  verbs: environmentPlatformVariableVerbs,
  sample,
} satisfies Scope;

/**
 * A value that attributes refer to: `$OO_GLOBAL{NAME}` of the assembly, `$OO_LOCAL{NAME}` of the platform. In an environment: another value for
 * the variable of this name that the assembly, or the platform, has.
 */
export const variable = kind({
  token: 'Variable',
  named: true,
  nameRule: nameRules.variable,
  ...inAssembly,
  scopes: [inAssembly, inPlatform, inEnvironment, inPlatformOfEnvironment],
  fields: {
    /** The value, readable by everybody who may read the design; does not begin with white space. A secret is kept as `encryptedValue`. */
    value: whenSecret('encryptedValue', textLike(/^(?!\s)/, 'text that does not begin with white space').optional()),
    /** The value of a secret variable, in place of `value`. */
    encryptedValue: secret(text()).optional(),
    /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
    comments: member(text()).optional(),
    /** Take over a variable of this name and write the declared value to it. */
    adopt: takingOver.adopt,
    /** Write the declared value even when another user changed it since our last read. */
    overwrite: takingOver.overwrite,
  },
  inFile: {
    path: 'variables.*',
    written: ({ value, ...others }) => {
      if (value === undefined && others['encryptedValue'] === undefined)
        return { reason: 'it is a secret variable: declare it by hand' };
      return typeof value === 'string' && Object.keys(others).length === 0 ? { text: value } : { first: {} };
    },
  },
  computed: {},
  rule: ({ value, encryptedValue }) => {
    if (value === undefined && encryptedValue === undefined)
      return [
        problem(
          'required',
          ['value'],
          'a value is required',
          'give it a value, or an encrypted value if it is a secret',
        ),
      ];
    if (value !== undefined && encryptedValue !== undefined)
      return [problem('two-values', ['value'], 'it has a value and an encrypted value', 'leave one of them out')];
    return [];
  },
});
