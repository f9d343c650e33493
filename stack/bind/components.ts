// Components of a platform of the design: the three ways to write them (a template with attributes,
// a template with components by name, TEMPLATE/CLASS), their attributes, attachments and monitors.
import { componentClass, type ClassMetadata, type Diagnostic } from '../../api/contract';
import { judgeAttributes, PACKAGED, type KnownCatalogue } from '../../provider/kinds/catalogue';
import type { Kind } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { SECRET_WORD } from '../../provider/secrets';
import { didYouMean, isTypo, nearest, oncePer } from '../../provider/values';
import { isPlainMap } from '../compose/layers';
import { firstAt } from '../findings/finding';
import { COMPONENT_PARTS, keysOf, ownKeysOf } from '../layout';
import type { Steps, Value } from '../values/value';
import { entriesIn, isNull, type Entry, type MapNode } from '../yaml/tree';
import { siblingEdges } from './names';
import { bindRecords } from './records';
import { bindResource, checkableArguments, type DraftResource } from './resource';
import { entriesBelow, expectMap, type BindScope } from './scope';
import { reportSecretInFile } from './secrets';
import { bindValue, hideSecret } from './value';

export const componentKind = kindInFile('platforms.*.components.*');

const designTemplates: (known: KnownCatalogue) => readonly string[] = oncePer(({ packs }) => [
  ...new Set(
    packs.flatMap(({ templates }) => Object.keys(templates).filter((name) => templates[name]?.design === true)),
  ),
]);

export interface WrittenComponent {
  readonly name: string;
  readonly template: string;
  readonly metadata?: ClassMetadata;
  readonly own: Entry;
  readonly body: MapNode | undefined;
}

/** Components of a kind under a key. `pack`: its bare name. */
export function readComponents(
  scope: BindScope,
  entry: Entry,
  pack: string | undefined,
  of: Kind = componentKind,
): readonly WrittenComponent[] {
  const slash = entry.key.indexOf('/');
  const template = slash < 0 ? entry.key : entry.key.slice(0, slash);
  const written = slash < 0 ? undefined : entry.key.slice(slash + 1);
  if (template === '' || written === '' || /\s/.test(entry.key)) {
    scope.report.error(
      entry,
      'bad-name',
      `"${entry.key}" is not a template`,
      'write TEMPLATE or TEMPLATE/CLASS, such as user or user/oneops.1.User',
    );
    return [];
  }
  const known = scope.known.templateClass(template, pack);
  const metadata = componentClass(written ?? known, scope.known.classMetadata);
  if (written !== undefined && known !== undefined && known !== written.slice(written.lastIndexOf('.') + 1)) {
    scope.report.warning(
      entry,
      'class-mismatch',
      `template ${template} makes a ${known}, not a ${written}`,
      'the template decides',
    );
  }
  const body = expectMap(scope, entry.value, 'a map of attributes, or of components by name');
  const one = { template, ...(metadata ? { metadata } : {}) };
  const named =
    written !== undefined ||
    (body !== undefined && holdsNamed(scope, { entry, body, own: ownKeysOf(of) }, template, metadata));
  if (named === 'unclear') return [];
  // An export lists a component without settings by its template alone.
  if (!named || body === undefined || body.entries.length === 0) return [{ ...one, name: template, own: entry, body }];
  return body.entries.map((inner) => ({
    ...one,
    name: inner.key,
    own: inner,
    body: expectMap(scope, inner.value, 'a map of attributes'),
  }));
}

/**
 * Warns of components of a design beside the one that their pack brings: attributes that were meant
 * for that one do not reach it. TEMPLATE/CLASS says that components are meant.
 */
function reportBeside(
  { report }: BindScope,
  { key: template, value }: Entry,
  pack: string | undefined,
  components: readonly WrittenComponent[],
): void {
  const [first] = components;
  const brought = PACKAGED.packs.filter(({ name }) => name === pack).map(({ templates }) => templates[template]);
  const isBrought = brought.length > 0 && brought.every((each) => each && !each.constraint.startsWith('0'));
  if (first === undefined || first.own.value === value || !isBrought) return;
  if (components.some(({ name }) => name === template)) return;
  report.warning(
    first.own,
    'unclear-component',
    `"${first.name}" is another component beside "${template}", which the pack brings`,
    `write ${template}: { … } with attributes for the one of the pack`,
  );
}

const isOwnWord = (own: readonly string[], key: string): boolean =>
  own.some((word) => word === key || isTypo(key, word));

/** Whether the map of a template contains components by name. An unclear map is reported. */
function holdsNamed(
  scope: BindScope,
  { entry, body, own }: { readonly entry: Entry; readonly body: MapNode; readonly own: readonly string[] },
  template: string,
  metadata: ClassMetadata | undefined,
): boolean | 'unclear' {
  if (body.entries.length === 0 || body.entries.some(({ key }) => isOwnWord(own, key))) return false;
  const isMapOrNothing = ({ value }: Entry): boolean => value.form === 'map' || isNull(value);
  const unclear = (place: Entry, why: string): 'unclear' => {
    scope.report.error(
      place,
      'unclear-component',
      why,
      `name components below ${template}/CLASS, or write ${template}: { ${template}: { … } } for one with attributes`,
    );
    return 'unclear';
  };
  if (metadata === undefined) {
    if (!body.entries.every(({ value }) => value.form === 'map')) return false;
    const isComponent = ({ key, value }: Entry): boolean =>
      key === template || entriesIn(value).some((inner) => own.includes(inner.key));
    if (body.entries.some(isComponent)) return true;
    const known = designTemplates(scope.known);
    if (nearest(template, known) !== undefined) {
      const hint = didYouMean(template, known);
      scope.report.error(entry, 'unknown-template', `there is no template "${template}"`, hint);
      scope.report.misspelt(entry, known);
      return 'unclear';
    }
    return unclear(entry, `the class of "${template}" is not known: these may be components or attributes`);
  }
  if (!body.entries.every(isMapOrNothing)) return false;
  const attributes = body.entries.filter(({ key }) => metadata.attributes[key]);
  if (attributes.length === 0) {
    const nothing = body.entries.find(({ value }) => isNull(value));
    if (nothing === undefined) return true;
    return unclear(
      nothing,
      `"${nothing.key}" is no attribute of ${metadata.name}; for a component of that name write "${nothing.key}: {}"`,
    );
  }
  const isText = ({ key }: Entry): boolean => metadata.attributes[key]?.dataType === 'text';
  const map = attributes.find((entry) => isText(entry) && isPlainMap(entry.value));
  return map !== undefined && unclear(map, `"${map.key}" is a text attribute of ${metadata.name}, but this is a map`);
}

/** Whether keys below a template, or TEMPLATE/CLASS, name components; false if the class is not known. */
export function areComponents(scope: BindScope, group: string, keys: readonly string[]): boolean {
  const attributes = componentClass(scope.known.templateClass(group), scope.known.classMetadata)?.attributes;
  const own = ownKeysOf(componentKind);
  return (
    group.includes('/') || (attributes !== undefined && !keys.some((key) => attributes[key] ?? isOwnWord(own, key)))
  );
}

interface ComponentPlace {
  readonly kind: Kind;
  readonly within: DraftResource;
  /** Words of its address besides those of what it is in. */
  readonly address: { readonly [name: string]: string };
  readonly platform: Pick<DraftResource, 'args'>;
}

export function bindComponentRecord(scope: BindScope, written: WrittenComponent, place: ComponentPlace): DraftResource {
  const { template, metadata, own, body } = written;
  const { kind, address, within, platform } = place;
  const ours = ownKeysOf(kind);
  const spread = (body?.entries ?? []).filter(({ key }) => !ours.includes(key));
  const { attributes, secrets } = bindAttributes(scope, spread, metadata, ours);
  const known = keysOf(kind);
  return bindResource(scope, {
    kind,
    address,
    within,
    own,
    body,
    structure: [...COMPONENT_PARTS, ...spread.map(({ key }) => key)],
    given:
      spread.length > 0 && Object.keys(attributes).length > 0 ? { type: template, attributes } : { type: template },
    spread,
    secrets: secrets.map((steps) => ['attributes', ...steps]),
    parent: platform.args,
    judged:
      scope.known.templateClass(template, packOf(platform)) === undefined
        ? byWrittenClass(scope, metadata, attributes)
        : [],
    isAttribute: (word) => (metadata ? metadata.attributes[word] !== undefined : !known.includes(word)),
  });
}

/** Judges attributes by the written class, where the catalogue does not know the template. */
const byWrittenClass = (
  { known }: BindScope,
  metadata: ClassMetadata | undefined,
  attributes: { readonly [name: string]: Value },
): readonly Diagnostic[] =>
  metadata === undefined
    ? []
    : judgeAttributes(metadata, checkableArguments(attributes), known).map((finding) => ({
        ...finding,
        path: ['attributes', ...finding.path],
      }));

/** Bare name of a platform's pack, where it is plain text. */
export const packOf = ({ args }: Pick<DraftResource, 'args'>): string | undefined =>
  typeof args.pack === 'string' ? args.pack : undefined;

/** Components of one platform by name. Two of one name would have one id (flows §3.3). */
export function uniqueNames(scope: BindScope, written: readonly WrittenComponent[]): readonly WrittenComponent[] {
  const first = new Map<string, WrittenComponent>();
  return written.filter((each) => {
    const before = first.get(each.name) ?? first.get(`${each.template}/${each.name.toLowerCase()}`);
    if (!before) {
      first.set(`${each.template}/${each.name.toLowerCase()}`, each);
      return first.set(each.name, each);
    }
    scope.report.error(
      each.own,
      'duplicate-name',
      `a component "${before.name}" is in this platform already`,
      firstAt(before.own.at, each.own.at),
    );
    return false;
  });
}

/**
 * Binds attributes. Of a class the catalogue does not hold, words that look like secrets are kept
 * as secrets. `ours`: words that are next to attributes; what looks like one of them is reported
 * and left out.
 */
function bindAttributes(
  scope: BindScope,
  entries: readonly Entry[],
  metadata: ClassMetadata | undefined,
  ours: readonly string[],
): { readonly attributes: { readonly [name: string]: Value }; readonly secrets: readonly Steps[] } {
  const bound = entries.map((entry): readonly [string, Value | undefined, boolean] => {
    const attribute = metadata?.attributes[entry.key];
    if (metadata && !attribute && isMisspelt(scope, entry, metadata, ours)) return [entry.key, undefined, false];
    const looksSecret = SECRET_WORD.test(entry.key) && entry.value.form === 'scalar';
    const secret = attribute ? attribute.encrypted : looksSecret;
    if (secret && (attribute || !metadata)) reportSecretInFile(scope, entry);
    return [entry.key, bindValue(scope, entry.value, { type: 'open' }, secret), secret];
  });
  const given = bound.filter((each): each is readonly [string, Value, boolean] => each[1] !== undefined);
  return {
    attributes: Object.fromEntries(given.map(([name, value]) => [name, value])),
    secrets: given.filter(([, , secret]) => secret).map(([name]) => [name]),
  };
}

/** Whether a name is a misspelt key of a component, which is reported. Secrets are hidden. */
function isMisspelt(scope: BindScope, entry: Entry, metadata: ClassMetadata, ours: readonly string[]): boolean {
  const known = [...Object.keys(metadata.attributes), ...ours];
  const near = nearest(entry.key, known);
  if (near === undefined) return false;
  if (!isNull(entry.value) && metadata.attributes[near]?.encrypted) hideSecret(scope, entry.value);
  if (!ours.includes(near)) return false;
  const message = `${metadata.name} has no attribute "${entry.key}"`;
  scope.report.error(entry, 'unknown-attribute', message, `did you mean "${near}"?`);
  scope.report.misspelt(entry, known);
  return true;
}

export function bindComponents(
  scope: BindScope,
  platformBody: MapNode | undefined,
  platform: DraftResource,
): readonly DraftResource[] {
  const entries = entriesBelow(scope, platformBody, 'components', 'a map of components by template');
  const bare = packOf(platform);
  const written = uniqueNames(
    scope,
    entries.flatMap((entry) => {
      const components = readComponents(scope, entry, bare);
      reportBeside(scope, entry, bare, components);
      return components;
    }),
  );
  const siblings = written.map(({ name }) => name);
  const taken = new Map<string, Entry>();
  return written.flatMap((each) => {
    const place = { kind: componentKind, within: platform, address: { name: each.name }, platform };
    const draft = bindComponentRecord(scope, each, place);
    const edges = [...draft.edges, ...siblingEdges(scope, draft, 'depends', siblings, platform)];
    const component = { ...draft, edges };
    const holder = { draft: component, body: each.body };
    return [
      component,
      ...bindRecords(scope, holder, 'platforms.*.components.*.attachments.*', { taken }),
      ...bindRecords(scope, holder, 'platforms.*.components.*.monitors.*', { taken }),
    ];
  });
}
