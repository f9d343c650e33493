// Assembly verbs: plain records, and a delete that never deletes another user's environments (flows §3.1).
// It must not know the engine.
import { routes, type Record as WireRecord } from '../../../api/contract';
import { orNone } from '../../../api/errors';
import { LifecycleError } from '../../errors';
import { crud, deleteOnce } from '../../verbs/crud';
import type { Verbs, Work } from '../../model';

/** Verbs of the Assembly kind. */
export const assemblyVerbs: Verbs = crud(
  routes.assemblies,
  {
    wrapper: 'cms_ci',
    locked: false,
    memberNames: ['comments'],
    members: (record) => ({ comments: record.comments ?? '' }),
    beside: (texts) => ({ record: 'comments' in texts ? { comments: texts['comments'] } : {} }),
  },
  {
    async delete(work) {
      const all = await environmentsOf(work);
      const left = all.filter((environment) => !work.session.stages.isRetained(`${work.id}/${environment.ciName}`));
      if (left.length === 0 && all.length > 0) {
        work.notice(`${work.id} stays as it is, since its environments do`);
        return;
      }
      if (left.length > 0) {
        throw new LifecycleError(
          `it still has ${left.length === 1 ? 'the environment' : 'the environments'} ${left.map((environment) => environment.ciName).join(', ')}, which would be deleted with it`,
          'take them down first, or declare them in this stack so that they are taken down in order',
        );
      }
      await deleteOnce(() => work.api.call(routes.assemblies.delete, { address: work.at }));
    },
  },
);

async function environmentsOf(work: Work): Promise<readonly WireRecord[]> {
  return (await orNone(work.api.call(routes.environments.list, { address: work.at }))) ?? [];
}
