// What a design component asks of its clouds: attribute `services` of its Requires relation (service-facts §2.1.9, §4.5.2).
// It must not know what clouds offer.
import { routes } from '../../api/contract';
import { relationAnswer } from '../answers';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { isLeaving, type StoredRelation } from '../store';
import { type DesignPlatform, locateComponent, locatePlatform, writeDesign } from './place';

/** The relation that ties a component to its platform. Throws a Refusal (404; 422 for a component on its way out). */
function requirementOf(
  context: Context<{ readonly assembly: string; readonly platform: string; readonly component: string }>,
): { readonly place: DesignPlatform; readonly requirement: StoredRelation } {
  const place = locatePlatform(context, context.address);
  const component = locateComponent(context, place.inside, context.address.component);
  const requirement = context.store.relations.to(component.id, 'base.Requires').find((each) => !isLeaving(each));
  if (requirement === undefined) throw refused(`component ${component.name} is to be deleted`);
  return { place, requirement };
}

/** Handlers of a component's services. */
export const componentServiceHandlers: HandlerTable = handlersOf(routes.components, {
  services: (context) => relationAnswer(context, requirementOf(context).requirement),
  updateServices: (context) => {
    const { place, requirement } = requirementOf(context);
    const { services, owner } = context.body;
    const written = writeDesign(context, place, (stage) =>
      stage.updateRelation(requirement, {
        values: { services: services.join(',') },
        ...(owner === undefined || owner === null ? {} : { owners: { ...requirement.owners, services: owner } }),
      }),
    );
    return relationAnswer(context, context.store.relations.byId(written.id) ?? written);
  },
});
