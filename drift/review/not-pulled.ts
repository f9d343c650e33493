// Where a value comes from that an environment has and the design does not: it was set there, or the design was changed since the last pull.
import type { Api } from '../../api/client';
import { ENCRYPTED, routes } from '../../api/contract';
import { Bug, OneOpsError } from '../../api/errors';
import { designReleases, newestPull } from '../../provider/history';
import { recordAuthor } from './authors';
import type { AnsweredRecord, ReviewRecording } from './recording-api';

/** `set`: in the environment. `not pulled`: the design had it, and no pull has brought what it has now. `unclear`: nothing shows which. */
type Origin = 'set' | 'not pulled' | 'unclear';

/** An environment, as requests name it. */
interface Place extends Readonly<Record<string, string>> {
  readonly assembly: string;
  readonly environment: string;
}

/** What the answers of a review show, and how more is requested: each GET is sent once. */
interface Asking {
  readonly api: Api;
  readonly recording: ReviewRecording;
}

/** Where the value of an attribute comes from, by its wire name. `own`: the record of the environment; undefined where no answer contains it. */
export async function valueOrigin(
  asking: Asking,
  at: Place,
  own: AnsweredRecord | undefined,
  wireName: string,
): Promise<Origin> {
  const twin = own && twinOf(asking.recording, own);
  if (own === undefined || twin === undefined) return 'set';
  const text = own.ciAttributes?.[wireName] ?? '';
  const changes = await changesSincePull(asking, at, twin);
  if (changes === undefined) return recordAuthor(twin).when > recordAuthor(own).when ? 'unclear' : 'set';
  // The oldest one that changed the value has the text that the last pull brought.
  const change = changes.find((each) => each.rfcAction === 'add' || wireName in (each.ciBaseAttributes ?? {}));
  if (change === undefined) return 'set';
  if (change.rfcAction === 'add' || text === ENCRYPTED) return 'unclear';
  return (change.ciBaseAttributes?.[wireName] ?? '') === text ? 'not pulled' : 'set';
}

/** The record of the design that one of an environment follows: of its name, class and place. */
function twinOf(recording: ReviewRecording, own: AnsweredRecord): AnsweredRecord | undefined {
  const place = placeIn(own);
  return recording.named(own.ciName ?? '').find((each) => !isOfEnvironment(each) && placeIn(each) === place);
}

const isOfEnvironment = ({ ciClassName }: AnsweredRecord): boolean => ciClassName?.startsWith('manifest.') === true;

/** What a record is, and where, without whether it is in the design or an environment: assembly, platform, last word of the class. */
function placeIn(record: AnsweredRecord): string {
  const { nsPath = '', ciClassName = '' } = record;
  const [, organization, assembly, ...inside] = nsPath.split('/');
  const platform = isOfEnvironment(record) ? inside[2] : inside[1];
  return [organization, assembly, platform ?? '', ciClassName.split('.').at(-1)].join('/');
}

interface Change {
  readonly rfcAction?: string | null | undefined;
  /** Old values of what it changed. */
  readonly ciBaseAttributes?: { readonly [name: string]: unknown } | null | undefined;
}

/** Most releases of a design that are read for the changes since a pull. */
const FARTHEST = 10;
const WITH_CHANGES = { include_rfcs: 'cis' };

/** The changes of a record of the design since the last pull of an environment, oldest first; undefined where the service does not show them all. */
async function changesSincePull(
  { api }: Asking,
  at: Place,
  twin: AnsweredRecord,
): Promise<readonly Change[] | undefined> {
  try {
    // Without a size, as the search for what a record was created with asks: the review sends it once.
    const pulled = await newestPull({ api, at });
    const since = (await designReleases({ api, at }))
      .filter(({ releaseId, releaseState }) => releaseId > pulled && releaseState === 'closed')
      .sort((one, other) => one.releaseId - other.releaseId);
    if (since.length > FARTHEST) return undefined;
    const changes: Change[] = [];
    for (const { releaseId } of since) {
      const address = { ...at, release: String(releaseId) };
      const { rfc_cis: all } = await api.call(routes.designReleases.read, { address, query: WITH_CHANGES });
      if (all === undefined) return undefined;
      changes.push(...all.filter(({ ciId }) => ciId === twin.ciId));
    }
    return twin.rfcAction ? [...changes, twin] : changes;
  } catch (error) {
    if (!(error instanceof OneOpsError) || error instanceof Bug) throw error;
    return undefined;
  }
}

/** A value that is not reported as set in the environment. */
export interface HeldValue {
  readonly environment: string;
  /** `acme/shop/environments/prod/variables/LEVEL value`. */
  readonly name: string;
  readonly origin: Exclude<Origin, 'set'>;
}

const SHOWN = 5;

/** Sentences on each environment that has values which a pull will change, or of which nothing shows whether it will. */
export function notesOn(held: readonly HeldValue[]): readonly string[] {
  const environments = [...new Set(held.map(({ environment }) => environment))];
  return environments.flatMap((environment) => {
    const namesOf = (wanted: HeldValue['origin']): readonly string[] =>
      held.filter((each) => each.environment === environment && each.origin === wanted).map(({ name }) => name);
    const later = namesOf('not pulled');
    const unclear = namesOf('unclear');
    return [
      ...(later.length === 0
        ? []
        : [
            `the design was changed since the last pull of ${environment}, which still has the earlier ${listed(later)}`,
          ]),
      ...(unclear.length === 0
        ? []
        : [
            `${environment} differs from the design, which was changed later, and the service does not show whether somebody set in ${environment} ${unclear.length === 1 ? 'this' : 'these'} ${listed(unclear)}`,
          ]),
    ];
  });
}

/** `values: one, two, three, four, five and 2 more` */
const listed = (names: readonly string[]): string =>
  `${names.length === 1 ? 'value' : 'values'}: ${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;
