// Instances, their states, and what can be run on them (service-facts §2.2.11, §4.2, §4.8).
import {
  answer,
  type Context,
  handlersOf,
  type HandlerTable,
  notFound,
  refused,
  RefusedRequest,
  refusedAsMissing,
} from '../runtime/handler';
import { heldBy, onceOf, type StoredRecord } from '../store';
import { routes } from '../../api/contract';
import {
  committedRecord,
  committedRecords,
  deletedAnswer,
  mergedRecord,
  mergedWithoutLocks,
  numberOfName,
  relationAnswer,
} from '../runtime/answers';
import { locateAssembly, locateCloud } from '../runtime/locate';
import { environmentsOf } from '../transition/environments';
import { instancesNamespace, locatePlace, manifestComponents, manifestPlatforms } from '../transition/place';
import { locateComponentPlace, locateInstance, locatePlatformPlace, platformAnswer } from '../transition/platforms';
import { checkMayOnRecord } from '../account/rights';
import { runAnswer } from '../runtime/attachment-runs';

/** Action name that runs an attachment; which one is in `extraInfo`. */
export const ATTACHMENT_ACTION = 'user-custom-attachment';

/** The answer of `actions`. Numbers of class actions follow from the class. */
function availableActions(context: Context, component: StoredRecord): object[] {
  const classId = numberOfName(component.className);
  const ofClass = (context.catalogue.classMetadata(component.className)?.actions ?? []).map((actionName, index) => ({
    actionId: classId * 1000 + index,
    classId,
    actionName,
    isInheritable: true,
    description: actionName,
    created: null,
    updated: null,
    inherited: false,
    inheritedFrom: null,
    arguments: null,
  }));
  // Attachments that run on demand (service-facts §2.3).
  const onDemand = heldBy(context.store, component, 'manifest.EscortedBy', 'committed')
    .filter(({ values }) => (values['run_on'] ?? '').includes('on-demand'))
    .map(({ id, name }) => ({ actionId: id, actionName: ATTACHMENT_ACTION, description: name }));
  return [...ofClass, ...onDemand];
}

/** Committed instances with health and clouds. A cloud is read once. */
function instanceAnswers(context: Context, instances: readonly StoredRecord[]) {
  const { store } = context;
  const cloudAnswer = onceOf((id: number) => {
    const record = store.records.byId(id, 'committed');
    return record === undefined ? null : committedRecord(context, record);
  });
  const ids = instances.map(({ id }) => id);
  const placed = new Map(store.relations.fromAny(ids, 'base.DeployedTo').map((each) => [each.fromId, each]));
  return instances.map((instance) => {
    const deployed = placed.get(instance.id);
    return {
      ...committedRecord(context, instance),
      opsState: instance.opsState,
      cloud: deployed === undefined ? null : relationAnswer(context, deployed),
      deployedTo: deployed === undefined ? null : cloudAnswer(deployed.toId),
    };
  });
}

/** Instances of the asked states; without any classic has none (dialect row 14). */
function asked(context: Context, instances: readonly StoredRecord[]): object[] {
  const wanted = context.query['instances_state'] ?? (context.rules.instancesNeedState ? '' : 'all');
  const states = wanted.split(',').map((state) => state.trim());
  const shown =
    wanted === 'all' ? instances : instances.filter(({ opsState }) => opsState !== null && states.includes(opsState));
  return instanceAnswers(context, shown);
}

function instancesOf(context: Context, component: StoredRecord): object[] {
  const realized = context.store.relations.from(component.id, 'base.RealizedAs', 'committed');
  return asked(
    context,
    context.store.records.byIds(
      realized.map((relation) => relation.toId),
      'committed',
    ),
  );
}

function instancesBelow(context: Context, namespace: string): object[] {
  return asked(
    context,
    context.store.records
      .list({ below: namespace }, 'committed')
      .filter(({ className }) => className.startsWith('bom.')),
  );
}

/** States a person may put an instance in (service-facts §3.1). */
const STATES = ['default', 'replace'];

/** Sets the state of instances and their parts. Throws a RefusedRequest before any write. */
function setState(context: Context, ids: readonly (string | number)[], state: string): StoredRecord[] {
  const { store, organization } = context;
  if (!STATES.includes(state))
    throw refused(`${JSON.stringify(state)} is no state of an instance: ${STATES.join(' or ')}`);
  const instances = ids.map((id) => {
    const instance = /^\d+$/.test(String(id)) ? store.records.byId(Number(id)) : undefined;
    if (instance === undefined || instance.state === null || !instance.className.startsWith('bom.'))
      throw notFound(`no instance has id ${id} (1006)`);
    if (!instance.namespace.startsWith(`/${organization}/`))
      throw new RefusedRequest(404, [`no instance has id ${id} (1006)`], 'foreign');
    checkMayOnRecord(context, instance.id, ['operations']);
    if (instance.change !== undefined)
      throw refused(`instance ${instance.name} has an open change: deploy or discard it first`);
    return instance;
  });
  const set = new Set(instances.map(({ id }) => id));
  const ties = store.relations.atAny([...set]).filter(({ name, toId }) => name === 'bom.ManagedVia' && set.has(toId));
  store.records.setState([...set, ...ties.map(({ fromId }) => fromId)], state);
  return instances;
}

/** Sets the state of one instance, and answers as the dialect does. */
function setOne(context: Context, id: string, state: string): unknown {
  const { rules, store } = context;
  try {
    const [instance] = setState(context, [id], state);
    // Success reads as a failure without messages, and a failure as a success with them (dialect
    // row 13).
    if (rules.instanceStateInverted) return answer(422, { errors: [] });
    const current = instance === undefined ? undefined : store.records.byId(instance.id, 'committed');
    return current === undefined ? undefined : instanceAnswers(context, [current])[0];
  } catch (error) {
    if (!(error instanceof RefusedRequest) || !rules.instanceStateInverted) throw error;
    return answer(200, { errors: error.messages });
  }
}

type States = { readonly ids: readonly (string | number)[]; readonly state: string };

/** Sets the state of all instances or of none; every refusal reads as a missing record. */
const setSeveral = (context: Context, { ids, state }: States): boolean =>
  refusedAsMissing(() => setState(context, ids, state).length === ids.length);

const cloudOf = ({ store }: Context, { id }: Pick<StoredRecord, 'id'>): number | undefined =>
  store.relations.from(id, 'base.DeployedTo', 'committed')[0]?.toId;

/** Instances of the same cloud that an instance's component depends on, or that depend on it. */
function neighbours(context: Context, instance: StoredRecord, way: 'from' | 'to'): StoredRecord[] {
  const { records, relations } = context.store;
  const cloud = cloudOf(context, instance);
  const others = relations
    .to(instance.id, 'base.RealizedAs', 'committed')
    .flatMap(({ fromId }) => relations[way](fromId, 'manifest.DependsOn', 'committed'))
    .map((relation) => (way === 'from' ? relation.toId : relation.fromId));
  const realized = relations.fromAny(others, 'base.RealizedAs').map(({ toId }) => toId);
  return records.byIds(realized, 'committed').filter((other) => cloudOf(context, other) === cloud);
}

/** Most runs of attachments an instance shows: the newest ones. */
const MOST_RUNS = 100;

function detail(context: Context, instance: StoredRecord): object {
  const [shown] = instanceAnswers(context, [instance]);
  return {
    ...mergedRecord(context, context.store.records.byId(instance.id) ?? instance),
    opsState: instance.opsState,
    opsEvents: [],
    cloud: shown?.cloud ?? null,
    deployedTo: shown?.deployedTo ?? null,
    attachments: context.store.attachmentRuns.ofRecord(instance.id, MOST_RUNS).map(runAnswer),
    dependsOn: neighbours(context, instance, 'from').map((each) => mergedRecord(context, each)),
    dependents: neighbours(context, instance, 'to').map((each) => mergedRecord(context, each)),
  };
}

export const instanceHandlers: HandlerTable = {
  ...handlersOf(routes.operations, {
    environments: environmentsOf,
    environment: (context) => committedRecord(context, locatePlace(context).environment),
    platforms: (context) =>
      manifestPlatforms(context.store, locatePlace(context)).map(({ record }) => mergedWithoutLocks(context, record)),
    platform: (context) => platformAnswer(context, locatePlatformPlace(context).platform),
    components: (context) =>
      manifestComponents(context.store, locatePlatformPlace(context).platform).map(({ record }) =>
        mergedWithoutLocks(context, record),
      ),
    procedures: (context) => {
      const { source, pack, version } = locatePlatformPlace(context).platform.values;
      const namespace = `/public/${source ?? ''}/packs/${pack ?? ''}/${version ?? ''}`;
      return committedRecords(context, { namespace, className: 'mgmt.manifest.Procedure' });
    },
    component: (context) => mergedWithoutLocks(context, locateComponentPlace(context).component),
    actions: (context) => availableActions(context, locateComponentPlace(context).component),
    instances: (context) => instancesOf(context, locateComponentPlace(context).component),
    computes: (context) => {
      const address = { ...context.address, component: 'compute' };
      return instancesOf(context, locateComponentPlace({ ...context, address }).component);
    },
    environmentInstances: (context) => instancesBelow(context, locatePlace(context).bom),
    assemblyInstances: (context) => {
      const assembly = locateAssembly(context, context.address.assembly);
      return instancesBelow(context, `${assembly.namespace}/${assembly.name}`);
    },
    // Environment and platform in the path are not compared (service-facts §4.8).
    setInstanceState: (context) => setOne(context, context.address.instance, context.body.state),
    setAssemblyInstanceState: (context) => setOne(context, context.address.instance, context.body.state),
    setInstancesState: (context) => setSeveral(context, context.body),
    setAssemblyInstancesState: (context) => setSeveral(context, context.body),
    platformInstances: (context) => {
      const { place, platform } = locatePlatformPlace(context);
      return instancesBelow(context, instancesNamespace(place, platform));
    },
    instance: (context) => detail(context, locateInstance(context, context.address.instance, 'committed')),
    deleteInstance: (context) => {
      const instance = locateInstance(context, context.address.instance, 'committed');
      if (context.store.records.byId(instance.id)?.change !== undefined)
        throw refused(`instance ${instance.name} has an open change: deploy or discard it first`);
      const before = mergedRecord(context, instance);
      context.store.records.remove(instance.id);
      return deletedAnswer(context.rules, before);
    },
  }),
  ...handlersOf(routes.clouds, {
    instances: (context) => {
      const { records, relations } = context.store;
      const cloud = locateCloud(context, context.address.cloud);
      const ids = relations.to(cloud.id, 'base.DeployedTo', 'committed').map((relation) => relation.fromId);
      return asked(context, records.byIds(ids, 'committed'));
    },
  }),
};
