// How severe a difference is: defaults by what an attribute can do, and what drift.yaml says.
import { kindOf, matchesAny } from '../../provider';
import { attributeSpellings, type SeverityRule } from '../../stack';
import type { Classification, Severity } from './review';

/** By what the name of an attribute says, for every kind: the first that fits. Paths are `Kind.attribute`; what is said of a whole record has the kind alone. */
const DEFAULTS: readonly { readonly fits: RegExp; readonly severity: Severity }[] = [
  { fits: /(^|\.)(description|comments?|tags|owner)$/, severity: 'low' },
  { fits: /\.attributes\..*(cmd|command|exec|script|sudo|authorized_keys|inbound|outbound)/i, severity: 'high' },
  { fits: /(pass?w|pwd|secret|token|credential|private|auth|encryptedValue|username)/i, severity: 'high' },
  // Whether it runs.
  { fits: /adminstatus$/, severity: 'high' },
];

/** Severity of a difference: the last rule of drift.yaml that fits, else the default. `secret`: the attribute is one; `takesAway`: fewer instances are left. */
export function severityOf(
  rules: readonly SeverityRule[],
  about: {
    readonly kind: string;
    readonly attribute?: string | undefined;
    readonly classification: Classification;
    readonly secret?: boolean;
    readonly takesAway?: boolean;
    readonly elsewhere?: boolean;
  },
): Severity {
  const { kind, attribute, classification, secret = false, takesAway = false, elsewhere = false } = about;
  const path = attribute === undefined ? kind : `${kind}.${attribute}`;
  const paths = attribute === undefined ? [kind] : attributeSpellings(attribute).map((each) => `${kind}.${each}`);
  const said = rules.findLast(({ pattern }) => pattern === classification || paths.some((each) => fits(pattern, each)));
  if (said) return said.severity;
  if (classification === 'deleted' || secret || takesAway) return 'high';
  if (elsewhere || classification === 'touched') return 'low';
  if (classification === 'undeclared') return 'medium';
  const named = DEFAULTS.find((each) => each.fits.test(path))?.severity;
  return named ?? kindOf(kind)?.impact?.severity?.[attribute?.split('.')[0] ?? ''] ?? 'medium';
}

/** Whether a path is meant: of a pattern without dots any attribute of the kind is. */
const fits = (pattern: string, path: string): boolean => matchesAny([pattern, `${pattern}.*`], path);
