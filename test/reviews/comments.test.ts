// Comments that nobody declares: a review reports those that another user wrote, in the design and in an environment, in both dialects. One dialect
// stores them only together with another change of the record (service-facts §2.1.3), so that they come with one here.
import { DIALECTS, routes } from '../../api/contract';
import { acceptFindings, applyReversals, ignoring, planRevert, type Review } from '../../drift';
import { ACCEPTING, type Kept, keptOf, NO_RULES, revertingIn, reviewIn, rulesOf } from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const SHOP: StackSpec = {
  platforms: {
    web: { pack: 'custom', components: { deployer: { type: 'user', attributes: { username: 'deployer' } } } },
  },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};

const FILE = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/custom:1
    components:
      user:
        deployer:
          username: deployer
environments:
  prod:
    clouds: { east: { priority: 1 } }
    deploy: {}
`;

const WEB = { assembly: 'shop', platform: 'web' };

describe.each(DIALECTS)('%s: comments that nobody declares', (dialect) => {
  const world = eachWorld(dialect);
  let kept: readonly Kept[];

  beforeEach(async () => {
    const { stack, errors } = await run(world, emptyStack, resourcesOf(SHOP));
    expect(errors).toEqual([]);
    kept = keptOf(stack);
    world.clock.advance(1000);
  });

  const reviewed = (text = FILE): Promise<Review> => reviewIn(world, kept, { text });
  const short = ({ findings }: Review): readonly unknown[] =>
    findings.map(({ classification, severity, address, attribute, live, author }) => [
      `${severity} ${classification} ${address}${attribute === undefined ? '' : ` ${attribute}`}`,
      live?.is === 'value' ? live.value : undefined,
      author?.who,
    ]);
  /** An attribute of the component has to change with them where comments alone are lost. */
  const said = (ciName: string, comments: string, ciAttributes: { readonly [name: string]: string }) => ({
    body: { cms_dj_ci: { ciName, comments, ciAttributes: dialect === 'classic' ? ciAttributes : {} } },
  });

  test('of a record of the design that is declared', async () => {
    expect((await reviewed()).findings).toEqual([]);
    await world.other.call(routes.components.update, {
      address: { ...WEB, component: 'deployer' },
      ...said('deployer', 'leave alone', { ulimit: '9999' }),
    });
    const review = await reviewed();
    expect(short(review)).toEqual([['low unexpected acme/shop/web/deployer comments', 'leave alone', 'maria']]);
    expect([review.outcome, review.findings[0]?.at?.line]).toEqual(['drift', 7]);
    const rules = rulesOf(ignoring(NO_RULES, review.findings, { reason: 'known', owner: 'ann@acme.io' }));
    expect((await reviewIn(world, kept, { text: FILE, rules })).outcome).toBe('in-sync');
    const { files, refused } = acceptFindings(review.findings, [{ name: 'oneops.yaml', text: FILE }], ACCEPTING);
    expect([refused, files[0]?.text]).toEqual([
      [],
      FILE.replace('username: deployer\n', 'username: deployer\n          comments: leave alone\n'),
    ]);
    const context = revertingIn(world, FILE);
    const { reversals } = await planRevert(context, review.findings);
    await applyReversals(context, reversals);
    const left = (await world.api.call(routes.components.read, { address: { ...WEB, component: 'deployer' } }))
      .comments;
    expect(left).toBe(dialect === 'classic' ? 'leave alone' : '');
  });

  test('of a component that came with the pack', async () => {
    await world.other.call(routes.components.update, {
      address: { ...WEB, component: 'compute' },
      ...said('compute', 'leave alone', { size: 'XL' }),
    });
    expect(short(await reviewed())).toEqual([['medium undeclared acme/shop/web/compute', undefined, 'maria']]);
  });

  test('of a component in an environment', async () => {
    const address = { ...WEB, environment: 'prod', component: 'deployer' };
    await world.other.call(routes.environmentPlatforms.updateComponent, {
      address,
      ...said('deployer', 'leave alone', { ulimit: '9999' }),
    });
    const found = short(await reviewed()).filter((each) => JSON.stringify(each).includes('comments'));
    expect(found).toEqual([['low unexpected acme/shop/prod/web/components/deployer comments', 'leave alone', 'maria']]);
  });
});
