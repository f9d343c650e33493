// Replacements on the real engine: platforms renamed, packs changed, re-creates that fail, changes taken back.
import { SHOP, withoutWeb, withProd, withWeb } from '../conformance/shop-spec';
import type { StackSpec } from '../conformance/stack-spec';
import { chain } from './row-chain';

/** The platform web under another name, and the same logical name. */
const renamed = (of: StackSpec): StackSpec => {
  const { web, ...rest } = of.platforms ?? {};
  return { ...of, platforms: { front: { ...web, logical: 'web' }, ...rest } };
};

const ON_TWO = withProd({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
const OWN = { east: { priority: 2, pctScale: 50 }, west: { priority: 1 } };
const CONFIGURED = withProd({ platforms: { web: OWN } }, ON_TWO);
const CONFIGURED_FRONT = withProd({ platforms: { front: OWN } }, renamed(ON_TWO));

const DESIGN: StackSpec = { ...SHOP, environments: {} };
const TOMCAT = withWeb({ pack: 'tomcat' });
const TOMCAT_DESIGN = withWeb({ pack: 'tomcat' }, DESIGN);

// Staged deletes, which make a re-create wait for a commit, there are in the classic dialect alone.
chain('replacements', 1, [
  {
    title: 'a platform renamed while it runs, with its cloud configurations',
    from: CONFIGURED,
    play: async ({ upTo }) => {
      await upTo(CONFIGURED_FRONT);
      return CONFIGURED_FRONT;
    },
  },
  {
    title: 'the rename of a running platform fails half way; taken back, and then mended',
    from: SHOP,
    play: async ({ upTo, fails, refusing, mended }) => {
      refusing('platforms.create');
      await fails(renamed(SHOP), /no/);
      mended();
      await upTo(SHOP);
      refusing('platforms.create');
      await fails(renamed(SHOP), /no/);
      mended();
      await upTo(renamed(SHOP));
      return renamed(SHOP);
    },
  },
  {
    title: 'another pack while an environment has the platform: refused in preview, and nothing happens',
    from: SHOP,
    play: async ({ stack, upTo, fails }) => {
      const preview = await stack.preview(TOMCAT);
      expect([preview.code, preview.writes]).toEqual([1, []]);
      expect(preview.errors).toMatch(/prod has it running/);
      const { writes } = await fails(TOMCAT, /prod has it running/);
      expect(writes).toEqual([]);
      await upTo(SHOP);
      await upTo(withoutWeb());
      return withoutWeb();
    },
  },
  {
    title: 'a platform of another pack cannot be made; taken back, and then mended',
    from: DESIGN,
    play: async ({ upTo, fails, refusing, mended }) => {
      for (const end of [DESIGN, TOMCAT_DESIGN]) {
        refusing('platforms.create');
        await fails(TOMCAT_DESIGN, /no/);
        mended();
        await upTo(end);
      }
      return TOMCAT_DESIGN;
    },
  },
]);
