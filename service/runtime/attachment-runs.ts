// Attachments at work: which run at an event of an instance, in which order, and what is logged of
// each (service-facts §2.3, §6).
import type { Faults } from '../faults';
import { heldBy, type Store, type StoredAttachmentRun, type StoredRecord } from '../store';

interface AttachedWork {
  /** Id of the work order or of the action. */
  readonly id: number;
  readonly recordId: number;
  /** Paths of the instance and of its component that faults may name, without the attachment. */
  readonly paths: readonly string[];
}

export interface PlannedRun {
  readonly attachment: StoredRecord;
  readonly event: string;
}

const wordsIn = (text: string | null | undefined): readonly string[] =>
  (text ?? '').split(/[\s,"[\]]+/).filter(Boolean);

/** Whether an attachment names an event: `run_on` for the component's life, or `run_on_action`. */
const names = ({ values }: StoredRecord, event: string): boolean =>
  wordsIn(values['run_on']).includes(event) || wordsIn(values['run_on_action']).includes(event);

const priorityOf = ({ values }: StoredRecord): number => {
  const priority = Number(values['priority']);
  return Number.isFinite(priority) ? priority : 0;
};

/** Attachments of the component an instance is of, by priority, then by age. */
export const attachmentsOf = (store: Store, recordId: number): readonly StoredRecord[] =>
  store.relations
    .to(recordId, 'base.RealizedAs')
    .flatMap(({ fromId }) => heldBy(store, { id: fromId }, 'manifest.EscortedBy', 'committed'))
    .sort((one, other) => priorityOf(one) - priorityOf(other) || one.id - other.id);

/** What of some attachments runs at some events: event by event, by priority within each. */
export const plannedRuns = (attachments: readonly StoredRecord[], events: readonly string[]): PlannedRun[] =>
  events.flatMap((event) =>
    attachments.filter((attachment) => names(attachment, event)).map((attachment) => ({ attachment, event })),
  );

type Shown = Pick<StoredAttachmentRun, 'attachmentId' | 'name' | 'event' | 'priority' | 'path' | 'saved' | 'command'>;

/** What is kept and shown of an attachment that runs at an event. */
const shownOf = ({ attachment: { id, name, values }, event }: PlannedRun): Shown => ({
  attachmentId: id,
  name,
  event,
  priority: values['priority'] ?? '',
  path: values['path'] ?? '',
  // Inline text counts more than what is fetched (service-facts §2.3).
  saved: ['content', 'source'].find((name) => values[name]) ?? '',
  command: values['exec_cmd'] ?? '',
});

/** Runs attachments in order until one fails. Returns why, or undefined when all are done. */
export function runAttachments(
  { store, faults, now }: { readonly store: Store; readonly faults: Pick<Faults, 'take'>; readonly now: number },
  work: AttachedWork,
  planned: readonly PlannedRun[],
): string | undefined {
  for (const { attachment, event } of planned) {
    const paths = work.paths.flatMap((path) => [`${path}/${attachment.name}`, `${path}/${attachment.name}#${event}`]);
    const failure = faults.take(paths) ?? null;
    const shown = shownOf({ attachment, event });
    store.attachmentRuns.insert({ workId: work.id, recordId: work.recordId, ...shown, failure, ran: now });
    if (failure !== null) return `attachment ${attachment.name} failed at ${event}: ${failure}`;
  }
  return undefined;
}

/** An attachment beside a work order or an instance: planned, or as it ran. */
export const plannedRunAnswer = (planned: PlannedRun): object => ({
  ...runAnswer({ ...shownOf(planned), failure: null, ran: null }),
  state: 'pending',
});

export const runAnswer = (run: Shown & { readonly failure: string | null; readonly ran: number | null }): object => ({
  attachmentId: run.attachmentId,
  attachmentName: run.name,
  event: run.event,
  priority: run.priority,
  path: run.path,
  exec_cmd: run.command,
  state: run.failure === null ? 'complete' : 'failed',
  comments: run.failure,
  updated: run.ran,
});

/** Lines of a log on a run, without the text of the file, which may contain secrets. */
export function runLog(run: StoredAttachmentRun): object[] {
  const { name, event, priority, path, saved, command, failure, ran } = run;
  const what = `attachment ${name} (${event}${priority === '' ? '' : `, priority ${priority}`})`;
  const line = (level: string, message: string): object => ({ timestamp: ran, level, message: `${what}: ${message}` });
  return [
    ...(saved === '' ? [] : [line('INFO', `saved its ${saved} to ${path}`)]),
    ...(command === '' ? [] : [line('INFO', `ran ${command}`)]),
    ...(failure === null ? [] : [line('ERROR', failure)]),
    ...(saved === '' && command === '' && failure === null
      ? [line('INFO', 'has nothing to save and nothing to run')]
      : []),
  ];
}
