// The EnvironmentComponent kind: attributes of a component in one environment (flows §3.13).
import { routes, templatesOfClass, type Record as WireRecord } from '../../../api/contract';
import type { Live } from '../../address/live';
import { judgeComponent } from '../catalogue';
import { LifecycleError } from '../../errors';
import { fixed, commented, open, takingOver, text, trigger } from '../../values/field';
import { kind, type Verbs, type Work } from '../../kind';
import { textAt, entryNames } from '../../values/plain';
import { liveOf, restamped } from '../../verbs/live';
import { askTemplate, declaredTemplate, isOfTemplate, platformText } from '../../verbs/named-component';
import { classTail, numberedAddress, readRecord, type Readable } from '../../verbs/records';
import { writtenBelowTemplate } from '../component';
import { environment } from './kind';
import { type Named, overlayVerbs, searchPlatforms } from './overlay';

const { environmentPlatforms } = routes;

const nameOf = (work: Work): string => String(work.address['component']);

/** The template that is declared here, in the design, or that the last run declared. */
const typeIn = (work: Work): string | undefined =>
  textAt(work.args, 'type') || textAt(work.known, 'type') || declaredTemplate(work, nameOf(work));

/** Whether a component is the declared one: when several have the name, by its template. */
async function isMeant(record: WireRecord, work: Work): Promise<boolean> {
  const type = typeIn(work);
  if (type === undefined || record.ciId === work.known?.['ciId'] || (await isOfTemplate(work, record, type)))
    return true;
  // A template of environments only is not in the design, so it may make this class.
  return !(await askTemplate(work, type)).ciClassName;
}

const components: Readable = {
  read: environmentPlatforms.component,
  list: environmentPlatforms.components,
  isMeant,
};

/** The verbs of records read the name from the argument `name`. */
const find = (work: Work): Promise<WireRecord | undefined> =>
  readRecord({ ...work, address: { ...work.address, name: nameOf(work) } }, components, ['dependsOn', 'dependents']);

async function designed(work: Work, twin: Named): Promise<WireRecord | undefined> {
  const list = await work.api.call(routes.components.list, { address: work.at });
  return list.find((record) => record.ciName === twin.ciName && classTail(record) === classTail(twin));
}

/** The template of an undeclared component: of its name, or the only one of its class. */
async function typeOf(work: Work, record: WireRecord): Promise<string | undefined> {
  const { ciName } = record;
  const candidates = templatesOfClass(classTail(record));
  if (candidates.includes(ciName) || candidates.length === 0) return ciName;
  if (candidates.length === 1) return candidates[0];
  const made = await Promise.all(candidates.map(async (name) => (await askTemplate(work, name)).ciClassName));
  const fitting = candidates.filter((_, index) => classTail({ ciClassName: made[index] ?? '' }) === classTail(record));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Makes the next deployment deploy the component again when `touch` changed. */
async function touched(work: Work, live: Live): Promise<Live> {
  const touch = textAt(work.args, 'touch');
  if (touch === '' || touch === textAt(work.known, 'touch')) return live;
  const address = numberedAddress(work, components, live);
  const record = await work.api.call(environmentPlatforms.touchComponent, { address });
  const answer = { ...live, ...liveOf(record, { type: live.wire['type'] ?? null }), origin: live.origin };
  return restamped(answer, live, work.session.clock.now());
}

const environmentComponentVerbs: Verbs = overlayVerbs({
  find,
  designed,
  update: environmentPlatforms.updateComponent,
  addressOf: (work, record) => numberedAddress(work, components, record),
  ownName: 'component',
  missing: (work) =>
    new LifecycleError(
      `${platformText(work)} has no component "${nameOf(work)}"`,
      'name a component of the platform: an environment gives other values to attributes of a component that its design, or its pack, has there',
    ),
  declares: (args) => entryNames(args['attributes']),
  beside: async (work, record) => ({ type: typeIn(work) ?? (await typeOf(work, record)) ?? null }),
  afterWrite: touched,
});

/** Components of an environment's platforms that have their own values. */
const searchComponents = searchPlatforms('component', {
  there: environmentPlatforms.components,
  designed: routes.components.list,
  ownName: 'component',
});

export const environmentComponent = kind({
  token: 'EnvironmentComponent',
  description:
    'Attributes of a component that differ from the design in one environment. Attributes that are left out follow the design.',
  path: routes.environmentPlatforms.component.path,
  id: '{assembly}/{environment}/{platform}/components/{component}',
  named: false,
  within: environment,
  stage: 'environment',
  found: { search: searchComponents },
  fields: {
    type: fixed(text())
      .optional()
      .describe(
        'Template of the pack that it is made from. Needed when components of several templates have the name.',
      ),
    attributes: open()
      .optional()
      .describe("Attributes of its class that differ in this environment, by the service's names."),
    ...commented,
    touch: trigger(text())
      .optional()
      .describe('Any text: when it changes, the next deployment deploys the component again.'),
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
    written: writtenBelowTemplate,
  },
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
