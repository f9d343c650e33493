// Components of a design platform: made from templates, within the pack's constraints
// (service-facts §4.5.2).
import { routes } from '../../api/contract';
import { componentAnswer, deletedAnswer, mergedRecord, relationAnswer, templateAnswer } from '../runtime/answers';
import { knownClass, newValues, patchValues, sentOwners } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, malformed, refused } from '../runtime/handler';
import { checkedName, isComponentClass, locateComponent } from '../runtime/locate';
import { identifierOf, patchOf, reread } from '../runtime/collection';
import { type Pack, packOfPlatform, type PackTemplate } from '../catalogue';
import { follow, isLeaving, type ReleaseWriter, type Store, type StoredRecord, type StoredRelation } from '../store';
import {
  addComponent,
  componentClass,
  connect,
  designTemplate,
  madeFrom,
  templateOf,
  templateValues,
} from './from-pack';
import {
  checkStaying,
  type DesignComponentAddress,
  type ComponentPlace,
  type DesignPlatform,
  locateComponentPlace,
  locateDesignPlatform,
  writeDesign,
} from './place';

const DEPENDS = 'catalog.DependsOn';

/** A dependency on a component of the same template, set by a person (service-facts §4.5.2). */
const SIBLING = {
  flex: 'false',
  converge: 'false',
  step_up: '1',
  step_down: '1',
  min: '1',
  current: '1',
  max: '1',
  pct_dpmt: '100',
  source: 'user',
  propagate_to: '',
};

const packOf = ({ catalogue }: Context, { platform }: DesignPlatform): Pack | undefined =>
  packOfPlatform(catalogue, platform.values);

/**
 * Sets the dependencies on siblings: other components of the same template. Other ids are ignored,
 * as the live service does.
 */
function setSiblings(
  store: Store,
  stage: ReleaseWriter,
  { platform, component }: Pick<ComponentPlace, 'platform' | 'component'>,
  wanted: readonly (string | number)[],
): void {
  const template = templateOf(store, component);
  const siblings = template === undefined ? [] : madeFrom(store, platform, template);
  const targets = wanted.map(Number).filter((id) => id !== component.id && siblings.includes(id));
  setDependencies(stage, component, targets);
}

/** Makes the dependencies that a person set those to these components, by id. */
export function setDependencies(
  stage: ReleaseWriter,
  { id, namespace }: StoredRecord,
  targets: readonly number[],
): void {
  const tie = { namespace, name: DEPENDS, fromId: id, values: SIBLING };
  stage.relateTo(tie, targets, ({ values }) => values['source'] === 'user');
}

/** The template in a body. Throws a RefusedRequest: 400 without one, 422 for an unusable one. */
function wantedTemplate(
  context: Context,
  place: DesignPlatform,
  name: string | undefined,
): { readonly template: PackTemplate; readonly pack: Pack } {
  if (name === undefined || name === '') throw malformed('template_name: required');
  const pack = packOf(context, place);
  const template = designTemplate(pack, name);
  if (pack === undefined || template === undefined)
    throw refused(`pack ${place.platform.values['pack'] ?? ''} has no template ${name}`);
  const count = madeFrom(context.store, place.platform, name).length;
  if (count >= template.max) throw refused(`there may be at most ${template.max} components of template ${name}`);
  return { template, pack };
}

/** Throws a RefusedRequest (422) for the last component that its template requires. */
function checkExpendable(context: Context, place: DesignPlatform, component: StoredRecord): void {
  const name = templateOf(context.store, component);
  if (name === undefined) return;
  const min = designTemplate(packOf(context, place), name)?.min ?? 0;
  if (min > 0 && madeFrom(context.store, place.platform, name).length <= min)
    throw refused(`component ${component.name} cannot be deleted: template ${name} requires at least ${min}`);
}

export function removeComponent(store: Store, stage: ReleaseWriter, component: StoredRecord): void {
  for (const name of ['catalog.EscortedBy', 'catalog.WatchedBy'])
    for (const { record } of follow(store, component.id, name)) stage.remove(record);
  stage.remove(component);
}

/** The relation of a component to its platform. Throws a RefusedRequest (404, 422). */
function requirementOf(context: Context<DesignComponentAddress>): {
  readonly place: DesignPlatform;
  readonly requirement: StoredRelation;
} {
  const place = locateComponentPlace(context);
  const { component } = place;
  const [requirement] = context.store.relations.to(component.id, 'base.Requires', 'staying');
  if (requirement === undefined) throw refused(`component ${component.name} is to be deleted`);
  return { place, requirement };
}

export const componentHandlers: HandlerTable = handlersOf(routes.components, {
  list: (context) => {
    const { inside } = locateDesignPlatform(context, context.address);
    return context.store.records
      .list({ namespace: inside })
      .filter((record) => isComponentClass(record.className))
      .map((record) => mergedRecord(context, record));
  },
  template: (context) => {
    const place = locateDesignPlatform(context, context.address);
    const name = context.query['template_name'];
    if (name === undefined || name === '') throw malformed('template_name: required');
    const template = designTemplate(packOf(context, place), name);
    if (template === undefined)
      return { ciName: name, ciClassName: null, nsPath: place.inside, comments: '', ciAttributes: {} };
    const values = templateValues(context.catalogue, template);
    return templateAnswer(
      context,
      { name, className: componentClass(template), namespace: place.inside, values },
      'merged',
    );
  },
  read: (context) => {
    const { component } = locateComponentPlace(context);
    return componentAnswer(context, component, DEPENDS);
  },
  create: (context) => {
    const place = locateDesignPlatform(context, context.address);
    checkStaying(place.platform);
    const { cms_dj_ci: sent, template_name: templateName, sibling_depends_on: siblings } = context.body;
    const { template, pack } = wantedTemplate(context, place, templateName);
    const className = componentClass(template);
    const name = checkedName('component', sent.ciName);
    if (context.store.records.exists({ namespace: place.inside, className, nameInAnyCase: name }))
      throw refused(`a component named ${name} of class ${className} exists already`);
    const values = newValues(knownClass(context.catalogue, className), className, sent.ciAttributes ?? {});
    const component = { name, values, owners: sentOwners(sent.ciAttrProps) ?? {}, comments: sent.comments ?? '' };
    const made = writeDesign(context, place, (stage) => {
      const record = addComponent(context, stage, place, template, component);
      connect(context, stage, place, pack);
      setSiblings(context.store, stage, { ...place, component: record }, siblings ?? []);
      return record;
    });
    return mergedRecord(context, reread(context, made));
  },
  update: (context) => {
    const place = locateDesignPlatform(context, context.address);
    const { cms_dj_ci: sent, sibling_depends_on: siblings } = context.body;
    const className =
      context.address.component === undefined && sent.ciId === undefined ? (sent.ciClassName ?? undefined) : undefined;
    const identifier = identifierOf(context.address.component, sent);
    const component = locateComponent(context, place.inside, identifier, className);
    const metadata = knownClass(context.catalogue, component.className);
    const values = patchValues(metadata, component.className, component.values, sent.ciAttributes ?? {});
    writeDesign(context, place, (stage) => {
      stage.update(component, patchOf(sent, values));
      if (!isLeaving(component)) setSiblings(context.store, stage, { ...place, component }, siblings ?? []);
    });
    return mergedRecord(context, reread(context, component));
  },
  delete: (context) => {
    const place = locateComponentPlace(context);
    const { component } = place;
    checkExpendable(context, place, component);
    const before = mergedRecord(context, component);
    writeDesign(context, place, (stage) => removeComponent(context.store, stage, component));
    return deletedAnswer(context.rules, before);
  },
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
