// Whose work differences are: writers before they are classified, releases of those that were found.
// It must not know how a difference is found, nor how an answer is got.
import { sameValue, type State } from '../../provider';
import type { Standing } from '../findings';
import type { Seen } from '../reading/watched-api';
import type { DriftFinding } from '../review';
import { stampOf, standingOf } from '../standing';
import type { Subject } from '../subjects';
import type { Ask } from './asking';
import { cloudMapAuthor } from './cloud-map';
import { placed, remover } from './releases';

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
    const standing = standingOf(subject, live, seen, user);
    attributed.push({ subject, standing: await withCloudWriter(ask, seen, { subject, live }, standing, user) });
  }
  return attributed;
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
  if (author === undefined) return { ...standing, writer: 'somebody', author: { who: '', when: 0 } };
  return { ...standing, writer: author.who === user ? 'own-user' : 'somebody', author };
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
      ? await placed(ask, subject, stampOf(live?.outputs['revision']), standing.author, environments)
      : live === undefined
        ? await remover(ask, subject, subjects)
        : undefined;
    findings.push(
      ...found.map((each) => (author === undefined || each.classification === 'pending' ? each : { ...each, author })),
    );
  }
  return findings;
}
