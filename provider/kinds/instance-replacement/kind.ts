// The InstanceReplacement kind: instances that the next deployment recreates, once per trigger (flows §3.12).
// It must not know the engine or the file that declares it.
import { map, set, trigger } from '../../field';
import { kind } from '../../kind';
import { instanceReplacementVerbs } from './flow';
import { environment } from '../environment/kind';

/** Marks instances of a component to be recreated by the environment's deployment, which comes after it. Marks again when its triggers change. */
export const instanceReplacement = kind({
  token: 'InstanceReplacement',
  path: '/{organization}/{assembly}/{environment}/{platform}/{component}/{replacement}',
  named: true,
  within: environment,
  cascades: true,
  stage: 'environment',
  fields: {
    /** Names of the instances. Default: all of the component. */
    instances: trigger(set()).optional(),
    /** Values of any meaning: a change of them replaces the instances again. */
    triggers: trigger(map()).optional(),
  },
  impact: { applied: { severity: 'medium', message: 'its instances are deleted and created again' } },
  inFile: { path: 'environments.*.replacements.*', given: ['instances', 'triggers'] },
  computed: {
    /** Numbers of the instances it marked last, with commas between. */
    marked: 'text',
  },
  verbs: instanceReplacementVerbs,
  sample: { create: { triggers: { image: '1' } }, update: { triggers: { image: '2' } } },
});
