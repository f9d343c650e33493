// What a program declares, by name: configuration, variables, resources, outputs.
// It must not know what is said of a resource, nor how a stack file is written.
import { kindOf, type Kind } from '../../provider';
import type { PclAttribute, Block, Expression, PclFault, Span, Statement } from './tree';

/** A resource of the program. */
export interface PclResource {
  /** The name that the program's expressions have for it. */
  readonly label: string;
  /** The name in the state. */
  readonly logicalName: string;
  readonly of: Kind;
  readonly block: Block;
  readonly args: ReadonlyMap<string, PclAttribute>;
  readonly options: readonly PclAttribute[];
}

/** A configuration value of the program. */
export interface PclConfig {
  readonly name: string;
  /** `string`, `list(string)`; empty where the program says none. */
  readonly type: string;
  readonly block: Block;
}

interface PclOutput {
  readonly name: string;
  readonly value: Expression;
}

/** The parts of a program. */
export interface DeclaredProgram {
  readonly config: ReadonlyMap<string, PclConfig>;
  readonly variables: ReadonlyMap<string, Expression>;
  readonly resources: ReadonlyMap<string, PclResource>;
  /** The complete names of other stacks, whose outputs the program reads. */
  readonly stacks: ReadonlyMap<string, Expression>;
  readonly outputs: readonly PclOutput[];
}

/** The parts of a program, and what a stack file has no place for. */
export function declaredIn(statements: readonly Statement[]): {
  readonly program: DeclaredProgram;
  readonly faults: readonly PclFault[];
} {
  const faults: PclFault[] = [];
  const report = ({ start, end }: Span, summary: string): void =>
    void faults.push({ severity: 'error', start, end, summary });
  const config = new Map<string, PclConfig>();
  const variables = new Map<string, Expression>();
  const resources = new Map<string, PclResource>();
  const stacks = new Map<string, Expression>();
  const outputs: PclOutput[] = [];
  const declared = (name: string): boolean => [config, variables, resources, stacks].some((map) => map.has(name));
  for (const each of statements) {
    if (each.form === 'attribute') {
      if (declared(each.name)) report(each, `${each.name} is declared twice`);
      else variables.set(each.name, each.value);
      continue;
    }
    const [label = '', type = ''] = each.labels;
    // Which version of a package is meant is no question here: a stack file has one provider.
    if (each.type === 'package' || each.type === 'pulumi') continue;
    if (label === '') report(each, `the block ${each.type} has no name`);
    else if (each.type !== 'output' && declared(label)) report(each, `${label} is declared twice`);
    else if (each.type === 'config')
      config.set(label, { name: plainTextOf(each, LOGICAL) ?? label, type, block: each });
    else if (each.type === 'output') {
      const value = attributeOf(each, 'value')?.value;
      if (value === undefined) report(each, `the output ${label} has no value`);
      else outputs.push({ name: plainTextOf(each, LOGICAL) ?? label, value });
    } else if (each.type === 'resource' && type === STACK_REFERENCE) {
      const name = {
        start: each.start,
        end: each.end,
        form: 'literal',
        value: plainTextOf(each, LOGICAL) ?? label,
      } as const;
      stacks.set(label, attributeOf(each, 'name')?.value ?? name);
    } else if (each.type === 'resource') {
      const resource = resourceOf(each, label, type, report);
      if (resource !== undefined) resources.set(label, resource);
    } else report(each, `a stack file has no ${each.type}: it declares resources of OneOps, configuration and outputs`);
  }
  return { program: { config, variables, resources, stacks, outputs }, faults };
}

const LOGICAL = '__logicalName';

const STACK_REFERENCE = 'pulumi:pulumi:StackReference';

/** The attribute of a block by name. */
export const attributeOf = ({ body }: Block, name: string): PclAttribute | undefined =>
  body.find((each): each is PclAttribute => each.form === 'attribute' && each.name === name);

/** The plain text of an attribute. */
export function plainTextOf(block: Block, name: string): string | undefined {
  const value = attributeOf(block, name)?.value;
  return value?.form === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

function resourceOf(
  block: Block,
  label: string,
  type: string,
  report: (at: Span, summary: string) => void,
): PclResource | undefined {
  const [, token] = /^oneops:(?:index[:/](?:\w+:)?)?(\w+)$/.exec(type) ?? [];
  const of = token === undefined ? undefined : kindOf(token);
  if (of === undefined) {
    report(
      block,
      `${label} is a resource of the type ${JSON.stringify(type)}: a stack file declares those of OneOps only`,
    );
    return undefined;
  }
  const args = new Map<string, PclAttribute>();
  const options: PclAttribute[] = [];
  for (const each of block.body) {
    if (each.form === 'attribute') {
      if (each.name !== LOGICAL) args.set(each.name, each);
    } else if (each.type === 'options') options.push(...each.body.filter((one) => one.form === 'attribute'));
    else report(each, `a resource has no block ${each.type}`);
  }
  return { label, logicalName: plainTextOf(block, LOGICAL) ?? label, of, block, args, options };
}
