// A platform's records, each next to what it is compared with: the committed record, or what its pack gives it (service-facts §4.5.1 diff).
import { defaultAttributes } from '../../api/contract';
import { mergedRecord } from '../answers';
import { knownClass } from '../attributes';
import { type Pack, type PackTemplate } from '../catalogue';
import type { Context } from '../handler';
import { isComponentClass } from '../locate';
import { isLeaving, type StoredRecord, type Values } from '../store';
import { templateOf, templateValues } from './from-template';
import { packOfPlatform } from './make-platform';
import type { DesignPlatform } from './place';

interface Comparand {
  readonly values: Values;
  readonly shown: object;
}

/**
 * Every component, variable, monitor and attachment of a platform, records whose deletion waits for a commit included. Query: `committed=true`
 * compares with what is committed, default with the pack; `changes_only=false` answers what does not differ too.
 */
export function differencesOf(context: Context, place: DesignPlatform): object[] {
  const committed = context.query['committed'] === 'true';
  const changesOnly = context.query['changes_only'] !== 'false';
  const pack = packOfPlatform(context.catalogue, place.platform.values);
  return context.store.records.list({ namespace: place.inside }).flatMap((record) => {
    const holder = holderOf(context, record);
    const other = committed ? committedOf(context, record) : givenByPack(context, { place, pack }, record, holder);
    const diffAttributes = differing(context, record, other);
    if (changesOnly && other !== undefined && Object.keys(diffAttributes).length === 0) return [];
    return {
      ...mergedRecord(context, record),
      diffCi: other === undefined ? null : withoutSecrets(context, record, other.shown),
      diffAttributes,
      ...(holder === undefined ? {} : { component: mergedRecord(context, holder) }),
    };
  });
}

/** The component that a monitor or an attachment belongs to. */
function holderOf({ store }: Context, record: StoredRecord): StoredRecord | undefined {
  if (isComponentClass(record.className)) return undefined;
  const [relation] = [
    ...store.relations.to(record.id, 'catalog.EscortedBy'),
    ...store.relations.to(record.id, 'catalog.WatchedBy'),
  ];
  return relation && store.records.byId(relation.fromId);
}

function committedOf(context: Context, record: StoredRecord): Comparand | undefined {
  const before = context.store.records.byId(record.id, 'committed');
  return before && { values: before.values, shown: mergedRecord(context, before) };
}

/** What the pack gives a record that nobody wrote on. A pack gives no attachments, nor what somebody added. */
function givenByPack(
  context: Context,
  { place, pack }: { readonly place: DesignPlatform; readonly pack: Pack | undefined },
  record: StoredRecord,
  holder: StoredRecord | undefined,
): Comparand | undefined {
  const { catalogue } = context;
  const shown = (name: string, values: Values): Comparand => ({
    values,
    shown: { ciName: name, ciClassName: record.className, ciAttributes: values },
  });
  if (isComponentClass(record.className)) {
    const template = templateIn(context, pack, record);
    return template && shown(template.name, templateValues(catalogue, template));
  }
  const metadata = knownClass(catalogue, record.className);
  const variable = record.className === 'catalog.Localvar' && pack?.variables.find(({ name }) => name === record.name);
  if (variable)
    return shown(
      variable.name,
      defaultAttributes(metadata, variable.secure ? { secure: 'true' } : { value: variable.value }),
    );
  if (holder === undefined || record.className !== 'catalog.Monitor') return undefined;
  const given = Object.entries(templateIn(context, pack, holder)?.monitors ?? {}).find(
    ([name]) => record.name === `${place.platform.name}-${holder.name}-${name}`,
  );
  return given && shown(given[0], defaultAttributes(metadata, given[1]));
}

function templateIn(context: Context, pack: Pack | undefined, component: StoredRecord): PackTemplate | undefined {
  if (isLeaving(component)) return undefined;
  const name = templateOf(context.store, component);
  return pack?.templates.find((template) => template.name === name);
}

/** Values of the other record that are not this one's; secrets are not compared. */
function differing(context: Context, record: StoredRecord, other: Comparand | undefined): Values {
  const { attributes } = knownClass(context.catalogue, record.className);
  return Object.fromEntries(
    Object.entries(other?.values ?? {}).filter(
      ([name, value]) => attributes[name]?.encrypted !== true && record.values[name] !== value,
    ),
  );
}

/** A template's record without its secrets; a committed one is masked already. */
function withoutSecrets(context: Context, record: StoredRecord, shown: object): object {
  const { attributes } = knownClass(context.catalogue, record.className);
  const values = (shown as { readonly ciAttributes: Values }).ciAttributes;
  const open = Object.entries(values).filter(([name]) => attributes[name]?.encrypted !== true);
  return { ...shown, ciAttributes: Object.fromEntries(open) };
}
