// What machines cost by the offerings of their clouds: an offering fits a machine when its criteria hold (service-facts §2.6).
import type { Record as WireRecord } from '../api/contract';

/** One offering of a cloud. */
export interface CloudOffering {
  /** Cloud's name. */
  readonly cloud: string;
  /** `USD` */
  readonly unit: string;
  readonly rate: number;
  /** Undefined when the criteria are of another form than those of the catalogue: such an offering fits nothing. */
  readonly fits: ((machine: Machine) => boolean) | undefined;
}

/** A machine as criteria look at it. */
export interface Machine {
  readonly className: string;
  readonly attributes: { readonly [name: string]: string | null };
}

/** Offerings by service type, as the API lists them, as offerings of clouds; those without a rate are left out. */
export function offeringsOf(byType: { readonly [type: string]: readonly WireRecord[] }): readonly CloudOffering[] {
  return Object.values(byType)
    .flat()
    .flatMap(({ nsPath, ciAttributes }) => {
      const cloud = /\/_clouds\/([^/]+)\//.exec(nsPath)?.[1];
      const rate = Number(ciAttributes['cost_rate']);
      const unit = ciAttributes['cost_unit'];
      if (cloud === undefined || !Number.isFinite(rate) || typeof unit !== 'string' || unit === '') return [];
      return [{ cloud, unit, rate, fits: criteriaOf(String(ciAttributes['criteria'] ?? '')) }];
    });
}

/** The cheapest offering of a cloud that fits a machine. */
export function offeringFor(
  offerings: readonly CloudOffering[],
  cloud: string,
  machine: Machine,
): CloudOffering | undefined {
  return offerings
    .filter((offering) => offering.cloud === cloud && offering.fits?.(machine) === true)
    .sort((left, right) => left.rate - right.rate)[0];
}

/** Criteria joined by AND: `(ciClassName matches 'bom.[a-zA-Z0-9.]*.Compute') AND ciAttributes['size']=='M'`. */
function criteriaOf(text: string): CloudOffering['fits'] {
  const parts = text.split(/\s+(?:AND|and|&&)\s+/).map((part) =>
    part
      .trim()
      .replace(/^\((.*)\)$/s, '$1')
      .trim(),
  );
  const tests = parts.map(criterionOf);
  if (tests.some((test) => test === undefined)) return undefined;
  return (machine) => tests.every((test) => test?.(machine) === true);
}

function criterionOf(text: string): CloudOffering['fits'] {
  const [, pattern] = /^ciClassName matches '([^']*)'$/.exec(text) ?? [];
  if (pattern !== undefined) return ({ className }) => matches(className, pattern);
  const [, name, value] = /^ciAttributes\['(\w+)'\]\s*==\s*'([^']*)'$/.exec(text) ?? [];
  return name === undefined ? undefined : ({ attributes }) => attributes[name] === value;
}

/** Only patterns of classes and dots: others could take for ever, and come from outside. */
function matches(className: string, pattern: string): boolean {
  if (!/^[\w.\-[\]*]+$/.test(pattern)) return false;
  try {
    return new RegExp(`^(?:${pattern})$`).test(className);
  } catch {
    // Unbalanced brackets: it matches nothing.
    return false;
  }
}
