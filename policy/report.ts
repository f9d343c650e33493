// Violations as the lines of a list in a comment on a pull request.
// It must not know how they were found.
import type { PolicyViolation, UnjudgedPolicy } from './judge';

/** The standard name of a policy file, in the folder of the project. */
export const POLICY_FILE = 'policies.yaml';

/** Lines of a Markdown list: what is broken, the strictest first, then what could not be judged. */
export function violationLines(
  violations: readonly PolicyViolation[],
  unjudged: readonly UnjudgedPolicy[],
): readonly string[] {
  const isStrict = ({ level }: PolicyViolation): boolean => level === 'mandatory';
  const sorted = [...violations.filter(isStrict), ...violations.filter((each) => !isStrict(each))];
  return [
    ...sorted.map((each) => {
      const place = each.at === undefined ? '' : ` (${escaped(each.at)})`;
      return `- ${isStrict(each) ? '**mandatory**' : each.level} \`${each.policy}\`: ${escaped(each.message)}${place}`;
    }),
    ...unjudged.map(
      ({ policy, level, reason }) =>
        `- ${level === 'mandatory' ? '**mandatory** ' : ''}\`${policy}\` was not judged in full: ${escaped(reason)}`,
    ),
  ];
}

/** Text without a meaning in Markdown, in one line. */
const escaped = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|@]/g, '\\$&');
