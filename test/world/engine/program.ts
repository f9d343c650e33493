// A program as data, for the host in program-host: what a test declares, and what the engine says it did with it.
import { join } from 'node:path';
import { REPOSITORY } from './engine';

/** One resource of a program; a resource is in place of a name as `{ resource: 'Platform::web' }`. */
export interface ProgramResource {
  readonly token: string;
  /** Logical name. */
  readonly name: string;
  readonly args: { readonly [argument: string]: unknown };
  readonly options?: { readonly [option: string]: unknown };
}

/** `Platform::web`: what a program's resources call each other. */
export const keyOf = ({ token, name }: Pick<ProgramResource, 'token' | 'name'>): string => `${token}::${name}`;

export const programFile = (resources: readonly ProgramResource[]): string => JSON.stringify(resources, undefined, 2);

/** Files of a project whose program lists these resources. */
export const programFiles = (resources: readonly ProgramResource[]): { readonly [path: string]: string } => ({
  'Pulumi.yaml': `name: story
runtime: program
plugins:
  languages:
    - name: program
      path: ${join(REPOSITORY, 'test', 'world', 'engine', 'program-host')}
`,
  'program.json': programFile(resources),
});

/** What the engine does, or would do, with one resource. */
export interface Step {
  /** `Platform::web` */
  readonly key: string;
  /** `create`, `update`, `replace`, `delete`, …: the engine's own words. */
  readonly op: string;
  /** Paths that differ: `attributes.username`. */
  readonly differs: readonly string[];
}

interface StepFacts {
  readonly op: string;
  readonly urn: string;
  readonly detailedDiff?: { readonly [path: string]: unknown } | null;
}

/** `urn:pulumi:dev::story::pulumi-nodejs:dynamic/oneops:Platform::web` → `Platform::web`; undefined for what is not ours. */
export const keyOfUrn = (urn: string): string | undefined => /oneops:(?:index:)?(\w+::.+)$/.exec(urn)?.[1];

const stepOf = ({ op, urn, detailedDiff }: StepFacts): readonly Step[] => {
  const key = keyOfUrn(urn);
  return key === undefined ? [] : [{ key, op, differs: Object.keys(detailedDiff ?? {}) }];
};

/** Steps of `pulumi up --json` or `destroy --json`, in the order they began: one event a line. */
export function stepsOfRun(stdout: string): readonly Step[] {
  const events = stdout.split('\n').filter((line) => line.startsWith('{'));
  return events.flatMap((line) => {
    const event = JSON.parse(line) as { readonly resourcePreEvent?: { readonly metadata: StepFacts } };
    return event.resourcePreEvent ? stepOf(event.resourcePreEvent.metadata) : [];
  });
}

/** Steps of `pulumi preview --json`: one document. */
export function stepsOfPreview(stdout: string): readonly Step[] {
  const { steps } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { readonly steps?: readonly StepFacts[] };
  return (steps ?? []).flatMap(stepOf);
}

/** Messages on rows of `pulumi up --json`, `destroy --json` or `preview --json`, of one severity or of all: one message each. */
export function messagesOfRun(output: string, severity?: string): readonly string[] {
  return [...diagnosticsIn(output), ...messagesOfPreview(output)]
    .filter((each) => severity === undefined || each.severity === severity)
    .map(({ message }) => message);
}

/** Messages that rows of `pulumi up --json` or `destroy --json` keep after the run, without its errors. */
export const noticesOfRun = (output: string): readonly string[] =>
  diagnosticsIn(output).flatMap(({ severity, message, ephemeral }) =>
    /^(info|warning)/.test(severity) && ephemeral !== true ? [message] : [],
  );

interface Message {
  readonly urn?: string;
  readonly severity: string;
  readonly message: string;
  readonly ephemeral?: boolean;
}

/** Messages on rows of a run with --json. */
export const diagnosticsIn = (output: string): readonly Message[] =>
  output.split('\n').flatMap((line) => {
    if (!line.startsWith('{"sequence"')) return [];
    const { diagnosticEvent } = JSON.parse(line) as { readonly diagnosticEvent?: Message };
    return diagnosticEvent ? [diagnosticEvent] : [];
  });

/** A preview prints one document, in lines. */
const messagesOfPreview = (output: string): readonly Message[] => {
  const start = output.indexOf('{\n');
  if (start < 0) return [];
  return (
    (JSON.parse(output.slice(start, output.lastIndexOf('}') + 1)) as { readonly diagnostics?: Message[] })
      .diagnostics ?? []
  );
};
