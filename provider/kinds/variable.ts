// The Variable kind: a value that attributes refer to (service-facts §2.2.7, flows §3.4).
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord, type Template, nameRules, problem } from '../../api/contract';
import type { Live } from '../address/live';
import { LifecycleError } from '../errors';
import { commented, secret, takingOver, text, textLike, whenSecret } from '../values/field';
import { type Address, type FoundRecord, kind, type Scope, type UpdateWork, type Verbs, type Work } from '../kind';
import { isOursAlone } from '../secrets/writes';
import { adopt } from '../verbs/adopt';
import { areForeignComments, commentsIn, emptiedComments, withComments, hasOwnComments } from '../verbs/comments';
import { createOrFind, deleteFound, deleteOnce, liveIn, type CollectionRoutes, type Recording } from '../verbs/crud';
import { isLocked, isPendingDelete } from '../verbs/live';
import { AlreadyThere, readOrGone } from '../verbs/presence';
import { addressIn, ofClass, readAnyRecord, readRecord, type Readable } from '../verbs/records';
import { assembly } from './assembly';
import { environment } from './environment/kind';
import { overlayVerbs, searchLaid, searchPlatforms, shownAsPulled } from './environment/overlay';
import { afterPendingDelete, designQueue, platform } from './platform';

const recording: Recording = { wrapper: 'cms_dj_ci', memberNames: ['comments'] };

/** The three attributes of a variable, as they read (service-facts §2.2.7). */
interface Texts {
  readonly secure: string;
  readonly value: string;
  readonly encrypted_value: string;
}

const textsOf = (record: Pick<WireRecord | Template, 'ciAttributes'>): Texts => ({
  secure: record.ciAttributes['secure'] || 'false',
  value: record.ciAttributes['value'] ?? '',
  encrypted_value: record.ciAttributes['encrypted_value'] ?? '',
});

/** No read shows what a secret contains. */
const isSecret = ({ secure }: Texts): boolean => secure === 'true';

/** A variable as it takes effect: a secret keeps a readable value that nothing uses. */
async function readVariable(work: Work, at: Readable): Promise<WireRecord | undefined> {
  const record = await readRecord(work, at);
  if (record === undefined || !isSecret(textsOf(record))) return record;
  return { ...record, ciAttributes: { ...record.ciAttributes, value: '' } };
}

const sameTexts = (left: Texts, right: Texts): boolean =>
  left.secure === right.secure && (isSecret(left) || left.value === right.value);

/** The declared value; empties the value of the other form. */
const valueTexts = ({ wire: { value = '', encrypted_value: secret } }: Pick<Work, 'wire'>): Texts =>
  secret === undefined
    ? { secure: 'false', value, encrypted_value: '' }
    : { secure: 'true', value: '', encrypted_value: secret };

/** Everything declared, with empty comments for those that no longer are. */
const declaredTexts = (work: Work | UpdateWork): Texts & { readonly comments?: string } => ({
  ...commentsIn('changes' in work ? { ...work.wire, ...work.changes } : work.wire),
  ...valueTexts(work),
});

/** Whether a value is declared: an empty text is one, too. */
const declaresValue = ({ args }: Pick<Work, 'args'>): boolean =>
  ['value', 'encryptedValue'].some((name) => (args[name] ?? undefined) !== undefined);

const commentsBody = (work: UpdateWork): object => ({
  cms_dj_ci: { ciId: work.live.ciId, ciName: work.address['name'], ...commentsIn(work.changes), ciAttributes: {} },
});

/** Lock of a variable of a design against its pack, or none (service-facts §2.1.5). */
type Owner = 'design' | '';

/** All three attributes are locked together: a single one would make half a secret. */
function bodyOf(
  work: Work,
  { comments, ...texts }: Partial<Texts> & { readonly comments?: string },
  owner: Owner,
  live?: Pick<WireRecord, 'ciId'>,
): object {
  return {
    cms_dj_ci: {
      ...(live ? { ciId: live.ciId } : {}),
      ciName: work.address['name'],
      ...(comments === undefined ? {} : { comments }),
      ciAttributes: texts,
      ciAttrProps: { owner: { secure: owner, value: owner, encrypted_value: owner } },
    },
  };
}

const ofAssembly = { ...routes.designVariables, isMeant: ofClass('Globalvar') };
const ofPlatform = { ...routes.platformVariables, isMeant: ofClass('Localvar') };
const ofEnvironment = { ...routes.environmentVariables, isMeant: ofClass('Globalvar') };
const ofPlatformInEnvironment = { ...routes.environmentPlatformVariables, isMeant: ofClass('Localvar') };

async function put(
  work: Work,
  at: Pick<CollectionRoutes, 'read' | 'isMeant' | 'update'>,
  live: Pick<WireRecord, 'ciId'>,
  body: object,
): Promise<Live> {
  const record = await work.api.call(at.update, { address: addressIn(work, at, live), body });
  return liveIn(recording, record as WireRecord);
}

/** Verbs of a design's variables. `packValue`: the value by the pack. */
function designVerbs(at: CollectionRoutes & Readable, packValue: (work: Work) => Promise<Texts | undefined>): Verbs {
  const verbs: Verbs = adopt<WireRecord>({
    queue: designQueue,
    find: (work) => readVariable(work, at),
    makesFirst: true,
    isGiven: async (work) => (await packValue(work)) !== undefined,
    write: (work) => {
      const body = declaresValue(work) ? bodyOf(work, declaredTexts(work), 'design', work.live) : commentsBody(work);
      return put(work, at, work.live, body);
    },
    live: (_, record) => liveIn(recording, record),

    make(work) {
      const body = bodyOf(work, declaredTexts(work), 'design');
      const send = (): Promise<unknown> => work.api.call(at.create, { address: work.at, body });
      const sendInTime = (): Promise<unknown> => afterPendingDelete(work, send, () => isGoing(work, at));
      return createOrFind(work, (again) => verbs.read(again), sendInTime, recording);
    },

    /** An untouched variable is ours to write; the lifecycle decides about others. */
    async take(work, record) {
      const given = await packValue(work);
      const live = liveIn(recording, record);
      if (given === undefined || isLocked(record) || !sameTexts(textsOf(record), given)) throw new AlreadyThere(live);
      // No read shows whether a secret is still the pack's own.
      if (isSecret(given) && !(await isOursAlone(work, live.writes?.writers))) throw new AlreadyThere(live);
      if (areForeignComments(work, record)) throw new AlreadyThere(live);
      return put(work, at, record, bodyOf(work, declaredTexts(work), 'design', record));
    },

    async giveBack(work, record) {
      const given = await packValue(work);
      if (given === undefined) return deleteFound(work, at);
      if (!isLocked(record) && sameTexts(textsOf(record), given)) return;
      const keeps = isSecret(given) && isSecret(textsOf(record));
      if (isSecret(given))
        work.notice(
          `what the pack gives ${work.id} is a secret that nobody can read: it ${keeps ? 'keeps the last one' : 'is left without one'}`,
        );
      const texts = keeps ? {} : { ...given, encrypted_value: '' };
      await put(work, at, record, bodyOf(work, { ...texts, ...emptiedComments(work, record) }, '', record));
    },

    remove: (work, record) => deleteOnce(() => work.api.call(at.delete, { address: addressIn(work, at, record) })),
  });
  return withComments(verbs);
}

/** Whether the record's deletion waits for its commit. */
async function isGoing(work: Work, at: Readable): Promise<boolean> {
  const record = await readAnyRecord(work, at);
  return record !== undefined && isPendingDelete(record);
}

async function packValueOf(work: Work): Promise<Texts | undefined> {
  const { ciAttributes } = await work.api.call(routes.platforms.read, { address: work.at });
  const { source, pack, version } = ciAttributes;
  const address = { source: source ?? '', pack: pack ?? '', version: version ?? '', platform: pack ?? '' };
  const asked = await readOrGone(work.api, {}, () => work.api.call(routes.catalogue.packVariables, { address }));
  const given = asked ?? [];
  const found = given.find(({ ciName }) => ciName === work.address['name']);
  return found && textsOf(found);
}

/** The error for a variable that an environment, or its platform, does not have. */
function missing({ address: { platform, name } }: Work): LifecycleError {
  const place = platform === undefined ? 'the environment' : `platform "${platform}" of the environment`;
  return new LifecycleError(
    `${place} has no variable "${name}"`,
    `declare it for the ${platform === undefined ? 'assembly' : 'platform'} too: an environment gives another value to a variable that its design has`,
  );
}

/** Variables in an environment come with a pull, override the design, and are given back. */
const overridingVerbs = (at: Pick<CollectionRoutes, 'update'> & Readable, designed: Readable): Verbs =>
  overlayVerbs({
    find: (work) => readVariable(work, at),
    designed: (work) => readVariable(work, designed),
    update: at.update,
    addressOf: (work, record) => addressIn(work, at, record),
    missing,
    declares: (args) => (declaresValue({ args }) ? ['secure', 'value', 'encrypted_value'] : []),
    asOne: {
      texts: (work) => ({ ...valueTexts(work) }),
      named: (record) => (isSecret(textsOf(record)) ? 'encrypted_value' : 'value'),
    },
  });

/** The variables of an environment itself that have their own values. */
async function searchEnvironmentVariables(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  const shown = await shownAsPulled(api, at, platforms);
  const [there, designed] = [routes.environmentVariables.list, routes.designVariables.list];
  return searchLaid(api, at, { there, designed, ownName: 'name' }, shown?.records('variable', ''));
}

/** The variables of an environment's platforms that have their own values. */
const searchPlatformVariables = searchPlatforms('variable', {
  there: routes.environmentPlatformVariables.list,
  designed: routes.platformVariables.list,
  ownName: 'name',
});

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
  verbs: designVerbs(ofAssembly, () => Promise.resolve(undefined)),
  sample,
} satisfies Scope;

const inPlatform = {
  ...inAssembly,
  path: routes.platformVariables.read.path,
  id: '{assembly}/platforms/{platform}/variables/{name}',
  within: platform,
  found: {
    list: {
      route: routes.platformVariables.list,
      isReviewed: true,
      isGiven: (record) => !isLocked(record) && !hasOwnComments(record),
    },
  },
  verbs: designVerbs(ofPlatform, packValueOf),
} satisfies Scope;

const inEnvironment = {
  ...inAssembly,
  path: routes.environmentVariables.read.path,
  id: '{assembly}/environments/{environment}/variables/{name}',
  within: environment,
  stage: 'environment',
  // A pull brings all of the design's: unset ones are not the environment's own.
  found: { search: searchEnvironmentVariables },
  verbs: overridingVerbs(ofEnvironment, ofAssembly),
} satisfies Scope;

const inPlatformOfEnvironment = {
  ...inEnvironment,
  path: routes.environmentPlatformVariables.read.path,
  id: '{assembly}/environments/{environment}/platforms/{platform}/variables/{name}',
  found: { search: searchPlatformVariables },
  verbs: overridingVerbs(ofPlatformInEnvironment, ofPlatform),
} satisfies Scope;

export const variable = kind({
  token: 'Variable',
  description:
    'A value that attributes refer to: `$OO_GLOBAL{NAME}` of the assembly, `$OO_LOCAL{NAME}` of the platform. In an environment: another value for the variable of this name in the design.',
  nameRule: nameRules.variable,
  ...inAssembly,
  scopes: [inAssembly, inPlatform, inEnvironment, inPlatformOfEnvironment],
  fields: {
    value: whenSecret(
      'encryptedValue',
      textLike(/^(?!\s)/, 'text that does not begin with white space').optional(),
    ).describe('The value in clear; does not begin with white space. A secret is an `encryptedValue`.'),
    encryptedValue: secret(text()).optional().describe('The value of a secret variable, in place of `value`.'),
    ...commented,
    ...takingOver,
  },
  inFile: {
    path: 'variables.*',
    written: ({ value, ...others }) => {
      if (value === undefined && others['encryptedValue'] === undefined)
        return { reason: 'it is a secret variable: declare it by hand' };
      return typeof value === 'string' && Object.keys(others).length === 0 ? { text: value } : { first: {} };
    },
  },
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
