// `make house`: prints what the repository weighs, and every place behind a number with `--list`.
import { countOf, measureHouse } from './table';

const measures = measureHouse();
if (process.argv.includes('--json')) {
  console.log(
    JSON.stringify(
      measures.map((each) => ({ ...each, count: countOf(each) })),
      null,
      2,
    ),
  );
} else {
  for (const each of measures) {
    const met = countOf(each) <= each.target ? 'met' : 'missed';
    console.log(
      `${each.what.padEnd(42)}${String(countOf(each)).padStart(7)}  target ${String(each.target).padStart(6)}  ${met}`,
    );
    if (process.argv.includes('--list') && typeof each.places !== 'number')
      for (const place of each.places) console.log(`    ${place}`);
  }
}
