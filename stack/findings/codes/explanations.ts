// What each finding means, with a file that has it and a file that is right.

/** One kind of finding. Both examples are complete files of the golden corpus. */
export interface Explanation {
  /** `ONE1207`: never changes and is never used again. */
  readonly id: string;
  /** Its word in `--format json`: `unknown-platform`. */
  readonly code: string;
  /** What it means and what to do, as sentences. */
  readonly meaning: string;
  /** A file with this finding and no other. */
  readonly wrong: string;
  /** A file without findings that says what was meant. */
  readonly right: string;
  /** What the stack's configuration sets for both. */
  readonly config?: { readonly [name: string]: string };
}

/** First line of examples whose assembly does not matter. */
const SHOP = 'assembly: { name: shop }\n';

/** A platform for examples in which any will do. */
const WEB = 'platforms: { web: { pack: oneops/tomcat:1 } }\n';

// ONE10xx: texts that are no YAML, or YAML that a stack cannot mean.

export const SYNTAX: readonly Explanation[] = [
  {
    id: 'ONE1001',
    code: 'tab',
    meaning: 'YAML indents with spaces. A tab looks like several of them and counts as none.',
    wrong: 'assembly:\n\tname: shop\n',
    right: 'assembly:\n  name: shop\n',
  },
  {
    id: 'ONE1002',
    code: 'bad-indent',
    meaning: 'All keys of one map start in the same column, and what belongs to a key starts to the right of it.',
    wrong: 'assembly:\n    name: shop\n  owner: team@acme.io\n',
    right: 'assembly:\n  name: shop\n  owner: team@acme.io\n',
  },
  {
    id: 'ONE1003',
    code: 'bad-syntax',
    meaning:
      'The text is not valid YAML. Often a text that contains ": " or starts with a special character has no quotes. After a mistake of the grammar, the rest of the file is not read.',
    wrong: 'assembly:\n  name: shop\n  description: note: a shop\n',
    right: "assembly:\n  name: shop\n  description: 'note: a shop'\n",
  },
  {
    id: 'ONE1004',
    code: 'unclosed',
    meaning:
      'A quote, a bracket or a brace is opened and never closed. The finding points at the place where it is opened.',
    wrong: 'assembly: { name: shop\n',
    right: 'assembly: { name: shop }\n',
  },
  {
    id: 'ONE1005',
    code: 'unquoted-reference',
    meaning: 'Between braces or brackets, YAML takes the brace of a reference for a map. Put the reference in quotes.',
    wrong: 'config: { shop: { type: string, default: x } }\nassembly: { name: shop, description: ${config.shop} }\n',
    right: "config: { shop: { type: string, default: x } }\nassembly: { name: shop, description: '${config.shop}' }\n",
  },
  {
    id: 'ONE1006',
    code: 'too-deep',
    meaning: 'The file is nested more than 64 levels deep. No stack needs that.',
    wrong: `${SHOP}x-deep: ${'['.repeat(65)}1${']'.repeat(65)}\n`,
    right: `${SHOP}x-deep: [[1]]\n`,
  },
  {
    id: 'ONE1007',
    code: 'unknown-alias',
    meaning: 'An alias (*name) refers to an anchor (&name) that is written before it in the same file.',
    wrong: 'assembly: { name: shop, tags: *tags }\n',
    right: 'x-tags: &tags { cost: a }\nassembly: { name: shop, tags: *tags }\n',
  },
  {
    id: 'ONE1008',
    code: 'alias-cycle',
    meaning: 'An alias inside its own anchor would be a value that contains itself.',
    wrong: `${SHOP}x-tags: &tags { cost: *tags }\n`,
    right: `${SHOP}x-tags: &tags { cost: a }\n`,
  },
  {
    id: 'ONE1009',
    code: 'too-many-aliases',
    meaning: 'Aliases repeat what they refer to. Together they make the file larger than 10,000 values.',
    wrong: `${SHOP}x-a: &a [${'1,'.repeat(199)}1]\nx-b: [${'*a,'.repeat(59)}*a]\n`,
    right: `${SHOP}x-a: &a [1, 1]\nx-b: [*a, *a]\n`,
  },
  {
    id: 'ONE1010',
    code: 'complex-key',
    meaning:
      'A key is a word. Lists, maps and aliases cannot be keys. A key such as {{cloud}} belongs to a template that has to be rendered first.',
    wrong: `${SHOP}variables: { [a]: x }\n`,
    right: `${SHOP}variables: { a: x }\n`,
  },
  {
    id: 'ONE1011',
    code: 'missing-key',
    meaning: 'There is a value without a key before its colon.',
    wrong: `${SHOP}variables:\n  : x\n`,
    right: `${SHOP}variables:\n  LEVEL: x\n`,
  },
  {
    id: 'ONE1012',
    code: 'reserved-key',
    meaning: '"__proto__" has a special meaning in JavaScript and cannot be a key.',
    wrong: `${SHOP}variables: { __proto__: x }\n`,
    right: `${SHOP}variables: { PROTO: x }\n`,
  },
  {
    id: 'ONE1013',
    code: 'merge-key',
    meaning:
      'The merge key "<<" takes a map or a list of maps, usually an alias. Quote it where it is an ordinary key.',
    wrong: 'assembly:\n  <<: shop\n  name: shop\n',
    right: 'x-all: &all { description: Web shop }\nassembly:\n  <<: *all\n  name: shop\n',
  },
  {
    id: 'ONE1014',
    code: 'unknown-tag',
    meaning: 'Only the tags of YAML itself are known, such as !!str. A file has functions instead: { fn::secret: … }.',
    wrong: `${SHOP}variables: { KEY: !secret x }\n`,
    right: `${SHOP}variables: { KEY: { fn::secret: x } }\n`,
  },
  {
    id: 'ONE1015',
    code: 'several-documents',
    meaning: 'A file contains one document. A stack can consist of several files instead.',
    wrong: `${SHOP}---\nvariables: { LEVEL: info }\n`,
    right: `${SHOP}variables: { LEVEL: info }\n`,
  },
  {
    id: 'ONE1016',
    code: 'yaml-version',
    meaning: 'Files are YAML 1.2 with the merge keys of YAML 1.1. Another version cannot be chosen.',
    wrong: `%YAML 1.1\n---\n${SHOP}`,
    right: SHOP,
  },
  {
    id: 'ONE1017',
    code: 'empty-file',
    meaning: 'The file contains nothing, or only comments.',
    wrong: '# later\n',
    right: SHOP,
  },
];

// ONE11xx: keys, their values, and names that must be unique.

export const VALUES: readonly Explanation[] = [
  {
    id: 'ONE1101',
    code: 'unknown-key',
    meaning: 'Nothing reads this key here. The hint names the nearest key that exists, or all of them.',
    wrong: 'assembly: { name: shop, onwer: team@acme.io }\n',
    right: 'assembly: { name: shop, owner: team@acme.io }\n',
  },
  {
    id: 'ONE1102',
    code: 'duplicate-key',
    meaning:
      'A map has each key once, and a name is declared in one file of a stack only. The hint says where the first one is.',
    wrong: `${SHOP}variables:\n  LEVEL: info\n  LEVEL: warn\n`,
    right: `${SHOP}variables:\n  LEVEL: warn\n`,
  },
  {
    id: 'ONE1103',
    code: 'required',
    meaning: 'A key is missing without which the thing cannot be created.',
    wrong: `${SHOP}platforms:\n  web: { description: Web }\n`,
    right: `${SHOP}platforms:\n  web: { description: Web, pack: oneops/tomcat:1 }\n`,
  },
  {
    id: 'ONE1104',
    code: 'given-twice',
    meaning: 'Two keys say the same thing, for example the version of a pack inside of "pack" and in "version".',
    wrong: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1, version: 1 }\n`,
    right: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1 }\n`,
  },
  {
    id: 'ONE1105',
    code: 'wrong-type',
    meaning: 'The value has another form than this key takes: a text, a whole number, true or false, a list, a map.',
    wrong: `${SHOP}platforms: [web]\n`,
    right: `${SHOP}${WEB}`,
  },
  {
    id: 'ONE1106',
    code: 'not-allowed',
    meaning: 'The key takes one of a few words. The hint names the nearest one, or all of them.',
    wrong: `${SHOP}environments:\n  prod: { availability: redundnat, deploy: false }\n`,
    right: `${SHOP}environments:\n  prod: { availability: redundant, deploy: false }\n`,
  },
  {
    id: 'ONE1107',
    code: 'out-of-range',
    meaning: 'A number is smaller or larger than the key takes.',
    wrong: `${SHOP}environments:\n  prod:\n    clouds: { east: { priority: 3 } }\n`,
    right: `${SHOP}environments:\n  prod:\n    clouds: { east: { priority: 1 } }\n`,
  },
  {
    id: 'ONE1108',
    code: 'bad-format',
    meaning: 'The text has another form than the key takes. The message says which.',
    wrong: `${SHOP}platforms: { web: { pack: oneops/tomcat/1 } }\n`,
    right: `${SHOP}${WEB}`,
  },
  {
    id: 'ONE1109',
    code: 'bad-name',
    meaning: 'The service accepts other names than this one. The message says which letters a name of this kind has.',
    wrong: `${SHOP}platforms: { web_shop: { pack: oneops/tomcat:1 } }\n`,
    right: `${SHOP}platforms: { web-shop: { pack: oneops/tomcat:1 } }\n`,
  },
  {
    id: 'ONE1110',
    code: 'reserved-name',
    meaning: 'The service uses this word in its addresses, so nothing can have it as its name.',
    wrong: `${SHOP}platforms: { manifest: { pack: oneops/tomcat:1 } }\n`,
    right: `${SHOP}platforms: { manifests: { pack: oneops/tomcat:1 } }\n`,
  },
  {
    id: 'ONE1114',
    code: 'duplicate-item',
    meaning: 'Lists of clouds and of links name each of them once.',
    wrong: `${SHOP}platforms:
  web: { pack: oneops/tomcat:1, links: [db, db] }
  db: { pack: oneops/mysql:1 }
`,
    right: `${SHOP}platforms:
  web: { pack: oneops/tomcat:1, links: [db] }
  db: { pack: oneops/mysql:1 }
`,
  },
  {
    id: 'ONE1115',
    code: 'unclear-component',
    meaning:
      'Below a template are either attributes of one component, or several components by name. Here it could be both. Write the component by its name below its template.',
    wrong: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components: { user: { deployer: } }
`,
    right: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components: { user: { deployer: { username: deployer } } }
`,
  },
  {
    id: 'ONE1116',
    code: 'two-values',
    meaning: 'A variable has either a plain value or a secret one.',
    wrong: `${SHOP}variables:\n  KEY: { value: a, encrypted_value: { fn::secret: b } }\n`,
    right: `${SHOP}variables:\n  KEY: { value: { fn::secret: b } }\n`,
  },
  {
    id: 'ONE1117',
    code: 'contradiction',
    meaning: 'Two settings exclude each other, for example a lower limit above the upper limit.',
    wrong: `${SHOP}${WEB}environments:
  prod:
    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { compute: { min: 5, max: 2 } } } }
`,
    right: `${SHOP}${WEB}environments:
  prod:
    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { compute: { min: 2, max: 5 } } } }
`,
  },
  {
    id: 'ONE1118',
    code: 'incomplete-address',
    meaning:
      'A function needs the names of everything that contains what it reads: for a platform its environment, too.',
    wrong: `${SHOP}variables:
  HOST:
    fn::invoke:
      function: getInstances
      arguments: { assembly: shop, platform: web }
      return: instances[0].name
`,
    right: `${SHOP}variables:
  HOST:
    fn::invoke:
      function: getInstances
      arguments: { assembly: shop, environment: prod, platform: web }
      return: instances[0].name
`,
  },
  {
    id: 'ONE1119',
    code: 'wrong-argument',
    meaning: 'A function cannot do with this argument what it does, for example read a text as JSON that is not JSON.',
    wrong: `${SHOP}variables: { FLAG: { fn::toJSON: { fn::fromJSON: '{beta' } } }\n`,
    right: `${SHOP}variables: { FLAG: { fn::toJSON: { fn::fromJSON: '{"beta":true}' } } }\n`,
  },
  {
    id: 'ONE1120',
    code: 'duplicate-name',
    meaning:
      'The service takes two names for one: of platforms, environments, components, clouds and relays that differ in case only, and of components, attachments and monitors anywhere in one platform.',
    wrong: `${SHOP}platforms: { web: { pack: oneops/tomcat:1 }, Web: { pack: oneops/mysql:1 } }\n`,
    right: `${SHOP}platforms: { web: { pack: oneops/tomcat:1 }, db: { pack: oneops/mysql:1 } }\n`,
  },
];

// ONE12xx: references, and names of things that are declared elsewhere.

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

// ONE13xx: what the packaged catalogue knows of packs, templates, classes and attributes.

export const CATALOGUE: readonly Explanation[] = [
  {
    id: 'ONE1301',
    code: 'unknown-pack',
    meaning:
      'The packaged catalogue has no such pack. A live service can have others: this is a warning, with oneops:catalogue: strict an error. "pulumi-oneops packs" lists the packaged ones.',
    wrong: `${SHOP}platforms: { web: { pack: oneops/tomact:1 } }\n`,
    right: `${SHOP}${WEB}`,
  },
  {
    id: 'ONE1302',
    code: 'unknown-version',
    meaning: 'The packaged catalogue has other versions of this pack. With oneops:catalogue: strict, this is an error.',
    wrong: `${SHOP}platforms: { web: { pack: oneops/tomcat:9 } }\n`,
    right: `${SHOP}${WEB}`,
  },
  {
    id: 'ONE1303',
    code: 'unknown-template',
    meaning:
      'The pack makes no component from this template. "pulumi-oneops packs NAME" lists its templates. Where the catalogue is that of the service, or oneops:catalogue is strict, this is an error.',
    wrong: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { tomact: {} } } }\n`,
    right: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { tomcat: {} } } }\n`,
  },
  {
    id: 'ONE1304',
    code: 'unknown-attribute',
    meaning:
      'The class has no attribute of this name. A name close to a known one is an error; another one is sent as it is, because the service can have newer classes.',
    wrong: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { compute: { sise: M } } } }\n`,
    right: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: M } } } }\n`,
  },
  {
    id: 'ONE1305',
    code: 'class-mismatch',
    meaning: 'TEMPLATE/CLASS names another class than the template makes. The template decides.',
    wrong: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { user/Compute: { deployer: { username: deployer } } } } }\n`,
    right: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { user/User: { deployer: { username: deployer } } } } }\n`,
  },
];

// ONE15xx: secrets in places where others can read them. ONE16xx: values that a stack sets.

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

// ONE17xx: words that make one file of several, and several things of one.

const SERVICE = `${SHOP}templates:
  service: { parameters: { size: { type: string } }, body: { pack: oneops/tomcat:1, components: { compute: { size: '\${param.size}' } } } }
`;
const TIER = `${SHOP}config: { tier: { type: string, default: dev } }\n`;

/** Templates of which each uses the next one four times. */
const DOUBLING = Array.from(
  { length: 12 },
  (_, index) =>
    `  t${index}: { body: { components: { ${['a', 'b', 'c', 'd'].map((name) => `${name}: { use: t${index + 1} }`).join(', ')} } } }\n`,
).join('');

export const COMPOSITION: readonly Explanation[] = [
  {
    id: 'ONE1701',
    code: 'no-template',
    meaning: '"use" names a template that no file of the stack declares under "templates".',
    wrong: `${SERVICE}platforms: { web: { use: servce, with: { size: M } } }\n`,
    right: `${SERVICE}platforms: { web: { use: service, with: { size: M } } }\n`,
  },
  {
    id: 'ONE1702',
    code: 'unknown-parameter',
    meaning: 'The template has no parameter of this name. The finding names the place of the template.',
    wrong: `${SERVICE}platforms: { web: { use: service, with: { size: M, sise: L } } }\n`,
    right: `${SERVICE}platforms: { web: { use: service, with: { size: L } } }\n`,
  },
  {
    id: 'ONE1703',
    code: 'use-missing',
    meaning: '"with" gives arguments to the template that "use" names; there is no "use" next to it.',
    wrong: `${SERVICE}platforms: { web: { with: { size: M } } }\n`,
    right: `${SERVICE}platforms: { web: { use: service, with: { size: M } } }\n`,
  },
  {
    id: 'ONE1707',
    code: 'each-missing',
    meaning: 'A key with ${each.key} needs "each" in its map, and an entry with "each" needs ${each.key} in its key.',
    wrong: `${SHOP}platforms: { '\${each.key}': { pack: oneops/tomcat:1 } }\n`,
    right: `${SHOP}platforms: { '\${each.key}': { each: [web, api], pack: oneops/tomcat:1 } }\n`,
  },
  {
    id: 'ONE1708',
    code: 'bad-condition',
    meaning:
      'A condition consists of comparisons (==, !=, <, <=, >, >=, in), and, or, not and parentheses. Texts are in quotes, and both sides of a comparison have one type.',
    wrong: `${TIER}platforms: { web: { when: '\${config.tier} == prod', pack: oneops/tomcat:1 } }\n`,
    right: `${TIER}platforms: { web: { when: "\${config.tier} != 'prod'", pack: oneops/tomcat:1 } }\n`,
  },
  {
    id: 'ONE1709',
    code: 'not-known-yet',
    meaning:
      'What a file declares is decided before the run, so only configuration and the names of stack and project can decide it: outputs of resources are known too late.',
    wrong: `${SHOP}platforms: { '\${each.key}': { each: '\${assembly.ciId}', pack: oneops/tomcat:1 } }\n`,
    right: `${SHOP}platforms: { '\${each.key}': { each: [web], pack: oneops/tomcat:1 } }\n`,
  },
  {
    id: 'ONE1710',
    code: 'secret-decides',
    meaning: 'A secret would be readable from what the file declares. Use a configuration value that is not secret.',
    wrong: `${SHOP}config: { key: { type: string, secret: true } }\nplatforms: { web: { when: "\${config.key} == 'a'", pack: oneops/tomcat:1 } }\n`,
    right: `${SHOP}config: { key: { type: string, default: a } }\nplatforms: { web: { when: "\${config.key} == 'a'", pack: oneops/tomcat:1 } }\n`,
    config: { key: 'a' },
  },
  {
    id: 'ONE1711',
    code: 'switched-off',
    meaning:
      'The name is that of something that its condition switches off, or that an overlay removes. Give the place that names it the same condition, or let the overlay change that place, too.',
    wrong: `${TIER}platforms: { web: { when: "\${config.tier} == 'prod'", pack: oneops/tomcat:1 } }\noutputs: { web: '\${platforms.web.ciId}' }\n`,
    right: `${TIER}platforms: { web: { when: "\${config.tier} == 'prod'", pack: oneops/tomcat:1 } }\noutputs: { web: { when: "\${config.tier} == 'prod'", value: '\${platforms.web.ciId}' } }\n`,
  },
  {
    id: 'ONE1712',
    code: 'unknown-overlay',
    meaning: 'The overlay that --overlay or oneops:overlay names is not in the file.',
    wrong: `${SHOP}${WEB}overlays: { pord: { assembly: { description: Production } } }\n`,
    right: `${SHOP}${WEB}overlays: { prod: { assembly: { description: Production } } }\n`,
    config: { 'oneops:overlay': 'prod' },
  },
  {
    id: 'ONE1713',
    code: 'nothing-to-remove',
    meaning: 'In an overlay, and next to "use", null removes a key. There is no such key. For an empty map, write {}.',
    wrong: `${SHOP}${WEB}overlays: { dev: { platforms: { wbe: ~ } } }\n`,
    right: `${SHOP}platforms: { web: { pack: oneops/tomcat:1 }, api: { pack: oneops/tomcat:1 } }\noverlays: { dev: { platforms: { api: ~ } } }\n`,
  },
  {
    id: 'ONE1715',
    code: 'too-many-entries',
    meaning:
      '"each" and templates make more than a stack can hold in memory, or more files are included than there can be. What is written out without "each" and templates does not count: write some of it so, or declare some platforms in another stack with an existing assembly.',
    wrong: `${SHOP}templates:\n${DOUBLING}  t12: { body: {} }\nplatforms: { web: { pack: oneops/tomcat:1, use: t0 } }\n`,
    right: `${SHOP}templates: { t: { body: { pack: oneops/tomcat:1 } } }\nplatforms: { web: { use: t } }\n`,
  },
  {
    id: 'ONE1716',
    code: 'misplaced-word',
    meaning:
      'A word of composition stands next to the things of a map. "each" stands inside the thing that it makes several of, whose name contains ${each.key}; "use" and "with" stand inside the thing that the template makes.',
    wrong: `${SHOP}platforms: { each: [orders, carts], pack: oneops/tomcat:1 }\n`,
    right: `${SHOP}platforms: { '\${each.key}': { each: [orders, carts], pack: oneops/tomcat:1 } }\n`,
  },
];

// What is known of one kind of finding next to the file in which it is found.

// ONE14xx: settings that have no effect, or another one than people expect.

const inProdAlone = (text: string): string => `${SHOP}${WEB}environments:\n  prod:\n${text}`;

export const EFFECTS: readonly Explanation[] = [
  {
    id: 'ONE1401',
    code: 'no-primary',
    meaning: 'An environment, and each of its platforms, needs a cloud that is active and has priority 1.',
    wrong: inProdAlone('    clouds: { east: { priority: 2 } }\n'),
    right: inProdAlone('    clouds: { east: { priority: 1 } }\n'),
  },
  {
    id: 'ONE1402',
    code: 'no-clouds',
    meaning: 'Nothing runs in an environment without clouds. Give it clouds, or say deploy: false.',
    wrong: inProdAlone('    description: Production\n'),
    right: inProdAlone('    clouds: [east]\n'),
  },
  {
    id: 'ONE1403',
    code: 'large-percentage',
    meaning:
      'pct_scale is the share of the wanted instances that a cloud gets. More than 100 percent makes more instances than wanted.',
    wrong: inProdAlone('    clouds: { east: { priority: 1, pct_scale: 150 } }\n'),
    right: inProdAlone('    clouds: { east: { priority: 1 }, west: { priority: 2, pct_scale: 50 } }\n'),
  },
  {
    id: 'ONE1404',
    code: 'nothing-to-scale',
    meaning:
      'A platform that is single in the environment has one instance of everything. Only a redundant one is scaled. An environment without availability is single.',
    wrong: inProdAlone(`    clouds: [east]
    availability: single
    platforms: { web: { scale: { compute: { current: 3 } } } }
`),
    right: inProdAlone(`    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { compute: { current: 3 } } } }
`),
  },
  {
    id: 'ONE1405',
    code: 'unused-field',
    meaning: 'The setting is read only together with another one, which is missing.',
    wrong: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute: { attachments: { motd: { path: /etc/motd, basic_auth_user: joe } } }
`,
    right: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute:
        attachments:
          motd: { path: /etc/motd, source: 'https://acme.io/motd', basic_auth_user: joe }
`,
  },
  {
    id: 'ONE1406',
    code: 'no-effect',
    meaning:
      'With "existing: true", a record belongs to somebody else: it is read and never written, so that its other settings have no effect.',
    wrong: 'assembly: { name: shop, existing: true, description: Web shop }\n',
    right: 'assembly: { name: shop, existing: true }\n',
  },
  {
    id: 'ONE1407',
    code: 'empty-entry',
    meaning: 'The name has no value, and nothing is said of it. Write its settings, or "{}" when it has none.',
    wrong: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components: { compute: { monitors: { load } } }
`,
    right: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components: { compute: { monitors: { load: { cmd: check_load } } } }
`,
  },
  {
    id: 'ONE1408',
    code: 'not-scalable',
    meaning:
      'The pack decides which components of a platform are scaled, usually compute: what runs on them has as many instances. A run would stop at any other one. With oneops:catalogue: strict, this is an error.',
    wrong: inProdAlone(`    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { tomcat: { current: 3 } } } }
`),
    right: inProdAlone(`    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { compute: { current: 3 } } } }
`),
  },
  {
    id: 'ONE1409',
    code: 'idle-setting',
    meaning:
      'Another setting of the same thing switches off what this one sets: healing of a platform that is down, thresholds of a check that does not run, the share of a cloud that is not active.',
    wrong: inProdAlone(`    clouds: [east]
    platforms: { web: { enabled: false, healing: { autorepair: true } } }
`),
    right: inProdAlone(`    clouds: [east]
    platforms: { web: { enabled: false } }
`),
  },
  {
    id: 'ONE1410',
    code: 'low-percentage',
    meaning:
      'pct_scale is a share of the instances that each cloud is to have. With one active cloud, the rest of them runs nowhere.',
    wrong: inProdAlone('    clouds: { east: { priority: 1, pct_scale: 50 } }\n'),
    right: inProdAlone('    clouds: { east: { priority: 1, pct_scale: 50 }, west: { priority: 1, pct_scale: 50 } }\n'),
  },
  {
    id: 'ONE1411',
    code: 'unused-declaration',
    meaning:
      'Templates, their parameters, configuration and names of environment variables are for the file itself, and nothing in it uses this one. In an included file, they can be for other stacks: nothing is reported there.',
    wrong: `${SHOP}${WEB}config: { size: { type: string, default: M } }\n`,
    right: `${SHOP}config: { size: { type: string, default: M } }
platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: '$\{config.size}' } } } }
`,
  },
  {
    id: 'ONE1412',
    code: 'constant-condition',
    meaning:
      'The condition depends on nothing, so that it is the same in every stack. "when: false" is right where an overlay changes it.',
    wrong: `${SHOP}platforms: { web: { pack: oneops/tomcat:1 }, db: { when: false, pack: oneops/mysql:1 } }\n`,
    right: `${SHOP}platforms: { web: { pack: oneops/tomcat:1 }, db: { when: false, pack: oneops/mysql:1 } }\noverlays: { prod: { platforms: { db: { when: true } } } }\n`,
  },
  {
    id: 'ONE1413',
    code: 'overlay-without-stack',
    meaning:
      'The overlay has nearly the name of a stack with settings in this folder (Pulumi.NAME.yaml), so that no stack uses it.',
    wrong: `${SHOP}${WEB}overlays: { pord: { assembly: { description: Production } } }\n`,
    right: `${SHOP}${WEB}overlays: { prod: { assembly: { description: Production } } }\n`,
  },
];
