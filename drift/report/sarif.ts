// Reviews as SARIF 2.1.0: a run for each stack, a rule for each classification.
import { isDrift, isWaiting, isWhole } from '../review/outcome';
import { type FilePlace, sarifLocation } from '../../stack';
import { CLASSIFICATIONS, DRIFT, type BrokenPolicy, type DriftFinding, type Review } from '../review/review';
import type { FleetStack } from '../fleet/fleet';
import { brokenPolicies, isMandatory, policyText, CLASSIFICATION_WORDS, isoText, messageText } from './words';
import { filePath, ignoredText, placeOrFile, type ReportOptions, oneLine } from './shown-text';
import { defined } from '../../provider/values';

type Json = { readonly [key: string]: unknown };

const LEVELS = { high: 'error', medium: 'warning', low: 'note' } as const;

/** GitHub sorts security alerts by this number. */
const SECURITY_SEVERITY = { high: '8.0', medium: '5.0', low: '2.0' } as const;

/**
 * The run of a stack. Drift is a failure, other findings are information, and ignored findings are suppressed.
 * Unread records are notifications of a run that did not succeed. A finding without a place is on
 * the first line of `options.file`, because code scanning refuses results without a place.
 */
export function sarifRun({ name, summary, review }: FleetStack, options: ReportOptions): object {
  if (review === undefined) return failedRun(name, summary);
  const { started, took, outcome, stack, organization } = review;
  return {
    tool: {
      driver: {
        name: 'pulumi-oneops drift',
        rules: [...CLASSIFICATIONS.map(rule), ...(review.policies === undefined ? [] : [POLICY_RULE])],
      },
    },
    automationDetails: { id: `pulumi-oneops/drift/${oneLine(organization)}/${oneLine(stack ?? '')}/` },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: isWhole(outcome),
        ...(isoText(started) === '' ? {} : { startTimeUtc: isoText(started), endTimeUtc: isoText(started + took) }),
        toolExecutionNotifications: review.unread.map(({ kind, address, reason }) => ({
          level: 'error',
          message: { text: `not read: ${oneLine(kind)} ${oneLine(address)}: ${oneLine(reason)}` },
        })),
        toolConfigurationNotifications: review.problems.map(({ severity, message, at }) => ({
          level: severity,
          message: { text: oneLine(message) },
          ...defined({ locations: at && [location(at, options)] }),
        })),
      },
    ],
    results: [
      ...review.findings.map((finding) => result(finding, review, options)),
      ...review.ignored.map((ignored) => ({
        ...result(ignored.finding, review, options),
        suppressions: [{ kind: 'external', status: 'accepted', justification: ignoredText(ignored) }],
      })),
      ...brokenPolicies(review).map((broken) => policyResult(broken, options)),
    ],
  };
}

const failedRun = (name: string, reason: string): object => ({
  tool: { driver: { name: 'pulumi-oneops drift' } },
  automationDetails: { id: `pulumi-oneops/drift//${oneLine(name)}/` },
  invocations: [
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'error', message: { text: `not reviewed: ${oneLine(reason)}` } }],
    },
  ],
  results: [],
});

function rule(classification: DriftFinding['classification']): Json {
  const { label, meaning } = CLASSIFICATION_WORDS[classification];
  const isFailure = DRIFT.includes(classification);
  return {
    id: `drift/${classification}`,
    name: label.replace(/(?:^|\s+)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: label },
    fullDescription: { text: meaning },
    help: { text: meaning },
    defaultConfiguration: { level: isFailure ? 'warning' : 'none' },
    properties: { tags: ['drift', ...(isFailure ? [] : ['information'])] },
  };
}

function result(finding: DriftFinding, review: Review, options: ReportOptions): Json {
  const { id, classification, severity, kind, address, attribute, logicalName, author } = finding;
  const isFailure = isDrift(finding) || isWaiting(finding);
  const name = oneLine(attribute === undefined ? address : `${address}/${attribute}`);
  return {
    ruleId: `drift/${classification}`,
    ruleIndex: CLASSIFICATIONS.indexOf(classification),
    kind: isFailure ? 'fail' : 'informational',
    level: isFailure ? LEVELS[severity] : 'none',
    message: { text: messageText(finding, review) },
    locations: [resourceLocation(finding.at, name, options)],
    partialFingerprints: { 'driftFinding/v1': id },
    properties: {
      severity,
      kind: oneLine(kind),
      'security-severity': SECURITY_SEVERITY[severity],
      ...defined({ logicalName: logicalName && oneLine(logicalName), author }),
    },
  };
}

const POLICY_RULE: Json = {
  id: 'drift/policy',
  name: 'BrokenPolicy',
  shortDescription: { text: 'broken policy' },
  fullDescription: { text: 'What the service has breaks a policy of the policy file.' },
  help: { text: 'What the service has breaks a policy of the policy file.' },
  defaultConfiguration: { level: 'warning' },
  properties: { tags: ['policy'] },
};

const policyResult = (broken: BrokenPolicy, options: ReportOptions): Json => ({
  ruleId: 'drift/policy',
  ruleIndex: CLASSIFICATIONS.length,
  kind: 'fail',
  level: isMandatory(broken) ? 'error' : 'warning',
  message: { text: policyText(broken) },
  locations: [resourceLocation(broken.at, oneLine(broken.address), options)],
  partialFingerprints: { 'brokenPolicy/v1': oneLine(`${broken.policy} ${broken.address} ${broken.message}`) },
});

const resourceLocation = (at: FilePlace | undefined, name: string, options: ReportOptions): Json => ({
  ...location(placeOrFile(at, options), options),
  logicalLocations: [{ fullyQualifiedName: name, kind: 'resource' }],
});

const location = ({ file, ...at }: FilePlace, options: ReportOptions): Json => ({
  ...sarifLocation({ ...at, path: oneLine(filePath(file, options)) }),
});
