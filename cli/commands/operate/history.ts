// `pulumi-oneops history`: the releases of a design or of an environment, with who made them, when and why.
import { routes, type Release } from '../../../api/contract';
import { tableText } from '../../../drift';
import { parseWords, type Command } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { recordChange, type OpenChange } from './open-release';
import { JSON_OPTION, SETTINGS_OPTIONS, text } from '../../options';
import { addressOf, operate, type Operation } from './place';
import { moment, print } from './text';

const OPTIONS = {
  release: text('NUMBER', 'what changed in this release'),
  size: text('N', 'how many releases; default 20'),
  ...JSON_OPTION,
  ...SETTINGS_OPTIONS,
} as const;

/** The history command. */
export const historyCommand: Command = {
  usage: ['history [ENVIRONMENT] [options]'],
  about: `Lists the releases of the design, or of an environment, newest first: state, user, time and comment.
Only reads. "git revert" of the file and "pulumi up" bring an older release back.`,
  options: OPTIONS,
  exits: { done: 'listed', notLetIn: 'the token is missing, or the service refuses it' },
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    for (const name of ['release', 'size'] as const)
      if (values[name] !== undefined && !/^\d+$/.test(values[name])) throw new UsageError(`--${name} takes a number`);
    return operate(positionals[0], values, async (operation) => {
      if (values.release !== undefined) {
        const { release, changes } = await changesIn(operation, values.release);
        print(values.json, { release, changes }, () => `${releaseText(release)}\n${changesText(changes)}`);
        return EXIT.done;
      }
      const all = await releasesOf(operation, values.size ?? '20');
      const rows = all.map((each) => [
        String(each.releaseId),
        each.releaseState,
        each.createdBy ?? '',
        moment(each.created),
        commentOf(each),
      ]);
      print(values.json, all, () =>
        rows.length === 0
          ? 'there are no releases\n'
          : tableText(rows, ['RELEASE', 'STATE', 'BY', 'OPENED', 'COMMENT']),
      );
      return EXIT.done;
    });
  },
};

/** The comment of a release. That of a plan is JSON, with the comment of the commit in it. */
const commentOf = ({ description }: Release): string =>
  /"manifestCommit":"([^"\\]*)"/.exec(description ?? '')?.[1] ?? description ?? '';

const releasesOf = ({ api, place }: Operation, size: string): Promise<readonly Release[]> =>
  place.environment === undefined
    ? api.call(routes.designReleases.list, { address: addressOf(place), query: { size } })
    : api.call(routes.environmentReleases.list, { address: addressOf(place), query: { size } });

async function changesIn(
  { api, place }: Operation,
  number: string,
): Promise<{ readonly release: Release; readonly changes: readonly OpenChange[] }> {
  const address = { ...addressOf(place), release: number };
  const query = { include_rfcs: 'true' };
  const release =
    place.environment === undefined
      ? await api.call(routes.designReleases.read, { address, query })
      : await api.call(routes.environmentReleases.read, { address, query });
  return { release, changes: (release.rfc_cis ?? []).map(recordChange) };
}

const releaseText = (release: Release): string => {
  const { releaseId, releaseState, createdBy, created } = release;
  const comment = commentOf(release);
  const words = `release ${releaseId}, ${releaseState}, by ${createdBy ?? 'somebody'} at ${moment(created)}`;
  return comment === '' ? words : `${words}: ${comment}`;
};

const changesText = (changes: readonly OpenChange[]): string =>
  changes.length === 0
    ? 'the service names no changes of it\n'
    : tableText(
        changes.map(({ what, action, attributes, by }) => [what, action, attributes.join(', '), by.join(' and ')]),
        ['WHAT', 'ACTION', 'ATTRIBUTES', 'BY'],
      );
