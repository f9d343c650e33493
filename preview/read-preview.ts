// A plan from the text that `pulumi preview --json` printed. A preview that failed, or a text that is none, becomes a plan that says so.
import { stripVTControlCharacters } from 'node:util';
import { changedAttributes } from './attributes';
import { kindOf } from '../provider';
import { knownReleases } from '../drift';
import { commitsIn, deploymentsIn } from './deployments';
import {
  documentStart,
  kindToken,
  parseUrn,
  enginePlace,
  readPreviewDocument,
  stepsOf,
  type EngineDocument,
  type PlannedStep,
} from './document';
import type { Plan, ResourceChange } from './plan';
import { risksOf } from './risks';

/** What the options of a command know better than the document. */
interface PreviewOptions {
  readonly stack?: string | undefined;
  /** Default when the document's configuration names none: that of the environment. */
  readonly organization?: string | undefined;
}

/** Longest that is shown of a text that is no preview, in characters; its end says what went wrong. */
const LONGEST_TEXT = 4_000;

/** Reads what `pulumi preview --json` printed. */
export function readPreview(text: string, options: PreviewOptions = {}): Plan {
  const document = readPreviewDocument(text);
  return document === undefined ? noPreview(text, options) : planOf(document, options);
}

/** Whether a text is what `pulumi preview` prints for people when it does not fail: it ends with the numbers of resources. */
export const isPreviewForPeople = (text: string): boolean => {
  const lines = plain(text);
  return (
    documentStart(text) === undefined && /^Resources:\s*\n\s+\S* ?\d+ /m.test(lines) && !/^\s*error: /m.test(lines)
  );
};

function noPreview(text: string, { stack = '', organization = '' }: PreviewOptions): Plan {
  const said = plain(textAround(text)).trim().slice(-LONGEST_TEXT);
  const message = said === '' ? 'pulumi preview --json printed nothing' : said;
  return {
    version: 1,
    stack,
    project: '',
    organization,
    failed: true,
    diagnostics: [{ severity: 'error', message }],
    counts: {},
    actions: [],
    changes: [],
    commits: {},
    deployments: [],
    risks: [],
  };
}

/** What a document of the engine says, as a plan. */
export function planOf(document: EngineDocument, options: PreviewOptions): Plan {
  const urn = parseUrn(document.steps?.[0]?.urn ?? document.diagnostics?.find((each) => each.urn)?.urn ?? '');
  const organization = document.config?.['oneops:organization'] ?? options.organization ?? '';
  const steps = stepsOf(document, organization);
  const diagnostics = diagnosticsOf(document);
  const deployments = deploymentsIn(steps);
  return {
    version: 1,
    stack: options.stack ?? urn?.stack ?? '',
    project: urn?.project ?? '',
    organization,
    failed: diagnostics.some(({ severity }) => severity === 'error'),
    diagnostics,
    counts: document.changeSummary ?? {},
    actions: steps.filter(isAction).map(namedStep),
    changes: steps.flatMap(changeOf),
    commits: commitsIn(steps),
    deployments,
    known: knownReleases(stateRecords(document)),
    risks: risksOf(steps, deployments),
  };
}

/** What the state holds of each resource that a document is about, changed or not. */
const stateRecords = ({ steps }: EngineDocument): Parameters<typeof knownReleases>[0] =>
  (steps ?? []).flatMap(({ urn, oldState }) => {
    const kind = kindOf(kindToken(parseUrn(urn)?.type ?? '') ?? '');
    const { id, outputs } = oldState ?? {};
    return kind === undefined || id === undefined || !outputs ? [] : [{ kind, id, outputs }];
  });

/** The lines around a document that cannot be read. It may contain secrets in clear that cannot be recognized: none of it is shown. */
function textAround(text: string): string {
  const from = documentStart(text);
  if (from === undefined) return text;
  const end = text.lastIndexOf('\n}');
  return `${text.slice(0, from)}(a document that cannot be read)\n${end > from ? text.slice(end + 2) : ''}`;
}

/** Releases and deployments have their own part. */
const isAction = ({ kind }: PlannedStep): boolean => kind?.token === 'DesignRelease' || kind?.token === 'Deployment';

function changeOf(planned: PlannedStep): readonly ResourceChange[] {
  if (isAction(planned)) return [];
  const { operation, token, kind, step } = planned;
  const attributes = changedAttributes(step, token);
  // An environment whose release alone is new is listed among the deployments.
  if (operation === 'update' && attributes.length === 0 && kind?.token === 'Environment') return [];
  return [{ ...namedStep(planned), attributes }];
}

function namedStep({ operation, token, logicalName, address, step }: PlannedStep): Plan['actions'][number] {
  return { operation, kind: token, address, logicalName, ...enginePlace(step.newState ?? step.oldState) };
}

function diagnosticsOf(document: EngineDocument): Plan['diagnostics'] {
  const all = (document.diagnostics ?? []).map(({ urn, message, severity }) => {
    const names = parseUrn(urn ?? '');
    const isError = severity === 'error';
    const subject = names && !names.type.startsWith('pulumi:') ? { subject: names.name } : {};
    return {
      severity: isError ? ('error' as const) : ('warning' as const),
      ...subject,
      message: plain(message)
        .replace(/^(?:error|warning): /, '')
        .trim(),
      told: isError || severity === 'warning',
    };
  });
  return all
    .filter(({ told, message }) => told && message !== '')
    .map(({ told: _, ...diagnostic }) => diagnostic)
    .sort((left, right) => Number(left.severity === 'warning') - Number(right.severity === 'warning'));
}

/** Without colours: the engine's own marks `<{%fg 1%}>`, and those of terminals. */
const plain = (text: string): string => stripVTControlCharacters(text.replace(/<\{%[^%]*%\}>/g, ''));
