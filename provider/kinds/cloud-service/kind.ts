// The CloudService kind: what a cloud offers to those who run on it, made from a template (flows §3.10).
// It must not know the engine or the file that declares it.
import { routes } from '../../../api/contract';
import { judgeCloudService } from '../../catalogue';
import { open, takingOver } from '../../field';
import { kind } from '../../kind';
import { cloudServiceVerbs } from './flow';
import { cloud } from '../cloud/kind';

/** A service of a cloud: computes, DNS, load balancing, storage. Its name is the template it is made from; a cloud has one of each type. */
export const cloudService = kind({
  token: 'CloudService',
  path: routes.cloudServices.read.path,
  named: true,
  within: cloud,
  cascades: true,
  stage: 'none',
  found: { list: { route: routes.cloudServices.list, isReviewed: false } },
  fields: {
    /** Attributes of its class, by the service's own names. What is not named keeps the template's value. Passwords and secrets are kept encrypted. */
    attributes: open().optional(),
    /** Take over a service of this name and write the declared values to it. */
    adopt: takingOver.adopt,
    /** Write declared values even when another user changed them since our last read. */
    overwrite: takingOver.overwrite,
  },
  judge: judgeCloudService,
  inFile: { path: 'clouds.*.services.*' },
  computed: {},
  verbs: cloudServiceVerbs,
  sample: {
    name: 'nova',
    create: {
      attributes: {
        endpoint: 'https://nova.acme.io',
        tenant: 'acme',
        username: 'deployer',
        password: 's3cret-one',
        max_instances: 20,
        env_vars: { HTTP_PROXY: 'http://proxy.acme.io' },
      },
    },
    update: {
      attributes: {
        endpoint: 'https://nova2.acme.io',
        tenant: 'acme',
        username: 'deployer',
        password: 's3cret-two',
        max_instances: 30,
        env_vars: {},
      },
    },
  },
});
