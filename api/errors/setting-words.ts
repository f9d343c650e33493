// How hints name the settings of a client: as its user gives them.

/** What a hint may tell a person to look at. */
export type NamedSetting = 'url' | 'organization' | 'token' | 'dialect' | 'allowHttp' | 'audit';

/** The words of one kind of user. */
export interface SettingWords {
  /** The setting, as what to check. */
  named(setting: NamedSetting): string;
  /** The setting, as what to set. */
  given(setting: NamedSetting): string;
  /** Added to the advice to check the url: how to see it. Empty for none. */
  readonly seeUrl: string;
  /** How a token is given. */
  readonly giveToken: string;
  /** How writing is allowed again. */
  readonly allowWrites: string;
  /** What to do about an answer that is larger than what is read. */
  readonly largeAnswer: string;
  /** What to do about a request that is larger than what is sent. */
  readonly largeRequest: string;
}

const given = (setting: NamedSetting): string => `${setting} in new OneOps({ ${setting} })`;

/** The words for a program that uses the client alone. */
export const optionWords: SettingWords = {
  named: (setting) => `the ${given(setting)}`,
  given,
  seeUrl: '',
  giveToken: given('token'),
  allowWrites: 'to write, make a client without readOnly in new OneOps({ readOnly })',
  largeAnswer: 'request less, or raise answerLimit',
  largeRequest: 'send less, or raise bodyLimit',
};
