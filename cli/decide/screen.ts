// The list of decisions as lines of a terminal.
// It must not know the terminal, nor what is decided on.
import { fitted, padded, painter, wrapped } from '../../drift';
import { decisionOn, DECISIONS, shownIn, type Choice, type Choosing } from './choices';

/** The terminal as far as lines depend on it. */
interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

const HELP = [
  'type to filter, up and down choose, left and right decide, Ctrl-A decides alike',
  'on all that are shown, Enter ends the list, Ctrl-C drops everything',
];

/** Lines of details that the entry in question gets. */
const DETAILS = 5;

/** Width of a decision's word. */
const WORD = Math.max(...DECISIONS.map((each) => each.length));

/** At most as many lines as there are rows, none wider than the terminal. */
export function screenLines(choosing: Choosing, { columns, rows, colour }: Screen): readonly string[] {
  const width = Math.max(20, Math.min(columns, 100) - 1);
  const paint = painter(colour);
  const shown = shownIn(choosing);
  const index = shown.findIndex(({ id }) => id === choosing.at);
  const current = shown[index];
  const head = [...HELP.map((line) => paint('dim', fitted(line, width))), fitted(`filter: ${choosing.filter}`, width)];
  const details = current === undefined ? [] : wrapped(current.details, width, '    ').slice(0, DETAILS);
  const ways = current === undefined ? [] : [`    can be decided: ${current.possible.join(', ')}`];
  const room = Math.max(1, rows - head.length - DETAILS - ways.length - 2);
  const first = Math.max(0, Math.min(index - Math.floor(room / 2), shown.length - room));
  const list = shown.slice(first, first + room).flatMap((choice) => {
    const decision = decisionOn(choosing, choice);
    const isCurrent = choice === current;
    const line = fitted(
      `${isCurrent ? '>' : ' '} ${padded(decision, WORD)}  ${choice.id.slice(0, 4)}  ${choice.title}`,
      width,
    );
    const painted = decision === 'skip' ? line : paint('yellow', line);
    return isCurrent ? [paint('bold', line), ...details, ...ways] : [painted];
  });
  const isSingle = ({ members }: Choice): boolean => members === undefined;
  const all = choosing.choices.filter(isSingle);
  const counted = DECISIONS.map((decision) => {
    const count = all.filter((choice) => decisionOn(choosing, choice) === decision).length;
    return `${count} ${decision}`;
  });
  const singles = shown.filter(isSingle).length;
  const groups = shown.length - singles;
  const beside = groups === 0 ? '' : `, ${groups} ${groups === 1 ? 'group' : 'groups'}`;
  const said = shown.length === 0 ? ['  nothing has these words'] : list;
  return [...head, ...said, fitted(`${singles} of ${all.length} shown${beside}: ${counted.join(', ')}`, width)];
}
