// ONE17xx: words that make one file of several, and several things of one.
import { SHOP, WEB, type Explanation } from './explanation';

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
