// The document that `pulumi preview --json` prints, as far as we read it (engine-facts A §11).
// It must not know kinds, nor what becomes of it.
import { z } from 'zod';

const values = z.record(z.string(), z.unknown());

const state = z.looseObject({
  id: z.string().optional(),
  inputs: values.nullish(),
  outputs: values.nullish(),
  sourcePosition: z.string().optional(),
  additionalSecretOutputs: z.array(z.string()).nullish(),
});

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: state.nullish(),
  newState: state.nullish(),
  diffReasons: z.array(z.string()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
  detailedDiff: z.record(z.string(), z.looseObject({ kind: z.string().optional() })).nullish(),
});

const document = z.looseObject({
  config: z.record(z.string(), z.string()).nullish(),
  steps: z.array(step).nullish(),
  diagnostics: z
    .array(z.looseObject({ urn: z.string().optional(), message: z.string(), severity: z.string().optional() }))
    .nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

/** What the engine keeps of a resource, before or after. */
export type EngineState = z.output<typeof state>;
/** One step of the engine's plan. */
export type EngineStep = z.output<typeof step>;
/** A whole preview of the engine. */
export type EngineDocument = z.output<typeof document>;

/** Where a document begins in a text, which may have other lines before it; undefined when none does. */
export const documentStart = (text: string): number | undefined => /^\{/m.exec(text)?.index;

/** The document in a text, which may have other lines before it; undefined when there is none. */
export function readDocument(text: string): EngineDocument | undefined {
  const from = documentStart(text);
  if (from === undefined) return undefined;
  try {
    const read = document.safeParse(JSON.parse(text.slice(from)));
    const known = read.data?.steps ?? read.data?.diagnostics ?? read.data?.changeSummary;
    return known === undefined || known === null ? undefined : read.data;
  } catch {
    // Something that only begins like JSON: the caller shows it as it is.
    return undefined;
  }
}

/** Names in `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`; undefined for another text. */
export function parseUrn(
  urn: string,
): { readonly stack: string; readonly project: string; readonly type: string; readonly name: string } | undefined {
  const [, stack, project, types, name] = /^urn:pulumi:([^:]*)::([^:]*)::(.*?)::(.*)$/s.exec(urn) ?? [];
  if (stack === undefined || project === undefined || types === undefined || name === undefined) return undefined;
  return { stack, project, type: types.slice(types.lastIndexOf('$') + 1), name };
}

/** Kind's token in a type of ours: `Platform`; undefined for another type. */
export const tokenOf = (type: string): string | undefined =>
  /^(?:pulumi-nodejs:dynamic\/)?oneops:(?:index:)?(\w+)$/.exec(type)?.[1];
