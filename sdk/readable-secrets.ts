// Warnings about secrets that a program gives to arguments which the service keeps readable, logged with the resource.
// It must not know any single kind. Stack files are looked through where they are read: there findings have lines.
import { warn } from '@pulumi/pulumi/log';
import { isSecret, output, Output, type Input } from '@pulumi/pulumi/output';
import { Resource } from '@pulumi/pulumi/resource';
import { rpcKeepAlive } from '@pulumi/pulumi/runtime/settings';
import { isPlainObject, openName, readableSecret } from '../provider';
import { valueOf, type ProgramResource } from './tree';

/** Something in an argument that may turn out to be a secret, and its path: `['attributes', 'environment']`. */
interface Candidate {
  readonly path: readonly string[];
  readonly value: Input<unknown>;
}

/** Looks through a resource that was just declared; what does not exist yet is waited for. */
export function warnOfReadableSecrets(declared: ProgramResource): void {
  const candidates = Object.entries(declared.args).flatMap(([name, value]) => candidatesIn(declared, [name], value));
  if (candidates.length > 0) void reportLater(declared, candidates);
}

function candidatesIn(declared: ProgramResource, path: readonly string[], value: unknown): readonly Candidate[] {
  if (Output.isInstance(value) || value instanceof Promise) return [{ path, value }];
  if (Resource.isInstance(value)) return [];
  if (Array.isArray(value)) return value.flatMap((item) => candidatesIn(declared, path, item));
  if (!isPlainObject(value)) return [];
  // An attribute is judged by itself, whatever is in it.
  const inner = path[0] === openName(declared.of) && path.length === 1;
  return Object.entries(value).flatMap(([key, item]) => candidatesIn(declared, inner ? [...path, key] : path, item));
}

async function reportLater(declared: ProgramResource, candidates: readonly Candidate[]): Promise<void> {
  const done = rpcKeepAlive();
  try {
    const { of, args, resource } = declared;
    const open = openName(of);
    const known = {
      type: await valueOf(args['type']),
      ...(open === undefined ? {} : { [open]: await valueOf(args[open]) }),
    };
    const told = new Set<string>();
    for (const { path, value } of candidates) {
      const finding = (await isSecret(output(value))) ? readableSecret(of, path, known) : undefined;
      if (finding === undefined || told.has(finding.message)) continue;
      told.add(finding.message);
      void warn(finding.hint === undefined ? finding.message : `${finding.message}: ${finding.hint}`, resource);
    }
  } catch {
    // The same promise fails the registration of the resource, which says so.
  } finally {
    done();
  }
}
