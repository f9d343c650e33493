// `pulumi-oneops discard`: shows what an open release has and by whom, and discards it.
import type { Api } from '../../../api/client';
import { routes } from '../../../api/contract';
import { firstOf, Forbidden, messageOf, plural, ReadOnly, Unauthenticated } from '../../../api/errors';
import { agreed } from '../../prompts';
import { commandOf, type ValuesOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import {
  type NamedPlace,
  type OpenChange,
  discardRelease,
  openRelease,
  type OpenRelease,
  type ReleaseKind,
} from '../operate/open-release';
import { assemblyOrEnvironment, operate } from '../operate/place';
import { flag, SETTINGS_OPTIONS } from '../../options';

interface Ending {
  readonly code: number;
  readonly says: string;
  readonly discarded?: boolean;
}

const OPTIONS = {
  bom: flag('of an environment: the plan that waits for a deployment, instead of the uncommitted changes'),
  others: flag('discard changes of other users, too; without it nothing is discarded if there are any'),
  'dry-run': flag('show the changes and stop'),
  yes: flag('discard them without asking'),
  json: flag('the release, its changes and whether it was discarded, as JSON'),
  ...SETTINGS_OPTIONS,
} as const;

export const command = commandOf({
  usage: ['discard ADDRESS [options]'],
  about: `Discards uncommitted changes: shows each with its author, asks, and discards them all.
Committed changes stay. This cannot be undone.`,
  arguments: {
    ADDRESS: `acme/shop: the open release of the design of assembly shop. acme/shop/prod, or prod in the folder
      of its stack: that of environment prod`,
  },
  options: OPTIONS,
  exits: {
    done: 'discarded, or nothing was open',
    failed: `nothing was discarded: you did not agree, changes of others, the release changed since it was
      shown, or the service refused`,
  },
  most: 1,
  async run({ values, positionals: [word] }) {
    if (word === undefined) throw new UsageError('discard needs one address: acme/shop or acme/shop/prod');
    return operate(word, values, assemblyOrEnvironment, async ({ api, place, settings: { organization } }) => {
      const { assembly, environment } = place;
      const kind = kindOf(place, values.bom);
      const release = await openRelease(api, place, kind);
      const where = [organization, assembly, environment].filter((name) => name !== undefined).join('/');
      const says = `${NOUNS[kind]} of ${where} is not open: nothing to discard`;
      if (release === undefined) return reported(values.json, { code: EXIT.done, says });
      // The user who is asked must see it even if a program reads the JSON.
      (values.json ? process.stderr : process.stdout).write(releaseText(where, release));
      return reported(values.json, await discarded(api, place, release, values), release);
    });
  },
});

function kindOf({ environment }: NamedPlace, bom: boolean): ReleaseKind {
  if (bom && environment === undefined)
    throw new UsageError('--bom needs an environment: name one, as in acme/shop/prod');
  if (environment === undefined) return 'design';
  return bom ? 'bom' : 'manifest';
}

const NOUNS: { readonly [K in ReleaseKind]: string } = {
  design: 'the design release',
  manifest: 'the manifest release',
  bom: 'the plan',
};

/** Discards the release, unless others changed it, or the user or service refuses. */
async function discarded(
  api: Api,
  place: NamedPlace,
  release: OpenRelease,
  allowed: ValuesOf<typeof OPTIONS>,
): Promise<Ending> {
  const { username } = await api.call(routes.profile.read, {});
  const others = othersIn(release, username);
  if (allowed['dry-run']) return { code: EXIT.done, says: 'nothing was discarded: this is a dry run' };
  if (others.length > 0 && !allowed.others) {
    const says = `nothing was discarded: ${others.join(' and ')} changed it, too; ask them, or discard their changes with --others`;
    return { code: EXIT.failed, says };
  }
  if (!allowed.yes && !(await agreed(`discard release ${release.releaseId}? this cannot be undone`)))
    return { code: EXIT.failed, says: 'nothing was discarded' };
  const now = await openRelease(api, place, release.kind);
  if (now === undefined || fingerprint(now) !== fingerprint(release))
    return { code: EXIT.failed, says: 'nothing was discarded: it changed since it was shown; run the command again' };
  const failure = await failureOf(api, place, release);
  if (failure !== undefined)
    return { code: EXIT.failed, says: `the service did not discard release ${release.releaseId}: ${failure}` };
  return { code: EXIT.done, says: `discarded release ${release.releaseId}\n${NEXT[release.kind]}`, discarded: true };
}

/** Discards, and returns why it failed. Reads the release after a lost answer. */
async function failureOf(api: Api, place: NamedPlace, release: OpenRelease): Promise<string | undefined> {
  try {
    const state = await discardRelease(api, place, release);
    return state === 'canceled' ? undefined : `it is ${state}`;
  } catch (error) {
    if (error instanceof ReadOnly || error instanceof Unauthenticated || error instanceof Forbidden) throw error;
    const left = await openRelease(api, place, release.kind);
    return left?.releaseId === release.releaseId ? messageOf(error) : undefined;
  }
}

const NEXT: { readonly [K in ReleaseKind]: string } = {
  design: 'next: pulumi up --refresh writes again the declared values that are missing now',
  manifest: 'next: pulumi up --refresh writes again the declared values that are missing now',
  bom: 'next: the next commit of the environment makes a new plan',
};

/** Other users who changed it; a change without an author counts as one by `somebody`. */
function othersIn({ changes, createdBy }: OpenRelease, user: string): readonly string[] {
  const writers =
    changes.length === 0 ? [createdBy] : changes.flatMap(({ by }) => (by.length === 0 ? [createdBy] : by));
  return [...new Set(writers)].filter((writer) => writer !== user).map((writer) => writer || 'somebody');
}

/** What must not change between the two reads. */
const fingerprint = ({ releaseId, changes }: OpenRelease): string =>
  JSON.stringify([releaseId, changes.map(({ what, changeId, action, at }) => [what, changeId, action, at])]);

const SHOWN = 50;

function releaseText(where: string, { kind, releaseId, createdBy, created, changes, unseen }: OpenRelease): string {
  const count = `${plural(changes.length, 'change')}`;
  const opened = `opened by ${createdBy || 'somebody'} at ${new Date(created).toISOString()}`;
  const lines = [
    `${NOUNS[kind]} of ${where}: ${releaseId}, ${opened}, ${count}`,
    ...firstOf(changes.map(changeText), SHOWN, (rest) => `  and ${rest} more`),
    ...(unseen === undefined ? [] : [`  ${unseen}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** `  component web/tomcat: update of max_threads by maria at 2026-01-05T00:00:00.000Z`. */
function changeText({ what, action, attributes, by, at }: OpenChange): string {
  const names = attributes.length === 0 ? '' : ` of ${attributes.join(', ')}`;
  return `  ${what}: ${action}${names} by ${by.join(' and ') || 'somebody'} at ${new Date(at).toISOString()}`;
}

function reported(json: boolean, { code, says, discarded = false }: Ending, release?: OpenRelease): number {
  if (json) {
    const report = { ...(release === undefined ? {} : { release }), discarded, says };
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    return code;
  }
  (code === EXIT.done ? process.stdout : process.stderr).write(`${says}\n`);
  return code;
}
