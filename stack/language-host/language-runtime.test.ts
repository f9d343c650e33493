// Questions of the engine that this language has no answer for are refused with what to do instead.
import { status } from '@grpc/grpc-js';
import { languageRuntime } from './language-runtime';

const service = languageRuntime({
  version: '0.0.0',
  dependencies: {},
  prepare: () => ({ problem: 'not asked for' }),
  run: () => Promise.reject(new Error('not asked for')),
  install: () => Promise.resolve(undefined),
  stop: () => undefined,
});

test.each([
  ['generateProgram', 'pulumi-oneops export ASSEMBLY writes the stack file'],
  ['generateProject', 'pulumi-oneops convert reads'],
  ['generatePackage', 'takes no packages'],
])('%s', (method, advice) => {
  const answered = jest.fn();
  (service[method] as (call: unknown, callback: unknown) => void)({}, answered);
  expect(answered).toHaveBeenCalledWith({
    code: status.FAILED_PRECONDITION,
    details: expect.stringContaining(advice) as string,
  });
});
