// What the packaged catalogue knows of a component: its template, and the attributes of the class the template makes.
// It must not know how findings are shown.
import { classMetadata, registeredClass, templateClass, type ClassMetadata, type Diagnostic } from '../../api/contract';
import { isPlainObject } from '../plain-object';
import { judgeAttributes } from './attributes';
import { knownText } from './judge';
import { isForeignPack, judgeTemplate, packOf } from './packs';

interface Values {
  readonly [name: string]: unknown;
}

/** Findings about a component: its template, and each of its attributes at `attributes.NAME`. */
export function judgeComponent(args: Values, platform: Values | undefined): Diagnostic[] {
  const metadata = classOf(args, platform);
  const { attributes } = args;
  const ofAttributes =
    metadata === undefined || !isPlainObject(attributes) ? [] : judgeAttributes(metadata, attributes);
  const placed = ofAttributes.map((finding) => ({ ...finding, path: ['attributes', ...finding.path] }));
  // A pack that is not packaged may make another class from a template of the same name.
  const certain = isForeignPack(platform)
    ? placed.map((finding) => ({ ...finding, severity: 'warning' as const }))
    : placed;
  return [...judgeTemplate(args, platform), ...certain];
}

/** The class that the template makes in the platform's pack, or, where that is not known, in every packaged pack. */
function classOf(args: Values, platform: Values | undefined): ClassMetadata | undefined {
  const template = knownText(args['type']);
  if (template === undefined) return undefined;
  const name = packOf(platform)?.templates[template]?.class ?? templateClass(template, knownText(platform?.['pack']));
  return name === undefined ? undefined : classMetadata(registeredClass('catalog', name));
}
