// The answer of the converter for `--from boo`: files, and what became of each setting, with its place.
import { ConvertProgramRequest } from '@pulumi/pulumi/proto/converter_pb';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachFolder } from '../../test/folder';
import { programOf } from './program';

const folder = eachFolder({ isHere: true });

/** What is reported of a template, each with severity and place, and the files that are written. */
function converted(template: string): {
  readonly reported: readonly string[];
  readonly details: readonly string[];
  readonly file: (name: string) => string;
  readonly names: readonly string[];
} {
  const [source, target] = ['source', 'target'].map((name) => join(folder.path, name)) as [string, string];
  mkdirSync(target);
  folder.write({ 'source/boo.yaml': template });
  const request = new ConvertProgramRequest();
  request.setSourceDirectory(source);
  request.setTargetDirectory(target);
  const list = programOf(request, 'boo').getDiagnosticsList();
  return {
    reported: list.map((each) => {
      const [start, end] = [each.getSubject()?.getStart(), each.getSubject()?.getEnd()];
      const place = `${each.getSubject()?.getFilename()}:${start?.getLine()},${start?.getColumn()}-${end?.getColumn()}`;
      return `${['', 'error', 'warning'][each.getSeverity()]} ${place}+${start?.getByte()}: ${each.getSummary()}`;
    }),
    details: list.map((each) => each.getDetail()),
    file: (name) => readFileSync(join(target, name), 'utf8'),
    names: readdirSync(target).sort(),
  };
}

const BOO = `boo:
  environment_name: dev
  ip_output: json
assembly: { name: shop }
platforms:
  web: { pack: oneops/tomcat, pack_version: '1', variables: { LEVEL: info } }
`;

test('what is changed or left behind is a warning with its place, and what is carried is counted', () => {
  const { reported, details, file, names } = converted(BOO);
  expect(names).toEqual(['Pulumi.yaml', 'configure.sh', 'main.pp', 'report.txt']);
  const left = reported.indexOf('warning boo.yaml:3,14-14+42: ONE1808 boo.ip_output is left behind');
  expect(details[left]).toBe('the output of Boo; declare outputs instead');
  expect(reported.filter((text) => / is changed$/.test(text))).toHaveLength(2);
  expect(reported.join('\n')).not.toContain('LEVEL');
  const [last = ''] = reported.slice(-1);
  expect(last).toBe('warning boo.yaml:1,1-1+0: 6 settings: 2 carried, 2 changed, 2 left behind');
  expect(file('report.txt')).toContain('LEVEL  carried ONE1801\n');
});

test('of many settings the first are reported, those that are left behind before the others', () => {
  const unknown = Array.from({ length: 80 }, (_, index) => `  setting_${index}: x\n`).join('');
  const { reported, details, file } = converted(`${BOO}${unknown.replace(/^/, 'boo_more:\n')}`);
  const settings = reported.filter((text) => /ONE18\d\d .* is (left behind|changed)$/.test(text));
  expect(settings).toHaveLength(50);
  expect(settings.some((text) => text.includes('is changed'))).toBe(false);
  expect(reported.at(-1)).toMatch(/86 settings: \d carried, \d changed, 82 left behind$/);
  expect(details.at(-1)).toMatch(/^\d+ more are in report\.txt, which has a line for each setting$/);
  expect(file('report.txt')).toContain('boo_more.setting_79');
});

test('a template that cannot be converted has its errors alone', () => {
  const { reported, names } = converted('platforms: [\n');
  expect(names).toEqual([]);
  expect(reported).toHaveLength(1);
  expect(reported[0]).toMatch(/^error boo\.yaml:/);
});

test('a template whose stack cannot be used has its errors alone, too, where the template has them', () => {
  const { reported, names } = converted(
    BOO.replace("pack_version: '1',", "pack_version: '1', links: [none],").replace('ip_output', 'unknown_word'),
  );
  expect(names).toEqual([]);
  expect(reported).toEqual([expect.stringMatching(/^error boo\.yaml:6,.* ONE1213 there is no platform "none"$/)]);
});

test.each([
  ['a link', '  web: { pack: oneops/tomcat, links: [none] }', '6,', 'there is no platform "none"'],
  [
    'a name from a tag',
    "  {{web}}:\n    pack: oneops/tomcat\n    links: 'none'",
    '8,12',
    'there is no platform "none"',
  ],
  [
    'an item of a component',
    '  web:\n    pack: oneops/tomcat\n    components: { user: { one: { sibling_depends_on: \'["one"]\' } } }',
    '8,',
    'cannot depend on itself',
  ],
])('what is wrong with the stack is named where it is in the template: %s', (_, platform, place, expected) => {
  const { reported } = converted(BOO.replace(/ {2}web: .*/, platform));
  const errors = reported.filter((text) => text.startsWith('error'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(`boo.yaml:${place}`);
  expect(errors[0]).toContain(expected);
  expect(reported.filter((text) => text.includes('oneops.yaml'))).toEqual([]);
});
