// Whose work differences are: writers before they are classified, releases of those that were found.
// It must not know how a difference is found, nor how an answer is got.
import { sameValue, serviceStamp, type State } from '../../provider';
import type { Standing } from './findings';
import type { Seen } from './watched-api';
import type { Author, DriftFinding } from './review';
import { standingOf } from './standing';
import type { Subject } from './subjects';
import type { Ask } from './asking';
import { cloudMapAuthor } from './cloud-map';
import { openAuthor, placed, remover } from './releases';

/** Somebody of whom the service does not tell. */
const UNTOLD: Author = { who: '', when: 0 };

/** A record that was read. */
export interface Known {
  readonly subject: Subject;
  readonly live: State | undefined;
}

export interface Attributed {
  readonly subject: Subject;
  readonly standing: Standing;
}

/** Who wrote each record last. */
export async function withWriters(
  ask: Ask,
  seen: Seen,
  known: readonly Known[],
  user: string | undefined,
): Promise<readonly Attributed[]> {
  const attributed: Attributed[] = [];
  for (const { subject, live } of known) {
    const own = { subject, live };
    const standing = await withLinkWriter(ask, seen, own, standingOf(subject, live, seen, user), user);
    attributed.push({
      subject,
      standing: withUnstampedWriter(own, await withCloudWriter(ask, seen, own, standing, user)),
    });
  }
  return attributed;
}

/**
 * A closed link that an open release changes still names those who wrote it before, at the time they did (service-facts §2.1.9): the release it is
 * changed in is the only one to tell.
 */
async function withLinkWriter(
  ask: Ask,
  seen: Seen,
  { subject, live }: Known,
  standing: Standing,
  user: string | undefined,
): Promise<Standing> {
  const record = seen.record(Number(live?.outputs['ciId']));
  if (standing.writer === 'nobody' || record?.ciRelationId === undefined || !record.releaseId) return standing;
  const tellsOfIt = Number(live?.outputs['updated']) > Number(subject.applied?.computed['updated']);
  if (tellsOfIt) return standing;
  const author = await openAuthor(ask, subject, record.releaseId);
  return { ...standing, writer: author.who !== '' && author.who === user ? 'own-user' : 'somebody', author };
}

async function withCloudWriter(
  ask: Ask,
  seen: Seen,
  { subject, live }: Known,
  standing: Standing,
  user: string | undefined,
): Promise<Standing> {
  const { kind, applied } = subject;
  const shape = kind.token === 'Environment' ? kind.fields['clouds']?.shape : undefined;
  if (shape === undefined || live === undefined || applied === undefined || standing.writer !== 'nobody')
    return standing;
  if (sameValue(shape, applied.inputs['clouds'], live.inputs['clouds'])) return standing;
  const author = await cloudMapAuthor(ask, seen, subject, Number(applied.computed['updated'] ?? 0));
  // A map that moved was written by somebody, also when no link tells by whom.
  if (author === undefined) return { ...standing, writer: 'somebody', author: UNTOLD };
  return { ...standing, writer: author.who === user ? 'own-user' : 'somebody', author };
}

/** What leaves no stamp on its record, and moved, was written by somebody: nothing tells by whom. */
function withUnstampedWriter({ subject: { kind, applied }, live }: Known, standing: Standing): Standing {
  if (live === undefined || applied === undefined || standing.writer !== 'nobody') return standing;
  const hasMoved = Object.entries(kind.fields).some(
    ([name, { unstamped, shape }]) =>
      unstamped && name in applied.inputs && !sameValue(shape, applied.inputs[name], live.inputs[name]),
  );
  return hasMoved ? { ...standing, writer: 'somebody', author: UNTOLD } : standing;
}

/** The findings of each record, with release and stage of what was written, and with who took away what is gone. */
export async function withReleases(
  ask: Ask,
  subjects: readonly Subject[],
  attributed: readonly Attributed[],
  find: (subject: Subject, standing: Standing) => readonly DriftFinding[],
): Promise<readonly DriftFinding[]> {
  const environments = subjects.filter(({ kind }) => kind.token === 'Environment');
  const findings: DriftFinding[] = [];
  for (const { subject, standing } of attributed) {
    const found = find(subject, standing);
    if (found.every(({ classification }) => classification === 'pending')) {
      findings.push(...found);
      continue;
    }
    const { live } = standing;
    const author = standing.author
      ? await placed(ask, subject, serviceStamp(live?.outputs['revision']), standing.author, environments)
      : live === undefined
        ? await remover(ask, subject, subjects)
        : undefined;
    findings.push(
      ...found.map((each) =>
        author === undefined || each.classification === 'pending' ? each : placedFinding(each, author, standing.author),
      ),
    );
  }
  return findings;
}

/** A finding with release and stage of the record's last write, unless its attribute was set in another one. */
function placedFinding(found: DriftFinding, author: Author, last: Author | undefined): DriftFinding {
  const own = found.attribute === undefined ? undefined : found.author;
  if (own?.unsure === undefined && (own === undefined || own.when === last?.when || last === undefined))
    return { ...found, author };
  if (own.when !== last?.when) return found;
  return { ...found, author: { ...author, unsure: own.unsure ?? [] } };
}
