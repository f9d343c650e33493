// What a catalogue knows of a component: its template, and the attributes of the class the template makes.
// It must not know how findings are shown.
import { registeredClass, type ClassMetadata, type Diagnostic } from '../../api/contract';
import { isPlainObject } from '../plain-object';
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
    metadata === undefined || !isPlainObject(attributes) ? [] : judgeAttributes(metadata, attributes, [], known.says);
  const placed = ofAttributes.map((finding) => ({ ...finding, path: ['attributes', ...finding.path] }));
  // A pack that the catalogue does not hold may make another class from a template of the same name.
  const certain = isForeignPack(platform, known)
    ? placed.map((finding) => ({ ...finding, severity: 'warning' as const }))
    : placed;
  return [...judgeTemplate(args, platform, known), ...certain];
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
