// ONE11xx: keys, their values, and names that must be unique.
import { SHOP, WEB, type Explanation } from './explanation';

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
