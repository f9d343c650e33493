// Answers of the language host where the engine asks for code: a comment in place of a program, and packages, which
// a stack file does not need.
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import * as language from '@pulumi/pulumi/proto/language_pb';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering } from '../../provider/faces/engine';
import { STANDARD_FILE } from '../load';
import { documentText } from '../reader/yaml-text';

/** The code of `pulumi import`, and the stack file of `pulumi convert --language oneops`. */
const COMMENT =
  '# pulumi-oneops export --assembly NAME --environments writes the stack file of an assembly that exists\n';

/** The questions for code. */
export const generation: UntypedServiceImplementation = {
  generateProgram: answering(() => {
    const answer = new language.GenerateProgramResponse();
    answer.getSourceMap().set(STANDARD_FILE, Buffer.from(COMMENT));
    return answer;
  }),
  generateProject: answering((request: language.GenerateProjectRequest) => {
    const folder = request.getTargetDirectory();
    const { name } = JSON.parse(request.getProject()) as { readonly name?: unknown };
    mkdirSync(folder, { recursive: true });
    // The CLI reads the project that it asked for.
    writeFileSync(join(folder, 'Pulumi.yaml'), documentText({ name, runtime: 'oneops' }));
    writeFileSync(join(folder, STANDARD_FILE), COMMENT);
    return new language.GenerateProjectResponse();
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
