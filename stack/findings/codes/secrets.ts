// ONE15xx: secrets in places where others can read them. ONE16xx: values that a stack sets.
import { SHOP, type Explanation } from './explanation';

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
      'A secret is written in clear, and everybody who can read the file knows it: the value of an attribute that the service encrypts, of a variable with the name of a secret, what follows such a name in a map, a list or a text (password=…), a private key, or an address with a password. A value that "config" declares as a secret must not be in clear in Pulumi.yaml or Pulumi.STACK.yaml either. Set it with "pulumi config set --secret".',
    wrong: `${SHOP}platforms: { db: { pack: oneops/mysql:1, components: { mysql: { password: hunter2 } } } }\n`,
    right: `config: { key: { type: string, secret: true } }
${SHOP}platforms: { db: { pack: oneops/mysql:1, components: { mysql: { password: '$\{config.key}' } } } }
`,
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
  {
    id: 'ONE1504',
    code: 'readable-variable',
    meaning:
      'The name of the variable ends as those of secrets do, but its value is not a secret, so that the service keeps it readable. Declare the configuration that it refers to with "secret: true".',
    wrong: `config: { key: { type: string } }\n${SHOP}variables: { API_TOKEN: '$\{config.key}' }\n`,
    right: `config: { key: { type: string, secret: true } }\n${SHOP}variables: { API_TOKEN: '$\{config.key}' }\n`,
    config: { key: 'k' },
  },
];

export const CONFIGURATION: readonly Explanation[] = [
  {
    id: 'ONE1601',
    code: 'config-required',
    meaning:
      'The file declares a value without a default, and the stack does not set it: pulumi config set NAME VALUE.',
    wrong: `config: { size: { type: string } }\n${SHOP}variables: { SIZE: '$\{config.size}' }\n`,
    right: `config: { size: { type: string, default: M } }\n${SHOP}variables: { SIZE: '$\{config.size}' }\n`,
  },
  {
    id: 'ONE1602',
    code: 'unknown-config',
    meaning:
      'The settings of the stack, or Pulumi.yaml, give a name a value that "config" of the file does not declare. Nothing uses it: the name is misspelt, or the value is left over. "pulumi config rm NAME" removes it.',
    wrong: `config: { colour: { type: string, default: red } }\n${SHOP}variables: { COLOUR: '$\{config.colour}' }\n`,
    right: `config: { color: { type: string, default: red } }\n${SHOP}variables: { COLOUR: '$\{config.color}' }\n`,
    config: { color: 'blue' },
  },
];
