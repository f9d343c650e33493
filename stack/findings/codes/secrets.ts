// ONE15xx: secrets in places where others can read them. ONE16xx: values that a stack sets.
import { SHOP, WEB, type Explanation } from './explanation';

/** Findings about secrets. */
export const SECRETS: readonly Explanation[] = [
  {
    id: 'ONE1501',
    code: 'masked-secret',
    meaning:
      'An export contains a mask in place of each secret. Written back, it would replace the secret with the mask.',
    wrong: `${SHOP}variables: { KEY: '::ENCRYPTED::' }\n`,
    right: `config: { key: { type: string, secret: true } }\n${SHOP}variables: { KEY: '$\{config.key}' }\n`,
    config: { key: 'k' },
  },
  {
    id: 'ONE1502',
    code: 'secret-in-file',
    meaning:
      'A secret is written in clear, and everybody who can read the file knows it. Set it with "pulumi config set --secret".',
    wrong: `config: { key: { type: string, secret: true, default: abc } }\n${SHOP}`,
    right: `config: { key: { type: string, secret: true } }\n${SHOP}`,
    config: { key: 'k' },
  },
  {
    id: 'ONE1503',
    code: 'readable-secret',
    meaning:
      'The service encrypts secret variables and some attributes. It keeps everything else as it is: everybody who can read the assembly could read a secret there.',
    wrong: `config: { key: { type: string, secret: true } }\nassembly: { name: shop, description: '$\{config.key}' }\n`,
    right: `config: { key: { type: string, secret: true } }\n${SHOP}variables: { KEY: '$\{config.key}' }\n`,
    config: { key: 'k' },
  },
];

/** Findings about configuration. */
export const CONFIGURATION: readonly Explanation[] = [
  {
    id: 'ONE1601',
    code: 'config-required',
    meaning:
      'The file declares a value without a default, and the stack does not set it: pulumi config set NAME VALUE.',
    wrong: `config: { size: { type: string } }\n${SHOP}${WEB}`,
    right: `config: { size: { type: string, default: M } }\n${SHOP}${WEB}`,
  },
];
