// Runs a program in the SDK's language server, and turns its answers into messages that are shown
// once (engine-facts C).
import type { sendUnaryData } from '@grpc/grpc-js';
import * as server from '@pulumi/pulumi/automation/server';
import { RunResponse, type RunRequest } from '@pulumi/pulumi/proto/language_pb';
import log = require('@pulumi/pulumi/log');
import { at } from '../run/register';
import type { Prepared, RunResult } from './language-runtime';

/** The SDK's class; its types are not public. */
interface SdkLanguageServer {
  new (program: () => Promise<object>): {
    run(call: { readonly request: RunRequest }, callback: sendUnaryData<RunResponse>): Promise<unknown>;
  };
}

interface SdkLog {
  debug(this: void, message: string, ...more: readonly unknown[]): unknown;
}

/** Removes the engine's answers from debug messages: they contain clear secrets. */
export function withoutAnswers(sdk: SdkLog): void {
  const { debug } = sdk;
  sdk.debug = (message, ...more) => debug(String(message).replace(/\bresp: [^]*$/, 'resp: not shown'), ...more);
}

export function runProgram(
  request: RunRequest,
  engineAddress: string,
  { program, place }: Prepared,
): Promise<RunResult> {
  withoutAnswers(log);
  const { LanguageServer } = server as unknown as { readonly LanguageServer: SdkLanguageServer };
  // The SDK looks for the engine in the first argument of the run.
  request.setArgsList([engineAddress, ...request.getArgsList()]);
  return new Promise((resolve, reject) => {
    let failed = false;
    const answered: sendUnaryData<RunResponse> = (error, response) => {
      // The SDK calls back a second time after an error.
      if (failed) return;
      if (!error && response) return resolve({ response });
      failed = true;
      // The SDK logs unhandled errors a moment later: the answer then only ends the run.
      setImmediate(() =>
        resolve(
          log.hasErrors()
            ? { response: new RunResponse().setBail(true) }
            : { failure: error instanceof Error ? error.message : 'the program failed without saying why' },
        ),
      );
    };
    // The stack's own resource is registered before the first await.
    at(place, () => new LanguageServer(program).run({ request }, answered)).catch(reject);
  });
}
