// What a drift review costs: requests in addition to the collections it reads, and time next to one GET for each record.
import { createApi, type Api, type CallInput } from '../../api/client';
import { routes, type Route } from '../../api/contract';
import { readState, reviewStack } from '../../drift';
import { parseId, pathAddress, scopeAt } from '../../provider';
import { codeOf, exportOf, keptOf, type Kept } from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { documentOf, yamlText } from '../world/stack-yaml';
import { kindOf, makeWorld, type World } from '../world/world';
import { startMeasuredService, type MeasuredService } from './engine/measured-service';
import { type Chapter, type Finding } from './finding';
import { measure } from './measure';
import { TOKEN } from './process';

/** Milliseconds before each request is carried out. */
const LATENCY = 20;
const CONCURRENCY = 8;
/** Requests next to those for collections that a review may send. */
const BESIDE = 10;
const TURNS = 5;

const PLATFORMS = 10;
const IN_EACH = 30;
/** Components that have attachments: two on each of the first platforms, one on each of the others. */
const HOLDERS = 17;
const ATTACHMENTS = 20;
const GLOBALS = 48;
/** Lists of assemblies, platforms and variables; of components and variables of each platform; of attachments. */
const COLLECTIONS = 3 + 2 * PLATFORMS + HOLDERS;

const each = <T>(count: number, name: string, make: (number: number) => T): { readonly [name: string]: T } =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`${name}${number}`, make(number)]));

/** A shop of 1,000 records, the assembly and its design release included. */
const SHOP: StackSpec = {
  variables: each(GLOBALS, 'GLOBAL', (number) => `value ${number}`),
  platforms: each(PLATFORMS, 'web', (platform) => ({
    description: 'Front',
    variables: each(IN_EACH, 'LEVEL', (number) => `value ${number}`),
    components: each(IN_EACH, 'user', (number) => ({
      type: 'user',
      attributes: { username: `user${number}`, description: `User ${number}` },
      attachments: each(
        number < (platform < HOLDERS - PLATFORMS ? 2 : 1) ? ATTACHMENTS : 0,
        `user${number}-file`,
        (file) => ({ path: `/etc/shop/${number}/${file}`, content: `text ${file}` }),
      ),
    })),
  })),
};

/** The route that reads a record by itself. */
function readRoute({ token, inputs }: Kept): Route {
  switch (token) {
    case 'Assembly':
      return routes.assemblies.read;
    case 'Platform':
      return routes.platforms.read;
    case 'Component':
      return routes.components.read;
    case 'Attachment':
      return routes.attachments.read;
    case 'Variable':
      return inputs['platform'] === undefined ? routes.designVariables.read : routes.platformVariables.read;
    default:
      return routes.designReleases.latest;
  }
}

function addressOf({ token, id, inputs }: Kept): NonNullable<CallInput['address']> {
  const kind = scopeAt(kindOf(token), inputs) ?? kindOf(token);
  const parsed = parseId(kind, id);
  if (parsed === undefined) throw new Error(`${id} is no id of a ${token}`);
  return pathAddress(kind, parsed.organization, parsed.address);
}

/** One GET for each record, so many at a time. */
async function readEach(api: Api, kept: readonly Kept[]): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let record = kept[next++]; record !== undefined; record = kept[next++])
      await api.call(readRoute(record), { address: addressOf(record) });
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** Makes the shop in the service, as a run of the engine does. */
async function makeShop(api: Api): Promise<readonly Kept[]> {
  const here = makeWorld('classic');
  const world: World = { ...here, api };
  try {
    const { stack, errors } = await run(world, emptyStack, resourcesOf(SHOP));
    if (errors.length > 0) throw new Error(errors.join('\n'));
    return keptOf(stack);
  } finally {
    here.close();
  }
}

/** A review of the shop against one GET for each of its records, by turns. */
export async function benchDrift(): Promise<Chapter> {
  const service = await startMeasuredService(TOKEN, 0);
  const api = createApi({ url: service.url, organization: 'acme', token: TOKEN, dialect: 'auto' });
  try {
    const kept = await makeShop(api);
    await service.slow(LATENCY);
    return chapterOf(kept.length, await findings(service, api, kept));
  } finally {
    api.close();
    await service.stop();
  }
}

async function findings(service: MeasuredService, api: Api, kept: readonly Kept[]): Promise<readonly Finding[]> {
  const state = readState(exportOf(kept));
  const code = codeOf(yamlText(documentOf(SHOP)), state);
  const review = async (): Promise<void> => {
    const { outcome, coverage } = await reviewStack({ api, state, code, concurrency: CONCURRENCY });
    if (outcome !== 'in-sync' || coverage.read !== kept.length) throw new Error(`the review ended with ${outcome}`);
  };
  await review();
  await service.taken();
  await review();
  const { calls } = await service.taken();
  const contenders = [
    { name: 'review', run: review },
    { name: 'one GET each', run: () => readEach(api, kept) },
  ];
  const { measured, ratio } = await measure(contenders, { turns: TURNS, calls: 1 });
  const wall = (name: string): number => (measured.find((one) => one.name === name)?.wall ?? Number.NaN) / 1000;
  const allowed = COLLECTIONS + BESIDE;
  return [
    {
      what: 'review, calls',
      against: `${COLLECTIONS} collections and ${BESIDE}`,
      figure: calls,
      reference: allowed,
      unit: 'calls',
      ratio: calls / allowed,
      target: { atMost: 1 },
    },
    {
      what: 'review, wall',
      against: 'one GET each',
      figure: wall('review'),
      reference: wall('one GET each'),
      unit: 'ms',
      ratio: ratio('review', 'one GET each'),
      target: { atMost: 0.35 },
    },
  ];
}

const chapterOf = (records: number, found: readonly Finding[]): Chapter => ({
  heading: 'Drift reviews',
  about:
    `A review of file, state and service, in sync: ${records.toLocaleString('en-US')} records in ${COLLECTIONS} collections (lists of assemblies, ` +
    `platforms, components, variables and attachments), ${LATENCY} ms before the service carries out each request, ${CONCURRENCY} requests at a ` +
    `time. It is compared with one GET for each record through the same client, as many at a time; median of ${TURNS} turns. Calls are counted by the service. ` +
    'The stack has no environment: [drift reviews](drift-findings.md#how-many-requests) says what a review reads in each.',
  findings: found,
});
