// The adaptations to the SDK's dynamic host, and that they hold for the SDK that is installed.
import {
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  UpdateRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import { Config } from '@pulumi/pulumi/cmd/dynamic-provider/config';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import {
  CleanError,
  completingDeletes,
  engineAddress,
  givenKeysOf,
  inputsOf,
  tagProperties,
  urnOf,
  withoutShown,
} from './sdk-host';

test('a clean error shows its message only: what the host prints of it is dropped', () => {
  const printed: unknown[][] = [];
  const print = withoutShown((...values) => printed.push(values));
  const error = new CleanError('cannot create\n  because');
  // What the SDK's host prints of an error thrown by check, diff, read or delete.
  print(`${error}: ${error.stack}`);
  print('a line of somebody else');
  expect(printed).toEqual([['a line of somebody else']]);
  expect(error.message).toBe('cannot create\n  because');
});

test.each([
  ['CheckRequest', CheckRequest, 'getNews', 'setNews'],
  ['DiffRequest', DiffRequest, 'getNews', 'setNews'],
  ['CreateRequest', CreateRequest, 'getProperties', 'setProperties'],
  ['ReadRequest', ReadRequest, 'getProperties', 'setProperties'],
  ['UpdateRequest', UpdateRequest, 'getNews', 'setNews'],
  ['DeleteRequest', DeleteRequest, 'getProperties', 'setProperties'],
] as const)('properties of a %s carry its URN, unseen', (_, Request, getter, setter) => {
  class Tagged extends (Request as unknown as new () => { setUrn(urn: string): void; [name: string]: unknown }) {}
  tagProperties(Tagged.prototype as never, getter);
  const request = new Tagged();
  request.setUrn('urn:pulumi:dev::p::t::n');
  (request[setter] as (value: Struct) => void).call(request, Struct.fromJavaScript({ a: 'x' }));
  const properties = (request[getter] as () => Struct).call(request).toJavaScript();
  expect(urnOf(properties)).toBe('urn:pulumi:dev::p::t::n');
  expect({ ...properties }).toEqual({ a: 'x' });
  expect(JSON.stringify(properties)).toBe('{"a":"x"}');
});

test.each([
  ['ReadRequest', ReadRequest, 'setInputs'],
  ['DeleteRequest', DeleteRequest, 'setOldInputs'],
] as const)('outputs of a %s carry the inputs beside them, unseen', (_, Request, setter) => {
  class Tagged extends (Request as unknown as new () => { [name: string]: (value: Struct) => void }) {}
  tagProperties(Tagged.prototype, 'getProperties');
  const request = new Tagged();
  request['setProperties']?.(Struct.fromJavaScript({ a: 'x' }));
  const read = (): object => (request['getProperties'] as unknown as () => Struct).call(request).toJavaScript();
  expect(inputsOf(read())).toBeUndefined();
  request[setter]?.(Struct.fromJavaScript({ b: 'y' }));
  expect([inputsOf(read()), { ...read() }]).toEqual([{ b: 'y' }, { a: 'x' }]);
});

test('properties of a delete that the host read before it loaded us are completed', () => {
  class Tagged extends (DeleteRequest as unknown as new () => { [name: string]: (value?: unknown) => unknown }) {}
  const request = new Tagged();
  request['setUrn']?.('urn:pulumi:dev::p::t::n');
  request['setOldInputs']?.(Struct.fromJavaScript({ b: 'y' }));
  const complete = completingDeletes(Tagged.prototype);
  const early = { a: 'x' };
  expect(inputsOf(complete(early))).toBeUndefined();
  request['getId']?.();
  expect([inputsOf(complete(early)), urnOf(early), { ...early }]).toEqual([
    { b: 'y' },
    'urn:pulumi:dev::p::t::n',
    { a: 'x' },
  ]);
  expect(completingDeletes(undefined)(early)).toBe(early);
});

test('an SDK of another shape is left alone', () => {
  expect(() => tagProperties(undefined, 'getNews')).not.toThrow();
  const odd = { getNews: () => ({}) as never };
  tagProperties(odd, 'getNews');
  expect(odd.getNews()).toEqual({});
  expect(urnOf({})).toBeUndefined();
});

test('outside of the dynamic host there is no engine', () => {
  expect(engineAddress()).toBeUndefined();
});

test('the keys of a configuration of the SDK are known, with its project; of another one, none', () => {
  const configuration = new Config({ 'oneops:readonly': 'true', 'shop:size': 'S' }, 'shop');
  expect(givenKeysOf(configuration)).toEqual({ keys: ['oneops:readonly', 'shop:size'], project: 'shop' });
  expect(givenKeysOf({})).toEqual({ keys: [] });
});
