// Templates: their parameters, and the result of a use with its arguments.
import { SECRET_WORD } from '../../provider/secrets';
import { didYouMean, nearest } from '../../provider/values';
import { CONFIG_TYPES, valueFault, type ConfigType, type ValueFault } from '../plan';
import { hasReference, splitText } from '../values/interpolation';
import { dataIn, entryOf, isNull, nodesIn, type Entry, type MapNode, type Node, type Placed } from '../yaml/tree';
import { emptyMap, failedNode, reportUnknownKeys, type Composition } from './composition';
import { asType, plainOfType, plainValue } from './known';
import { substitute } from './substitute';

interface StackTemplate {
  readonly own: Entry;
  readonly parameters: readonly Parameter[];
  readonly body: MapNode;
}

/** One parameter. Without a default it must be given. */
interface Parameter {
  readonly own: Entry;
  readonly type: ConfigType;
  readonly default?: Node;
  readonly allowed?: readonly unknown[];
  /** The author's message for a value that is not allowed. */
  readonly message?: string;
}

const TEMPLATE_KEYS = ['parameters', 'body', 'description'];
const PARAMETER_KEYS = ['type', 'default', 'allowed', 'message', 'description'];

/** The node as a map; undefined when it is none, which was reported. */
function mapOf(composition: Composition, node: Node, what: string): MapNode | undefined {
  if (isNull(node)) return emptyMap(node);
  if (node.form === 'map') return node;
  if (node.form !== 'failed') composition.report.error(node, 'wrong-type', `must be ${what}, not a ${node.form}`);
  return undefined;
}

/** Templates by name; undefined for a wrong one, which was reported: its uses are not judged. */
export type StackTemplates = ReadonlyMap<string, StackTemplate | undefined>;

export function readTemplates(composition: Composition, entries: readonly Entry[]): StackTemplates {
  return new Map(entries.map((own) => [own.key, readTemplate(composition, own)]));
}

function readTemplate(composition: Composition, own: Entry): StackTemplate | undefined {
  const map = mapOf(composition, own.value, 'a map of parameters and body');
  if (map === undefined) return undefined;
  const content = entryOf(map, 'body');
  if (content === undefined) return reportWithoutBody(composition, own, map);
  reportUnknownKeys(composition, map, TEMPLATE_KEYS);
  const declared = entryOf(map, 'parameters')?.value;
  const parameters = declared && mapOf(composition, declared, 'a map of parameters by name');
  const body = mapOf(composition, content.value, 'a map');
  const read = (parameters?.entries ?? []).map((each) => readParameter(composition, each));
  if (body === undefined || (declared !== undefined && parameters === undefined)) return undefined;
  reportUnknownParameters(composition, body, read);
  return { own, parameters: read, body };
}

/** Reports a template without a body: a misspelt key, or what belongs in the body. */
function reportWithoutBody(composition: Composition, own: Entry, map: MapNode): undefined {
  const strange = map.entries.map(({ key }) => key).filter((key) => !TEMPLATE_KEYS.includes(key));
  if (strange.some((key) => nearest(key, ['body']) !== undefined))
    return void reportUnknownKeys(composition, map, TEMPLATE_KEYS);
  const message = `template "${own.key}" has no body`;
  const inside = strange.map((key) => `${key}: …`);
  return composition.report.error(own, 'required', message, `body: { ${inside.join(', ') || '…'} }`);
}

function readParameter(composition: Composition, own: Entry): Parameter {
  const map = mapOf(composition, own.value, 'a map, such as { type: string }');
  if (map) reportUnknownKeys(composition, map, PARAMETER_KEYS);
  const named = plainValue(entryOf(map, 'type')?.value);
  const type = CONFIG_TYPES.find((each) => each === named);
  if (map && type === undefined) {
    const place = entryOf(map, 'type')?.value ?? own;
    composition.report.error(place, 'required', `"type" must be one of ${CONFIG_TYPES.join(', ')}`);
  }
  const message = plainValue(entryOf(map, 'message')?.value);
  const allowed = plainOfType(type, entryOf(map, 'allowed')?.value);
  const fallback = entryOf(map, 'default')?.value;
  const parameter: Parameter = {
    own,
    type: type ?? 'string',
    ...(fallback ? { default: fallback } : {}),
    ...(Array.isArray(allowed) ? { allowed } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
  const fault = fallback && type ? faultOf(parameter, fallback) : undefined;
  if (fallback && fault !== undefined) composition.report.error(fallback, fault.code, fault.message);
  return parameter;
}

function reportUnknownParameters(composition: Composition, body: Node, parameters: readonly Parameter[]): void {
  const look = (text: string, place: Placed): void => {
    for (const part of splitText(text)) {
      if (typeof part === 'string' || part.steps?.[0] !== 'param') continue;
      const name = String(part.steps[1] ?? '');
      const known = parameters.map(({ own }) => own.key);
      if (known.includes(name)) continue;
      const declare = `declare it under parameters: ${name}: { type: string }`;
      const hint = didYouMean(name, known, declare, (near) => `param.${near}`);
      composition.report.error(place, 'unknown-parameter', `the template has no parameter "${name}"`, hint);
    }
  };
  for (const inner of nodesIn(body)) {
    if (inner.form === 'scalar') look(inner.source, inner);
    if (inner.form === 'map') inner.entries.forEach((entry) => look(entry.key, entry));
  }
}

/** The body of a template with arguments; undefined when they are wrong, as reported. */
export function instantiate(
  composition: Composition,
  template: StackTemplate,
  use: Entry,
  given: Entry | undefined,
): Node {
  const { own, parameters, body } = template;
  const args =
    given && !isNull(given.value) ? mapOf(composition, given.value, 'a map of arguments by name') : undefined;
  const known = parameters.map((each) => each.own.key);
  const related = [{ at: own.at, text: `template ${own.key} is declared here` }];
  let isWhole = given === undefined || isNull(given.value) || args !== undefined;
  for (const entry of args?.entries ?? []) {
    if (known.includes(entry.key)) continue;
    isWhole = false;
    const hint = known.length > 0 ? didYouMean(entry.key, known) : 'it takes none';
    const message = `template ${own.key} has no parameter "${entry.key}"`;
    composition.report.misspelt(entry, known);
    composition.report.error(entry, 'unknown-parameter', message, hint, related);
  }
  const bound = parameters.flatMap((parameter) => {
    const entry = entryOf(args, parameter.own.key);
    const value = argumentFor(composition, parameter, use, entry);
    if (value === undefined) isWhole = false;
    return value === undefined ? [] : [{ ...parameter.own, value }];
  });
  if (!isWhole) return failedNode(use);
  const via = [{ how: 'template' as const, name: own.key, at: use.value.at }, ...(use.via ?? [])];
  return substitute(composition, body, { bindings: { param: { ...body, entries: bound } }, via });
}

function argumentFor(
  composition: Composition,
  parameter: Parameter,
  use: Entry,
  entry: Entry | undefined,
): Node | undefined {
  const { own, type, message } = parameter;
  const related = [{ at: own.at, text: `parameter ${own.key} is declared here` }];
  if (entry === undefined || isNull(entry.value)) {
    if (parameter.default !== undefined) return asType(type, parameter.default);
    const said = `parameter "${own.key}" is not given`;
    return composition.report.error(use.value, 'required', said, `with: { ${own.key}: … }`, related);
  }
  if (entry.value.form === 'failed') return undefined;
  const fault = faultOf(parameter, entry.value);
  if (fault === undefined) return asType(type, entry.value);
  return composition.report.error(entry.value, fault.code, `"${own.key}" ${fault.message}`, message, related);
}

/** The mistake in a value of a parameter; a value that is computed in the run is not judged. */
function faultOf(parameter: Parameter, node: Node): ValueFault | undefined {
  if (node.form === 'scalar' && (node.value === null || hasReference(node.source))) return undefined;
  const isCall = node.form === 'map' && node.entries.some(({ key }) => key.startsWith('fn::'));
  if (isCall) return undefined;
  // As in the rest of a file, a number or a date without quotes is its text.
  const plain = plainValue(asType(parameter.type, node));
  const written = node.form === 'scalar' ? JSON.stringify(node.source) : `a ${node.form}`;
  // Of a list or a map that holds a reference, the type is known.
  const judged = plain === undefined ? { type: parameter.type } : parameter;
  return valueFault(judged, plain ?? dataIn(node), SECRET_WORD.test(parameter.own.key) ? '' : `, not ${written}`);
}
