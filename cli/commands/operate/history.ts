// `pulumi-oneops history`: the releases of a design or of an environment, by whom and why.
import { firstNamed } from '../../../api/errors';
import { routes, type Record as WireRecord, type Release } from '../../../api/contract';
import { causeOf, isManifest, readRelease } from '../../../provider/history';
import { commandOf } from '../../command';
import { UsageError } from '../../exit';
import { orUnknown } from './deployments';
import { linksIn, recordChange, type OpenChange } from './open-release';
import { JSON_OPTION, SETTINGS_OPTIONS, text } from '../../options';
import { addressOf, assemblyOrEnvironment, operate, type Operation } from './place';
import type { Outputs } from './outputs';
import { moment, table } from '../../here/terminal';

export const command = commandOf({
  usage: ['history [ENVIRONMENT] [options]'],
  about: `Lists the releases of the design, or of an environment, newest first: state, user, time, comment, and
what changed. Only reads.`,
  options: {
    release: text('NUMBER', 'what changed in this release'),
    size: text('N', 'how many releases; default 20'),
    ...JSON_OPTION,
    ...SETTINGS_OPTIONS,
  },
  exits: { done: 'listed' },
  most: 1,
  async run({ values, positionals }) {
    for (const name of ['release', 'size'] as const)
      if (values[name] !== undefined && !/^\d+$/.test(values[name])) throw new UsageError(`--${name} takes a number`);
    return operate(positionals[0], values, assemblyOrEnvironment, async (operation) => {
      const { release } = values;
      if (release !== undefined)
        operation.print(
          await releaseNamed(operation, release),
          (shown) => `${releaseText(shown)}\n${changesText(shown)}`,
        );
      else operation.print(await changedReleases(operation, values.size ?? '20'), listText);
    });
  },
});

type Changed = Outputs['history --release'];

const HEAD = ['RELEASE', 'STATE', 'BY', 'OPENED', 'COMMENT', 'CHANGES'];

const listText = (all: readonly Changed[]): string =>
  all.length === 0
    ? 'there are no releases\n'
    : table(
        HEAD,
        all.map((each) => [
          String(each.releaseId),
          each.releaseState,
          each.createdBy ?? '',
          moment(each.created),
          commentOf(each),
          inShort(each.changes),
        ]),
      );

const NAMED = 3;

/** `add platform web, update component web/tomcat (max_threads) and 7 more`. */
function inShort(changes: readonly OpenChange[]): string {
  const all = changes.map(({ action, what, attributes }) =>
    [action, what, ...(attributes.length === 0 ? [] : [`(${attributes.join(', ')})`])].join(' '),
  );
  return firstNamed(all, NAMED);
}

/** The comment of a release. That of a plan is JSON, with the comment of the commit in it. */
const commentOf = ({ description }: Release): string =>
  /"manifestCommit":"([^"\\]*)"/.exec(description ?? '')?.[1] ?? description ?? '';

/** The releases of a place, each with its changes: a list of the service does not contain them. */
async function changedReleases(operation: Operation, size: string): Promise<readonly Changed[]> {
  const { api, place } = operation;
  const route = place.environment === undefined ? routes.designReleases.list : routes.environmentReleases.list;
  const all: readonly Release[] = await api.call(route, { address: addressOf(place), query: { size } });
  return Promise.all(all.map(async ({ releaseId }) => withChanges(operation, await readIn(operation, releaseId))));
}

/** The release that a user's number names. Throws UsageError where there is none. */
async function releaseNamed(operation: Operation, number: string): Promise<Changed> {
  const found = await orUnknown(readIn(operation, number));
  if (found !== undefined) return withChanges(operation, found);
  const { environment, assembly } = operation.place;
  throw new UsageError(`${environment ?? assembly} has no release ${number}: see pulumi-oneops history`);
}

const readIn = ({ api, place }: Operation, number: number | string): Promise<Release> =>
  readRelease({ api, at: place }, number);

async function withChanges({ api, place }: Operation, found: Release): Promise<Changed> {
  const { rfc_cis: records = [], rfc_relations: _, ...release } = found;
  const links = isManifest(found) ? await linksIn(api, place, found) : [];
  if (found.releaseState === 'open') return { ...release, changes: [...records.map(recordChange), ...links] };
  const changes = [
    ...records.map((record) => ({ ...recordChange(record), by: writersIn(found, record) })),
    ...links.map((link) => (link.at <= (found.updated ?? Infinity) ? link : { ...link, by: committerOf(found) })),
  ];
  return { ...release, changes };
}

const committerOf = (release: Release): readonly string[] => [causeOf(release).who].filter(Boolean);

/** Users of a change in an ended release: the record itself names who wrote it since. */
function writersIn(
  release: Release,
  { rfcAction, rfcCreatedBy, rfcUpdatedBy, createdBy }: WireRecord,
): readonly string[] {
  const names = new Set([rfcCreatedBy, rfcUpdatedBy].flatMap((name) => name || []));
  if (names.size > 0) return [...names];
  return rfcAction === 'add' && createdBy ? [createdBy] : committerOf(release);
}

const releaseText = (release: Release): string => {
  const { releaseId, releaseState, createdBy, created } = release;
  const words = `release ${releaseId}, ${releaseState}, by ${createdBy ?? 'somebody'} at ${moment(created)}`;
  return [words, commentOf(release)].filter(Boolean).join(': ');
};

const changesText = ({ changes }: Changed): string =>
  changes.length === 0
    ? 'the service names no changes of it\n'
    : table(
        ['WHAT', 'ACTION', 'ATTRIBUTES', 'BY'],
        changes.map(({ what, action, attributes, by }) => [what, action, attributes.join(', '), by.join(' and ')]),
      );
