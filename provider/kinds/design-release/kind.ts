// The DesignRelease kind: commits an assembly's design once per run (architecture §5, flows §5).
// It must not know the engine or the file that declares it.
import { routes } from '../../../api/contract';
import { control, leaving, noted, oneOf, set, silent, text, trigger } from '../../field';
import { kind } from '../../kind';
import { allOf, leavingIn, ownEnvironments, stampsOf } from '../../settled';
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
    /** Filled in: the stamps of our last writes. Another text has to be committed. */
    stamps: trigger(text()),
    /** Filled in: records of the state that left the file, which are deleted before the commit. */
    leaving: leaving(),
    /** Text on the release. */
    comment: noted(control(text())).optional(),
    /** What to do when another user's open changes would be committed, too. Default `fail`; `proceed` commits them, too, and discards nothing. */
    whenBusy: control(oneOf(['fail', 'wait', 'proceed'])).optional(),
    /** Filled in: what the deployments of the assembly accept. */
    accept: control(set()).optional(),
    /** Filled in: the environments of this stack. What it deletes, others may still run. */
    environments: silent(set()).optional(),
    /** Filled in by a refresh where others own the design: their newer release, which the next run takes over. */
    newer: trigger(text()).optional(),
  },
  commits: 'design',
  settles: {
    leaving: leavingIn('design'),
    stamps: stampsOf('design'),
    accept: allOf('Deployment', 'accept'),
    environments: ownEnvironments(false),
  },
  inherits: { whenBusy: ['Assembly'] },
  inFile: { path: 'design' },
  computed: {
    releaseId: 'int',
    /** Records that a run deleted before it failed. */
    taken: 'text',
  },
  verbs: designReleaseVerbs,
  sample: { create: { stamps: '' }, update: { stamps: 'unseen' } },
});
