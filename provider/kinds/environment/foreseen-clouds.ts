// Clouds that an environment is to join and that nobody has: found before anything is written, in previews too.
// It must not know the engine, nor how clouds are joined.
import { problem, type Diagnostic } from '../../../api/contract';
import { cloud } from '../cloud';
import { nearest } from '../../values/nearest';
import { isPlainObject } from '../../values/plain';
import { declaredKey } from '../../session';
import type { Work } from '../../model';
import { allClouds } from './cloud-links';

/**
 * Findings about clouds that arguments name, the last run's did not, the organization does not have, and this run does not declare. Asks the
 * service once per run, and only when there is a new name.
 */
export async function foreseeClouds(
  work: Work,
  olds: { readonly [name: string]: unknown },
): Promise<readonly Diagnostic[]> {
  const known = cloudNames(olds);
  const isDeclared = (name: string): boolean => work.session.declarations.has(declaredKey(cloud, { name }));
  const joining = cloudNames(work.args).filter((name) => !known.includes(name) && !isDeclared(name));
  if (joining.length === 0) return [];
  const there = (await allClouds(work)).map(({ ciName }) => ciName);
  return joining
    .filter((name) => !there.includes(name))
    .map((name) => {
      const near = nearest(name, there);
      const hint = near ? `did you mean "${near}"?` : `its clouds are ${there.join(', ') || 'none yet'}`;
      const message = `organization ${work.api.organization} has no cloud "${name}"`;
      return problem('unknown-cloud', ['clouds', name], message, hint);
    });
}

const cloudNames = ({ clouds }: { readonly [name: string]: unknown }): readonly string[] =>
  isPlainObject(clouds) ? Object.keys(clouds) : [];
