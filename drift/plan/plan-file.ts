// A saved plan of the engine, as `pulumi preview --save-plan` writes it, as far as we read it, and the state that it starts from.
// The plan contains no start: what a step changes is in the state of the stack, as `pulumi stack export` prints it.
import { z } from 'zod';
import type { EngineState } from '../preview/document';

const values = z.record(z.string(), z.unknown());

const inputDiff = z.looseObject({
  adds: values.nullish(),
  updates: values.nullish(),
  deletes: z.array(z.string()).nullish(),
});

const resourcePlan = z.looseObject({
  goal: z.looseObject({ inputDiff: inputDiff.nullish() }).nullish(),
  steps: z.array(z.string()).nullish(),
  state: values.nullish(),
});

const planFile = z.looseObject({
  manifest: z.looseObject({ time: z.string(), version: z.string().optional() }),
  config: values.nullish(),
  resourcePlans: z.record(z.string(), resourcePlan),
});

/** What the engine plans for one resource. */
export type ResourcePlan = z.output<typeof resourcePlan>;
/** A saved plan. */
export type PlanFile = z.output<typeof planFile>;

/** Reads a saved plan: its JSON, parsed. Throws Error for anything else, without its text, which may contain secrets. */
export function readPlanFile(parsed: unknown): PlanFile {
  const read = planFile.safeParse(parsed);
  if (!read.success || Number.isNaN(Date.parse(read.data.manifest.time)))
    throw new Error('it is not a plan that "pulumi preview --save-plan" wrote');
  return read.data;
}

/** A resource of the state. */
export interface StartResource extends EngineState {
  readonly urn: string;
}

/** The state that a plan starts from. */
export interface PlanStart {
  /** When it was saved, in milliseconds since 1970; undefined when the export does not say. */
  readonly saved: number | undefined;
  readonly resources: ReadonlyMap<string, StartResource>;
  /** Operations of an interrupted run, whose end the state does not have. */
  readonly pending: readonly { readonly urn: string; readonly operation: string }[];
}

const start = z.looseObject({
  deployment: z.looseObject({
    manifest: z.looseObject({ time: z.string().optional() }).nullish(),
    resources: z
      .array(
        z.looseObject({
          urn: z.string(),
          id: z.string().optional(),
          inputs: values.nullish(),
          outputs: values.nullish(),
          delete: z.boolean().optional(),
          additionalSecretOutputs: z.array(z.string()).nullish(),
          sourcePosition: z.string().optional(),
        }),
      )
      .nullish(),
    pending_operations: z
      .array(z.looseObject({ resource: z.looseObject({ urn: z.string() }), type: z.string() }))
      .nullish(),
  }),
});

/** Reads an export: its JSON, parsed. Throws Error for what is no export of a stack. */
export function readStart(exported: unknown): PlanStart {
  const read = start.safeParse(exported);
  if (!read.success) throw new Error('it is not an export of a stack');
  const { manifest, resources, pending_operations: pending } = read.data.deployment;
  const saved = Date.parse(manifest?.time ?? '');
  const kept = (resources ?? []).filter((each) => each.delete !== true);
  return {
    saved: Number.isNaN(saved) ? undefined : saved,
    resources: new Map(kept.map((each) => [each.urn, each])),
    pending: (pending ?? []).map(({ resource, type }) => ({ urn: resource.urn, operation: type })),
  };
}
