// The example of the Pulumi Kubernetes Operator has only fields that its resource has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FOLDER = join(__dirname, '..', '..', 'examples', 'pipelines', 'pulumi-kubernetes-operator');

/** The fields of `spec` that the examples may use, with their types: docs/stacks.md of the operator's repository, pulumi.com/v1 Stack. */
const FIELDS: { readonly [field: string]: string } = {
  stack: 'string',
  projectRepo: 'string',
  repoDir: 'string',
  branch: 'string',
  serviceAccountName: 'string',
  refresh: 'boolean',
  continueResyncOnCommitMatch: 'boolean',
  resyncFrequencySeconds: 'number',
  destroyOnFinalize: 'boolean',
  backend: 'string',
  envRefs: 'object',
  workspaceTemplate: 'object',
};

interface Stack {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: { readonly [field: string]: unknown };
}

test.each(['stack.yaml', 'fleet.yaml'])('%s has only fields that a Stack has, of their types', (name) => {
  const read = parse(readFileSync(join(FOLDER, name), 'utf8')) as Stack & { readonly items?: readonly Stack[] };
  for (const { apiVersion, kind, spec } of read.items ?? [read]) {
    expect([apiVersion, kind]).toEqual(['pulumi.com/v1', 'Stack']);
    const types = Object.fromEntries(Object.entries(spec).map(([field, value]) => [field, typeof value]));
    const known = Object.fromEntries(Object.keys(spec).map((field) => [field, FIELDS[field]]));
    expect(types).toEqual(known);
    expect(spec).toMatchObject({ stack: expect.any(String) as string, branch: expect.any(String) as string });
    // Less than a minute is not supported.
    expect(spec['resyncFrequencySeconds'] ?? 60).toBeGreaterThanOrEqual(60);
  }
});
