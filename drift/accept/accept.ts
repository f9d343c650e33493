// Accepts findings: writes their live values into the stack's files, and checks each result.
import { WrongInput } from '../../api/errors';
import { recordBy } from '../../provider';
import { defined, sameValue, valueIn, withAt } from '../../provider/values';
import {
  holdsExpression,
  resourceKey,
  documentText,
  type ResourceDeclaration,
  type StackEnvironment,
  type Value,
  type WrittenResource,
  type SourceFile,
} from '../../stack';
import { type DriftFinding, type Shown } from '../review/review';
import { startOf } from '../review/sources';
import { readFiles, type StackReading, wrongWith, type PlanChange } from './readings';
import { composedBy, isEntry, nativeIn, settingsFor, targetOf, type Target, settingOf } from './settings';
import { withValue, type Obstacle } from './written-value';

export interface Accepted {
  readonly files: readonly SourceFile[];
  readonly accepted: readonly DriftFinding[];
  /** In the file already: nothing was to be written. */
  readonly held: readonly DriftFinding[];
  readonly refused: readonly (Obstacle & { readonly finding: DriftFinding })[];
}

interface AcceptContext {
  readonly environment: StackEnvironment;
  readonly organization: string;
}

/** The files are no stack: nothing can be accepted into them. */
export class UnusableFiles extends WrongInput {}

/**
 * Writes the live value of each finding into the texts. After every single change the files are
 * read again: they must say exactly what was accepted and otherwise what they said before, else the
 * change is refused and undone. Throws UnusableFiles for files that are not valid as they are.
 */
export function acceptFindings(
  findings: readonly DriftFinding[],
  files: readonly SourceFile[],
  world: AcceptContext,
): Accepted {
  const { read, reading: first } = readFiles(files, world.environment);
  if (first === undefined) {
    const [fault] = read.findings.filter(({ severity }) => severity === 'error');
    const { file = '', start } = fault?.at ?? {};
    throw new UnusableFiles(
      `${file}:${start?.line}:${start?.column} ${fault?.message}: run "pulumi-oneops check ${file}"`,
    );
  }
  let reading = first;
  const accepted: DriftFinding[] = [];
  const held: DriftFinding[] = [];
  const refused: (Obstacle & { readonly finding: DriftFinding })[] = [];
  // Values first: the record that contains a value may be removed afterwards.
  const ordered = [...findings].sort((left, right) => Number(isGone(left)) - Number(isGone(right)));
  for (const finding of ordered) {
    const outcome = acceptOne(reading, finding, world);
    if ('reason' in outcome) refused.push({ finding, ...outcome });
    else if (outcome.reading === reading) held.push(finding);
    else accepted.push(finding);
    if ('reading' in outcome) reading = outcome.reading;
  }
  return { files: reading.files, accepted, held, refused };
}

const isGone = ({ classification }: DriftFinding): boolean => classification === 'deleted';

type Outcome = { readonly reading: StackReading } | Obstacle;

function acceptOne(reading: StackReading, finding: DriftFinding, world: AcceptContext): Outcome {
  const file = finding.at?.file;
  if (file !== undefined && !reading.files.some(({ name }) => name === file)) {
    const reason = `it is declared in ${file}: give all files of the stack, or change a program by hand`;
    return { reason, ...at(finding) };
  }
  if (finding.classification === 'undeclared')
    return { reason: 'the review does not say what it contains: import it, or declare it by hand' };
  if (finding.classification === 'undeployed') return { reason: noValueOf(finding), ...at(finding) };
  const found = findResource(reading, finding, world.organization);
  // What it was in has left the file already.
  if (found === undefined && isGone(finding)) return { reading };
  if (found === undefined && finding.classification === 'unexpected') {
    const setting = settingOf(reading, finding, world.organization);
    if ('reason' in setting) return { ...setting, ...at(finding) };
    const { own, keys, value, change } = setting;
    const target = { file: own.at.file, path: [...own.path.map(String), ...keys], value, at: own.at };
    return apply(reading, { ...target, ...defined({ composed: composedBy(own) }) }, change, world);
  }
  if (found === undefined)
    return { reason: `the file does not declare ${finding.kind} ${finding.address}`, ...at(finding) };
  const { madeAgainBy, advice } = finding;
  if (madeAgainBy !== undefined && advice.accept !== undefined) return { reason: advice.accept, ...at(finding) };
  if (isGone(finding)) return remove(reading, found, world);
  if (finding.attribute === undefined)
    return { reason: 'it is about the whole record: there is no value to write', ...at(finding) };
  const liveValue = valueOf(finding.live);
  if ('reason' in liveValue) return { ...liveValue, ...at(finding) };
  // Where another text is expected, an empty one is what the file has to say.
  const isText = found.declaration.kind.fields[finding.attribute]?.shape.type === 'text';
  const text = liveValue.value ?? (isText && finding.classification === 'unexpected' ? '' : undefined);
  const value = nativeIn(reading, found.declaration.kind, found.written.address, finding.attribute, text);
  const settings = settingsFor(found.declaration, finding.attribute, value);
  if (settings === undefined) return { reason: noValueOf(finding), ...at(finding) };
  if (hasMoved(found.declaration, finding, value))
    return { reason: 'the file says something else since the review: make a new one', ...at(finding) };
  let now = reading;
  for (const setting of settings) {
    const { declaration, written } = findResource(now, finding, world.organization) ?? found;
    const { argument, steps } = setting;
    const before = declaration.args[argument];
    if (JSON.stringify(valueIn(before, steps)) === JSON.stringify(setting.value)) continue;
    const target = targetOf(declaration, written, setting);
    const change = {
      of: 'argument',
      key: declaration.key,
      argument,
      value: withAt(before, steps, setting.value),
    } as const;
    const outcome = 'reason' in target ? target : apply(now, target, change, world);
    if ('reason' in outcome) return { ...at(finding), ...outcome };
    now = outcome.reading;
  }
  return { reading: now };
}

/** Why a finding cannot be written into a file, and what is done about it instead. */
function noValueOf({ attribute, kind, classification, advice }: DriftFinding): string {
  const article = /^[AEIOU]/.test(kind) ? 'an' : 'a';
  const subject = attribute === undefined ? 'what runs' : `"${attribute}"`;
  const instead = (classification === 'undeployed' ? advice.revert : undefined) ?? 'drift ignore leaves it as it is';
  return `${subject} is nothing that a file says of ${article} ${kind}; ${instead}`;
}

/** Whether the file was edited since: it has neither the value of the review nor the new one. */
function hasMoved(declaration: ResourceDeclaration, { attribute = '', code }: DriftFinding, wanted: unknown): boolean {
  const [place] = settingsFor(declaration, attribute, undefined) ?? [];
  const value = place && valueIn(declaration.args[place.argument], place.steps);
  // A computed value is refused for its own reason; a value the review did not read cannot differ.
  if ((code?.is !== 'value' && code?.is !== 'absent') || holdsExpression((value ?? null) as Value)) return false;
  const said = code.is === 'value' ? code.value : undefined;
  return ![said, wanted].some((each) => sameValue({ type: 'open' }, value, each));
}

const at = (finding: DriftFinding): Pick<Obstacle, 'at'> => defined({ at: finding.at });

function valueOf(live: Shown | undefined): { readonly value: unknown } | Obstacle {
  switch (live?.is) {
    case 'value':
      return { value: live.value };
    case 'absent':
      return { value: undefined };
    case 'secret':
      return { reason: 'it is a secret, which the service never returns: set it where it comes from, or revert' };
    default:
      return { reason: 'the review does not know the live value' };
  }
}

interface Found {
  readonly declaration: ResourceDeclaration;
  readonly written: WrittenResource;
}

function findResource(
  { plan, written }: StackReading,
  { kind, address, logicalName }: DriftFinding,
  organization: string,
): Found | undefined {
  const idOf = (each: WrittenResource): string | undefined => {
    const of = plan.resources.find(({ key }) => key === each.key)?.kind;
    return of && recordBy(of, organization, each.address)?.id;
  };
  const named = logicalName === undefined ? undefined : resourceKey(kind, logicalName);
  const place =
    written.find(({ key }) => key === named) ??
    written.find((each) => each.key.startsWith(`${kind}::`) && idOf(each) === address);
  const declaration = plan.resources.find(({ key }) => key === place?.key);
  return place && declaration ? { declaration, written: place } : undefined;
}

function remove(reading: StackReading, { declaration, written: { own } }: Found, world: AcceptContext): Outcome {
  const { file } = own.at;
  if (!isEntry(own) || (own.path.length < 2 && !reading.included.has(file)))
    return { reason: 'the file cannot be without it', at: startOf(own.at) };
  const composed = composedBy(own);
  const target = { file, path: own.path.map(String), value: undefined, at: own.at };
  const change = { of: 'gone', key: declaration.key } as const;
  const first = apply(reading, { ...target, ...defined({ composed }) }, change, world);
  // A map that is left empty can mean something else: then it goes, too.
  const around = own.path.slice(0, -1).map(String);
  const second = around.length < 2 ? first : apply(reading, { ...target, path: around }, change, world);
  return 'reason' in first && composed === undefined && 'reading' in second ? second : first;
}

function apply(reading: StackReading, target: Target, change: PlanChange, { environment }: AcceptContext): Outcome {
  const at = startOf(target.at);
  const refused = (why: string): Obstacle => ({ reason: `${why}; ${byHand(target)}`, at });
  if (target.composed !== undefined) return refused(`its value comes from ${target.composed}`);
  const before = reading.files.find(({ name }) => name === target.file);
  if (before === undefined) return refused('its file was not read');
  const edited = withValue(before.text, target.path, target.value);
  if ('reason' in edited) return refused(edited.reason);
  const files = reading.files.map((file) => (file === before ? { ...file, text: edited.text } : file));
  const isIncluded = ({ name }: SourceFile): boolean => reading.included.has(name);
  const given = files.filter((file) => !isIncluded(file));
  const next = readFiles(given, environment, files.filter(isIncluded));
  const wrong = wrongWith(reading.plan, next.read, change);
  return wrong === undefined && next.reading
    ? { reading: next.reading }
    : wrong?.endsWith(', too')
      ? refused(wrong)
      : { reason: wrong ?? 'it cannot be written here', at };
}

function byHand({ path, value }: Target): string {
  const key = path.at(-1) ?? '';
  if (value === undefined) return `take "${key}" out by hand, where it counts for this record alone`;
  const lines = documentText({ [key]: value }).trimEnd();
  return `write by hand, where it counts for this record alone: ${lines.includes('\n') ? `\n${lines}` : lines}`;
}
