// Platforms of a design and the links between them (service-facts §4.5.1).
import { defaultAttributes, routes } from '../../api/contract';
import { deletedAnswer, mergedRecord, templateAnswer } from '../runtime/answers';
import {
  enforcedClass,
  knownClass,
  newValues,
  patchValues,
  type SentAttributes,
  sentOwners,
} from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, malformed, refused } from '../runtime/handler';
import { checkedName, find } from '../runtime/locate';
import { patchOf, reread } from '../runtime/collection';
import { type Pack, packOfPlatform } from '../catalogue';
import { follow, isLeaving, type ReleaseWriter, type Store, type StoredRecord } from '../store';
import { makePlatform } from './from-pack';
import { type Design, locateDesign, locateDesignPlatform, writeDesign } from './place';

const CLASS = 'catalog.Platform';
const LINK = 'catalog.LinksTo';

export const linkedNames = (store: Store, platform: StoredRecord): string[] =>
  follow(store, platform.id, LINK, 'staying')
    .map(({ record }) => record.name)
    .sort();

/** The platform with the names it links to: what GET answers (service-facts §2.2.5). */
function shown(context: Context, platform: StoredRecord): object {
  return { ...mergedRecord(context, platform), links_to: linkedNames(context.store, platform) };
}

/** Sets the links to platforms; unknown names are dropped (service-facts §4.5.1 trap 2). */
export function setLinks(
  context: Context,
  stage: ReleaseWriter,
  design: Design,
  platform: StoredRecord,
  wanted: readonly (string | number)[],
): void {
  const place = { noun: 'platform', namespace: design.namespace, className: CLASS };
  const targets = wanted.flatMap((identifier) => {
    const target = find(context, String(identifier), place);
    return target === undefined || target.namespace !== design.namespace || isLeaving(target) ? [] : [target.id];
  });
  stage.relateTo({ namespace: design.namespace, name: LINK, fromId: platform.id }, targets);
}

/** The pack version in attributes. Throws a RefusedRequest (422) for an unknown one. */
export function checkedPack(context: Context, values: StoredRecord['values']): Pack {
  const pack = packOfPlatform(context.catalogue, values);
  const named = [values['source'], values['pack'], values['version']].map((value) => value ?? '').join('/');
  if (pack === undefined) throw refused(`no enabled pack version is called ${named}`);
  return pack;
}

export function checkedPlatform(
  context: Context,
  design: Design,
  sent: { readonly name: string | undefined; readonly attributes: SentAttributes },
) {
  const name = checkedName('platform', sent.name);
  if (context.store.records.exists({ namespace: design.namespace, className: CLASS, nameInAnyCase: name }))
    throw refused(`a platform named ${name} exists already`);
  const attributes = context.rules.majorVersionForced ? { ...sent.attributes, major_version: '1' } : sent.attributes;
  const values = newValues(enforcedClass(context, CLASS), CLASS, attributes);
  const pack = checkedPack(context, values);
  return { name, values: { ...values, pack_digest: pack.digest }, pack };
}

export const designPlatformHandlers: HandlerTable = handlersOf(routes.platforms, {
  list: (context) => {
    const { namespace } = locateDesign(context, context.address.assembly);
    return context.store.records
      .list({ namespace, className: CLASS })
      .map((platform) => mergedRecord(context, platform));
  },
  template: (context) => {
    const { namespace } = locateDesign(context, context.address.assembly);
    const values = defaultAttributes(knownClass(context.catalogue, CLASS), { major_version: '1' });
    return templateAnswer(context, { name: '', className: CLASS, namespace, values }, 'merged');
  },
  read: (context) => shown(context, locateDesignPlatform(context, context.address).platform),
  create: (context) => {
    const design = locateDesign(context, context.address.assembly);
    const { ciName, comments, ciAttributes, ciAttrProps } = context.body.cms_dj_ci;
    if (ciAttributes === undefined) throw malformed('cms_dj_ci.ciAttributes: required');
    const { name, values, pack } = checkedPlatform(context, design, { name: ciName, attributes: ciAttributes });
    const record = { name, values, owners: sentOwners(ciAttrProps) ?? {}, comments: comments ?? '' };
    const made = writeDesign(context, design, (stage) => {
      const platform = makePlatform(context, stage, design, record, pack);
      setLinks(context, stage, design, platform, context.body.links_to ?? []);
      return platform;
    });
    return mergedRecord(context, reread(context, made));
  },
  update: (context) => {
    const place = locateDesignPlatform(context, context.address);
    const sent = context.body.cms_dj_ci;
    const { platform } = place;
    const wanted = patchValues(enforcedClass(context, CLASS), CLASS, platform.values, sent.ciAttributes ?? {});
    const repacked = (['source', 'pack', 'version'] as const).some(
      (name) => Object.hasOwn(wanted, name) && wanted[name] !== platform.values[name],
    );
    const values = repacked
      ? { ...wanted, pack_digest: checkedPack(context, { ...platform.values, ...wanted }).digest }
      : wanted;
    writeDesign(context, place, (stage) => {
      stage.update(platform, patchOf(sent, values));
      if (!isLeaving(platform)) setLinks(context, stage, place, platform, context.body.links_to ?? []);
    });
    return mergedRecord(context, reread(context, platform));
  },
  delete: (context) => {
    const place = locateDesignPlatform(context, context.address);
    const before = mergedRecord(context, place.platform);
    const gone = [...context.store.records.list({ below: place.inside }), place.platform];
    writeDesign(context, place, (stage) => gone.forEach((record) => stage.remove(record)));
    return deletedAnswer(context.rules, before);
  },
});
