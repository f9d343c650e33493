// The EnvironmentComponent kind: the attributes of a component that differ from the design in one environment (service-facts §4.7.5, flows §3.13).
import { routes } from '../../../api/contract';
import { judgeComponent } from '../../catalogue';
import { fixed, member, open, takingOver, text, trigger } from '../../field';
import { kind } from '../../kind';
import { environmentComponentVerbs, searchComponents } from './flow';
import { environment } from '../environment/kind';

/** Attributes of a component that differ from the design in one environment. Attributes that are left out follow the design. */
export const environmentComponent = kind({
  token: 'EnvironmentComponent',
  path: routes.environmentPlatforms.component.path,
  id: '{assembly}/{environment}/{platform}/components/{component}',
  named: false,
  within: environment,
  distinguishedBy: 'type',
  cascades: true,
  stage: 'environment',
  found: { search: searchComponents },
  fields: {
    /** Template of the pack that it is made from. Needed when components of several templates have the name. */
    type: fixed(text()).optional(),
    /** Attributes of its class that differ in this environment, by the names that the service uses. */
    attributes: open().optional(),
    /** Free text on the record in this environment, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
    comments: member(text()).optional(),
    /** Any text: when it changes, the next deployment deploys the component again, even if nothing else of it changed. */
    touch: trigger(text()).optional(),
    ...takingOver,
  },
  impact: {
    deleted: {
      severity: 'medium',
      message: 'its attributes follow the design again',
      ofPack: 'its attributes follow the design again in this environment',
    },
  },
  inFile: {
    path: 'environments.*.platforms.*.components.*',
    onlyWhenSaid: true,
    apart: ['type', 'attributes'],
    given: ['touch'],
    written: ({ type, attributes = {} }) =>
      typeof type === 'string'
        ? { below: type, first: attributes as { readonly [name: string]: unknown }, omits: ['type', 'attributes'] }
        : { reason: 'its template is not known' },
  },
  computed: {},
  verbs: environmentComponentVerbs,
  judge: judgeComponent,
  sample: {
    create: {
      type: 'user',
      attributes: { username: 'deployer', sudoer: false, authorized_keys: ['ssh-rsa AAA'] },
      comments: 'made first',
    },
    update: {
      attributes: { username: 'robot', description: 'deploys', sudoer: true, authorized_keys: [] },
      comments: 'made later',
    },
  },
});
