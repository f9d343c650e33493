// ONE12xx: references, and names of things that are declared elsewhere.
import { SHOP, WEB, type Explanation } from './explanation';

/** Two environments' worth of a platform in one: the frame of examples inside of an environment. */
const inProd = (text: string): string => `${SHOP}${WEB}environments:\n  prod:\n    clouds: [east]\n${text}`;

export const REFERENCES: readonly Explanation[] = [
  {
    id: 'ONE1201',
    code: 'bad-reference',
    meaning: 'Between "${" and "}" is a name such as config.size. Write "$${" where "${" is only text.',
    wrong: `${SHOP}variables: { NAME: '$\{assembly name}' }\n`,
    right: `${SHOP}variables: { NAME: '$\{assembly.name}' }\n`,
  },
  {
    id: 'ONE1202',
    code: 'unclosed-reference',
    meaning: 'A reference ends with "}". Write "$${" where "${" is only text.',
    wrong: `${SHOP}variables: { NAME: '$\{assembly.name' }\n`,
    right: `${SHOP}variables: { NAME: '$\{assembly.name}' }\n`,
  },
  {
    id: 'ONE1203',
    code: 'unknown-reference',
    meaning: 'The file declares nothing of this name, or the resource has no such output.',
    wrong: `${SHOP}variables: { NAME: '$\{asembly.name}' }\n`,
    right: `${SHOP}variables: { NAME: '$\{assembly.name}' }\n`,
  },
  {
    id: 'ONE1204',
    code: 'incomplete-reference',
    meaning: 'The reference names a whole resource or a whole part of the file. A value is one of its outputs.',
    wrong: `${SHOP}variables: { NAME: '$\{assembly}' }\n`,
    right: `${SHOP}variables: { NAME: '$\{assembly.name}' }\n`,
  },
  {
    id: 'ONE1205',
    code: 'undeclared-output',
    meaning: 'Only arguments that the file declares can be referred to, because others are not read.',
    wrong: `${SHOP}variables: { OWNER: '$\{assembly.owner}' }\n`,
    right: `assembly: { name: shop, owner: team@acme.io }\nvariables: { OWNER: '$\{assembly.owner}' }\n`,
  },
  {
    id: 'ONE1206',
    code: 'no-reference',
    meaning:
      'This value must be known before anything else is: options, declarations of configuration, file names, and names other than those of assemblies and environments are plain.',
    wrong: `${SHOP}config: { size: { type: string, default: '$\{pulumi.stack}' } }\nvariables: { SIZE: '$\{config.size}' }\n`,
    right: `${SHOP}config: { size: { type: string, default: M } }\nvariables: { SIZE: '$\{config.size}' }\n`,
  },
  {
    id: 'ONE1207',
    code: 'unknown-platform',
    meaning:
      'The file declares no platform of this name. An environment only changes platforms of the design. In a file with `assembly: { existing: true }`, it names the platforms of the owner as they are, without declaring them.',
    wrong: inProd('    platforms: { wbe: { enabled: false } }\n'),
    right: inProd('    platforms: { web: { enabled: false } }\n'),
  },
  {
    id: 'ONE1208',
    code: 'unknown-component',
    meaning:
      'Neither the file nor the pack of the platform has a component of this name. In the design, a component of the pack that others depend on must be declared, too.',
    wrong: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user: { deployer: { username: deployer } }
      job: { nightly: { depends: [deploier] } }
`,
    right: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user: { deployer: { username: deployer } }
      job: { nightly: { depends: [deployer] } }
`,
  },
  {
    id: 'ONE1209',
    code: 'unknown-attachment',
    meaning:
      'An environment changes attachments of the design and creates none. Declare it at the component of the platform.',
    wrong: inProd('    platforms: { web: { components: { compute: { attachments: { motd: { content: Hi } } } } } }\n'),
    right: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute: { attachments: { motd: { path: /etc/motd, content: Hi } } }
environments:
  prod:
    clouds: [east]
    platforms: { web: { components: { compute: { attachments: { motd: { content: Hello } } } } } }
`,
  },
  {
    id: 'ONE1210',
    code: 'unknown-monitor',
    meaning:
      'An environment changes monitors of the design or of the pack and creates none. Monitors of the pack are called PLATFORM-COMPONENT-NAME.',
    wrong: inProd('    platforms: { web: { components: { compute: { monitors: { load: { enable: false } } } } } }\n'),
    right: inProd(
      '    platforms: { web: { components: { compute: { monitors: { web-compute-load: { enable: false } } } } } }\n',
    ),
  },
  {
    id: 'ONE1211',
    code: 'unknown-variable',
    meaning: 'An environment gives another value to a variable of the design and creates none.',
    wrong: `variables: { LEVEL: info }\n${inProd('    variables: { LEVELS: warn }\n')}`,
    right: `variables: { LEVEL: info }\n${inProd('    variables: { LEVEL: warn }\n')}`,
  },
  {
    id: 'ONE1212',
    code: 'unknown-cloud',
    meaning: 'A platform of an environment can only say how it uses the clouds that the environment has.',
    wrong: inProd('    platforms: { web: { clouds: { west: { dpmt_order: 2 } } } }\n'),
    right: inProd('    platforms: { web: { clouds: { east: { dpmt_order: 2 } } } }\n'),
  },
  {
    id: 'ONE1213',
    code: 'unknown-link',
    meaning:
      'A platform links to other platforms of the file. The service would drop a link to a platform that does not exist.',
    wrong: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1, links: [bd] }\n  db: { pack: oneops/mysql:1 }\n`,
    right: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1, links: [db] }\n  db: { pack: oneops/mysql:1 }\n`,
  },
  {
    id: 'ONE1214',
    code: 'link-to-itself',
    meaning: 'A platform cannot link to itself, and a component cannot depend on itself.',
    wrong: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1, links: [web] }\n`,
    right: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1 }\n`,
  },
  {
    id: 'ONE1215',
    code: 'cycle',
    meaning:
      'Things depend on each other in a circle, so that none of them can be created first; or a template or a file contains itself, perhaps through others. The message names every member of the circle.',
    wrong: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1, links: [db] }\n  db: { pack: oneops/mysql:1, links: [web] }\n`,
    right: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1, links: [db] }\n  db: { pack: oneops/mysql:1 }\n`,
  },
  {
    id: 'ONE1216',
    code: 'unknown-function',
    meaning:
      'There is no function of this name. docs/yaml-options.md lists those of values, docs/functions.md those that send requests to the service.',
    wrong: `${SHOP}variables: { HOSTS: { fn::joint: [',', [a, b]] } }\n`,
    right: `${SHOP}variables: { HOSTS: { fn::join: [',', [a, b]] } }\n`,
  },
  {
    id: 'ONE1217',
    code: 'unknown-return',
    meaning: 'The function returns no value of this name.',
    wrong: `${SHOP}variables:\n  ID: { fn::invoke: { function: getCloud, arguments: { name: east }, return: cid } }\n`,
    right: `${SHOP}variables:\n  ID: { fn::invoke: { function: getCloud, arguments: { name: east }, return: ciId } }\n`,
  },
  {
    id: 'ONE1218',
    code: 'bad-return',
    meaning: 'The name of a value of a result is written as in a reference, without "${": clouds[0].name.',
    wrong: `${SHOP}variables:\n  ID: { fn::invoke: { function: getCloud, arguments: { name: east }, return: 'ci id' } }\n`,
    right: `${SHOP}variables:\n  ID: { fn::invoke: { function: getCloud, arguments: { name: east }, return: ciId } }\n`,
  },
  {
    id: 'ONE1219',
    code: 'unknown-property',
    meaning: 'An option of Pulumi names a property that this resource does not have.',
    wrong: 'assembly: { name: shop, pulumi: { ignoreChanges: [onwer] } }\n',
    right: 'assembly: { name: shop, pulumi: { ignoreChanges: [owner] } }\n',
  },
  {
    id: 'ONE1220',
    code: 'unreadable-file',
    meaning:
      'A file that the stack reads does not exist, cannot be read, or is not UTF-8. Names are relative to the file that contains them.',
    wrong: `${SHOP}variables: { MOTD: { fn::file: mtod.txt } }\n`,
    right: `${SHOP}variables: { MOTD: { fn::file: motd.txt } }\n`,
  },
  {
    id: 'ONE1221',
    code: 'undeclared-env',
    meaning:
      'A file reads only environment variables that it lists under "env" at its top, so that readers see what it depends on.',
    wrong: `${SHOP}env: [LEVEL]\nvariables: { LEVEL: { fn::env: LEVLE } }\n`,
    right: `${SHOP}env: [LEVEL]\nvariables: { LEVEL: { fn::env: LEVEL } }\n`,
  },
  {
    id: 'ONE1222',
    code: 'unset-env',
    meaning: 'The file reads an environment variable that is not set where the command runs.',
    wrong: `${SHOP}env: [REGION]\nvariables: { LEVEL: { fn::env: REGION } }\n`,
    right: `${SHOP}env: [LEVEL]\nvariables: { LEVEL: { fn::env: LEVEL } }\n`,
  },
  {
    id: 'ONE1223',
    code: 'unknown-action',
    meaning:
      'A procedure runs an action of the class of its component, or an attachment of the component. A name close to a known one is an error, another one a warning.',
    wrong: inProd('    procedures: { restart: { platform: web, component: tomcat, action: restrat } }\n'),
    right: inProd('    procedures: { restart: { platform: web, component: tomcat, action: restart } }\n'),
  },
  {
    id: 'ONE1224',
    code: 'unknown-service-variable',
    meaning:
      '$OO_GLOBAL{NAME} refers to a variable of the assembly, $OO_LOCAL{NAME} to one of the platform. The commit of an environment fails when there is none. A variable that somebody else made is not in the file, so this is a warning.',
    wrong: `${SHOP}variables: { SIZE: M }
platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: '$OO_GLOBAL{SISE}' } } } }
`,
    right: `${SHOP}variables: { SIZE: M }
platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: '$OO_GLOBAL{SIZE}' } } } }
`,
  },
  {
    id: 'ONE1225',
    code: 'no-resource',
    meaning:
      'The options "dependsOn", "parent", "deletedWith" and "replaceWith" name resources. The reference leads to a value, such as an output of a resource.',
    wrong: `${SHOP}platforms: { db: { pack: oneops/mysql:1 }, web: { pack: oneops/tomcat:1, pulumi: { dependsOn: ['$\{platforms.db.ciId}'] } } }\n`,
    right: `${SHOP}platforms: { db: { pack: oneops/mysql:1 }, web: { pack: oneops/tomcat:1, pulumi: { dependsOn: ['$\{platforms.db}'] } } }\n`,
  },
];
