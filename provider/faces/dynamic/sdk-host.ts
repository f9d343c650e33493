// Adaptations of the SDK's dynamic host, which loads this package: it gives a provider no URN and
// prints thrown errors twice. Each checks that the SDK is as expected, and otherwise does nothing.
import { createRequire } from 'node:module';
import type { GivenKeys } from '../../session/settings';
import type { Values } from '../../values/plain';

/** The URN of a request on its properties; not enumerable, so that it never reaches state. */
const REQUEST_URN = Symbol('urn of the request');

/** Inputs of the last run that came with outputs; not enumerable either. */
const REQUEST_INPUTS = Symbol('inputs of the request');

/** First characters of an error that the engine shows itself (engine-facts A §5). */
const SHOWN = '\u0000shown by the engine\u0000';

/** An error whose message is all that a person sees; its later lines are indented. */
export class CleanError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CleanError';
    this.stack = '';
  }

  override toString(): string {
    return SHOWN;
  }
}

export function engineAddress(): string | undefined {
  return hostFile() === undefined ? undefined : process.argv[2];
}

type Complete = <P extends object>(properties: P) => P;

/**
 * Installs all adaptations in this process, if it is the SDK's dynamic host. Returns what completes
 * the properties of a delete.
 */
export function adaptSdkHost(): Complete {
  const file = hostFile();
  if (file === undefined) return (properties) => properties;
  const { console: terminal } = globalThis;
  terminal.error = withoutShown(terminal.error.bind(terminal));
  for (const [request, getter] of REQUESTS) tagProperties(prototypeOf(file, request), getter);
  return completingDeletes(prototypeOf(file, 'DeleteRequest'));
}

/** URN of the resource whose properties these are, when the request contained it. */
export function urnOf(properties: object): string | undefined {
  return (properties as { readonly [REQUEST_URN]?: string })[REQUEST_URN];
}

/** Inputs of the last run that came with these outputs, in a read or a delete. */
export function inputsOf(properties: object): Values | undefined {
  return (properties as { readonly [REQUEST_INPUTS]?: Values })[REQUEST_INPUTS];
}

/** The keys of the SDK's configuration, and its project: both are in properties of their own. */
export function givenKeysOf(configuration: object): GivenKeys {
  const { rawConfig, projectName } = configuration as { readonly rawConfig?: unknown; readonly projectName?: unknown };
  return {
    keys: typeof rawConfig === 'object' && rawConfig !== null ? Object.keys(rawConfig) : [],
    ...(typeof projectName === 'string' ? { project: projectName } : {}),
  };
}

/** The same properties with the URN of their resource: another protocol carries it so. */
export const withUrn = <P extends object>(properties: P, urn: string): P =>
  Object.defineProperty(properties, REQUEST_URN, { value: urn === '' ? undefined : urn });

/** The same properties with the inputs of the last run; empty ones were not sent. */
export const withInputs = <P extends object>(properties: P, inputs: object): P =>
  Object.defineProperty(properties, REQUEST_INPUTS, {
    value: Object.keys(inputs).length === 0 ? undefined : inputs,
    configurable: true,
  });

/** A `console.error` that drops what CleanError already reported. */
export function withoutShown(print: (...values: unknown[]) => void): (...values: unknown[]) => void {
  return (...values) => {
    if (typeof values[0] === 'string' && values[0].startsWith(SHOWN)) return;
    print(...values);
  };
}

/** Requests that name a resource, and the getter whose properties the host hands to a provider. */
const REQUESTS = [
  ['CheckRequest', 'getNews'],
  ['DiffRequest', 'getNews'],
  ['CreateRequest', 'getProperties'],
  ['ReadRequest', 'getProperties'],
  ['UpdateRequest', 'getNews'],
  ['DeleteRequest', 'getProperties'],
] as const;

interface Struct {
  toJavaScript(): object;
}

interface RequestPrototype {
  getId?: () => string;
  getUrn?: () => string;
  getNews?: () => Struct | undefined;
  getProperties?: () => Struct | undefined;
  getInputs?: () => Struct | undefined;
  getOldInputs?: () => Struct | undefined;
}

/** Makes the getter's properties carry the request's URN; outputs carry the inputs, too. */
export function tagProperties(prototype: RequestPrototype | undefined, getter: 'getNews' | 'getProperties'): void {
  const original = prototype?.[getter];
  if (prototype === undefined || typeof original !== 'function' || typeof prototype.getUrn !== 'function') return;
  prototype[getter] = function tagged(this: RequestPrototype): Struct | undefined {
    const struct = original.call(this);
    if (typeof struct?.toJavaScript !== 'function') return struct;
    const read = struct.toJavaScript.bind(struct);
    struct.toJavaScript = () => {
      const properties = Object.defineProperty(read(), REQUEST_URN, { value: this.getUrn?.() });
      const inputs = getter === 'getNews' ? undefined : (this.getOldInputs?.() ?? this.getInputs?.())?.toJavaScript();
      return inputs === undefined ? properties : withInputs(properties, inputs);
    };
    return struct;
  };
}

/**
 * Completes properties of a delete that were read before the getter was tagged: the host reads them
 * before it loads a provider, and the id immediately before it calls that (engine-facts A §5).
 */
export function completingDeletes(prototype: RequestPrototype | undefined): Complete {
  let complete: Complete | undefined;
  const original = prototype?.getId;
  if (prototype !== undefined && original !== undefined)
    prototype.getId = function noted(this: RequestPrototype): string {
      complete = (properties) =>
        withInputs(withUrn(properties, this.getUrn?.() ?? ''), this.getOldInputs?.()?.toJavaScript() ?? {});
      return original.call(this);
    };
  return (properties) => (REQUEST_URN in properties ? properties : (complete?.(properties) ?? properties));
}

function hostFile(): string | undefined {
  const file = require.main?.filename;
  return file !== undefined && /[\\/]cmd[\\/]dynamic-provider[\\/]index\.js$/.test(file) ? file : undefined;
}

/** The message class of the very copy of the SDK that runs the host. */
function prototypeOf(file: string, request: string): RequestPrototype | undefined {
  try {
    const messages = createRequire(file)('../../proto/provider_pb') as {
      readonly [name: string]: { readonly prototype?: RequestPrototype };
    };
    return messages[request]?.prototype;
  } catch (missing) {
    if ((missing as { readonly code?: unknown }).code === 'MODULE_NOT_FOUND') return undefined;
    throw missing;
  }
}
