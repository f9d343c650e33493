// Assembly verbs: plain records, and a delete that never deletes another user's environments (flows §3.1).
// It must not know the engine.
import { routes } from '../../../api/contract';
import { environmentNames, runByText, runElsewhere } from '../../deploy/run-elsewhere';
import { LifecycleError } from '../../errors';
import { crud, deleteOnce } from '../../verbs/crud';
import type { Verbs } from '../../model';

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
      const all = await environmentNames(work);
      const left = all.length === 0 ? [] : await runElsewhere(work);
      if (left.length === 0 && all.length > 0) {
        work.notice(`${work.id} stays as it is, since its environments do`);
        return;
      }
      if (left.length > 0) {
        throw new LifecycleError(
          `it still has ${left.length === 1 ? 'the ' : ''}${runByText(left)}, which would be deleted with it`,
          'take them down first, or declare them in this stack so that they are taken down in order',
        );
      }
      await deleteOnce(() => work.api.call(routes.assemblies.delete, { address: work.at }));
    },
  },
);
