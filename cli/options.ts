// Options that several commands take, each with its words.
import { DRIFT_FILE } from '../stack';

/** An option without a value. */
export const flag = (words: string) => ({ type: 'boolean', default: false, words }) as const;

/** An option with a value, which `value` stands for in a help text. */
export const text = (value: string, words: string) => ({ type: 'string', value, words }) as const;

/** The same, which can be repeated. */
export const texts = (value: string, words: string) =>
  ({ type: 'string', multiple: true, default: [] as string[], value, words }) as const;

/** Where the service is. The token is no option: others can read command lines. */
export const SETTINGS_OPTIONS = {
  url: text('URL', 'address of the service; default: oneops:url of the stack in this folder, or ONEOPS_URL'),
  organization: text('NAME', 'organization; default: oneops:organization of the stack, or ONEOPS_ORGANIZATION'),
  stack: text(
    'NAME',
    `stack whose configuration is read; default: the one that is selected in this folder. The token comes
      from ONEOPS_TOKEN, or oneops:token of the stack; never from the command line`,
  ),
} as const;

export const JSON_OPTION = { json: flag('the same as JSON') } as const;

/** The stack whose files are read, without the service. */
export const STACK_OPTIONS = {
  stack: text('NAME', 'stack whose Pulumi.NAME.yaml holds the configuration, and whose overlay counts; default: none'),
  overlay: text(
    'NAME',
    'another overlay; default: oneops:overlay of the stack, or the overlay with the name of the stack',
  ),
} as const;

/** The state of a stack, where it is not the stack's own. */
export const STATE_OPTION = {
  state: { type: 'string', value: 'FILE', words: "output of pulumi stack export, instead of the stack's own state" },
} as const;

export const POLICIES_OPTION = {
  policies: text('FILE', 'policies to be kept; default: policies.yaml in this folder, if it exists'),
} as const;

export const CATALOGUE_OPTIONS = {
  online: flag(
    `compares packs and attributes with the catalogue of the service instead of the packaged one, and the clouds of
      environments with those of the organization; only reads`,
  ),
  'catalogue-file': text(
    'FILE',
    `compares with a catalogue that pulumi-oneops packs --save has written; default:
      runtime.options.catalogue in Pulumi.yaml, or else the packaged one`,
  ),
  url: SETTINGS_OPTIONS.url,
  organization: SETTINGS_OPTIONS.organization,
} as const;

/** What every review is made of. */
export const SOURCE_OPTIONS = {
  ...SETTINGS_OPTIONS,
  ...STATE_OPTION,
  rules: text('FILE', `severities, what is ignored, and what is expected; default: ${DRIFT_FILE}, if it exists`),
  timeout: text('SECONDS', 'time limit; the review lists what it could not read by then'),
  'max-calls': text('N', 'largest number of requests'),
} as const;

/** What a decision is about: a review that is made now, or a saved one. */
export const CHOICE_OPTIONS = {
  ...SOURCE_OPTIONS,
  from: text('REVIEW', 'a saved review (drift --json > REVIEW), instead of a new one'),
} as const;

/** A decision on all stacks of a cause. */
export const CAUSE_OPTION = {
  cause: text(
    'ID',
    `instead of findings: those of a cause in all stacks of the fleet that --from names; each stack in its
      folder`,
  ),
} as const;

/** Reports of a review, in these formats. */
export const reportOptions = <const F extends string>(formats: readonly F[]) =>
  ({
    report: texts(
      'FORMAT=FILE',
      `writes a report; can be repeated; without =FILE to the standard output; formats: ${formats.join(', ')}`,
    ),
    json: flag('the same as --report json'),
  }) as const;

/** What is taken over, and from where. */
export const TAKE_OVER_OPTIONS = {
  below: flag(
    `includes everything below each address: for an assembly its design and environments, for an environment
      its cloud configurations, variables and deployment`,
  ),
  declared: flag(
    `everything that the stack files of this folder declare, with the values that no read shows, such as
      secrets, from these files and the configuration of the stack; no address`,
  ),
  resources: text(
    'FACE',
    `dynamic or plugin: the provider that the resources are of; default: the one that the project in this
      folder uses`,
  ),
  ...SETTINGS_OPTIONS,
} as const;

/** How an old file is read. */
export const OLD_FILE_OPTIONS = {
  from: text('FORM', 'boo or design; default: what the file looks like'),
  profile: text(
    'INI[:NAME]',
    'profiles of Boo: each section becomes the configuration of a stack; with a name, only that section',
  ),
  assembly: text('NAME', 'name of the assembly, which no export contains; default: the name of the file'),
} as const;
