// The three ways to write components: a template with attributes, a template holding named components, and template/class.
// It must not know what attributes mean.
import { registeredClass, type ClassMetadata } from '../../api/contract';
import { isTypo, nearest, oncePer, PACKAGED, type KnownCatalogue } from '../../provider';
import { isNull, type Entry, type MapNode } from '../reader/tree';
import { expectMap, type BindScope } from './scope';
import { ownComponentKeys } from './vocabulary';

const designTemplates: (known: KnownCatalogue) => readonly string[] = oncePer(({ packs }) => [
  ...new Set(
    packs.flatMap(({ templates }) => Object.keys(templates).filter((name) => templates[name]?.design === true)),
  ),
]);

/** One component as written. */
export interface WrittenComponent {
  readonly name: string;
  readonly template: string;
  /** Its class, where the catalogue contains it. */
  readonly metadata?: ClassMetadata;
  /** The key that names it. */
  readonly own: Entry;
  readonly body: MapNode | undefined;
}

/** Components under one key of `components`. `pack`: bare name of the platform's pack, where it is plain text. `ours`: keys that are no attributes. */
export function readComponents(
  scope: BindScope,
  entry: Entry,
  pack: string | undefined,
  ours = ownComponentKeys(),
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
  const known = scope.templateClass(template, pack);
  const metadata = written === undefined ? classOf(scope, known) : classOf(scope, written);
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
    written !== undefined || (body !== undefined && holdsNamed(scope, { entry, body, ours }, template, metadata));
  if (named === 'unclear') return [];
  if (!named) return [{ ...one, name: template, own: entry, body }];
  if (body === undefined || body.entries.length === 0) {
    // An export lists a component without settings by its template alone.
    return [{ ...one, name: template, own: entry, body }];
  }
  return body.entries.map((inner) => ({
    ...one,
    name: inner.key,
    own: inner,
    body: expectMap(scope, inner.value, 'a map of attributes'),
  }));
}

/**
 * Warns of components of a design beside the one that their pack brings: attributes that were meant for that one do not
 * reach it. TEMPLATE/CLASS says that components are meant.
 */
export function reportBeside(
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

/** Attributes of a class a design component can have; the name comes with or without register, as exports write it. */
function classOf(scope: BindScope, name: string | undefined): ClassMetadata | undefined {
  if (name === undefined) return undefined;
  return scope.classMetadata(name.includes('.') ? `catalog.${name}` : registeredClass('catalog', name));
}

/** Whether a template's map holds named components, by the class when it is known, else by shape; what is not clear is reported. */
function holdsNamed(
  scope: BindScope,
  { entry, body, ours: own }: { readonly entry: Entry; readonly body: MapNode; readonly ours: readonly string[] },
  template: string,
  metadata: ClassMetadata | undefined,
): boolean | 'unclear' {
  const isOwnWord = ({ key }: Entry): boolean => own.some((word) => word === key || isTypo(key, word));
  if (body.entries.length === 0 || body.entries.some(isOwnWord)) return false;
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
    if (
      body.entries.some(
        ({ key, value }) =>
          key === template || (value.form === 'map' && value.entries.some((inner) => own.includes(inner.key))),
      )
    )
      return true;
    const near = nearest(template, designTemplates(scope.known ?? PACKAGED));
    if (near !== undefined) {
      scope.report.error(entry, 'unknown-template', `there is no template "${template}"`, `did you mean "${near}"?`);
      scope.report.misspelt(entry, near);
      return 'unclear';
    }
    return unclear(entry, `the class of "${template}" is not known: these may be components or attributes`);
  }
  const attributes = body.entries.filter(({ key }) => metadata.attributes[key]);
  const others = body.entries.filter(({ key }) => !metadata.attributes[key]);
  if (attributes.length === 0) {
    if (!others.every(isMapOrNothing)) return false;
    const nothing = others.find(({ value }) => isNull(value));
    if (nothing)
      return unclear(
        nothing,
        `"${nothing.key}" is no attribute of ${metadata.name}; for a component of that name write "${nothing.key}: {}"`,
      );
    return true;
  }
  const map = attributes.find(
    ({ key, value }) =>
      value.form === 'map' &&
      metadata.attributes[key]?.dataType === 'text' &&
      !value.entries.some((inner) => inner.key.startsWith('fn::')),
  );
  if (map && body.entries.every(isMapOrNothing))
    return unclear(map, `"${map.key}" is a text attribute of ${metadata.name}, but this is a map`);
  return false;
}
