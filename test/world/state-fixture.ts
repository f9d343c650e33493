// State that a release wrote, kept for all later ones to read: what is kept of an export, and how it is laid over a newly filled service.

/** An export of a stack, as far as it matters here. */
export interface Exported {
  readonly version: number;
  readonly deployment: {
    readonly manifest?: unknown;
    readonly secrets_providers?: unknown;
    readonly resources: readonly ExportedResource[];
  };
}

interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Values;
  readonly outputs?: Values;
  readonly [member: string]: unknown;
}

interface Values {
  readonly [name: string]: unknown;
}

/** Members that hold the place of a machine or the time of a run, and that the engine does without. */
const OF_A_RUN = ['sourcePosition', 'stackTrace', 'created', 'modified'];

const KEPT_URL = 'http://127.0.0.1:9090';

/** Values a service gives by itself, in which two services filled alike differ: numbers, stamps, and what is made of them. */
const NUMBERED = [
  'ciId',
  'revision',
  'updated',
  'updatedBy',
  'releaseId',
  'deploymentId',
  'procedureId',
  'marked',
  'pulled',
  '__stamps',
  '__designRelease',
];

/** What is kept: without times and places of the run that made it. */
export function kept(exported: Exported, url: string): string {
  const { version, deployment } = exported;
  const resources = deployment.resources.map((resource) =>
    Object.fromEntries(Object.entries(resource).filter(([member]) => !OF_A_RUN.includes(member))),
  );
  const { secrets_providers } = deployment;
  const manifest = { time: '2026-01-05T00:00:00Z', magic: '', version: '' };
  const text = JSON.stringify({ version, deployment: { manifest, secrets_providers, resources } }, undefined, 1);
  return `${text.replaceAll(url, KEPT_URL)}\n`;
}

/** A kept state for another service: its values as they are, numbers and stamps those of that service's own state. */
export function renumbered(text: string, present: Exported, url: string): string {
  const before = JSON.parse(text.replaceAll(KEPT_URL, url)) as Exported;
  const now = new Map(present.deployment.resources.map((resource) => [resource.urn, resource]));
  const resources = before.deployment.resources.map((resource) => {
    const { inputs, outputs } = now.get(resource.urn) ?? {};
    return {
      ...resource,
      ...(resource.inputs ? { inputs: withNumbers(resource.inputs, inputs) } : {}),
      ...(resource.outputs ? { outputs: withNumbers(resource.outputs, outputs) } : {}),
    };
  });
  return JSON.stringify({ ...before, deployment: { ...before.deployment, resources } });
}

const withNumbers = (values: Values, numbered: Values = {}): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      NUMBERED.includes(name) && name in numbered ? numbered[name] : value,
    ]),
  );

/** What grows with the program and not with the resource: edges, and where it was declared. */
const OF_THE_PROGRAM = ['dependencies', 'propertyDependencies', 'stackTrace', 'sourcePosition'];

/** Bytes of a resource in an export, without what grows with the program: its edges, its place, and its members. */
export function bytesOf(resource: ExportedResource): number {
  const lean = (values: Values = {}): Values => ('__stamps' in values ? { ...values, __stamps: '' } : values);
  const own = Object.entries(resource).filter(([member]) => !OF_THE_PROGRAM.includes(member));
  const counted = { ...Object.fromEntries(own), inputs: lean(resource.inputs), outputs: lean(resource.outputs) };
  return Buffer.byteLength(JSON.stringify(counted));
}

/** Bytes of a resource in an export, as the engine writes it. */
export const wholeBytesOf = (resource: ExportedResource): number => Buffer.byteLength(JSON.stringify(resource));
