// Which names the service takes, per kind of record (service-facts §2.1.6).

/** A rule for names: a letter, then letters, digits and the characters in `also`. */
export interface NameRule {
  readonly pattern: RegExp;
  /** How the rule reads in a finding. */
  readonly says: string;
}

const rule = (also: string, length: number, says: string): NameRule => ({
  pattern: new RegExp(`^[A-Za-z][A-Za-z0-9${also}]{0,${length - 1}}$`),
  says: `a letter, then letters, digits${says}, at most ${length} characters`,
});

const plain = rule('-', 32, ' and "-"');
const wide = rule('_-', 32, ', "-" and "_"');

/** Name rules by record (service-facts §2.1.6). */
export const nameRules = {
  organization: plain,
  assembly: plain,
  environment: plain,
  platform: plain,
  cloud: wide,
  component: wide,
  variable: wide,
  attachment: wide,
  monitor: rule('_-', 99, ', "-" and "_"'),
  // Not in service-facts: the live service has one rule for the names that its table leaves out.
  profile: wide,
  support: wide,
  offering: wide,
  relay: wide,
  design: wide,
} as const;

/** Reserved parts of namespaces (service-facts §2.1.6). */
export const RESERVED_NAMES: readonly string[] = ['_design', 'bom', 'manifest'];
