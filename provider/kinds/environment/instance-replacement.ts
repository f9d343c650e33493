// The InstanceReplacement kind: instances to recreate, once per trigger (flows §3.12).
import { type Instance, routes } from '../../../api/contract';
import { isApiError, orNone } from '../../../api/errors';
import type { Live } from '../../address/live';
import { LifecycleError } from '../../errors';
import { map, text, trigger, words } from '../../values/field';
import { kind, type Verbs, type Work } from '../../kind';
import { allInstances, wantedInstances } from '../../verbs/named-component';
import { textAt } from '../../values/plain';
import { act, resultOf } from '../../verbs/act';
import { mayBeThere } from '../../verbs/presence';
import { environment } from './kind';

const REPLACE = 'replace';

/** Marks, once. Before anything runs there is nothing to replace. */
async function mark(work: Work): Promise<Live> {
  const instances = await wantedInstances(work);
  if (instances.length === 0) work.notice('nothing runs there yet, so nothing is replaced');
  else await setMarks(work, instances, REPLACE);
  const now = work.session.clock.now();
  return resultOf('replacement', {
    stamp: String(now),
    updated: now,
    outputs: { marked: instances.map(({ ciId }) => ciId).join(',') },
  });
}

/** Sets the state of all of them or of none. A lost answer is settled by reading back. */
async function setMarks(work: Work, instances: readonly Instance[], state: string): Promise<void> {
  const ids = instances.map(({ ciId }) => String(ciId));
  try {
    await work.api.call(routes.operations.setInstancesState, { address: work.at, body: { ids, state } });
  } catch (error) {
    if (isRefusal(error)) throw refused(error);
    if (!mayBeThere(error)) throw error;
    const now = await allInstances(work);
    const isSet = ({ ciId, ciState }: Instance): boolean => !ids.includes(String(ciId)) || ciState === state;
    if (!now.every(isSet)) throw error;
  }
}

/** Every no reads as something that does not exist (service-facts §4.8). */
const isRefusal = (error: unknown): error is Error => isApiError(error) && [404, 422].includes(error.status);

const refused = (error: Error): LifecycleError =>
  new LifecycleError(
    `the service did not mark the instances: ${error.message}`,
    'a deployment that was planned and not carried out is in the way: retry or cancel it, then run pulumi up again',
  );

/** None, where the component no longer exists. */
async function instancesLeft(work: Work): Promise<readonly Instance[]> {
  return (await orNone(allInstances(work))) ?? [];
}

const instanceReplacementVerbs: Verbs = act({
  run: mark,

  /** Takes back marks without a deployment; in a sweep, all of the component. */
  async undo(work) {
    const ours = work.known && 'marked' in work.known ? textAt(work.known, 'marked').split(',') : undefined;
    const instances = await instancesLeft(work);
    const left = instances.filter(
      ({ ciId, ciState }) => ciState === REPLACE && (ours === undefined || ours.includes(String(ciId))),
    );
    if (left.length === 0) return;
    try {
      await setMarks(work, left, 'default');
    } catch (error) {
      if (!(error instanceof LifecycleError)) throw error;
      work.notice(`${left.map(({ ciName }) => ciName).join(', ')} will be replaced all the same: ${error.message}`);
    }
  },

  observe: ({ known }) =>
    resultOf('replacement', {
      stamp: textAt(known, 'revision'),
      updated: Number(known?.['updated'] ?? 0),
      outputs: { marked: textAt(known, 'marked') },
    }),
});

export const instanceReplacement = kind({
  token: 'InstanceReplacement',
  description:
    "Marks instances of a component to be recreated by the environment's deployment, which comes after it. Marks again when its triggers change.",
  path: '/{organization}/{assembly}/{environment}/{platform}/{component}/{replacement}',
  within: environment,
  stage: 'environment',
  fields: {
    instances: words('Names of the instances. Default: all of the component.', trigger),
    triggers: trigger(map())
      .optional()
      .describe('Values of any meaning: a change of them replaces the instances again.'),
  },
  impact: { applied: { severity: 'medium', message: 'its instances are deleted and created again' } },
  inFile: { path: 'environments.*.replacements.*', given: ['instances', 'triggers'] },
  computed: {
    marked: text().describe('Numbers of the instances it marked last, with commas between.'),
  },
  verbs: instanceReplacementVerbs,
  sample: { create: { triggers: { image: '1' } }, update: { triggers: { image: '2' } } },
});
