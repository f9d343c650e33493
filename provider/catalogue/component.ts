// What a catalogue knows of a component: its template, and the attributes of the class the template makes.
// It must not know how findings are shown.
import { problem, registeredClass, warning, type ClassMetadata, type Diagnostic } from '../../api/contract';
import { nearest } from '../values/nearest';
import { isPlainObject } from '../values/plain-object';
import { holdsUnknown } from '../values/unknown';
import { judgeAttributes } from './attributes';
import { knownText } from './judge';
import type { KnownCatalogue } from './known';
import { isForeignPack, judgeTemplate, knownPackOf } from './packs';

interface Values {
  readonly [name: string]: unknown;
}

/** Findings about a component: its template, and each of its attributes at `attributes.NAME`. */
export function judgeComponent(args: Values, platform: Values | undefined, known: KnownCatalogue): Diagnostic[] {
  const metadata = classOf(args, platform, known);
  const { attributes } = args;
  const ofAttributes =
    metadata === undefined || !isPlainObject(attributes) ? [] : judgeAttributes(metadata, attributes, [], known);
  const placed = ofAttributes.map((finding) => ({ ...finding, path: ['attributes', ...finding.path] }));
  // A pack that the catalogue does not hold may make another class from a template of the same name.
  const certain = isForeignPack(platform, known)
    ? placed.map((finding) => ({ ...finding, severity: 'warning' as const }))
    : placed;
  return [...judgeTemplate(args, platform, known), ...certain, ...missingAttributes(args, platform, known)];
}

/** Attributes that a component must be given, because nothing else has a value for them. One that exists already has them. */
function missingAttributes(args: Values, platform: Values | undefined, known: KnownCatalogue): Diagnostic[] {
  const { type, attributes = {}, adopt } = args;
  const template = knownPackOf(platform, known)?.templates[knownText(type) ?? ''];
  if (template === undefined || !template.constraint.startsWith('0') || adopt === true) return [];
  if (!isPlainObject(attributes) || holdsUnknown(adopt)) return [];
  const report = known.isOfService ? problem : warning;
  const names = Object.keys(known.classMetadata(registeredClass('catalog', template.class))?.attributes ?? {});
  // What a misspelt one was meant to be is not missing.
  const meant = Object.keys(attributes).flatMap((name) => (names.includes(name) ? [] : (nearest(name, names) ?? [])));
  return template.needs
    .filter((name) => !meant.includes(name) && (attributes[name] === undefined || attributes[name] === null))
    .map((name) => report('required', ['attributes', name], `"${name}" is required`, `${name}: …`));
}

/** The class that the template makes in the platform's pack, or, where that is not known, in every pack. */
function classOf(args: Values, platform: Values | undefined, known: KnownCatalogue): ClassMetadata | undefined {
  const template = knownText(args['type']);
  if (template === undefined) return undefined;
  const name =
    knownPackOf(platform, known)?.templates[template]?.class ??
    known.templateClass(template, knownText(platform?.['pack']));
  return name === undefined ? undefined : known.classMetadata(registeredClass('catalog', name));
}
