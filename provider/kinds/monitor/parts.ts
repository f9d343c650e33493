// What is wrong inside of the metrics and thresholds of a monitor: the service takes any keys, and reports nothing for those that it does not know.
// It must not know where a monitor is declared.
import { warning, type Diagnostic } from '../../../api/contract';
import { idle } from '../../idle';
import { nearest } from '../../values/nearest';
import { isPlainObject } from '../../values/plain-object';

/** Keys of a metric, and of a threshold, as packs have them. A service can know more: only what is nearly one of these is reported. */
const METRIC_KEYS: readonly string[] = ['unit', 'description', 'dstype', 'display', 'display_group'];
const THRESHOLD_KEYS: readonly string[] = ['metric', 'trigger', 'reset', 'stat', 'bucket', 'state', 'channel'];

/** Named maps of an argument: metrics or thresholds. */
type Parts = { readonly [name: string]: unknown };

/** Misspelt keys of metrics and thresholds, and thresholds of metrics that the monitor does not have. */
export function idleParts({
  metrics,
  thresholds = {},
}: {
  readonly metrics?: Parts | undefined;
  readonly thresholds?: Parts | undefined;
}): readonly Diagnostic[] {
  const misspelt = [
    ...misspeltKeys('metrics', metrics ?? {}, METRIC_KEYS),
    ...misspeltKeys('thresholds', thresholds, THRESHOLD_KEYS),
  ];
  // Without metrics, those of the pack or of the design count.
  if (metrics === undefined) return misspelt;
  const names = Object.keys(metrics);
  const lost = Object.entries(thresholds).flatMap(([name, threshold]) => {
    const metric = isPlainObject(threshold) ? threshold['metric'] : undefined;
    if (typeof metric !== 'string' || names.includes(metric)) return [];
    const near = nearest(metric, names);
    const hint = near === undefined ? `known are ${names.join(', ') || 'none'}` : `did you mean "${near}"?`;
    const message = `the threshold "${name}" has no effect: the monitor has no metric "${metric}"`;
    return [warning('idle-setting', ['thresholds', name, 'metric'], message, hint)];
  });
  return [...misspelt, ...lost];
}

function misspeltKeys(argument: string, parts: Parts, known: readonly string[]): readonly Diagnostic[] {
  return Object.entries(parts).flatMap(([name, part]) =>
    Object.keys(isPlainObject(part) ? part : {}).flatMap((key) => {
      const near = known.includes(key) ? undefined : nearest(key, known);
      if (near === undefined || !isPlainObject(part) || near in part) return [];
      const [found] = idle(part, [key], `a ${PART[argument]} has "${near}"`, [argument, name]);
      return found === undefined ? [] : [{ ...found, hint: `did you mean "${near}"?` }];
    }),
  );
}

const PART: { readonly [argument: string]: string } = { metrics: 'metric', thresholds: 'threshold' };
