// Mail relays of an environment; this service keeps them and sends nothing (service-facts §2.6, §4.7.5, §6).
import { defaultAttributes, routes } from '../../api/contract';
import { committedRecord, templateAnswer } from '../answers';
import { knownClass } from '../attributes';
import { createIn, deleteFrom, listCollection, locateIn, updateIn, type RecordCollection } from '../collection';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { locatePlace, type EnvironmentPlace } from './place';

const CLASS = 'manifest.relay.email.Relay';

/** The relay every environment is born with: to the owner of its assembly. */
const DEFAULT_RELAY = 'default';

const relaysAt = ({ path, environment }: EnvironmentPlace): RecordCollection => ({
  noun: 'relay',
  namespace: path,
  className: CLASS,
  tie: { name: 'manifest.Delivers', from: environment.id },
});

const relaysOf = (context: Context<{ readonly assembly: string; readonly environment: string }>): RecordCollection =>
  relaysAt(locatePlace(context));

/** Gives a new environment its relay (service-facts §4.7.1 rule 7); none where the assembly has no owner to send to. */
export function addDefaultRelay(
  context: Pick<Context, 'store' | 'catalogue' | 'user' | 'now'>,
  place: EnvironmentPlace,
  owner: string,
): void {
  if (owner === '') return;
  const { store } = context;
  const { namespace, className } = relaysAt(place);
  const values = defaultAttributes(knownClass(context.catalogue, CLASS), { emails: owner });
  const relay = store.records.insert({ namespace, className, name: DEFAULT_RELAY, values, comments: '' }, context);
  const ends = { fromId: place.environment.id, toId: relay.id };
  store.relations.insert({ namespace, name: 'manifest.Delivers', ...ends }, context);
}

/** Handlers of relays. */
export const relayHandlers: HandlerTable = handlersOf(routes.relays, {
  list: (context) => listCollection(context, relaysOf(context)),
  template: (context) => {
    const { namespace, className } = relaysOf(context);
    const values = defaultAttributes(knownClass(context.catalogue, CLASS));
    return templateAnswer(context, { name: '', className, namespace, values }, 'committed');
  },
  read: (context) => committedRecord(context, locateIn(context, relaysOf(context), context.address.relay)),
  create: (context) => committedRecord(context, createIn(context, relaysOf(context), context.body.cms_ci)),
  update: (context) =>
    committedRecord(context, updateIn(context, relaysOf(context), context.address.relay, context.body.cms_ci)),
  toggle: (context) => {
    const relay = locateIn(context, relaysOf(context), context.address.relay);
    const enabled = relay.values['enabled'] === 'true' ? 'false' : 'true';
    return committedRecord(context, context.store.records.update(relay.id, { values: { enabled } }, context));
  },
  delete: (context) => deleteFrom(context, relaysOf(context), context.address.relay),
});
