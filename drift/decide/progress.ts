// What a person is told while decisions are carried out, line by line on a terminal.
// It must not know what is carried out.
import type { Row } from '../../provider';

/** Reports what goes on, each message once: a terminal keeps every line. `of`: whose messages they are, where several take turns. */
export function reportingRow(to: { tell(message: string): void }, of?: string): Row {
  const reported = new Set<string>();
  const report = (message: string): void => {
    if (reported.has(message)) return;
    reported.add(message);
    to.tell(of === undefined ? message : `${of}: ${message}`);
  };
  return { progress: report, notice: report };
}
