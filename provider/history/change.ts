// A change of a record that another user committed, with its author; and the user of a run.
import type { Api } from '../../api/client';
import { type Release, routes } from '../../api/contract';
import type { Writer } from '../address/live';
import { orElse } from '../errors';
import type { Work } from '../kind';

/** Who wrote a change, and in which release. */
export interface Cause extends Writer {
  readonly releaseId: number;
}

/** A change of a record that another user committed. */
export interface CommittedChange {
  /** `component`, `link`, `dependency`; `release` where the service lists no changes of it. */
  readonly noun: string;
  /** `web/backdoor`; `web/motd`: a list of changes does not name the component. */
  readonly path: string;
  readonly platform: string;
  readonly name: string;
  readonly action: string;
  /** Wire names of the attributes that an update sets to another value. */
  readonly attributes: readonly string[];
  /** Their new values, as far as a read shows them. */
  readonly values: { readonly [wireName: string]: string | null | undefined };
  /** Values before the change, as far as a list of changes shows them. */
  readonly before?: { readonly [wireName: string]: string | null | undefined };
  /** Of a link or a dependency: the number of its record, and the name of the other one. */
  readonly link?: { readonly from: number; readonly to: string };
  /** Number of the record. Absent where no change of a record is known. */
  readonly ciId?: number;
  /** Of a setting of a platform: the number of the relation that has it. */
  readonly setting?: number;
  readonly isOfCloud?: boolean;
  /** Of such a setting: the component that it scales, or the cloud; absent if not looked up. */
  readonly target?: string;
  /** Number of the change, which is the record's stamp afterwards; absent if not shown. */
  readonly changeId?: number;
  /** Who, when (ms since 1970) and in which release. */
  readonly cause: Cause;
  readonly stage: 'design' | 'environment';
  /** Whether this run's own user made it, outside of this stack. */
  readonly isOwnUsers?: true;
  /** Whether `others: refuse` takes no notice: an older run of this stack may have done it. */
  readonly isNamedOnly?: true;
  /** Whether somebody set it in the environment and locked it, so that no pull brought it. */
  readonly isByHand: boolean;
  /** Whether it keeps a value of the file out of the environment. */
  readonly isOverFile?: true;
}

type Named = Pick<CommittedChange, 'noun' | 'name' | 'platform'>;

/** Whether two are one record by noun, name and platform: lists of changes name no component. */
export const isSameRecord = (one: Named, other: Named): boolean =>
  one.noun === other.noun && one.name === other.name && (one.noun === 'platform' || one.platform === other.platform);

/** `+`, `-` or `~` for a record that is added, deleted or changed. */
export const signOf = ({ action }: Pick<CommittedChange, 'action'>): '+' | '-' | '~' =>
  action === 'add' ? '+' : action === 'delete' ? '-' : '~';

/**
 * `+web`, `~web/cron`: what machines get of changes. Links of platforms, and what a platform only
 * says of itself, reach none.
 */
export const reachingPaths = (changes: readonly CommittedChange[]): readonly string[] =>
  changes
    .filter(({ noun, action, attributes, link }) => {
      const isOwn = noun === 'platform' && action === 'update';
      return link === undefined && !(isOwn && attributes.every((name) => name === 'description'));
    })
    .map((change) => `${signOf(change)}${change.path}`);

/** Whether a release changes a record or its links, or does not list what it changes. */
export const mayHold = ({ rfc_cis: records, rfc_relations: relations }: Release, ciId: number): boolean =>
  records === undefined ||
  relations === undefined ||
  records.some((each) => each.ciId === ciId) ||
  relations.some(({ fromCiId }) => fromCiId === ciId);

/** The change with the attributes that are meant; nothing where none is. */
export function withAttributes(
  change: CommittedChange,
  isMeant: (name: string) => boolean,
): readonly CommittedChange[] {
  const attributes = change.attributes.filter(isMeant);
  return attributes.length === 0 ? [] : [{ ...change, attributes }];
}

/** The user of a run, by answers to its writes, else asked; undefined if the service is silent. */
export const userOf = async ({ api, session }: Pick<Work, 'api' | 'session'>): Promise<string | undefined> =>
  session.own.user ?? ownUser(api);

/** Who a client speaks as; undefined when the service does not say. */
export const ownUser = async (api: Api): Promise<string | undefined> =>
  (await orElse(api.call(routes.profile.read, {}), undefined))?.username;
