// Progress messages while decisions are carried out, line by line on a terminal.
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
