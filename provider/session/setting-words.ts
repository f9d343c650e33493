// How hints name the settings in a stack: as Pulumi's configuration and the environment.
// It must not know where settings are read.
import type { NamedSetting, SettingWords } from '../../api/errors';

const given = (setting: NamedSetting): string => `oneops:${setting} or ONEOPS_${setting.toUpperCase()}`;

/** The words of everything that runs in Pulumi, or next to it. */
export const pulumiWords: SettingWords = {
  named: (setting) => `oneops:${setting}`,
  given,
  seeUrl: ': pulumi config get oneops:url',
  giveToken: 'pulumi config set --secret oneops:token, which asks for it, or ONEOPS_TOKEN',
  allowWrites:
    'to write, unset oneops:readOnly and ONEOPS_READ_ONLY; refresh and destroy see the configuration of the last up, unless --run-program is given',
  largeAnswer:
    'check oneops:url; where the service itself answers so much, divide the records among more assemblies: no setting allows more',
  largeRequest: 'divide what is declared there: no setting allows more',
};
