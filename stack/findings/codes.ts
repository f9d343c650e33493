// Every kind of finding, by its code: what it means, with a file that has it and a file that is
// right. Ids are grouped by hundreds: 10 grammar, 11 values, 12 names, 13 catalogue, 14 effects,
// 15 secrets, 16 configuration, 17 composition, 18 old files.
import { CONVERSION_CODES, type ConversionCode } from './old-files';

/** One kind of finding. Both examples are complete files of the golden corpus. */
export interface Explanation {
  /** `ONE1207`: never changes and is never used again. */
  readonly id: string;
  /** Its word in `--format json`: `unknown-platform`. */
  readonly code: string;
  /** Its meaning and the remedy, as sentences. */
  readonly meaning: string;
  /** A file with this finding and no other. */
  readonly wrong: string;
  /** A file without findings that says what was meant. */
  readonly right: string;
  /** The configuration of the stack, for both. */
  readonly config?: { readonly [name: string]: string };
}

/** `example`: the wrong file and the right one, as a diff of words: `[-wrong-]{+right+}`. */
type Written = Omit<Explanation, 'code' | 'wrong' | 'right'> & { readonly example: string };

const explained = (codes: { readonly [code: string]: Written }): readonly Explanation[] =>
  Object.entries(codes).map(([code, { example, ...rest }]) => ({
    ...{ ...rest, code },
    wrong: example.replace(/\[-([^]*?)-\]|\{\+[^]*?\+\}/g, '$1'),
    right: example.replace(/\[-[^]*?-\]|\{\+([^]*?)\+\}/g, '$1'),
  }));

interface Group {
  readonly title: string;
  readonly explanations: readonly Explanation[];
}

/** First line of examples whose assembly does not matter. */
const SHOP = 'assembly: { name: shop }\n';

/** A platform for examples in which any will do. */
const WEB = 'platforms: { web: { pack: oneops/tomcat:1 } }\n';

// ONE10xx: texts that are no YAML, or YAML that a stack cannot mean.

const SYNTAX = explained({
  tab: {
    id: 'ONE1001',
    meaning: 'YAML indents with spaces. A tab looks like several of them and counts as none.',
    example: 'assembly:\n[-\t-]{+  +}name: shop\n',
  },
  'bad-indent': {
    id: 'ONE1002',
    meaning: 'All keys of one map start in the same column, and what belongs to a key starts to the right of it.',
    example: 'assembly:\n  [-  -]name: shop\n  owner: team@acme.io\n',
  },
  'bad-syntax': {
    id: 'ONE1003',
    meaning:
      'The text is not valid YAML. Often a text that contains ": " or starts with a special character has no quotes. After a mistake of the grammar, the rest of the file is not read.',
    example: "assembly:\n  name: shop\n  description: [-note: a shop-]{+'note: a shop'+}\n",
  },
  unclosed: {
    id: 'ONE1004',
    meaning:
      'A quote, a bracket or a brace is opened and never closed. The finding points at the place where it is opened.',
    example: 'assembly: { name: shop{+ }+}\n',
  },
  'unquoted-reference': {
    id: 'ONE1005',
    meaning: 'Between braces or brackets, YAML takes the brace of a reference for a map. Put the reference in quotes.',
    example: `config: { shop: { type: string, default: x } }
assembly: { name: shop, description: [-\${config.shop}-]{+'\${config.shop}'+} }
`,
  },
  'too-deep': {
    id: 'ONE1006',
    meaning: 'The file is nested more than 64 levels deep. No stack needs that.',
    example: `${SHOP}x-deep: [-${'['.repeat(65)}1${']'.repeat(65)}-]{+[[1]]+}\n`,
  },
  'unknown-alias': {
    id: 'ONE1007',
    meaning: 'An alias (*name) refers to an anchor (&name) that is written before it in the same file.',
    example: '{+x-tags: &tags { cost: a }\n+}assembly: { name: shop, tags: *tags }\n',
  },
  'alias-cycle': {
    id: 'ONE1008',
    meaning: 'An alias inside its own anchor would be a value that contains itself.',
    example: `${SHOP}x-tags: &tags { cost: [-*tags-]{+a+} }\n`,
  },
  'too-many-aliases': {
    id: 'ONE1009',
    meaning: 'Aliases repeat what they refer to. Together they make the file larger than 10,000 values.',
    example: `${SHOP}x-a: &a [[-${'1,'.repeat(199)}-]{+1, +}1]\nx-b: [[-${'*a,'.repeat(59)}-]{+*a, +}*a]\n`,
  },
  'complex-key': {
    id: 'ONE1010',
    meaning:
      'A key is a word. Lists, maps and aliases cannot be keys. A key such as {{cloud}} belongs to a template that has to be rendered first.',
    example: `${SHOP}variables: { [-[a]-]{+a+}: x }\n`,
  },
  'missing-key': {
    id: 'ONE1011',
    meaning: 'There is a value without a key before its colon.',
    example: `${SHOP}variables:\n  {+LEVEL+}: x\n`,
  },
  'reserved-key': {
    id: 'ONE1012',
    meaning: '"__proto__" has a special meaning in JavaScript and cannot be a key.',
    example: `${SHOP}variables: { [-__proto__-]{+PROTO+}: x }\n`,
  },
  'merge-key': {
    id: 'ONE1013',
    meaning:
      'The merge key "<<" takes a map or a list of maps, usually an alias. Quote it where it is an ordinary key.',
    example:
      '[-assembly:\n  <<: shop-]{+x-all: &all { description: Web shop }\nassembly:\n  <<: *all+}\n  name: shop\n',
  },
  'unknown-tag': {
    id: 'ONE1014',
    meaning: 'Only the tags of YAML itself are known, such as !!str. A file has functions instead: { fn::secret: … }.',
    example: `${SHOP}variables: { KEY: [-!secret x-]{+{ fn::secret: x }+} }\n`,
  },
  'several-documents': {
    id: 'ONE1015',
    meaning: 'A file contains one document. A stack can consist of several files instead.',
    example: `${SHOP}[----\n-]variables: { LEVEL: info }\n`,
  },
  'yaml-version': {
    id: 'ONE1016',
    meaning: 'Files are YAML 1.2 with the merge keys of YAML 1.1. Another version cannot be chosen.',
    example: `[-%YAML 1.1\n---\n-]${SHOP}`,
  },
  'empty-file': {
    id: 'ONE1017',
    meaning: 'The file contains nothing, or only comments.',
    example: '[-# later-]{+assembly: { name: shop }+}\n',
  },
});

// ONE11xx: keys, their values, and names that must be unique.

const VALUES = explained({
  'unknown-key': {
    id: 'ONE1101',
    meaning: 'Nothing reads this key here. The hint names the nearest key that exists, or all of them.',
    example: 'assembly: { name: shop, [-onwer-]{+owner+}: team@acme.io }\n',
  },
  'duplicate-key': {
    id: 'ONE1102',
    meaning:
      'A map has each key once, and a name is declared in one file of a stack only. The hint says where the first one is.',
    example: `${SHOP}variables:\n  LEVEL: [-info\n  LEVEL: -]warn\n`,
  },
  required: {
    id: 'ONE1103',
    meaning: 'A key is missing without which the thing cannot be created.',
    example: `${SHOP}platforms:\n  web: { description: Web{+, pack: oneops/tomcat:1+} }\n`,
  },
  'given-twice': {
    id: 'ONE1104',
    meaning: 'Two keys say the same thing, for example the version of a pack inside of "pack" and in "version".',
    example: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1[-, version: 1-] }\n`,
  },
  'wrong-type': {
    id: 'ONE1105',
    meaning: 'The value has another form than this key takes: a text, a whole number, true or false, a list, a map.',
    example: `${SHOP}platforms: [-[web]-]{+{ web: { pack: oneops/tomcat:1 } }+}\n`,
  },
  'not-allowed': {
    id: 'ONE1106',
    meaning: 'The key takes one of a few words. The hint names the nearest one, or all of them.',
    example: `${SHOP}environments:\n  prod: { availability: [-redundnat-]{+redundant+}, deploy: false }\n`,
  },
  'out-of-range': {
    id: 'ONE1107',
    meaning: 'A number is smaller or larger than the key takes.',
    example: `${SHOP}environments:\n  prod:\n    clouds: { east: { priority: [-3-]{+1+} } }\n`,
  },
  'bad-format': {
    id: 'ONE1108',
    meaning: 'The text has another form than the key takes. The message says which.',
    example: `${SHOP}platforms: { web: { pack: [-oneops/tomcat/1-]{+oneops/tomcat:1+} } }\n`,
  },
  'bad-name': {
    id: 'ONE1109',
    meaning: 'The service accepts other names than this one. The message says which letters a name of this kind has.',
    example: `${SHOP}platforms: { [-web_shop-]{+web-shop+}: { pack: oneops/tomcat:1 } }\n`,
  },
  'reserved-name': {
    id: 'ONE1110',
    meaning: 'The service uses this word in its addresses, so nothing can have it as its name.',
    example: `${SHOP}platforms: { [-manifest-]{+manifests+}: { pack: oneops/tomcat:1 } }\n`,
  },
  'duplicate-item': {
    id: 'ONE1114',
    meaning: 'Lists of clouds and of links name each of them once.',
    example: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1, links: [db[-, db-]] }\n  db: { pack: oneops/mysql:1 }\n`,
  },
  'unclear-component': {
    id: 'ONE1115',
    meaning:
      'Below a template are either attributes of one component, or several components by name. Here it could be both. Write the component by its name below its template.',
    example: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components: { user: { deployer: {+{ username: deployer } +}} }
`,
  },
  'two-values': {
    id: 'ONE1116',
    meaning: 'A variable has either a plain value or a secret one.',
    example: `${SHOP}variables:\n  KEY: { value: [-a, encrypted_value: -]{ fn::secret: b } }\n`,
  },
  contradiction: {
    id: 'ONE1117',
    meaning: 'Two settings exclude each other, for example a lower limit above the upper limit.',
    example: `${SHOP}${WEB}environments:
  prod:
    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { compute: { min: [-5, max: 2-]{+2, max: 5+} } } } }
`,
  },
  'incomplete-address': {
    id: 'ONE1118',
    meaning:
      'A function needs the names of everything that contains what it reads: for a platform its environment, too.',
    example: `${SHOP}variables:
  HOST:
    fn::invoke:
      function: getInstances
      arguments: { assembly: shop, {+environment: prod, +}platform: web }
      return: instances[0].name
`,
  },
  'wrong-argument': {
    id: 'ONE1119',
    meaning: 'A function cannot do with this argument what it does, for example read a text as JSON that is not JSON.',
    example: `${SHOP}variables: { FLAG: { fn::toJSON: { fn::fromJSON: '{[-beta-]{+"beta":true}+}' } } }\n`,
  },
  'duplicate-name': {
    id: 'ONE1120',
    meaning:
      'The service takes two names for one: of platforms, environments, components, clouds and relays that differ in case only, and of components, attachments and monitors anywhere in one platform.',
    example: `${SHOP}platforms: { web: { pack: oneops/tomcat:1 }, [-Web-]{+db+}: { pack: oneops/mysql:1 } }\n`,
  },
});

// ONE12xx: references, and names of things that are declared elsewhere.

/** Two environments' worth of a platform in one: the frame of examples inside of an environment. */
const inProd = (text: string): string => `${SHOP}${WEB}environments:\n  prod:\n    clouds: [east]\n${text}`;

const REFERENCES = explained({
  'bad-reference': {
    id: 'ONE1201',
    meaning: 'Between "${" and "}" is a name such as config.size. Write "$${" where "${" is only text.',
    example: `${SHOP}variables: { NAME: '\${[-assembly name-]{+assembly.name+}}' }\n`,
  },
  'unclosed-reference': {
    id: 'ONE1202',
    meaning: 'A reference ends with "}". Write "$${" where "${" is only text.',
    example: `${SHOP}variables: { NAME: '\${assembly.name{+}+}' }\n`,
  },
  'unknown-reference': {
    id: 'ONE1203',
    meaning: 'The file declares nothing of this name, or the resource has no such output.',
    example: `${SHOP}variables: { NAME: '\${[-asembly.name-]{+assembly.name+}}' }\n`,
  },
  'incomplete-reference': {
    id: 'ONE1204',
    meaning: 'The reference names a whole resource or a whole part of the file. A value is one of its outputs.',
    example: `${SHOP}variables: { NAME: '\${[-assembly-]{+assembly.name+}}' }\n`,
  },
  'undeclared-output': {
    id: 'ONE1205',
    meaning: 'Only arguments that the file declares can be referred to, because others are not read.',
    example: "assembly: { name: shop{+, owner: team@acme.io+} }\nvariables: { OWNER: '${assembly.owner}' }\n",
  },
  'no-reference': {
    id: 'ONE1206',
    meaning:
      'This value must be known before anything else is: options, declarations of configuration, file names, and names other than those of assemblies and environments are plain.',
    example: `${SHOP}config: { size: { type: string, default: [-'\${pulumi.stack}'-]{+M+} } }
variables: { SIZE: '\${config.size}' }
`,
  },
  'unknown-platform': {
    id: 'ONE1207',
    meaning:
      'The file declares no platform of this name. An environment only changes platforms of the design. In a file with `assembly: { existing: true }`, it names the platforms of the owner as they are, without declaring them.',
    example: inProd('    platforms: { [-wbe-]{+web+}: { enabled: false } }\n'),
  },
  'unknown-component': {
    id: 'ONE1208',
    meaning:
      'Neither the file nor the pack of the platform has a component of this name. In the design, a component of the pack that others depend on must be declared, too.',
    example: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user: { deployer: { username: deployer } }
      job: { nightly: { depends: [[-deploier-]{+deployer+}] } }
`,
  },
  'unknown-attachment': {
    id: 'ONE1209',
    meaning:
      'An environment changes attachments of the design and creates none. Declare it at the component of the platform.',
    example: `${SHOP}[-${WEB}-]{+platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute: { attachments: { motd: { path: /etc/motd, content: Hi } } }
+}environments:
  prod:
    clouds: [east]
    platforms: { web: { components: { compute: { attachments: { motd: { content: [-Hi-]{+Hello+} } } } } } }
`,
  },
  'unknown-monitor': {
    id: 'ONE1210',
    meaning:
      'An environment changes monitors of the design or of the pack and creates none. Monitors of the pack are called PLATFORM-COMPONENT-NAME.',
    example: inProd(
      '    platforms: { web: { components: { compute: { monitors: { [-load-]{+web-compute-load+}: { enable: false } } } } } }\n',
    ),
  },
  'unknown-variable': {
    id: 'ONE1211',
    meaning: 'An environment gives another value to a variable of the design and creates none.',
    example: `variables: { LEVEL: info }\n${inProd('    variables: { [-LEVELS-]{+LEVEL+}: warn }\n')}`,
  },
  'unknown-cloud': {
    id: 'ONE1212',
    meaning:
      'An environment uses clouds of the organization, or of the file, and its platforms those of the environment.',
    example: inProd('    platforms: { web: { clouds: { [-west-]{+east+}: { dpmt_order: 2 } } } }\n'),
  },
  'unknown-link': {
    id: 'ONE1213',
    meaning:
      'A platform links to other platforms of the file. The service would drop a link to a platform that does not exist.',
    example: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1, links: [[-bd-]{+db+}] }\n  db: { pack: oneops/mysql:1 }\n`,
  },
  'link-to-itself': {
    id: 'ONE1214',
    meaning: 'A platform cannot link to itself, and a component cannot depend on itself.',
    example: `${SHOP}platforms:\n  web: { pack: oneops/tomcat:1[-, links: [web]-] }\n`,
  },
  cycle: {
    id: 'ONE1215',
    meaning:
      'Things depend on each other in a circle, so that none of them can be created first; or a template or a file contains itself, perhaps through others. The message names every member of the circle.',
    example: `${SHOP}platforms:
  web: { pack: oneops/tomcat:1, links: [db] }
  db: { pack: oneops/mysql:1[-, links: [web]-] }
`,
  },
  'unknown-function': {
    id: 'ONE1216',
    meaning:
      'There is no function of this name. docs/yaml-options.md lists those of values, docs/functions.md those that send requests to the service.',
    example: `${SHOP}variables: { HOSTS: { fn::[-joint-]{+join+}: [',', [a, b]] } }\n`,
  },
  'unknown-return': {
    id: 'ONE1217',
    meaning: 'The function returns no value of this name.',
    example: `${SHOP}variables:
  ID: { fn::invoke: { function: getCloud, arguments: { name: east }, return: [-cid-]{+ciId+} } }
`,
  },
  'bad-return': {
    id: 'ONE1218',
    meaning: 'The name of a value of a result is written as in a reference, without "${": clouds[0].name.',
    example: `${SHOP}variables:
  ID: { fn::invoke: { function: getCloud, arguments: { name: east }, return: [-'ci id'-]{+ciId+} } }
`,
  },
  'unknown-property': {
    id: 'ONE1219',
    meaning: 'An option of Pulumi names a property that this resource does not have.',
    example: 'assembly: { name: shop, pulumi: { ignoreChanges: [[-onwer-]{+owner+}] } }\n',
  },
  'unreadable-file': {
    id: 'ONE1220',
    meaning:
      'A file that the stack reads does not exist, cannot be read, or is not UTF-8. Names are relative to the file that contains them.',
    example: `${SHOP}variables: { MOTD: { fn::readFile: [-mtod.txt-]{+motd.txt+} } }\n`,
  },
  'undeclared-env': {
    id: 'ONE1221',
    meaning:
      'A file reads only environment variables that it lists under "env" at its top, so that readers see what it depends on.',
    example: `${SHOP}env: [LEVEL]\nvariables: { LEVEL: { fn::env: [-LEVLE-]{+LEVEL+} } }\n`,
  },
  'unset-env': {
    id: 'ONE1222',
    meaning: 'The file reads an environment variable that is not set where the command runs.',
    example: `${SHOP}env: [[-REGION-]{+LEVEL+}]\nvariables: { LEVEL: { fn::env: [-REGION-]{+LEVEL+} } }\n`,
  },
  'unknown-action': {
    id: 'ONE1223',
    meaning:
      'A procedure runs an action of the class of its component, or an attachment of the component. A name close to a known one is an error, another one a warning.',
    example: inProd(
      '    procedures: { restart: { platform: web, component: tomcat, action: [-restrat-]{+restart+} } }\n',
    ),
  },
  'unknown-service-variable': {
    id: 'ONE1224',
    meaning:
      '$OO_GLOBAL{NAME} refers to a variable of the assembly, $OO_LOCAL{NAME} to one of the platform. The commit of an environment fails when there is none. A variable that somebody else made is not in the file, so this is a warning.',
    example: `${SHOP}variables: { SIZE: M }
platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: '$OO_GLOBAL{[-SISE-]{+SIZE+}}' } } } }
`,
  },
  'no-resource': {
    id: 'ONE1225',
    meaning:
      'The options "dependsOn", "parent", "deletedWith" and "replaceWith" name resources. The reference leads to a value, such as an output of a resource.',
    example: `${SHOP}platforms: { db: { pack: oneops/mysql:1 }, web: { pack: oneops/tomcat:1, pulumi: { dependsOn: ['\${[-platforms.db.ciId-]{+platforms.db+}}'] } } }\n`,
  },
});

// ONE13xx: what the packaged catalogue knows of packs, templates, classes and attributes.

const CATALOGUE = explained({
  'unknown-pack': {
    id: 'ONE1301',
    meaning:
      'The packaged catalogue has no such pack. A live service can have others: this is a warning, with oneops:catalogue: strict an error. "pulumi-oneops packs" lists the packaged ones.',
    example: `${SHOP}platforms: { web: { pack: [-oneops/tomact-]{+oneops/tomcat+}:1 } }\n`,
  },
  'unknown-version': {
    id: 'ONE1302',
    meaning: 'The packaged catalogue has other versions of this pack. With oneops:catalogue: strict, this is an error.',
    example: `${SHOP}platforms: { web: { pack: oneops/tomcat:[-9-]{+1+} } }\n`,
  },
  'unknown-template': {
    id: 'ONE1303',
    meaning:
      'The pack makes no component from this template. "pulumi-oneops packs NAME" lists its templates. Where the catalogue is that of the service, or oneops:catalogue is strict, this is an error.',
    example: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { [-tomact-]{+tomcat+}: {} } } }\n`,
  },
  'unknown-attribute': {
    id: 'ONE1304',
    meaning:
      'The class has no attribute of this name. A name close to a known one is an error; another one is sent as it is, because the service can have newer classes.',
    example: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { compute: { [-sise-]{+size+}: M } } } }\n`,
  },
  'class-mismatch': {
    id: 'ONE1305',
    meaning: 'TEMPLATE/CLASS names another class than the template makes. The template decides.',
    example: `${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { [-user/Compute-]{+user/User+}: { deployer: { username: deployer } } } } }\n`,
  },
});

// ONE15xx: secrets in places where others can read them. ONE16xx: values that a stack sets.

const SECRETS = explained({
  'masked-secret': {
    id: 'ONE1501',
    meaning:
      'An export contains a mask in place of each secret. Written back, it would replace the secret with the mask.',
    example: `{+config: { key: { type: string, secret: true } }
+}${SHOP}variables: { KEY: '[-::ENCRYPTED::-]{+\${config.key}+}' }
`,
    config: { key: 'k' },
  },
  'secret-in-file': {
    id: 'ONE1502',
    meaning:
      'A secret is written in clear, and everybody who can read the file knows it: the value of an attribute that the service encrypts, of a variable with the name of a secret, what follows such a name in a map, a list or a text (password=…), a private key, or an address with a password. A token, or a value that "config" declares as a secret, must not be in clear in Pulumi.yaml or Pulumi.STACK.yaml either. Set it with "pulumi config set --secret".',
    example: `{+config: { key: { type: string, secret: true } }
+}${SHOP}platforms: { db: { pack: oneops/mysql:1, components: { mysql: { password: [-hunter2-]{+'\${config.key}'+} } } } }
`,
    config: { key: 'k' },
  },
  'readable-secret': {
    id: 'ONE1503',
    meaning:
      'The service encrypts secret variables and some attributes. It keeps everything else as it is: everybody who can read the assembly could read a secret there.',
    example: `config: { key: { type: string, secret: true } }
[-assembly: { name: shop, description: '\${config.key}' }-]{+${SHOP}variables: { KEY: '\${config.key}' }+}
`,
    config: { key: 'k' },
  },
  'readable-variable': {
    id: 'ONE1504',
    meaning:
      'The name of the variable ends as those of secrets do, but its value is not a secret, so that the service keeps it readable. Declare the configuration that it refers to with "secret: true".',
    example: `config: { key: { type: string{+, secret: true+} } }\n${SHOP}variables: { API_TOKEN: '\${config.key}' }\n`,
    config: { key: 'k' },
  },
});

const CONFIGURATION = explained({
  'config-required': {
    id: 'ONE1601',
    meaning:
      'The file declares a value without a default, and the stack does not set it: pulumi config set NAME VALUE.',
    example: `config: { size: { type: string{+, default: M+} } }\n${SHOP}variables: { SIZE: '\${config.size}' }\n`,
  },
  'unknown-config': {
    id: 'ONE1602',
    meaning:
      'The settings of the stack, or Pulumi.yaml, give a name a value that "config" of the file does not declare. Nothing uses it: the name is misspelt, or the value is left over. "pulumi config rm NAME" removes it.',
    example: `config: { [-colour-]{+color+}: { type: string, default: red } }
${SHOP}variables: { COLOUR: '\${[-config.colour-]{+config.color+}}' }
`,
    config: { color: 'blue' },
  },
});

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

const COMPOSITION = explained({
  'no-template': {
    id: 'ONE1701',
    meaning: '"use" names a template that no file of the stack declares under "templates".',
    example: `${SERVICE}platforms: { web: { use: [-servce-]{+service+}, with: { size: M } } }\n`,
  },
  'unknown-parameter': {
    id: 'ONE1702',
    meaning: 'The template has no parameter of this name. The finding names the place of the template.',
    example: `${SERVICE}platforms: { web: { use: service, with: { size: [-M, sise: -]L } } }\n`,
  },
  'use-missing': {
    id: 'ONE1703',
    meaning: '"with" gives arguments to the template that "use" names; there is no "use" next to it.',
    example: `${SERVICE}platforms: { web: { {+use: service, +}with: { size: M } } }\n`,
  },
  'each-missing': {
    id: 'ONE1707',
    meaning: 'A key with ${each.key} needs "each" in its map, and an entry with "each" needs ${each.key} in its key.',
    example: `${SHOP}platforms: { '\${each.key}': { {+each: [web, api], +}pack: oneops/tomcat:1 } }\n`,
  },
  'bad-condition': {
    id: 'ONE1708',
    meaning:
      'A condition consists of comparisons (==, !=, <, <=, >, >=, in), and, or, not and parentheses. Texts are in quotes, and both sides of a comparison have one type.',
    example: `${TIER}platforms: { web: { when: [-'\${config.tier} == prod'-]{+"\${config.tier} != 'prod'"+}, pack: oneops/tomcat:1 } }\n`,
  },
  'not-known-yet': {
    id: 'ONE1709',
    meaning:
      'What a file declares is decided before the run, so only configuration and the names of stack and project can decide it: outputs of resources are known too late.',
    example: `${SHOP}platforms: { '\${each.key}': { each: [-'\${assembly.ciId}'-]{+[web]+}, pack: oneops/tomcat:1 } }\n`,
  },
  'secret-decides': {
    id: 'ONE1710',
    meaning: 'A secret would be readable from what the file declares. Use a configuration value that is not secret.',
    example: `${SHOP}config: { key: { type: string, [-secret: true-]{+default: a+} } }
platforms: { web: { when: "\${config.key} == 'a'", pack: oneops/tomcat:1 } }
`,
    config: { key: 'a' },
  },
  'switched-off': {
    id: 'ONE1711',
    meaning:
      'The name is that of something that its condition switches off, or that an overlay removes. Give the place that names it the same condition, or let the overlay change that place, too.',
    example: `${TIER}platforms: { web: { when: "\${config.tier} == 'prod'", pack: oneops/tomcat:1 } }
outputs: { web: [-'\${platforms.web.ciId}'-]{+{ when: "\${config.tier} == 'prod'", value: '\${platforms.web.ciId}' }+} }
`,
  },
  'unknown-overlay': {
    id: 'ONE1712',
    meaning: 'The overlay that --overlay or oneops:overlay names is not in the file.',
    example: `${SHOP}${WEB}overlays: { [-pord-]{+prod+}: { assembly: { description: Production } } }\n`,
    config: { 'oneops:overlay': 'prod' },
  },
  'nothing-to-remove': {
    id: 'ONE1713',
    meaning: 'In an overlay, and next to "use", null removes a key. There is no such key. For an empty map, write {}.',
    example: `${SHOP}platforms: { web: { pack: oneops/tomcat:1 }{+, api: { pack: oneops/tomcat:1 }+} }
overlays: { dev: { platforms: { [-wbe-]{+api+}: ~ } } }
`,
  },
  'too-many-entries': {
    id: 'ONE1715',
    meaning:
      '"each" and templates make more than a stack can hold in memory, or more files are included than there can be. What is written out without "each" and templates does not count: write some of it so, or declare some platforms in another stack with an existing assembly.',
    example: `${SHOP}[-templates:
${DOUBLING}  t12: { body: {} }
platforms: { web: { pack: oneops/tomcat:1, use: t0 } }-]{+templates: { t: { body: { pack: oneops/tomcat:1 } } }
platforms: { web: { use: t } }+}
`,
  },
  'misplaced-word': {
    id: 'ONE1716',
    meaning:
      'A word of composition stands next to the things of a map. "each" stands inside the thing that it makes several of, whose name contains ${each.key}; "use" and "with" stand inside the thing that the template makes.',
    example: `${SHOP}platforms: { [-each: [orders, carts], pack: oneops/tomcat:1-]{+'\${each.key}': { each: [orders, carts], pack: oneops/tomcat:1 }+} }\n`,
  },
});

// ONE14xx: settings that have no effect, or another one than people expect.

const inProdAlone = (text: string): string => `${SHOP}${WEB}environments:\n  prod:\n${text}`;

const EFFECTS = explained({
  'no-primary': {
    id: 'ONE1401',
    meaning: 'An environment, and each of its platforms, needs a cloud that is active and has priority 1.',
    example: inProdAlone('    clouds: { east: { priority: [-2-]{+1+} } }\n'),
  },
  'no-clouds': {
    id: 'ONE1402',
    meaning: 'Nothing runs in an environment without clouds. Give it clouds, or say deploy: false.',
    example: inProdAlone('    [-description: Production-]{+clouds: [east]+}\n'),
  },
  'large-percentage': {
    id: 'ONE1403',
    meaning:
      'pct_scale is the share of the wanted instances that a cloud gets. More than 100 percent makes more instances than wanted.',
    example: inProdAlone(
      '    clouds: { east: { priority: 1[-, pct_scale: 150-]{+ }, west: { priority: 2, pct_scale: 50+} } }\n',
    ),
  },
  'nothing-to-scale': {
    id: 'ONE1404',
    meaning:
      'A platform that is single in the environment has one instance of everything. Only a redundant one is scaled. An environment without availability is single.',
    example: inProdAlone(`    clouds: [east]
    availability: [-single-]{+redundant+}
    platforms: { web: { scale: { compute: { current: 3 } } } }
`),
  },
  'unused-field': {
    id: 'ONE1405',
    meaning: 'The setting is read only together with another one, which is missing.',
    example: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute:[- { attachments: { motd: { path: /etc/motd, basic_auth_user: joe } }-]{+
        attachments:
          motd: { path: /etc/motd, source: 'https://acme.io/motd', basic_auth_user: joe+} }
`,
  },
  'no-effect': {
    id: 'ONE1406',
    meaning:
      'With "existing: true", a record belongs to somebody else: it is read and never written, so that its other settings have no effect.',
    example: 'assembly: { name: shop, existing: true[-, description: Web shop-] }\n',
  },
  'empty-entry': {
    id: 'ONE1407',
    meaning: 'The name has no value, and nothing is said of it. Write its settings, or "{}" when it has none.',
    example: `${SHOP}platforms:
  web:
    pack: oneops/tomcat:1
    components: { compute: { monitors: { load{+: { cmd: check_load }+} } } }
`,
  },
  'not-scalable': {
    id: 'ONE1408',
    meaning:
      'The pack decides which components of a platform are scaled, usually compute: what runs on them has as many instances. A run would stop at any other one. With oneops:catalogue: strict, this is an error.',
    example: inProdAlone(`    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { [-tomcat-]{+compute+}: { current: 3 } } } }
`),
  },
  'idle-setting': {
    id: 'ONE1409',
    meaning:
      'Another setting of the same thing switches off what this one sets: healing of a platform that is down, thresholds of a check that does not run, the share of a cloud that is not active.',
    example: inProdAlone(
      '    clouds: [east]\n    platforms: { web: { enabled: false[-, healing: { autorepair: true }-] } }\n',
    ),
  },
  'low-percentage': {
    id: 'ONE1410',
    meaning:
      'pct_scale is a share of the instances that each cloud is to have. With one active cloud, the rest of them runs nowhere.',
    example: inProdAlone(
      '    clouds: { east: { priority: 1, pct_scale: 50 }{+, west: { priority: 1, pct_scale: 50 }+} }\n',
    ),
  },
  'unused-declaration': {
    id: 'ONE1411',
    meaning:
      'Templates, their parameters, configuration and names of environment variables are for the file itself, and nothing in it uses this one. In an included file, they can be for other stacks: nothing is reported there.',
    example: `${SHOP}[-${WEB}-]config: { size: { type: string, default: M } }
{+platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: '\${config.size}' } } } }
+}`,
  },
  'constant-condition': {
    id: 'ONE1412',
    meaning:
      'The condition depends on nothing, so that it is the same in every stack. "when: false" is right where an overlay changes it.',
    example: `${SHOP}platforms: { web: { pack: oneops/tomcat:1 }, db: { when: false, pack: oneops/mysql:1 } }
{+overlays: { prod: { platforms: { db: { when: true } } } }
+}`,
  },
  'overlay-without-stack': {
    id: 'ONE1413',
    meaning:
      'The overlay has nearly the name of a stack with settings in this folder (Pulumi.NAME.yaml), so that no stack uses it.',
    example: `${SHOP}${WEB}overlays: { [-pord-]{+prod+}: { assembly: { description: Production } } }\n`,
  },
});

/** All explanations, in the order of their ids. */
export const EXPLANATIONS: readonly Group[] = [
  { title: 'The text', explanations: SYNTAX },
  { title: 'Keys and values', explanations: VALUES },
  { title: 'Names and references', explanations: REFERENCES },
  { title: 'The catalogue', explanations: CATALOGUE },
  { title: 'Effects', explanations: EFFECTS },
  { title: 'Secrets', explanations: SECRETS },
  { title: 'Configuration', explanations: CONFIGURATION },
  { title: 'Composition', explanations: COMPOSITION },
];

const byWord = new Map(
  [...EXPLANATIONS.flatMap(({ explanations }) => explanations), ...CONVERSION_CODES].flatMap(
    (each): readonly (readonly [string, Explanation | ConversionCode])[] => [
      [each.code, each],
      [each.id, each],
    ],
  ),
);

/** The explanation of an id (`ONE1207`) or a word (`unknown-platform`). */
export const explanationOf = (word: string): Explanation | ConversionCode | undefined => byWord.get(word);
