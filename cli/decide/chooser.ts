// Lets a person decide on a terminal: reads keys one by one, and draws the list over itself.
// It must not know what is decided on.
import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { choosingFrom, pressed, type Choice, type Decision, type Key } from './choices';
import { screenLines } from './screen';

/** The two ends of a terminal. */
export interface Terminal {
  readonly input: Pick<ReadStream, 'isTTY' | 'setRawMode'> & NodeJS.ReadableStream;
  readonly output: Pick<WriteStream, 'isTTY'> & Partial<Pick<WriteStream, 'columns' | 'rows'>> & NodeJS.WritableStream;
  readonly colour: boolean;
}

/** The decisions other than `skip`, by id of an entry that is no group; undefined when the person drops them, and when the input ends. */
export function decisionsOf(
  choices: readonly Choice[],
  { input, output, colour }: Terminal,
): Promise<ReadonlyMap<string, Exclude<Decision, 'skip'>> | undefined> {
  let choosing = choosingFrom(choices);
  let drawn = 0;
  const draw = (): void => {
    const { columns = 80, rows = 24 } = output;
    // A terminal without a size says 0.
    const lines = screenLines(choosing, { columns: columns || 80, rows: rows || 24, colour });
    output.write(`${drawn === 0 ? '' : `\u001b[${drawn}A\r\u001b[J`}${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  return new Promise((resolve) => {
    const end = (isDone: boolean): void => {
      input.removeListener('keypress', onKey);
      input.removeListener('end', onEnd);
      output.removeListener('resize', draw);
      input.setRawMode(false);
      input.pause();
      const entries = [...choosing.decided].flatMap(([id, decision]) =>
        decision === 'skip' ? [] : [[id, decision] as const],
      );
      resolve(isDone ? new Map(entries) : undefined);
    };
    const onEnd = (): void => end(false);
    const onKey = (_: unknown, key: Key): void => {
      choosing = pressed(choosing, key);
      draw();
      if (choosing.ended !== undefined) end(choosing.ended === 'done');
    };
    emitKeypressEvents(input);
    input.setRawMode(true);
    input.on('keypress', onKey);
    input.once('end', onEnd);
    output.on('resize', draw);
    draw();
    input.resume();
  });
}
