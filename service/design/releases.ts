// Design releases: read, committed, discarded, brought back (service-facts §4.5.6).
import { routes } from '../../api/contract';
import { releaseAnswer } from '../answers';
import { type Context, type HandlerTable, handlersOf, notFound, RefusedRequest } from '../handler';
import type { StoredRelease } from '../store';
import { checkRestorable, pageOf, restore, withChanges } from '../releases';
import { locateDesign, writeDesign } from './place';

/** A release of this design by its number. */
function locateRelease(
  context: Context,
  address: { readonly assembly: string; readonly release: string },
): StoredRelease {
  const { namespace } = locateDesign(context, address.assembly);
  const release = /^\d+$/.test(address.release) ? context.store.releases.byId(Number(address.release)) : undefined;
  if (release?.namespace !== namespace)
    throw new RefusedRequest(404, [`no release ${address.release} in ${namespace}`], 'unknown-number');
  return release;
}

/** Handlers of design releases. A commit or discard that cannot be is swallowed: the release as it is, is the answer. */
export const designReleaseHandlers: HandlerTable = handlersOf(routes.designReleases, {
  list: (context) => {
    const { namespace } = locateDesign(context, context.address.assembly);
    const ended = context.store.releases.list(namespace).filter((release) => release.state !== 'open');
    return pageOf(context.query, ended).map((release) => releaseAnswer(context, release));
  },
  latest: (context) => {
    const release = context.store.releases.latest(locateDesign(context, context.address.assembly).namespace);
    if (release === undefined) throw notFound();
    return withChanges(context, release);
  },
  read: (context) => withChanges(context, locateRelease(context, context.address)),
  commit: (context) => {
    const release = locateRelease(context, context.address);
    const description = context.body?.desc ?? undefined;
    return releaseAnswer(
      context,
      context.store.releases.close(release.id, context, description === undefined ? {} : { description }),
    );
  },
  restore: (context) => {
    const { store } = context;
    const release = locateRelease(context, context.address);
    const design = locateDesign(context, context.address.assembly);
    checkRestorable(store, release);
    const warnings = writeDesign(context, design, (stage) =>
      restore({ store, stage, releaseId: release.id, remove: (record) => stage.remove(record) }),
    );
    return { release: releaseAnswer(context, store.releases.latest(design.namespace) ?? release), warnings };
  },
  discard: (context) => {
    const release = locateRelease(context, context.address);
    return releaseAnswer(context, context.store.releases.cancel(release.id, context));
  },
});
