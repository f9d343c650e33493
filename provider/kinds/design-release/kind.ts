// The DesignRelease kind: commits an assembly's design once per run (architecture §5, flows §5).
// It must not know the engine or the file that declares it.
import { routes } from '../../../api/contract';
import { control, map, oneOf, text, trigger } from '../../field';
import { kind } from '../../kind';
import { MEMBER_TYPE } from '../../members';
import { membersOf } from '../../settled';
import { designReleaseVerbs } from './flow';
import { assembly } from '../assembly/kind';

/** The commit of an assembly's design: after every design resource, before every environment. */
export const designRelease = kind({
  token: 'DesignRelease',
  path: routes.assemblies.read.path,
  named: false,
  within: assembly,
  found: { search: () => Promise.resolve([{ address: {}, isGiven: false }]) },
  cascades: true,
  stage: 'none',
  fields: {
    /** Each declared design record's path below the assembly, and the revision of our last write of it. */
    members: trigger(map({ type: 'text', lenient: true, aside: MEMBER_TYPE })),
    /** Text on the release. */
    comment: control(text()).optional(),
    /** What to do when another user's open changes would be committed, too. Default `fail`; `cancel` commits them, too, and discards nothing. */
    whenBusy: control(oneOf(['fail', 'wait', 'cancel'])).optional(),
    /** Filled in by a refresh where others own the design: their newer release, which the next run takes over. */
    newer: trigger(text()).optional(),
  },
  commits: 'design',
  settles: { members: membersOf('design') },
  inherits: { whenBusy: ['Assembly'] },
  inFile: { path: 'design' },
  computed: { releaseId: 'int' },
  verbs: designReleaseVerbs,
  sample: { create: { members: {} }, update: { members: { 'no/path/of/ours': 'unseen' } } },
});
