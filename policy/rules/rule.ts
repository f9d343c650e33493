// The form of a rule about single records, and what rules read of a record.
import * as z from 'zod';
import type { Kind } from '../../provider';
import { holdsUnknown } from '../../provider/values';

/** A declared record as a rule looks at it. */
export interface JudgedRecord {
  /** In the scope the record is in. */
  readonly kind: Kind;
  readonly id: string;
  readonly logicalName: string;
  /** Arguments, with the sentinel for unknowns in place of secrets and values of a run. */
  readonly args: { readonly [name: string]: unknown };
  /** Places in `args` that are secret. */
  readonly hidden: readonly (readonly string[])[];
  /** Whether the engine protects it from deletion; undefined where that is not known. */
  readonly isProtected?: boolean;
  /** Whether the run deletes it: its arguments are those that it had. */
  readonly leaves?: boolean;
}

export interface RuleBreach {
  /** A sentence without its subject and secrets: `has 1 active primary cloud; at least 2 …`. */
  readonly message: string;
  /** The argument it is about, for its line in a file: `['clouds', 'west']`. */
  readonly path?: readonly string[];
  /** Arguments that would satisfy the rule. */
  readonly remedy?: { readonly [name: string]: unknown };
}

/** What a rule may read in addition to the record. */
interface RuleContext {
  /** The time of a run or of a planned run; undefined where only what is declared counts. */
  readonly now?: Date;
}

export interface PolicyRule {
  /** `active-clouds` */
  readonly name: string;
  /** Kinds whose records it judges. Default: all. */
  readonly kinds?: readonly Kind[];
  /** What the rule demands, as a sentence. */
  readonly demands: string;
  /** Parameters by name, each with a description. */
  readonly parameters: z.ZodObject;
  /** Whether it judges deleted records, too, which `leaves` marks. Default: declared ones only. */
  readonly ofLeaving?: true;
  /** Whether any secret satisfies it. Else a secret in place of a value breaks the policy. */
  readonly secretsSatisfy?: true;
  /** Parameters, and stack files that break and satisfy the rule, for the reference and a test. */
  readonly sample: { readonly parameters: object; readonly wrong: string; readonly right: string };
  /** Throws ZodError for parameters that are not those of the rule. */
  judge(record: JudgedRecord, parameters: unknown, context: RuleContext): readonly RuleBreach[];
}

export function policyRule<P extends z.ZodObject>(
  literal: Omit<PolicyRule, 'parameters' | 'judge'> & {
    readonly parameters: P;
    /** A breach, several of them, or undefined for none. */
    judge(record: JudgedRecord, parameters: z.output<P>, context: RuleContext): RuleBreach | RuleBreach[] | undefined;
  },
): PolicyRule {
  return {
    ...literal,
    judge: (record, given, context) => [literal.judge(record, literal.parameters.parse(given), context) ?? []].flat(),
  };
}

/** The value of an argument, or the service's own one; undefined while it is not known. */
export function effectiveValue({ kind, args }: JudgedRecord, name: string): unknown {
  const value = args[name];
  if (holdsUnknown(value)) return undefined;
  const field = kind.fields[name];
  if (value !== undefined && value !== null) return value;
  return field?.shape.type === 'flag' ? field.base === 'true' : field?.base;
}

/** The same as text; undefined while it is not known, and for lists and maps. */
export function effectiveText(record: JudgedRecord, name: string): string | undefined {
  const value = effectiveValue(record, name);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** A rule that demands a value of an argument, and sets it as the remedy. */
export function demandsValue(
  literal: Pick<PolicyRule, 'name' | 'kinds' | 'demands' | 'sample'> & {
    readonly argument: string;
    readonly value: unknown;
    readonly message: string;
  },
): PolicyRule {
  const { argument, value, message, ...rule } = literal;
  const breach = { message, path: [argument], remedy: { [argument]: value } };
  return policyRule({
    ...rule,
    parameters: z.strictObject({}),
    judge: (record) => ([undefined, value].includes(effectiveValue(record, argument)) ? undefined : breach),
  });
}
