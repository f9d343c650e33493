// `make house`: prints what the repository weighs, and every place behind a number with `--list`.
import { countOf, measureHouse, mostOf } from './table';

const measures = measureHouse().map((each) => ({ ...each, count: countOf(each), most: mostOf(each) }));
if (process.argv.includes('--json')) console.log(JSON.stringify(measures, null, 2));
else
  for (const { what, count, target, most, places } of measures) {
    const goal = target === undefined ? '' : `goal ${String(target).padStart(6)}`;
    const held = most === undefined ? '' : `held at ${most}`;
    console.log(`${what.padEnd(38)}${String(count).padStart(7)}  ${goal.padEnd(13)}${held}`.trimEnd());
    if (process.argv.includes('--list') && typeof places !== 'number')
      for (const place of places) console.log(`    ${place}`);
  }
