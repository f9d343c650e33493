// Warnings of the packaged catalogue about what a program declares, logged with the resource. Errors are the provider's to report.
// It must not know any single kind, nor how resources are registered. Stack files are judged where they are read: there findings have lines.
import { warn } from '@pulumi/pulumi/log';
import { Output, type Input } from '@pulumi/pulumi/output';
import { Resource } from '@pulumi/pulumi/resource';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import { rpcKeepAlive } from '@pulumi/pulumi/runtime/settings';
import {
  catalogueAt,
  catalogueLevel,
  isPlainObject,
  judge,
  UNKNOWN,
  type CatalogueLevel,
  type KnownCatalogue,
} from '../provider';
import { catalogueOf } from './provider';
import type { ProgramResource } from './tree';

interface Values {
  readonly [name: string]: unknown;
}

/** Judges a resource that was just declared. `parent`: what it is in, where the program declares that. */
export function judgeDeclared(declared: ProgramResource, parent: ProgramResource | undefined): void {
  if (declared.of.judge === undefined) return;
  const level = declared.provider ? catalogueOf(declared.provider) : allConfig()['oneops:catalogue'];
  const known = declared.provider ? undefined : catalogueAt(allConfig()['oneops:url'] ?? process.env['ONEOPS_URL']);
  const all = { level, known, args: namesLeftOut(declared.args), parent: parent && namesLeftOut(parent.args) };
  if (isComing(all)) void judgeLater(declared, all);
  else tell(declared, all);
}

interface Judged {
  readonly level: unknown;
  readonly known: KnownCatalogue | undefined;
  readonly args: Values;
  readonly parent: Values | undefined;
}

/** Waits for what does not exist yet; a program ends only after that. What fails is reported by the registration. */
async function judgeLater(declared: ProgramResource, all: Judged): Promise<void> {
  const done = rpcKeepAlive();
  try {
    tell(declared, (await settled(all)) as Judged);
  } catch {
    // The same promise fails the registration of the resource, which says so.
  } finally {
    done();
  }
}

function tell({ of, resource }: ProgramResource, { level, known, args, parent }: Judged): void {
  const findings = judge(of, args, { level: levelOf(level), parent, known }).filter(
    ({ severity }) => severity === 'warning',
  );
  for (const { message, hint } of findings) void warn(hint === undefined ? message : `${message}: ${hint}`, resource);
}

/** A word that means nothing is reported by the provider. */
function levelOf(value: unknown): CatalogueLevel {
  const found = catalogueLevel(value);
  return 'level' in found ? found.level : 'auto';
}

/** Arguments without parents and references to other resources: the catalogue knows no records. */
const namesLeftOut = (args: Values): Values =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => !Resource.isInstance(value)));

function isComing(value: unknown): boolean {
  if (Output.isInstance(value) || value instanceof Promise) return true;
  if (Array.isArray(value)) return value.some(isComing);
  return isPlainObject(value) && !Resource.isInstance(value) && Object.values(value).some(isComing);
}

/** What the SDK keeps in an output. */
interface Kept {
  promise(): Promise<unknown>;
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
}

/** The value once everything in it has come; unknown in place of what a preview does not know, and of secrets. */
async function settled(value: unknown): Promise<unknown> {
  if (value instanceof Promise) return settled(await (value as Promise<Input<unknown>>));
  if (Output.isInstance(value)) {
    const { isKnown, isSecret } = value as unknown as Kept;
    const inner = await (value as unknown as Kept).promise();
    return (await isKnown) && !(await isSecret) ? settled(inner) : UNKNOWN;
  }
  if (Array.isArray(value)) return Promise.all(value.map(settled));
  if (!isPlainObject(value) || Resource.isInstance(value)) return value;
  const entries = Object.entries(value).map(async ([name, each]) => [name, await settled(each)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
