// What happened in an environment: its releases and deployments, the newest first (service-facts §6, §14).
// It must not know how either comes to be.
import { routes } from '../../api/contract';
import { releaseAnswer } from '../answers';
import { type HandlerTable, handlersOf } from '../handler';
import { pageOf } from '../releases';
import { locatePlace } from '../transition';
import { deploymentAnswer } from './deployments';

/** Handler of an environment's timeline. */
export const timelineHandlers: HandlerTable = handlersOf(routes.environments, {
  timeline: (context) => {
    const { store } = context;
    const { manifest, bom } = locatePlace(context);
    const happened = [
      ...[manifest, bom].flatMap((namespace) => store.releases.list(namespace)).map((release) => ({ release })),
      ...store.deployments.list(bom).map((deployment) => ({ deployment })),
    ].sort((one, other) => idOf(other) - idOf(one));
    return pageOf(context.query, happened).map((each) =>
      'release' in each ? releaseAnswer(context, each.release) : deploymentAnswer(store, each.deployment, 'list'),
    );
  },
});

type Happened = { readonly release: { readonly id: number } } | { readonly deployment: { readonly id: number } };

const idOf = (each: Happened): number => ('release' in each ? each.release.id : each.deployment.id);
