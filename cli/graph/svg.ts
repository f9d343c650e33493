// A stack's graph as an SVG picture, for light and dark pages.
// It must not know how the graph was found.
import type { StackGraph } from '../../stack';

const BOX = { width: 190, height: 46, across: 60, down: 16 } as const;
const EDGE = 24;
const ROW = 44;

const STYLE = `
    :root { color-scheme: light dark; }
    .page { fill: #ffffff; } .box { fill: #eef3fb; stroke: #5b7fb4; } .cloud { fill: #e9f5ee; stroke: #4d9168; }
    .second { stroke-dasharray: 4 3; } text { fill: #1f2733; font: 13px system-ui, sans-serif; }
    .small { font-size: 11px; fill: #5a6472; } .head { font-weight: 600; } .arrow { stroke: #7a8596; fill: none; } .tip { fill: #7a8596; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #14181f; } .box { fill: #1f2b3d; stroke: #6f9bd8; } .cloud { fill: #1b3126; stroke: #63b384; }
      text { fill: #e6eaf0; } .small { fill: #9ba6b5; } .arrow { stroke: #8b97a8; } .tip { fill: #8b97a8; }
    }
  `;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The picture: platforms from left to right in the order in which they use each other, and a row of clouds for each environment. */
export function graphSvg(graph: StackGraph): string {
  const places = placesOf(graph.platforms);
  const all = [...places.values()];
  const designWidth = Math.max(BOX.width, ...all.map(({ x }) => x + BOX.width)) + 2 * EDGE;
  const designHeight = Math.max(0, ...all.map(({ y }) => y + BOX.height)) + EDGE;
  const rows = graph.environments.map((each, index) => environmentRow(each, designHeight + 20 + index * ROW));
  const width = Math.max(designWidth, ...rows.map((row) => row.width));
  const height = designHeight + (rows.length > 0 ? 20 + rows.length * ROW : 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(`assembly ${graph.assembly}`)}">`,
    `  <style>${STYLE}</style>`,
    '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
    `  <rect class="page" width="${width}" height="${height}"/>`,
    textAt({ x: EDGE, y: 26 }, `assembly ${graph.assembly}`, 'head'),
    ...graph.platforms.flatMap(({ name, dependsOn }) =>
      dependsOn.flatMap((other) => arrow(places.get(name), places.get(other))),
    ),
    ...graph.platforms.flatMap(({ name, pack }) => platformBox(places.get(name), name, pack)),
    ...rows.flatMap(({ lines }) => lines),
    '</svg>',
  ].join('\n');
}

/** Columns by the longest way that leads to a platform, so that each arrow goes to the right. */
function placesOf(platforms: StackGraph['platforms']): ReadonlyMap<string, Place> {
  const depths = new Map<string, number>();
  const users = new Map(
    platforms.map(({ name }) => [name, platforms.filter((each) => each.dependsOn.includes(name))] as const),
  );
  const depthOf = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    // A cycle is a finding of the file; this ends it all the same.
    depths.set(name, 0);
    const depth = Math.max(-1, ...(users.get(name) ?? []).map((user) => depthOf(user.name))) + 1;
    depths.set(name, depth);
    return depth;
  };
  const filled: number[] = [];
  return new Map(
    platforms.map(({ name }) => {
      const column = depthOf(name);
      const row = filled[column] ?? 0;
      filled[column] = row + 1;
      return [name, { x: EDGE + column * (BOX.width + BOX.across), y: 40 + row * (BOX.height + BOX.down) }];
    }),
  );
}

function arrow(from: Place | undefined, to: Place | undefined): readonly string[] {
  if (from === undefined || to === undefined) return [];
  const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + BOX.height / 2, to.x - 2, to.y + BOX.height / 2];
  const bend = Math.max(20, (x2 - x1) / 2);
  return [
    `  <path class="arrow" marker-end="url(#tip)" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`,
  ];
}

function platformBox(place: Place | undefined, name: string, pack: string): readonly string[] {
  if (place === undefined) return [];
  return [
    `  <rect class="box" x="${place.x}" y="${place.y}" width="${BOX.width}" height="${BOX.height}" rx="6"/>`,
    textAt({ x: place.x + 12, y: place.y + 20 }, shortened(name, 24), 'head'),
    textAt({ x: place.x + 12, y: place.y + 36 }, shortened(pack, 28), 'small'),
  ];
}

function environmentRow(
  { name, clouds, down }: StackGraph['environments'][number],
  y: number,
): { readonly lines: readonly string[]; readonly width: number } {
  const lines = [textAt({ x: EDGE, y: y + 20 }, shortened(name, 22), 'head')];
  let x = EDGE + BOX.width - 20;
  for (const cloud of clouds) {
    const label = cloud.priority === 2 ? `${cloud.name} (secondary)` : cloud.name;
    const width = label.length * 8 + 24;
    const second = cloud.priority === 2 ? ' second' : '';
    lines.push(`  <rect class="cloud${second}" x="${x}" y="${y}" width="${width}" height="30" rx="15"/>`);
    lines.push(textAt({ x: x + 12, y: y + 20 }, label, ''));
    x += width + 10;
  }
  if (down.length > 0) {
    const text = `down: ${down.join(', ')}`;
    lines.push(textAt({ x: x + 4, y: y + 20 }, text, 'small'));
    x += text.length * 7 + 10;
  }
  return { lines, width: x + EDGE };
}

const textAt = ({ x, y }: Place, text: string, style: string): string =>
  `  <text${style === '' ? '' : ` class="${style}"`} x="${x}" y="${y}">${escaped(text)}</text>`;

const shortened = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/\p{Cc}/gu, ' ');
