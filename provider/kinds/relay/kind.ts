// The Relay kind: who gets mails about an environment, and which ones (service-facts §2.6, §4.7.5).
import { nameRules, problem, routes } from '../../../api/contract';
import { base, csv, csvLike, flag, takingOver, text } from '../../field';
import { kind } from '../../kind';
import { environment } from '../environment/kind';
import { BORN_RELAY, CLASS_VALUES, isUntouched, relayVerbs } from './flow';

/**
 * A mail relay of an environment: sends its notifications to e-mail addresses, immediately and without a deployment. The relay `default` comes with the
 * environment and mails the owner of the assembly: it is updated, and given back instead of deleted.
 */
export const relay = kind({
  token: 'Relay',
  path: routes.relays.read.path,
  id: '{assembly}/{environment}/relays/{name}',
  named: true,
  within: environment,
  nameRule: nameRules.relay,
  cascades: true,
  stage: 'none',
  found: { list: { route: routes.relays.list, isReviewed: true, isGiven: isUntouched } },
  fields: {
    /** Addresses that get the mails. Required, except for the relay `default`, which mails the owner of the assembly. */
    emails: csvLike(/^[^@\s,]+@[^@\s,]+$/, 'an e-mail address: NAME@DOMAIN').optional(),
    /** Whether mails are sent. */
    enabled: base(CLASS_VALUES.enabled, flag()).optional(),
    /** Severities that are sent. */
    severity: base(CLASS_VALUES.severity, csv(['info', 'warning', 'critical'])).optional(),
    /** Sources that are reported: deployments, procedures, the health of instances (`ci`). */
    source: base(CLASS_VALUES.source, csv(['deployment', 'procedure', 'ci'])).optional(),
    /** Namespaces whose notifications are sent, for example `/acme/shop/prod/bom/web/1`; default: all of the environment. */
    nsPaths: csv().optional(),
    /** Regular expression that a notification must match. */
    textRegex: text().optional(),
    /** Whether only changes of a state are sent. */
    correlation: base(CLASS_VALUES.correlation, flag()).optional(),
    ...takingOver,
  },
  impact: {
    severity: { emails: 'medium', enabled: 'medium' },
    deleted: {
      severity: 'medium',
      message: 'the relay is deleted: nobody gets its mails any more',
      ofPack: 'the relay of the environment mails the owner of the assembly again',
    },
  },
  inFile: { path: 'environments.*.relays.*', written: () => ({}) },
  computed: {},
  rule: (args) =>
    (args.emails ?? []).length > 0 || (args as { readonly name?: unknown }).name === BORN_RELAY
      ? []
      : [problem('required', ['emails'], '"emails" is required', 'emails: [ops@example.com]')],
  verbs: relayVerbs,
  sample: {
    create: {
      emails: ['ops@acme.io', 'web@acme.io'],
      enabled: false,
      severity: ['warning', 'critical'],
      source: ['deployment'],
      nsPaths: ['/acme/shop/prod/bom/web/1'],
      textRegex: 'failed',
      correlation: false,
    },
    update: { emails: ['ops@acme.io'], severity: ['critical'], textRegex: 'failed.*' },
  },
});
