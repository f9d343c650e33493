// What a Deployment says of itself before it deploys: in a preview, and as the comment of its release.
import { changedPaths } from '../../commit/own-records';
import { runningIn } from '../../deploy/running';
import type { Inputs } from '../../check';
import type { Work } from '../../model';
import { declaredKey } from '../../session';
import { textAt } from '../../values/plain';

/** `~prod`, `~prod/web/west`, `-prod/web/east`: records that changed or left, by their path below the assembly. */
export function changesIn(work: Pick<Work, 'session' | 'address' | 'args'>): readonly string[] {
  const environment = String(work.address['environment']);
  return changedPaths(work, 'environment').map((path) => {
    const inside = path.slice(1);
    return `${path.charAt(0)}${inside === 'environment' ? environment : `${environment}/${inside}`}`;
  });
}

/**
 * `in db (9 of 16 instances)`: the platforms of which this run changes something, and what runs of them; undefined where
 * none of them runs. A change of the assembly, or of the environment alone, is on all of them.
 */
export function touchedText(olds: Inputs, work: Pick<Work, 'session' | 'address' | 'args'>): string | undefined {
  const { session, address } = work;
  const release = session.declarations
    .all()
    .find((each) => each.of.token === 'DesignRelease' && each.address['assembly'] === address['assembly']);
  const leaving = release && session.declarations.pendingOf(declaredKey(release.of, release.address))['leaving'];
  const design = { session, address: { assembly: address['assembly'] ?? '' }, args: { leaving } };
  const paths = [...changedPaths(design, 'design'), ...changedPaths(work, 'environment')].map((path) => path.slice(1));
  const inside = paths.filter((path) => path !== 'environment');
  const platforms = new Set((inside.length === 0 ? [''] : inside).map((path) => path.split('/')[0] ?? ''));
  const counts = new Map<string, number>();
  for (const [key, count] of runningIn(olds['running'])) {
    const platform = key.split('/')[0] ?? '';
    counts.set(platform, (counts.get(platform) ?? 0) + count);
  }
  const isOnAll = [...platforms].some((name) => name === '' || name.startsWith('$'));
  const touched = [...counts].filter(([name]) => isOnAll || platforms.has(name)).sort();
  if (touched.length === 0) return undefined;
  const sum = (of: Iterable<readonly [string, number]>): number => [...of].reduce((all, [, count]) => all + count, 0);
  return `in ${touched.map(([name]) => name).join(', ')} (${sum(touched)} of ${sum(counts)} instances)`;
}

/** The comment of the release and the deployment: the declared one, or what changed. */
export function describeRun(work: Work): string {
  const parts = changesIn(work);
  return textAt(work.args, 'comment', parts.length === 0 ? 'pulumi up' : `pulumi up: ${parts.slice(0, 20).join(' ')}`);
}

const UNFINISHED: { readonly [state: string]: string } = {
  none: 'an earlier run stopped before it deployed anything',
  active: 'its last deployment is still running',
  pending: 'its last deployment waits for an approval',
  paused: 'its last deployment is paused',
  failed: 'its last deployment failed',
  canceled: 'its last deployment was canceled',
  planned: 'what was committed there is not deployed',
};

/** Why an environment has to be deployed again though nothing of it changed; undefined when its last deployment is complete. */
export function unfinishedText(state: unknown): string | undefined {
  if (typeof state !== 'string' || state === 'complete') return undefined;
  return UNFINISHED[state] ?? (state.includes(' ') ? state : `its last deployment is ${state}`);
}
