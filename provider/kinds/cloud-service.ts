// The CloudService kind: what a cloud offers, made from a template (flows §3.10).
import { ENCRYPTED, routes, type Record as WireRecord } from '../../api/contract';
import { judgeCloudService } from './catalogue';
import { LifecycleError } from '../errors';
import { open, takingOver } from '../values/field';
import { kind, type Verbs, type Work } from '../kind';
import { didYouMean } from '../values/text';
import { isDeclared, memoryOf } from '../session';
import { createOrFind, crud, type Recording } from '../verbs/crud';
import { cloud, refuseUsed } from './cloud';
import type { Texts } from '../values/plain';

const recording: Recording = { wrapper: 'cms_ci', memberNames: [] };

/** Of several services of one name, the one that our last run knew, or the template's. */
async function isMeant(record: WireRecord, work: Work): Promise<boolean> {
  if (record.ciId === work.known?.['ciId']) return true;
  const all = await work.api.call(routes.cloudServices.list, { address: work.at });
  if (all.filter(({ ciName }) => ciName === record.ciName).length < 2) return true;
  const template = await templateRecord(work);
  return template === undefined || template.ciClassName === `mgmt.${record.ciClassName}`;
}

const plain = crud({ ...routes.cloudServices, isMeant }, recording);

const ALONE = ', or declare the cloud without the service, and run pulumi up without --target, which deletes it';

const cloudServiceVerbs: Verbs = {
  ...plain,

  async create(work) {
    const source = await templateRecord(work);
    if (source === undefined) throw await noTemplate(work);
    const { ciClassName, ciAttributes } = await templateOf(work, source);
    const texts = Object.entries(ciAttributes).flatMap(([name, text]) =>
      text === null || text === ENCRYPTED ? [] : [[name, text] as const],
    );
    const record = {
      ciName: nameOf(work),
      ...(ciClassName ? { ciClassName } : {}),
      ciAttributes: { ...Object.fromEntries(texts), ...work.wire },
    };
    const body = { cms_ci: record, mgmtCiId: String(source.ciId) };
    return createOrFind(
      work,
      (its) => plain.read(its),
      () => work.api.call(routes.cloudServices.create, { address: work.at, body }),
      recording,
    );
  },

  /** A service that leaves with its cloud stays while an environment uses the cloud, which stays, too. */
  async delete(work) {
    const around = memoryOf(work.session, cloud, { name: work.address['cloud'] ?? '' });
    if (!isDeclared(around) || around.replaced !== undefined) await refuseUsed(work, ALONE);
    await plain.delete(work);
  },

  base,
};

/** The template's values; blank for secrets, nothing without the template. */
async function base(work: Work): Promise<Texts> {
  const source = await templateRecord(work);
  if (source === undefined) return {};
  const { ciAttributes } = await templateOf(work, source);
  const texts = Object.entries(ciAttributes).map(([name, text]) => [name, text === ENCRYPTED ? '' : (text ?? '')]);
  return Object.fromEntries(texts) as Texts;
}

const nameOf = (work: Work): string => work.address['name'] ?? '';

/** Every template there is (service-facts §4.2). */
async function templates(work: Work): Promise<readonly WireRecord[]> {
  const byType = await work.api.call(routes.cloudServices.available, { address: work.at });
  return Object.values(byType).flat();
}

/** The template of the service's name; of several, that of the cloud's own location. */
async function templateRecord(work: Work): Promise<WireRecord | undefined> {
  const named = (await templates(work)).filter(({ ciName }) => ciName === nameOf(work));
  if (named.length < 2) return named[0];
  const cloud = await work.api.call(routes.clouds.read, { address: work.at });
  return named.find(({ nsPath }) => nsPath === cloud.ciAttributes['location']) ?? named[0];
}

/** The first values of a new service of a template. */
const templateOf = (work: Work, { ciId }: WireRecord) =>
  work.api.call(routes.cloudServices.template, { address: work.at, query: { mgmtCiId: String(ciId) } });

async function noTemplate(work: Work): Promise<LifecycleError> {
  const names = [...new Set((await templates(work)).map(({ ciName }) => ciName))].sort();
  return new LifecycleError(
    `there is no template "${nameOf(work)}" of cloud services`,
    `a service is named like its template: ${didYouMean(nameOf(work), names, `templates are ${names.join(', ')}`)}`,
  );
}

export const cloudService = kind({
  token: 'CloudService',
  description:
    'A service of a cloud: computes, DNS, load balancing, storage. Its name is the template it is made from; a cloud has one of each type.',
  path: routes.cloudServices.read.path,
  within: cloud,
  cascades: false,
  stage: 'none',
  found: { list: { route: routes.cloudServices.list, isReviewed: false } },
  fields: {
    attributes: open()
      .optional()
      .describe(
        "Attributes of its class, by the service's own names. What is not named keeps the template's value. Passwords and secrets are kept encrypted.",
      ),
    ...takingOver,
  },
  judge: judgeCloudService,
  inFile: { path: 'clouds.*.services.*' },
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
