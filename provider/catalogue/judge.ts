// What a catalogue finds in a resource's arguments: one judgement for programs, for stack files and for every face.
// It must not know any single kind: a kind says by its own `judge` what of it the catalogue knows.
import type { Diagnostic } from '../../api/contract';
import type { Kind } from '../kind';
import { valueIn } from '../values/plain-object';
import { asUsed } from '../lifecycle/refer';
import { holdsUnknown, UNKNOWN } from '../values/unknown';
import { PACKAGED, type KnownCatalogue } from './known';
import { atLevel, type CatalogueLevel } from './level';

/** What a resource's arguments are judged with. */
interface Surroundings {
  readonly level: CatalogueLevel;
  /** Arguments of the record it is in, where they are known. */
  readonly parent?: { readonly [name: string]: unknown } | undefined;
  /** Default: the packaged catalogue. */
  readonly known?: KnownCatalogue | undefined;
}

/**
 * Findings of a catalogue about a resource's arguments; none for what another stack owns. Unknown values pass. No message contains a
 * value of an argument: any of them may be a secret.
 */
export function judge(
  of: Kind,
  inputs: { readonly [name: string]: unknown },
  { level, parent, known = PACKAGED }: Surroundings,
): readonly Diagnostic[] {
  if (level === 'off') return [];
  const used = asUsed(of, inputs);
  if (used.judge === undefined) return [];
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
  const all = used.judge(Object.fromEntries(given), parent, known);
  const findings = all.filter((finding) => !concernsUnknown(finding, inputs));
  return atLevel(level, findings);
}

const concernsUnknown = ({ path }: Diagnostic, inputs: { readonly [name: string]: unknown }): boolean => {
  const value = valueIn(inputs, path.map(String));
  return value !== undefined && holdsUnknown(value);
};

/** An argument as text; undefined when it is not known, or is nothing of the kind. */
export function knownText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && !value.includes(UNKNOWN) ? value : undefined;
}
