// ONE18xx: findings of `convert`, about settings of an old file and mistakes in it.

export type SettingOutcome = 'carried' | 'changed' | 'left behind';

export interface ConversionCode {
  readonly id: string;
  readonly code: string;
  /** Its words about a setting; without them, it is the code of a finding. */
  readonly outcome?: SettingOutcome;
  /** Its meaning and the remedy, as sentences. */
  readonly meaning: string;
  readonly old: string;
  /** Profiles of Boo for that file. */
  readonly profiles?: string;
}

const WEB = 'platforms: { web: { pack: oneops/tomcat:1 } }\n';

/** Codes by word, so that each word that a conversion uses is one of them. */
const CODES = {
  'setting-carried': {
    id: 'ONE1801',
    outcome: 'carried',
    meaning: 'The setting is in the stack file as it was. There is nothing to do.',
    old: WEB,
  },
  'setting-rewritten': {
    id: 'ONE1802',
    outcome: 'changed',
    meaning:
      'The value means the same in another form: YAML 1.1 reads yes as true, JSON text of a list becomes a list, and a list in a text attribute becomes JSON text.',
    old: `variables: { HTTPS: yes }\n${WEB}`,
  },
  'setting-moved': {
    id: 'ONE1803',
    outcome: 'changed',
    meaning: 'The setting has another name or another place in a stack file. The line says which.',
    old: "platforms: { web: { pack: oneops/tomcat, pack_version: '1' } }\n",
  },
  'setting-configured': {
    id: 'ONE1804',
    outcome: 'changed',
    meaning:
      'The value is in the configuration of the Pulumi stack, because it is a secret, a tag of a template, or a setting of the provider. The commands of the conversion set it; a command without a value asks for it. No secret is copied.',
    old: "platforms: { web: { pack: oneops/tomcat:1, variables: { PASS: '::ENCRYPTED::' } } }\n",
  },
  'setting-empty': {
    id: 'ONE1805',
    outcome: 'changed',
    meaning: 'The setting declares nothing, so its key is left out. The stack is the same without it.',
    old: `variables:\n${WEB}`,
  },
  'tag-rendered': {
    id: 'ONE1806',
    outcome: 'changed',
    meaning:
      'The stack file has what Boo would have put in the place of the tag: the text of a partial, the items of a list, a part that the profile shows, or a value of the profile where no reference is allowed.',
    old: `assembly: { name: shop }\nvariables:\n{{#levels}}\n  {{.}}: info\n{{/levels}}\n${WEB}`,
    profiles: '[dev]\nlevels = ["LEVEL", "LOUD"]\n',
  },
  'unknown-setting': {
    id: 'ONE1807',
    outcome: 'left behind',
    meaning:
      'Neither a stack file nor the conversion knows the setting, so the stack file does not have it. If it is misspelt, correct the old file and convert it again. Otherwise look for what it means in the reference of the kind.',
    old: `environment_name: dev\n${WEB}`,
  },
  'no-counterpart': {
    id: 'ONE1808',
    outcome: 'left behind',
    meaning:
      'The setting is known, but nothing in a stack file corresponds to it: it belongs to the old tool, or another setting of the file replaces it. Usually there is nothing to do; the line says what is used instead.',
    old: 'platforms: { web: { pack: oneops/tomcat:1, deploy_order: 1 } }\n',
  },
  'refused-setting': {
    id: 'ONE1809',
    outcome: 'left behind',
    meaning:
      'The value, or an item of a list, is not one that the setting can have: the service would refuse or ignore it. Write a value that it can have into the stack file.',
    old: `platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute/oneops.1.Compute:
        compute: { attachments: { one: { path: /etc/motd, run_on: before-lunch } } }
`,
  },
  'profiles-differ': {
    id: 'ONE1810',
    outcome: 'left behind',
    meaning:
      'No reference is allowed here, so all stacks have what the first profile says, although other profiles say something else. Convert with one profile, --profile config.ini:NAME, or write the difference as an overlay of the stack.',
    old: `assembly: { name: '{{name}}' }\n${WEB}`,
    profiles: '[dev]\nname = shop-dev\n[prod]\nname = shop\n',
  },
  'no-profile-value': {
    id: 'ONE1811',
    outcome: 'left behind',
    meaning:
      'The stack file needs a value that only a profile has, and none was given: it has the name of the tag instead, or a part that may be hidden. Convert with --profile, or correct the stack file.',
    old: `assembly: { name: '{{name}}' }\n${WEB}`,
  },
  'hidden-part': {
    id: 'ONE1812',
    outcome: 'left behind',
    meaning:
      'The line is in a section of the template that is not shown with this profile. If another stack needs it, convert with the profile of that stack, too, and join the two as overlays.',
    old: `assembly: { name: shop }\nvariables:\n  A: x\n{{#debug}}\n  LEVEL: debug\n{{/debug}}\n${WEB}`,
    profiles: '[dev]\ndebug =\n',
  },
  'unread-partial': {
    id: 'ONE1813',
    outcome: 'left behind',
    meaning:
      'The file that a partial names cannot be read, so nothing of it is in the stack file. A partial is a file next to the one with the tag; the ending of that file may be left out.',
    old: `assembly: { name: shop }\n{{> web}}\n`,
  },
  'other-delimiters': {
    id: 'ONE1814',
    outcome: 'left behind',
    meaning:
      'The template changes the characters around its tags. The conversion reads only tags in double braces: write the tags of the template with them, and convert it again.',
    old: `{{=<% %>=}}\nassembly: { name: shop }\n${WEB}`,
  },
  'unused-profile-value': {
    id: 'ONE1815',
    outcome: 'left behind',
    meaning: 'The profile has a value that no tag of the template names. Nothing needs it.',
    old: `assembly: { name: shop }\n${WEB}`,
    profiles: '[dev]\nlevel = debug\n',
  },
  'bad-tag': {
    id: 'ONE1816',
    meaning: 'A section of the template is not closed, or closed and not opened. Boo would refuse the template, too.',
    old: `assembly: { name: shop }\n{{#debug}}\n${WEB}`,
  },
  'bad-profile': {
    id: 'ONE1817',
    meaning: 'A line of the profile file is neither a section in brackets nor a key with a value.',
    old: `assembly: { name: shop }\n${WEB}`,
    profiles: '[dev]\nlevel debug\n',
  },
  'no-profile': {
    id: 'ONE1818',
    meaning: 'The profile file has no section, or not the one that --profile names.',
    old: `assembly: { name: shop }\n${WEB}`,
    profiles: '# nothing yet\n',
  },
  'too-long-template': {
    id: 'ONE1821',
    meaning:
      'The template becomes too long as its partials are read and its lists are written out: often sections over lists are in each other. Shorten a list of the profile, or convert parts of the template one by one.',
    old: `assembly: { name: shop }\nvariables:\n${'{{#n}}'.repeat(6)}\n  A: x\n${'{{/n}}'.repeat(6)}\n${WEB}`,
    profiles: `[dev]\nn = [${'1, '.repeat(9)}1]\n`,
  },
  'repeated-profile-value': {
    id: 'ONE1822',
    outcome: 'left behind',
    meaning:
      'The profile gives the value again on a later line, and the later one is used. Remove the one that was not meant.',
    old: `variables: { LEVEL: '{{level}}' }\n${WEB}`,
    profiles: '[dev]\nlevel = debug\nlevel = info\n',
  },
  'version-assumed': {
    id: 'ONE1823',
    outcome: 'changed',
    meaning:
      'The old file names a pack without its version, which a stack file needs. Version 1 is written: check that it is the one that runs, because another version changes the platform.',
    old: 'platforms: { web: { pack: oneops/tomcat } }\n',
  },
  'repeated-setting': {
    id: 'ONE1824',
    outcome: 'changed',
    meaning:
      'The old file gives the setting again further down in the same map. The service and Boo take the last one, and so does the stack file. Remove the one that was not meant.',
    old: `variables: { LEVEL: debug, LEVEL: info }\n${WEB}`,
  },
  'no-old-file': {
    id: 'ONE1825',
    meaning:
      'The file has neither platforms nor anything else that a Boo template or a design export has. Name the template, or say with --from what the file is.',
    old: 'name: web\nversion: 1\n',
  },
} as const satisfies { readonly [code: string]: Omit<ConversionCode, 'code'> };

type Codes = typeof CODES;

/** Words of the codes that say one outcome of a setting. */
export type CodeOf<O extends SettingOutcome> = {
  [Word in keyof Codes]: Codes[Word] extends { readonly outcome: O } ? Word : never;
}[keyof Codes];

/** The words of a conversion's code about a setting. */
export const settingOutcome = (code: CodeOf<SettingOutcome>): SettingOutcome => CODES[code].outcome;

/** All codes of conversions, in the order of their ids. */
export const CONVERSION_CODES: readonly ConversionCode[] = Object.entries(CODES).map(([code, each]) => ({
  code,
  ...each,
}));
