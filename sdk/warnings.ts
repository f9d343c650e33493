// Warnings about declared resources: of the packaged catalogue, and about secrets in arguments that
// stay readable. The provider reports errors; stack files are judged where they are read.
import { warn } from '@pulumi/pulumi/log';
import { type Input, isSecret, Output, output } from '@pulumi/pulumi/output';
import { Resource } from '@pulumi/pulumi/resource';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import { rpcKeepAlive } from '@pulumi/pulumi/runtime/settings';
import type { Diagnostic } from '../api/contract';
import { catalogueAt, judge, type KnownCatalogue } from '../provider/kinds/catalogue';
import { openName } from '../provider';
import { readableSecret } from '../provider/secrets';
import { catalogueLevel, type CatalogueLevel } from '../provider/session/settings';
import { isPlainObject, UNKNOWN, type Values } from '../provider/values';
import { settingOf } from './provider';
import { type ProgramResource, valueOf } from './tree';

/** Judges a resource that was just declared. `parent`: what contains it, if declared. */
export function judgeDeclared(declared: ProgramResource, parent: ProgramResource | undefined): void {
  if (declared.of.judge === undefined) return;
  const level = settingOf(declared.provider, 'catalogue');
  const known = declared.provider ? undefined : catalogueAt(allConfig()['oneops:url'] ?? process.env['ONEOPS_URL']);
  const all = { level, known, args: namesLeftOut(declared.args), parent: parent && namesLeftOut(parent.args) };
  if (isComing(all)) void later(async () => tell(declared, (await settled(all)) as Judged));
  else tell(declared, all);
}

interface Judged {
  readonly level: unknown;
  readonly known: KnownCatalogue | undefined;
  readonly args: Values;
  readonly parent: Values | undefined;
}

/** Does something once a value exists; a program ends only after that. */
async function later(work: () => Promise<void>): Promise<void> {
  const done = rpcKeepAlive();
  try {
    await work();
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
  for (const finding of findings) warnOf(finding, resource);
}

/** A word that means nothing is reported by the provider. */
function levelOf(value: unknown): CatalogueLevel {
  const found = catalogueLevel(value);
  return 'word' in found ? found.word : 'auto';
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

/** The value once everything in it has come; unknown for what is not known, and for secrets. */
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

/** A part of an argument that may turn out to be a secret, and its path. */
interface Candidate {
  readonly path: readonly string[];
  readonly value: Input<unknown>;
}

/** Looks through a resource that was just declared; what does not exist yet is waited for. */
export function warnOfReadableSecrets(declared: ProgramResource): void {
  const candidates = Object.entries(declared.args).flatMap(([name, value]) => candidatesIn(declared, [name], value));
  if (candidates.length > 0) void later(() => report(declared, candidates));
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

async function report(declared: ProgramResource, candidates: readonly Candidate[]): Promise<void> {
  const { of, args, resource } = declared;
  const open = openName(of);
  const known = {
    type: await valueOf(args['type']),
    ...(open === undefined ? {} : { [open]: await valueOf(args[open]) }),
  };
  const warned = new Set<string>();
  for (const { path, value } of candidates) {
    const finding = (await isSecret(output(value))) ? readableSecret(of, path, known) : undefined;
    if (finding === undefined || warned.has(finding.message)) continue;
    warned.add(finding.message);
    warnOf(finding, resource);
  }
}

const warnOf = ({ message, hint }: Pick<Diagnostic, 'message' | 'hint'>, resource: Resource): void =>
  void warn(hint === undefined ? message : `${message}: ${hint}`, resource);
