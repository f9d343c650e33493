// The settings of a client that cannot work are refused when it is made, before anything is sent.
import { BadSettings, type SettingWords } from '../errors';
import { isLoopback } from '../transport';

/** Throws BadSettings for a setting that is missing: programs without types pass what their environment lacks. */
export function checkNames(
  options: { readonly organization?: unknown; readonly token?: unknown },
  words: SettingWords,
): void {
  for (const name of ['organization', 'token'] as const) {
    const value = options[name];
    if (typeof value !== 'string' || value.trim() === '')
      throw new BadSettings(`the client has no ${name}`, `give one: set ${words.given(name)}`);
  }
}

/** Throws BadSettings unless the url is one that a token may be sent to. */
export function checkUrl(
  { url, allowHttp }: { readonly url: string; readonly allowHttp?: boolean },
  words: SettingWords,
): void {
  if (!URL.canParse(url)) throw new BadSettings('the url of the service is not a URL', 'give it as https://host');
  const base = new URL(url);
  if (base.username !== '' || base.password !== '')
    throw new BadSettings('the url of the service contains a user name or password', 'the token is a separate setting');
  if (base.protocol === 'https:') return;
  if (base.protocol !== 'http:')
    throw new BadSettings(`the url of the service has the protocol ${base.protocol}`, 'give it as https://host');
  if (isLoopback(base.hostname) || allowHttp === true) return;
  throw new BadSettings(
    `a token does not go over plain http to ${base.host}`,
    `use https, or set ${words.named('allowHttp')} to true`,
  );
}
