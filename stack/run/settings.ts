// Configuration as Pulumi's own files have it: `Pulumi.yaml`, and `Pulumi.STACK.yaml` with the
// settings of a stack.
import {
  catalogueLevel,
  SETTINGS,
  unknownSettings,
  unknownSettingWords,
  type Setting,
} from '../../provider/session/settings';
import { didYouMean } from '../../provider/values';
import { plainValue } from '../compose/known';
import { newReport, type Finding, type Report } from '../findings/finding';
import type { ConfigDeclaration } from '../plan';
import { entriesIn, entryOf, isNull, nodesIn, valueBelow, type MapNode, type Node, type Placed } from '../yaml/tree';

export interface SettingsFile {
  /** As findings show it. */
  readonly name: string;
  /** The stack whose settings it has; undefined for `Pulumi.yaml`. */
  readonly stack: string | undefined;
  readonly map: MapNode;
}

/** A value of the project's own configuration. */
interface OwnConfig {
  readonly name: string;
  /** Where its name is written. */
  readonly key: Placed;
  /** Undefined for a declaration without a value. */
  readonly value: Node | undefined;
  /** Whether the file itself says that it is a secret. */
  readonly isSecret: boolean;
}

/** A project's configuration in a file; `Pulumi.yaml` may leave the namespace out. */
export function ownConfigIn({ map, stack }: SettingsFile, project: string): readonly OwnConfig[] {
  return entriesIn(valueBelow(map, 'config')).flatMap((entry): readonly OwnConfig[] => {
    const { key, value } = entry;
    const [namespace = '', own] = key.split(':');
    if (own !== undefined && namespace !== project) return [];
    const isDeclared = stack === undefined || own === undefined;
    return [
      {
        name: own ?? namespace,
        key: entry,
        value: isDeclared ? declaredValue(value) : value,
        isSecret: isDeclared && plainValue(valueBelow(value, 'secret')) === true,
      },
    ];
  });
}

const SECRET_SETTINGS = Object.entries<Setting>(SETTINGS).flatMap(([name, { secret }]) =>
  secret ? [`oneops:${name}`] : [],
);

const ownSecretSettings = (file: SettingsFile): readonly OwnConfig[] =>
  ownConfigIn(file, 'oneops')
    .map((own) => ({ ...own, name: String(own.key.path.at(-1)) }))
    .filter(({ name }) => SECRET_SETTINGS.includes(name));

/** Words of Pulumi that describe a value and do not give one. */
const DECLARATION_WORDS: readonly string[] = ['type', 'description', 'items', 'secret'];

/** A value in Pulumi.yaml, also as `{ value: … }` or as a default. */
function declaredValue(node: Node): Node | undefined {
  if (node.form !== 'map') return node;
  const given = valueBelow(node, 'value') ?? valueBelow(node, 'default');
  return given ?? (node.entries.every(({ key }) => DECLARATION_WORDS.includes(key)) ? undefined : node);
}

/** Whether a value is encrypted in part: the engine takes all of it for a secret. */
export const isEncrypted = (node: Node): boolean =>
  [...nodesIn(node)].some((inner) => entriesIn(inner).length === 1 && entryOf(inner, 'secure') !== undefined);

/**
 * A finding for each key in the namespace `oneops` that is no setting: an error where it differs
 * from one in case or by a typo, because a run stops at it, and otherwise a warning. An error for an
 * unknown level of the catalogue. And a warning for each clear value that is declared as a secret,
 * or is a token.
 */
export function settingFindings(
  files: readonly SettingsFile[],
  project: string,
  secrets: ReadonlySet<string>,
): readonly Finding[] {
  const report = newReport(files.map(({ name }) => name));
  for (const entry of files.flatMap(({ map }) => entriesIn(valueBelow(map, 'config')))) {
    const level = entry.key === 'oneops:catalogue' ? declaredValue(entry.value) : undefined;
    const judged =
      level && !isEncrypted(level) && catalogueLevel(level.form === 'scalar' ? level.value : `a ${level.form}`);
    if (judged && 'problem' in judged) report.error(entry, 'not-allowed', judged.problem);
    for (const unknown of unknownSettings({ keys: [entry.key], project })) {
      const { says, hint } = unknownSettingWords(unknown);
      // It may be a token.
      report.hide(entry.value.at);
      if (unknown.isMisspelt) report.error(entry, 'unknown-key', says, hint);
      else report.warning(entry, 'unknown-key', says, hint);
    }
  }
  const all = files.flatMap((file) =>
    [...ownConfigIn(file, project), ...ownSecretSettings(file)].map((own) => ({ file, ...own })),
  );
  const secret = new Set([
    ...SECRET_SETTINGS,
    ...secrets,
    ...all.filter(({ isSecret }) => isSecret).map(({ name }) => name),
  ]);
  for (const { file, name, value } of all) {
    if (!secret.has(name) || value === undefined || isEmpty(value) || isEncrypted(value)) continue;
    report.hide(value.at);
    const [option, removal] =
      file.stack === undefined ? ['', ` remove it from ${file.name},`] : [`--stack ${file.stack} `, ''];
    report.warning(
      value,
      'secret-in-file',
      `the value of the secret "${name}" is in clear text in the file`,
      `replace the secret, because others may have read it,${removal} and set it with pulumi config set ${option}--secret ${name}`,
    );
  }
  return report.findings();
}

/**
 * A warning for each text that Pulumi changes for lack of quotes and, where the project declares
 * nothing elsewhere (`isWhole`), for each value with an undeclared name.
 */
export function givenConfigFindings(
  files: readonly SettingsFile[],
  project: string,
  config: readonly ConfigDeclaration[],
  isWhole: boolean,
): readonly Finding[] {
  const report = newReport(files.map(({ name }) => name));
  const declared = config.map(({ name }) => name);
  const known = new Set(declared);
  for (const file of files) {
    for (const { name, key, value } of ownConfigIn(file, project)) {
      // What Pulumi.yaml has is declared there, also without a value.
      if (file.stack === undefined) known.add(name);
      if (value === undefined) continue;
      const isText = config.some((each) => each.name === name && each.type === 'string');
      if (isText && file.stack !== undefined) reportChanged(report, name, value);
      if (!isWhole || known.has(name)) continue;
      // Nobody knows whether it is a secret.
      report.hide(value.at);
      const hint = didYouMean(name, declared, `remove it with pulumi config rm ${name}, or declare it under config`);
      report.warning(key, 'unknown-config', `config does not declare "${name}": nothing uses this value`, hint);
    }
    if (isWhole && file.stack !== undefined) reportOldNamespaces(report, file, project, declared);
  }
  return report.findings();
}

/** Namespaces that no project has. */
const OTHER_NAMESPACES: readonly string[] = ['oneops', 'pulumi'];

/** A renamed project leaves values under its old name: a declared name that is not set. */
function reportOldNamespaces(report: Report, file: SettingsFile, project: string, declared: readonly string[]): void {
  const own = new Set(ownConfigIn(file, project).map(({ name }) => name));
  for (const entry of entriesIn(valueBelow(file.map, 'config'))) {
    const [namespace = '', name] = entry.key.split(':');
    if (name === undefined || namespace === project || OTHER_NAMESPACES.includes(namespace)) continue;
    if (own.has(name) || !declared.includes(name)) continue;
    // Nobody knows whether it is a secret.
    report.hide(entry.value.at);
    report.warning(
      entry,
      'unknown-config',
      `"${entry.key}" is not for this project, which is called "${project}": nothing uses this value`,
      `rename the key to ${project}:${name}`,
    );
  }
}

function reportChanged(report: Report, name: string, value: Node): void {
  const readAs = value.form === 'scalar' ? changedFrom(value.raw) : undefined;
  if (readAs === undefined) return;
  report.hide(value.at);
  report.warning(
    value,
    'wrong-type',
    `"${name}" is text, and Pulumi changes this value, because it reads it as ${readAs}`,
    'put the value in quotes',
  );
}

/** The other text that Pulumi, with YAML 1.1, reads in place of a text without quotes. */
function changedFrom(raw: string): string | undefined {
  if (/^\d{4}-\d{1,2}-\d{1,2}([Tt\s].*)?$/.test(raw)) return 'a date';
  if (/^(True|TRUE|False|FALSE)$/.test(raw)) return 'a truth value';
  const isNumber = /^[-+]?(0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?)$/.test(raw);
  return isNumber && (/^[-+]?0\d/.test(raw) || String(Number(raw)) !== raw) ? 'a number' : undefined;
}

const isEmpty = (value: Node): boolean => isNull(value) || (value.form === 'scalar' && value.value === '');
