// A verification for people: whether the plan may be applied, and why not, with who and when.
import { oneLine, plural, timeText, whoText, wrapped } from '../../drift';
import { identityText } from './service';
import type { StaleReason, Verification } from './verification';

const COLUMNS = 80;

/** Lines of at most 80 columns, where the words allow it. */
export function verificationText(verification: Verification): string {
  const { digest, service, notes, reasons, unread, outcome } = verification;
  const lines = [
    ...wrapped(headline(verification), COLUMNS, '', '  '),
    ...reasons.flatMap(reasonLines),
    ...unread.flatMap(({ address, reason }) => wrapped(`${address}: ${oneLine(reason)}`, COLUMNS, '  ', '    ')),
    ...(outcome === 'current' ? [] : wrapped(ADVICE[outcome], COLUMNS)),
    ...notes.flatMap((note) => wrapped(oneLine(note), COLUMNS)),
    ...wrapped(`service ${oneLine(identityText(service))}`, COLUMNS, '', '  '),
    `digest ${digest}`,
  ];
  return `${lines.join('\n')}\n`;
}

function headline({ stack, planned, live, outcome, reasons, unread }: Verification): string {
  const plan = `The plan of stack ${stack}, made ${timeText(planned)},`;
  if (outcome === 'stale') return `${plan} is stale: ${plural(reasons.length, 'reason')}.`;
  if (outcome === 'refused') return `${plan} breaks mandatory policies: ${plural(reasons.length, 'violation')}.`;
  if (outcome === 'current')
    return `${plan} may be applied: ${live ? 'its state and the service are' : 'its state is'} as when it was made.`;
  return `${plan} was not verified: ${plural(unread.length, 'thing')} could not be read.`;
}

const ADVICE = {
  stale:
    'Do not apply it: preview again, and let the new plan be approved. If the service has what the state does not, run "pulumi refresh" first, or decide with "pulumi-oneops drift".',
  refused:
    'Do not apply it now. After a freeze window it may be applied as it is, as long as its start is as it was; for another policy, change what it demands, preview again, and let the new plan be approved.',
  incomplete: 'Do not apply it yet: verify it again once everything can be read.',
  authentication: 'Do not apply it yet: verify it again with a token that the service accepts.',
} as const;

function reasonLines({ address, message, who, when }: StaleReason): readonly string[] {
  const by = who === undefined ? [] : [whoText({ who, when: when ?? 0 })];
  const at = when === undefined ? [] : [timeText(when)];
  const author = [...by, ...at].join(', ');
  return [
    ...wrapped(`${oneLine(address)}: ${oneLine(message)}`, COLUMNS, '  ', '    '),
    ...(author === '' ? [] : [`    ${author}`]),
  ];
}
