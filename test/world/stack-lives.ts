// Lives of stacks as data: what a user declares in one run after the other, and what goes wrong
// meanwhile. Played in process (runs/edits), and some of them on the engine (engine/simulated).
import type { Api } from '../../api/client';
import { handOf } from './hand';
import { BOTH, CHANGED, DEPLOYER, DESIGN, EAST, MOTD, MOVED, ON_WEST, SHOP, SWAPPED, WEB, WEST } from './shop-spec';
import { helper, priorities, renamed, withCache, withComponents, withDeployer } from './shop-spec';
import { withoutWeb, withProd, withWeb } from './shop-spec';
import type { StackSpec, Variables } from './stack-spec';

/** One run. Unless it fails, all that is declared is there then, and nothing is left to do. */
export interface LifeRun {
  /** Nothing declared is a destroy. */
  readonly to?: StackSpec;
  /** What another user does before it. */
  readonly after?: (other: Api) => Promise<void>;
  readonly refresh?: true;
  /** Keys that leave the state before it, as from an export that was edited. */
  readonly forgets?: readonly string[];
  /** Whether the state is again the one from before the last run. */
  readonly restores?: true;
  /** Whether a preview comes first. */
  readonly previewed?: true;
  /** Keys of the only resources of the run, and those that depend on them. */
  readonly targets?: readonly string[];
  readonly dependents?: readonly string[];
  /** Deployments fail on records whose path contains this. */
  readonly failing?: string;
  /** The service refuses this route. */
  readonly refusing?: string;
  /** Why the run fails. */
  readonly fails?: RegExp;
  /** Why the run fails before it writes anything. */
  readonly refused?: RegExp;
  /** What a failed run deleted to replace it is pending: the engine forgets it without a step. */
  readonly isPending?: true;
  /** All that the run does. */
  readonly steps?: readonly string[];
  /** What the service holds afterwards, where it is not all that is declared, or the run fails. */
  readonly stands?: StackSpec;
}

interface StackLife {
  readonly title: string;
  readonly runs: readonly LifeRun[];
  /** The engine plays so many of the runs, too. */
  readonly onEngine?: number;
}

const life = (title: string, runs: readonly LifeRun[], onEngine?: number): StackLife => ({
  title,
  runs,
  ...(onEngine === undefined ? {} : { onEngine }),
});

/** Stacks that a user brings up one after the other. */
const ways = (title: string, ...stacks: readonly StackSpec[]): StackLife =>
  life(
    title,
    stacks.map((to) => ({ to })),
  );

const DB_ONLY: StackSpec = { ...withoutWeb(), platforms: { db: {} } };
const LET_GO: StackSpec = { ...SHOP, platforms: { ...SHOP.platforms, db: { existing: true } } };

/** Two platforms, two environments, two clouds. */
const TWO: StackSpec = {
  ...SHOP,
  environments: {
    staging: { clouds: EAST },
    prod: {
      clouds: priorities(1, 2),
      platforms: { web: { west: { pctScale: 50 } }, db: { west: { dpmtOrder: 2 }, east: { pctScale: 80 } } },
    },
  },
};
const EDITED = withDeployer({ attachments: { motd: { ...MOTD, content: 'bye' } } }, TWO);

const MORE = withCache({ pack: 'redisio' }, BOTH);
const LINKED = withProd({
  clouds: priorities(1, 2),
  platforms: { web: { west: { pctScale: 50 } }, db: { west: { pctScale: 40 }, east: { dpmtOrder: 3 } } },
});
const webAlone = (platforms: object): StackSpec =>
  withProd({ platforms: platforms as Record<string, never> }, { ...LINKED, platforms: { web: { ...WEB, links: [] } } });
const OWN = { east: { priority: 2, pctScale: 50 }, west: { priority: 1 } };

/** What is born with web, declared under a name, with an attachment. */
const born = (name: string): StackSpec =>
  withWeb({ components: { deployer: DEPLOYER, [name]: { attachments: { swap: { path: '/etc/swap' } } } } });
const TOMCAT = withWeb({ pack: 'tomcat' }, DESIGN);
const volumes = (size: string): StackSpec => ({
  platforms: { cache: { pack: 'redisio', components: { 'volume-log': { attributes: { size } } } } },
});

/** A platform whose pack has variables of its own. */
export const BARE = withWeb({ pack: 'play', links: [] }, { ...SHOP, platforms: { web: WEB } });
/** The same with variables of the assembly, of the platform and of the environment. */
export const variables = (assembly: Variables = {}, web: Variables = {}, prod: Variables = {}): StackSpec => ({
  ...withWeb({ variables: web }, withProd({ variables: prod }, BARE)),
  variables: assembly,
});
export const secret = (encryptedValue: string) => ({ encryptedValue });
/** The same, which a component reads. */
const reading = (prod: Variables): StackSpec =>
  withComponents(
    { deployer: { ...DEPLOYER, attributes: { username: '$OO_GLOBAL{USER}' } } },
    variables({ USER: secret('s3cret-one') }, {}, prod),
  );

const marked = (mark: 'protect' | 'retain'): StackSpec => withDeployer({ attachments: { motd: { ...MOTD, mark } } });
const RETAINED = { motd: { ...MOTD, mark: 'retain' } } as const;
const failed = (to: StackSpec): LifeRun => ({ to, failing: 'web/deployer', fails: /deployment \d+ failed[^]*no room/ });
const OTHERWISE = withDeployer({
  attributes: { username: 'robot' },
  attachments: { motd: { ...MOTD, content: 'bye' } },
});
const NO_USER = withWeb({ components: { compute: { attributes: { size: 'M' } } } });
const MOTD_KEY = 'Attachment::web/motd';
const IS_PROTECTED = /Attachment::web\/motd[^]*it is protected/;
const DEPENDENTS = ['DesignRelease::shop', 'Environment::prod', 'Deployment::prod'];

/** Maria changes a component of the design. */
async function resize(other: Api): Promise<void> {
  const maria = handOf(other);
  await maria.set('web/compute', { size: 'L' });
  await maria.commit();
}

/** The new cloud fails, and what runs stays. */
const onWestFails: LifeRun = { to: ON_WEST, failing: 'web/compute@west', fails: /no room/ };
const WEST_INACTIVE = { platforms: { web: { west: { adminstatus: 'inactive' } } } };

export const STACK_LIVES: readonly StackLife[] = [
  life(
    'the first up, and again, with a refresh too; an edit; what another user changed is repaired; less is declared',
    [
      { to: TWO },
      { to: TWO, steps: [] },
      { to: TWO, refresh: true, steps: [] },
      {
        to: EDITED,
        previewed: true,
        steps: [
          `update ${MOTD_KEY}`,
          'update DesignRelease::shop',
          ...['staging', 'prod'].map((name) => `update Environment::${name}`),
          ...['staging', 'prod'].map((name) => `update Deployment::${name}`),
        ],
      },
      { to: EDITED, after: resize, refresh: true },
      { to: withWeb({ components: { deployer: { ...DEPLOYER, attachments: {} } } }, TWO) },
      { to: withWeb({ components: {} }, TWO) },
    ],
    6,
  ),
  ways(
    'an adopted component with an attachment is given back, and the attachment no longer exists',
    withComponents({ compute: { attributes: { size: 'M' }, attachments: { swap: { path: '/etc/swap' } } } }),
    withWeb({ components: { deployer: DEPLOYER } }),
  ),
  life(
    'a running platform with its link and cloud configurations removed',
    [{ to: LINKED }, { to: webAlone({ web: { west: { pctScale: 50 } } }) }, { to: webAlone({}) }],
    2,
  ),
  ways('only a link removed, and only a link added', SHOP, withWeb({ links: [] }), SHOP),
  life(
    'a platform that comes later with cloud configurations; one of them removed',
    [
      { to: BOTH },
      { to: withProd({ platforms: { cache: { west: { pctScale: 50 }, east: { pctScale: 70 } } } }, MORE) },
      { to: withProd({ platforms: { cache: { east: { pctScale: 70 } } } }, MORE) },
      { to: withProd({ platforms: { cache: { west: { adminstatus: 'inactive' } } } }, MORE) },
      { to: withProd({ platforms: {} }, MORE) },
    ],
    3,
  ),
  ways('from one cloud to another, and back again', SHOP, ON_WEST, SHOP),
  ways('another cloud together with a change of the design and a new platform', SHOP, {
    ...withCache({}, CHANGED),
    environments: { prod: { clouds: WEST } },
  }),
  ways('priorities of the environment swapped, and back', BOTH, SWAPPED, BOTH),
  ways('a new cloud takes over the first place, and the old one stays', SHOP, SWAPPED),
  ...[priorities(2, 1), { west: { priority: 1 }, east: { priority: 2 } }].map((web) => {
    const own = withProd({ platforms: { web } }, BOTH);
    const back = withProd({ platforms: { web: priorities(1, 2) } }, BOTH);
    return ways(`priorities of one platform swapped: ${Object.keys(web)[0]} first`, BOTH, own, BOTH, own, back);
  }),
  ways(
    'priorities of one platform taken out in the other order than they were put in',
    withProd({ platforms: { web: priorities(1, 2) } }, SWAPPED),
    withProd({ platforms: {} }, SWAPPED),
  ),
  ...[ON_WEST, SHOP].map((end) =>
    life(
      `a deployment to another cloud fails, and the old one keeps running: ${end === ON_WEST ? 'mended' : 'taken back'}`,
      [{ to: SHOP }, onWestFails, ...(end === ON_WEST ? [onWestFails] : []), { to: end }],
    ),
  ),
  life('another cloud that would be inactive on one platform: refused, then taken back', [
    { to: SHOP },
    { to: withProd({ clouds: WEST, ...WEST_INACTIVE }), fails: /without a cloud/ },
    { to: SHOP },
  ]),
  life('one platform keeps a cloud that leaves as its only active one: refused', [
    { to: withProd({ clouds: priorities(1, 1), ...WEST_INACTIVE }) },
    {
      to: withProd({ clouds: WEST, ...WEST_INACTIVE }),
      refused: /without a cloud that is active with priority 1/,
    },
    { to: withProd({ clouds: priorities(1, 1), ...WEST_INACTIVE }) },
  ]),
  ways(
    'a cloud leaves together with the value that made the other one secondary on a platform',
    withProd({ clouds: priorities(1, 1), platforms: { web: { west: { priority: 2 } } } }),
    withProd({ clouds: WEST, platforms: {} }),
  ),
  life('a cloud leaves, and its configuration stays: refused, then taken back, or both leave', [
    { to: withProd(WEST_INACTIVE, BOTH) },
    { to: withProd({ clouds: EAST, ...WEST_INACTIVE }), previewed: true, fails: /"prod" has no cloud "west"/ },
    { to: withProd(WEST_INACTIVE, BOTH) },
    { to: withProd({ clouds: EAST }) },
  ]),
  life('a cloud that is not active is the only one: refused', [
    { to: SHOP },
    { to: withProd({ clouds: { west: { priority: 1, adminstatus: 'inactive' } } }), refused: /no cloud is active/ },
    { to: withProd({ clouds: {} }), refused: /no cloud is active/ },
    { to: SHOP },
  ]),
  life(
    'a deployment fails: retried, retried with a refresh, something else changed, taken back, and destroyed',
    [
      { to: SHOP },
      ...[failed(CHANGED), { to: CHANGED, steps: ['update Deployment::prod'] }],
      ...[failed(SHOP), { to: SHOP, refresh: true as const }],
      ...[failed(CHANGED), { to: OTHERWISE }],
      ...[failed(SHOP), { to: OTHERWISE }],
      ...[failed(SHOP), {}],
    ],
    9,
  ),
  life('a deployment fails the first time, and the environment is taken out: nothing ever ran', [
    { to: SHOP, failing: 'web/compute', fails: /no room/ },
    { to: DESIGN },
  ]),
  life('a deployment fails the first time, twice, and is repaired', [
    ...Array<LifeRun>(2).fill({ to: SHOP, failing: 'web/compute', fails: /no room/ }),
    { to: SHOP },
  ]),
  life(
    'targets: one attachment, and a destroy of it with its dependents',
    [
      { to: SHOP },
      { to: CHANGED, targets: [MOTD_KEY], steps: [`update ${MOTD_KEY}`] },
      { to: CHANGED },
      { targets: [MOTD_KEY], dependents: DEPENDENTS },
      { to: CHANGED },
    ],
    5,
  ),
  life(
    'what the state forgot stays in the service when it leaves the file; an older state that still has it is harmless',
    [
      { to: SHOP },
      { to: NO_USER, forgets: [MOTD_KEY, 'Component::web/deployer'], stands: SHOP },
      { to: SHOP },
      { to: NO_USER },
      { to: NO_USER, restores: true },
      { to: SHOP, restores: true, refresh: true },
    ],
    6,
  ),
  life(
    'a protected attachment leaves alone, with its component or with its platform: it is not deleted',
    [
      { to: marked('protect') },
      { to: withDeployer({ attachments: {} }), fails: IS_PROTECTED, stands: marked('protect') },
      ...[NO_USER, withoutWeb()].map((to) => ({
        to,
        fails: IS_PROTECTED,
      })),
      { to: marked('protect'), refresh: true },
    ],
    5,
  ),
  life(
    'a retained attachment stays, alone or below a platform that goes; a retained platform stays and runs',
    [
      { to: marked('retain') },
      { to: withDeployer({ attachments: {} }), stands: SHOP },
      { to: marked('retain') },
      { to: DB_ONLY },
      { to: withWeb({ mark: 'retain' }) },
      { to: DB_ONLY, stands: SHOP },
      { to: withWeb({ adopt: true }) },
      { to: SHOP },
    ],
    8,
  ),
  life(
    'a platform renamed while it runs, with its cloud configurations',
    [
      { to: withProd({ platforms: { web: OWN } }, withWeb({ logical: 'web' }, BOTH)) },
      { to: withProd({ platforms: { front: OWN } }, renamed(BOTH)) },
    ],
    2,
  ),
  ways(
    'a platform renamed, and back, and again: each time it is a platform that has not run yet',
    SHOP,
    renamed(SHOP),
    SHOP,
    renamed(SHOP),
  ),
  life(
    'a rename fails half way: taken back, and then mended',
    [
      { to: SHOP },
      { to: renamed(SHOP), refusing: 'platforms.create', fails: /no/ },
      { to: SHOP, isPending: true },
      { to: renamed(SHOP), refusing: 'platforms.create', fails: /no/ },
      { to: renamed(SHOP), isPending: true },
    ],
    5,
  ),
  life(
    'another pack where an environment runs the platform: refused in preview; made once the platform was gone',
    [
      { to: SHOP },
      { to: withWeb({ pack: 'tomcat' }), previewed: true, refused: /prod has it running/ },
      { to: SHOP },
      { to: withoutWeb() },
      // That is an outage: the platform was gone in between.
      { to: withWeb({ pack: 'tomcat' }), stands: withWeb({ pack: 'tomcat' }) },
    ],
    3,
  ),
  life(
    'a tear-down fails and says what; the next one leaves nothing',
    [{ to: SHOP }, { failing: 'web/deployer', fails: /deployment \d+ failed[^]*no room/ }, {}],
    3,
  ),
  life(
    'another pack without an environment cannot be made: taken back, and then mended',
    [
      { to: DESIGN },
      { to: TOMCAT, refusing: 'platforms.create', fails: /no/ },
      { to: DESIGN, isPending: true },
      { to: TOMCAT, refusing: 'platforms.create', fails: /no/ },
      { to: TOMCAT, isPending: true },
      {},
    ],
    6,
  ),
  ways('an attachment moved to another component, and back', helper(), MOVED, helper()),
  life(
    'a retained attachment does not move to another component: refused in preview; moved once it is not retained',
    [
      { to: withComponents({ deployer: { ...DEPLOYER, attachments: RETAINED } }, helper()) },
      {
        to: withComponents({ deployer: { ...DEPLOYER, attachments: {} } }, helper({ attachments: RETAINED })),
        previewed: true,
        refused: /retainOnDelete leaves it[^]*give the new one another name/,
      },
      { to: helper() },
      { to: MOVED },
    ],
    2,
  ),
  ways('another pack without an environment', DESIGN, TOMCAT),
  ways('what was declared for one born component is declared for another', born('compute'), born('os')),
  ways('an environment renamed: it is taken down and created again', SHOP, {
    ...SHOP,
    environments: { live: { clouds: EAST, logical: 'prod' } },
  }),
  ways('an assembly renamed: everything is taken down and created again', SHOP, {
    ...SHOP,
    assembly: 'store',
    logical: 'shop',
  }),
  ways('the last environments and an attachment removed together', SHOP, {
    ...withDeployer({ attachments: {} }),
    environments: {},
  }),
  ways('an environment is taken down and comes back', SHOP, DESIGN, SHOP),
  life('an environment whose attributes changed along with clouds that are refused is as it was, once taken back', [
    { to: SHOP },
    { to: withProd({ description: 'live', clouds: { nowhere: { priority: 1 } } }), fails: /no cloud "nowhere"/ },
    { to: SHOP },
  ]),
  life('an environment keeps what runs when its deployment says so, also when it said so only lately', [
    { to: SHOP },
    { to: withProd({ deploy: { onDelete: 'retain' } }) },
    { to: withProd({ deploy: false }), stands: SHOP },
  ]),
  life('a platform that was existing and is owned now goes when it leaves the file', [
    { to: SHOP },
    { to: LET_GO, stands: SHOP },
    { to: SHOP, stands: SHOP },
    { to: withWeb({ links: [] }, { ...SHOP, platforms: { web: WEB } }) },
  ]),
  life('a platform that becomes existing is let go, and stays when it leaves the file', [
    { to: SHOP },
    { to: LET_GO, stands: SHOP },
    { to: withWeb({ links: ['db'] }, { ...SHOP, platforms: { web: WEB } }), stands: withWeb({ links: ['db'] }) },
  ]),
  life('a pack version that does not exist is named', [
    { to: SHOP },
    { to: withWeb({ version: '7' }), fails: /7/ },
    { to: SHOP },
  ]),
  life('a link to a platform that does not exist is reported, and repaired in place', [
    { to: withWeb({ links: ['nowhere'] }, DESIGN), fails: /nowhere/ },
    { to: DESIGN },
  ]),
  life('a variable of an environment that the design does not have is reported', [
    { to: variables({}, {}, { LEVEL: 'warn' }), fails: /the environment has no variable "LEVEL"/ },
  ]),
  ways(
    "a variable of an environment's own goes, and follows the design again",
    variables({ LEVEL: 'info' }, {}, { LEVEL: 'warn' }),
    variables({ LEVEL: 'info' }),
    variables({ LEVEL: 'debug' }),
  ),
  ways(
    "a secret of the design is what an environment's own value gives way to, on the machines too",
    reading({ USER: 'prod' }),
    reading({}),
    reading({ USER: secret('s3cret-two') }),
    reading({}),
  ),
  ways(
    'a secret becomes plain, and a secret again',
    variables({ KEY: secret('s3cret-3') }, { KEY: secret('s3cret-four') }),
    variables({ KEY: 'plain' }, { KEY: 'plain' }, { KEY: secret('s3cret-5') }),
    variables({ KEY: secret('s3cret-6') }, { KEY: secret('s3cret-7') }, { KEY: 'plain' }),
  ),
  ways(
    'a component that the pack makes depend on another of its class is written all the same',
    volumes('5G'),
    volumes('6G'),
    { platforms: { cache: { pack: 'redisio' } } },
  ),
  ways(
    'components depend on each other, and no longer',
    helper({ depends: ['deployer'] }),
    helper({ depends: [] }),
    helper({ depends: ['deployer'] }),
  ),
];
