// ONE14xx: settings that have no effect, or another one than people expect.
import { SHOP, WEB, type Explanation } from './explanation';

const inProd = (text: string): string => `${SHOP}${WEB}environments:\n  prod:\n${text}`;

export const EFFECTS: readonly Explanation[] = [
  {
    id: 'ONE1401',
    code: 'no-primary',
    meaning: 'An environment, and each of its platforms, needs a cloud that is active and has priority 1.',
    wrong: inProd('    clouds: { east: { priority: 2 } }\n'),
    right: inProd('    clouds: { east: { priority: 1 } }\n'),
  },
  {
    id: 'ONE1402',
    code: 'no-clouds',
    meaning: 'Nothing runs in an environment without clouds. Give it clouds, or say deploy: false.',
    wrong: inProd('    description: Production\n'),
    right: inProd('    clouds: [east]\n'),
  },
  {
    id: 'ONE1403',
    code: 'large-percentage',
    meaning:
      'pct_scale is the share of the wanted instances that a cloud gets. More than 100 percent makes more instances than wanted.',
    wrong: inProd('    clouds: { east: { priority: 1, pct_scale: 150 } }\n'),
    right: inProd('    clouds: { east: { priority: 1 }, west: { priority: 2, pct_scale: 50 } }\n'),
  },
  {
    id: 'ONE1404',
    code: 'nothing-to-scale',
    meaning:
      'A platform that is single in the environment has one instance of everything. Only a redundant one is scaled. An environment without availability is single.',
    wrong: inProd(`    clouds: [east]
    availability: single
    platforms: { web: { scale: { compute: { current: 3 } } } }
`),
    right: inProd(`    clouds: [east]
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
    wrong: inProd(`    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { tomcat: { current: 3 } } } }
`),
    right: inProd(`    clouds: [east]
    availability: redundant
    platforms: { web: { scale: { compute: { current: 3 } } } }
`),
  },
  {
    id: 'ONE1409',
    code: 'idle-setting',
    meaning:
      'Another setting of the same thing switches off what this one sets: healing of a platform that is down, thresholds of a check that does not run, the share of a cloud that is not active.',
    wrong: inProd(`    clouds: [east]
    platforms: { web: { enabled: false, healing: { autorepair: true } } }
`),
    right: inProd(`    clouds: [east]
    platforms: { web: { enabled: false } }
`),
  },
  {
    id: 'ONE1410',
    code: 'low-percentage',
    meaning:
      'pct_scale is a share of the instances that each cloud is to have. With one active cloud, the rest of them runs nowhere.',
    wrong: inProd('    clouds: { east: { priority: 1, pct_scale: 50 } }\n'),
    right: inProd('    clouds: { east: { priority: 1, pct_scale: 50 }, west: { priority: 1, pct_scale: 50 } }\n'),
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
