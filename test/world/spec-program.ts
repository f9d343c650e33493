// A stack of the stories as a program that the real engine runs: the resources that are registered in process, with resource objects in place of references.
import type { Inputs } from '../../provider';
import type { ProgramResource } from './engine';
import { isReference, type Declared } from './engine-simulation';
import { declaredOf, type StackSpec } from './stack-spec';

/** Resource options that a mark stands for: one of a record alone, which the engine would give to what is in it. */
const optionsOf = (mark: Declared['mark']): NonNullable<ProgramResource['options']> => ({
  ...(mark === 'protect' ? { protect: true } : {}),
  retainOnDelete: mark === 'retain',
});

/** The program of a stack, parents first. */
export function programOfSpec(spec: StackSpec): readonly ProgramResource[] {
  const declared = declaredOf(spec);
  const keys = new Set(declared.map(({ key }) => key));
  return declared.map((each) => ({
    token: each.token,
    name: each.key.slice(each.token.length + 2),
    args: argsOf(each, keys),
    options: optionsOf(each.mark),
  }));
}

/** Arguments without the parents that a nearer one knows. A link to what is not declared is named, as a person would name it. */
function argsOf({ args, after = [] }: Declared, keys: ReadonlySet<string>): Inputs {
  const all = Object.entries(args);
  const nearest = all.findLastIndex(([, value]) => isReference(value));
  return Object.fromEntries(
    all.flatMap(([name, value], index) => {
      if (isReference(value)) return [[name, { resource: value.from[0] }]];
      if (index < nearest) return [];
      if (name !== 'links' && name !== 'depends') return [[name, value]];
      const others = (value as readonly string[]).map((word, at) => {
        const resource = after[at] ?? '';
        return keys.has(resource) ? { resource } : word;
      });
      return [[name, others]];
    }),
  );
}
