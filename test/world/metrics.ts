// A strict reader of Prometheus' text exposition format (version 0.0.4), by its grammar.

/** One sample. */
interface Sample {
  readonly name: string;
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const HELP = new RegExp(`^# HELP (${NAME}) (?:[^\\\\]|\\\\[\\\\n])*$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (?:counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*,?)?\\})? ([-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|Inf)|NaN)(?: -?[0-9]+)?$`,
);

/** The samples of a text; refuses what Prometheus refuses, metrics in pieces, samples without a type, and series that come twice. */
export function metricsOf(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const begun = new Set<string>();
  const series = new Set<string>();
  let current = '';
  return text
    .slice(0, -1)
    .split('\n')
    .flatMap((line): Sample[] => {
      if (line.startsWith('# HELP ') && !HELP.test(line)) throw new Error(`not a help line: ${line}`);
      if (line.startsWith('# TYPE ')) {
        const name = TYPE.exec(line)?.[1];
        if (name === undefined || begun.has(name)) throw new Error(`not a type line, or a second one: ${line}`);
        begun.add(name);
        current = name;
      }
      if (line.startsWith('#')) return [];
      const match = SAMPLE.exec(line);
      if (match === null) throw new Error(`not a sample: ${line}`);
      const [, name = '', list = '', value = ''] = match;
      if (name !== current) throw new Error(`not below its type: ${line}`);
      if (series.has(`${name}{${list}}`)) throw new Error(`a series twice: ${line}`);
      series.add(`${name}{${list}}`);
      const labels = [...list.matchAll(new RegExp(LABEL, 'g'))].map(([label]) => {
        const at = label.indexOf('=');
        const plain = label.slice(at + 2, -1).replace(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each));
        return [label.slice(0, at), plain] as const;
      });
      return [{ name, labels: Object.fromEntries(labels), value: Number(value) }];
    });
}
