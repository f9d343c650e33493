// How many targets the dependencies of an environment's components have, and how a deployment changes them (service-facts §2.1.9, §4.7.5 scaling).
import { type z } from 'zod';
import { type dependsOnBody, relationMetadata, routes, type SentRecord } from '../../api/contract';
import { mergedRecord, relationAnswer } from '../runtime/answers';
import { knownClass, patchValues, sentOwners } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, refused } from '../runtime/handler';
import { patchOf } from '../runtime/collection';
import {
  isLeaving,
  type AttributeLocks,
  type ReleaseWriter,
  type StoredRecord,
  type StoredRelation,
  type Values,
} from '../store';
import { modeOf } from './availability';
import { type EnvironmentPlace, manifestStage } from './place';
import { locateComponent, locatePlatformPlace } from './platforms';

const DEPENDS = 'manifest.DependsOn';

/** Attributes a person may set, and the form of each. */
const NUMBERS = ['current', 'min', 'max', 'step_up', 'step_down', 'pct_dpmt'];
const SPREADS = ['', 'from', 'to', 'both'];

type Sent = z.output<typeof dependsOnBody>['depends_on'];
type SentRelation = Sent[string];

/** Sent attributes as text. Throws a RefusedRequest (422) that shows every one that is unknown or of another form. */
function checkedAttributes(sent: SentRelation['relationAttributes'], withSpread: boolean): Values {
  const known = relationMetadata(DEPENDS)?.attributes ?? {};
  const entries = Object.entries(sent ?? {}).map(
    ([name, value]) => [name, value === null ? '' : String(value)] as const,
  );
  const faults = entries.flatMap(([name, value]) => {
    if (known[name] === undefined) return [`attribute ${name} is not defined for relation ${DEPENDS} (400)`];
    if (NUMBERS.includes(name)) return /^\d+$/.test(value) ? [] : [`${name} must be a number in digits`];
    if (withSpread && name === 'propagate_to')
      return SPREADS.includes(value) ? [] : ['propagate_to must be from, to, both or blank'];
    // Complete values are sent back as they were read; what is no scaling stays as it is.
    return [];
  });
  if (faults.length > 0) throw refused(...faults);
  return Object.fromEntries(
    entries.filter(([name]) => NUMBERS.includes(name) || (withSpread && name === 'propagate_to')),
  );
}

const staying = (relations: readonly StoredRelation[]): StoredRelation[] =>
  relations.filter((each) => !isLeaving(each));

/** Dependencies of a platform that can be scaled: the flex ones, of a platform that is redundant (service-facts §4.7.5). */
function scalable(context: Pick<Context, 'store'>, platform: StoredRecord): StoredRelation[] {
  if (modeOf(platform.values['availability']) !== 'redundant') return [];
  return staying(context.store.relations.list(platform.namespace, DEPENDS)).filter(
    ({ values }) => values['flex'] === 'true',
  );
}

/** The platform with its scalable dependencies: what edit and update answer. */
function scalableAnswer(context: Context, platform: StoredRecord): object {
  return {
    ...mergedRecord(context, platform, { owners: false }),
    depends_on: scalable(context, platform).map((relation) =>
      relationAnswer(context, relation, endsOf(context, relation)),
    ),
  };
}

function endsOf(
  context: Context,
  { fromId, toId }: StoredRelation,
): { readonly fromCi?: object; readonly toCi?: object } {
  const { records } = context.store;
  const [fromCi, toCi] = [records.byId(fromId), records.byId(toId)];
  return {
    ...(fromCi === undefined ? {} : { fromCi: mergedRecord(context, fromCi) }),
    ...(toCi === undefined ? {} : { toCi: mergedRecord(context, toCi) }),
  };
}

/** Relations whose far end a key names: by ciId, or, where names are allowed, by name. Throws a RefusedRequest (422) when there is none. */
function relationsTo(
  context: Pick<Context, 'store'>,
  relations: readonly StoredRelation[],
  key: string,
  byName: boolean,
): StoredRelation[] {
  const found = relations.filter(
    ({ toId }) => String(toId) === key || (byName && context.store.records.byId(toId)?.name === key),
  );
  if (found.length === 0) throw refused(`no dependency that can be changed leads to ${key}`);
  return found;
}

interface Rescale {
  readonly relations: readonly StoredRelation[];
  readonly sent: Sent;
  /** Whether names stand for ciIds, `propagate_to` may be set, and what is set is locked against pulls. */
  readonly asDependencies: boolean;
}

/** Writes attributes and locks of dependencies, as changes of the manifest release. */
function rescale(context: Context, writer: ReleaseWriter, { relations, sent, asDependencies }: Rescale): void {
  for (const [key, wanted] of Object.entries(sent)) {
    const values = checkedAttributes(wanted.relationAttributes, asDependencies);
    for (const relation of relationsTo(context, relations, key, asDependencies)) {
      const locked: AttributeLocks = asDependencies
        ? { ...relation.owners, ...Object.fromEntries(Object.keys(values).map((name) => [name, 'manifest'])) }
        : relation.owners;
      writer.updateRelation(relation, { values, owners: sentOwners(wanted.relationAttrProps) ?? locked });
    }
  }
}

/** Dependencies that start at a component. */
const dependenciesOf = (context: Context, component: StoredRecord): StoredRelation[] =>
  staying(context.store.relations.from(component.id, DEPENDS));

const shownDependencies = (context: Context, component: StoredRecord): object[] =>
  dependenciesOf(context, component).map((relation) => relationAnswer(context, relation, endsOf(context, relation)));

/** Writes sent attributes on a component, as a change of the manifest release, and answers the component as it then reads. */
function updateComponent(
  context: Context<unknown, { readonly cms_dj_ci: SentRecord }>,
  place: EnvironmentPlace,
  component: StoredRecord,
): object {
  const { cms_dj_ci: sent } = context.body;
  const { className } = component;
  const metadata = knownClass(context.catalogue, className);
  const values = patchValues(metadata, className, component.values, sent.ciAttributes ?? {});
  return mergedRecord(context, manifestStage(context, place).update(component, patchOf(sent, values)));
}

/** Handlers of scaling. */
export const scalingHandlers: HandlerTable = handlersOf(routes.environmentPlatforms, {
  edit: (context) => scalableAnswer(context, locatePlatformPlace(context).platform),
  update: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const { cms_dj_ci: sent, depends_on: dependsOn } = context.body;
    const writer = manifestStage(context, place);
    if (sent !== undefined) {
      const { className } = platform;
      const metadata = knownClass(context.catalogue, className);
      const values = patchValues(metadata, className, platform.values, sent.ciAttributes ?? {});
      writer.update(platform, patchOf(sent, values));
    }
    // A platform that is single has nothing to scale, and no answer says so.
    if (dependsOn && modeOf(platform.values['availability']) === 'redundant')
      rescale(context, writer, { relations: scalable(context, platform), sent: dependsOn, asDependencies: false });
    return scalableAnswer(context, context.store.records.byId(platform.id) ?? platform);
  },
  updateComponent: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const component = locateComponent(context, platform, context.address.component);
    const { depends_on: dependsOn } = context.body;
    const answer = updateComponent(context, place, component);
    if (!dependsOn) return answer;
    const relations = dependenciesOf(context, component).filter(({ values }) => values['flex'] === 'true');
    rescale(context, manifestStage(context, place), { relations, sent: dependsOn, asDependencies: true });
    return answer;
  },
  dependsOn: (context) => {
    const { platform } = locatePlatformPlace(context);
    return shownDependencies(context, locateComponent(context, platform, context.address.component));
  },
  updateDependsOn: (context) => {
    const { place, platform } = locatePlatformPlace(context);
    const component = locateComponent(context, platform, context.address.component);
    const relations = dependenciesOf(context, component);
    const sent = context.body.depends_on;
    rescale(context, manifestStage(context, place), { relations, sent, asDependencies: true });
    return shownDependencies(context, component);
  },
});
