// What the engine asks for as code: a stack file for what was imported or converted, and packages, of which a stack file needs none.
// It must not know how a program is read.
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Diagnostic } from '@pulumi/pulumi/proto/codegen/hcl_pb';
import * as language from '@pulumi/pulumi/proto/language_pb';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, engineDiagnostic } from '../../provider/engine';
import { STANDARD_FILE } from '../load';
import { stackOf, type PclNote } from '../pcl/stack-of';
import { documentText } from '../reader/yaml-text';
import { readTextFile } from '../text-file';

/** The questions for code. */
export const generation: UntypedServiceImplementation = {
  generateProgram: answering((request: language.GenerateProgramRequest) => {
    const { text, notes } = stackOf(
      ([...request.getSourceMap().toArray()] as [string, string][]).map(([name, source]) => ({ name, text: source })),
    );
    const answer = new language.GenerateProgramResponse();
    answer.getSourceMap().set(STANDARD_FILE, Buffer.from(text));
    answer.setDiagnosticsList(notes.map(noteOf));
    return answer;
  }),
  generateProject: answering((request: language.GenerateProjectRequest) => {
    const { text, notes } = stackOf(programIn(request.getSourceDirectory()));
    const folder = request.getTargetDirectory();
    mkdirSync(folder, { recursive: true });
    const project = JSON.parse(request.getProject()) as { readonly [key: string]: unknown };
    writeFileSync(join(folder, 'Pulumi.yaml'), documentText(ownProject(project)));
    writeFileSync(join(folder, STANDARD_FILE), text);
    const answer = new language.GenerateProjectResponse();
    answer.setDiagnosticsList(notes.map(noteOf));
    return answer;
  }),
  generatePackage: answering((request: language.GeneratePackageRequest) => {
    const { name } = JSON.parse(request.getSchema()) as { readonly name?: unknown };
    if (name !== 'oneops') throw new Error(OTHER_PACKAGE);
    // A stack file has the resources of OneOps without an SDK.
    return new language.GeneratePackageResponse();
  }),
  link: answering(() => {
    const answer = new language.LinkResponse();
    answer.setImportInstructions('A stack file has the resources of OneOps already: there is nothing to import.');
    return answer;
  }),
};

const OTHER_PACKAGE = [
  'a project of the language oneops takes no packages: a stack file declares resources of OneOps alone',
  '  a program in another language takes any package in addition to pulumi-oneops',
].join('\n');

/** The files of a converted program. Throws Error for one that cannot be read. */
const programIn = (folder: string): readonly { readonly name: string; readonly text: string }[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pp'))
    .sort()
    .map((name) => {
      const content = readTextFile(join(folder, name));
      if ('problem' in content) throw new Error(`cannot read ${name}: ${content.problem}`);
      return { name, text: content.text };
    });

/** A project of this language. The configuration that it declares is in the stack file; values of other namespaces stay. */
function ownProject({
  runtime: _,
  config,
  AdditionalKeys: __,
  ...project
}: {
  readonly [key: string]: unknown;
}): object {
  const others = Object.entries(config ?? {}).filter(([name]) => name.includes(':'));
  return {
    ...{ name: project['name'], runtime: 'oneops' },
    ...project,
    ...(others.length === 0 ? {} : { config: Object.fromEntries(others) }),
  };
}

/** After an error the CLI reports a bug in itself, although the files are written: all notes are warnings. */
const noteOf = ({ severity, summary, detail = '', at }: PclNote): Diagnostic =>
  engineDiagnostic({
    isError: false,
    summary: severity === 'error' ? `not converted: ${summary}` : summary,
    detail,
    at,
  });
