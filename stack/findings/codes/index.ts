// Every kind of finding, by its code. Ids are grouped by hundreds: 10 grammar, 11 values, 12 names,
// 13 catalogue, 14 effects, 15 secrets, 16 configuration, 17 composition, 18 old files.
import { EXPLANATIONS, type Explanation } from './explanations';
import { CONVERSION_CODES, type CodeOf, type ConversionCode, type SettingOutcome } from './old-files';

export { CONVERSION_CODES, EXPLANATIONS };
export type { CodeOf, ConversionCode, Explanation, SettingOutcome };

const byWord = new Map(
  [...EXPLANATIONS.flatMap(({ explanations }) => explanations), ...CONVERSION_CODES].flatMap(
    (each): readonly (readonly [string, Explanation | ConversionCode])[] => [
      [each.code, each],
      [each.id, each],
    ],
  ),
);

const outcomes = new Map(CONVERSION_CODES.map(({ code, outcome }) => [code, outcome]));

/** What a code of a conversion says of a setting. */
export const settingOutcome = (code: CodeOf<SettingOutcome>): SettingOutcome => outcomes.get(code) ?? 'left behind';

/** The explanation of an id (`ONE1207`) or a word (`unknown-platform`). */
export const explanationOf = (word: string): Explanation | ConversionCode | undefined => byWord.get(word);
