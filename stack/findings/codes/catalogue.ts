// ONE13xx: what the packaged catalogue knows of packs, templates, classes and attributes.
import { SHOP, WEB, type Explanation } from './explanation';

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
