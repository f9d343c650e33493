// The packaged catalogue judges arguments, in stack files and in programs alike: each mistake is found by both with one code, and what the
// service itself ships is silent. Whatever is unknown, secret or a reference is not judged, and no message contains a value.
import * as log from '@pulumi/pulumi/log';
import { output, secret } from '@pulumi/pulumi/output';
import { classMetadata, knownPacks, registeredClass, templateClass, type AttributeMetadata } from '../../api/contract';
import { judge } from '../../provider/kinds/catalogue';
import type { Kind } from '../../provider';
import { component, kinds, platform } from '../../provider/kinds';
import { lifecycle } from '../../provider/lifecycle';
import { newSession, type Session } from '../../provider/session';
import type { CatalogueLevel } from '../../provider/session/settings';
import * as sdk from '../../sdk';
import { loadCatalogue, templates } from '../../service';
import { readStack } from '../../stack';
import { recorded } from '../recording-monitor';

/** A component that is declared in both faces. */
interface Sample {
  readonly pack: string;
  readonly template: string;
  readonly attributes: { readonly [name: string]: unknown };
}

const catalogue = loadCatalogue();

/** Each class once, in the first pack that has it: `[pack, template, attribute, rule]`. */
const everyAttribute = [
  ...new Map(
    catalogue
      .packs()
      .flatMap((pack) => templates(pack, 'design').map((template) => [template.class, { pack, template }] as const))
      .reverse(),
  ).values(),
].flatMap(({ pack, template }) =>
  Object.entries(classMetadata(registeredClass('catalog', template.class))?.attributes ?? {}).map(
    ([attribute, rule]) => ({ pack: pack.name, template: template.name, attribute, rule }),
  ),
);

type EachAttribute = (typeof everyAttribute)[number];

/** One component for each class, with a value for each attribute that `valueOf` has one for. */
function samplesOf(valueOf: (each: EachAttribute) => Sample['attributes']): readonly Sample[] {
  const samples = new Map<string, Sample>();
  for (const each of everyAttribute) {
    const { pack, template } = each;
    const given = Object.fromEntries(Object.entries(valueOf(each)).filter(([, value]) => value !== undefined));
    const attributes = { ...samples.get(template)?.attributes, ...given };
    if (Object.keys(attributes).length > 0) samples.set(template, { pack, template, attributes });
  }
  return [...samples.values()];
}

/** `size: error not-allowed` */
const codeOf = (attribute: unknown, { severity, code }: { readonly severity: string; readonly code: string }): string =>
  `${String(attribute)}: ${severity} ${code}`;

/** Findings of the file, whatever the catalogue knows: the samples have literal secrets, and references without variables. */
const OF_THE_FILE = ['secret-in-file', 'unknown-service-variable', 'required'];

/** Findings by sample, as `check` shows them of a stack file. */
function foundInFile(samples: readonly Sample[]): readonly (readonly string[])[] {
  const packs = [...new Set(samples.map(({ pack }) => pack))];
  const platforms = packs.map((pack) => {
    const own = samples.map((each, index) => ({ each, index })).filter(({ each }) => each.pack === pack);
    const names = [...new Set(own.map(({ each }) => each.template))];
    const components = names.map((template) => {
      const group = own.filter(({ each }) => each.template === template);
      return [
        `${template}/${templateClass(template, pack) ?? 'Unknown'}`,
        Object.fromEntries(group.map(({ each, index }) => [`c${index}`, each.attributes])),
      ];
    });
    return [pack, { pack: `oneops/${pack}:1`, components: Object.fromEntries(components) as object }];
  });
  const text = JSON.stringify({ assembly: { name: 'shop' }, platforms: Object.fromEntries(platforms) as object });
  const { findings } = readStack([{ name: 'oneops.yaml', text }], {
    readFile: () => ({ problem: 'there is none' }),
  });
  return samples.map((_, index) =>
    findings
      .filter(({ path, code }) => path.includes(`c${index}`) && !OF_THE_FILE.includes(code))
      .map((finding) => codeOf(finding.path[finding.path.indexOf(`c${index}`) + 1], finding))
      .sort(),
  );
}

/** The same, as a program's preview shows them: errors from the provider's check, warnings from the SDK. */
async function foundInProgram(samples: readonly Sample[]): Promise<readonly (readonly string[])[]> {
  const warned: { readonly name: string; readonly text: string }[] = [];
  const spy = jest.spyOn(log, 'warn').mockImplementation((text, resource) => {
    warned.push({ name: (resource as { readonly __name?: string }).__name ?? '', text });
    return Promise.resolve();
  });
  const session = newSession(kinds);
  const errors = (of: Kind, inputs: { readonly [name: string]: unknown }): readonly string[] =>
    lifecycle(of, () => Promise.reject(new Error('no request is allowed')), session)
      .check(inputs)
      .findings.map((finding) => codeOf(finding.path[1], finding));
  try {
    await recorded(() => {
      const shop = new sdk.Assembly('shop', {});
      const platforms = new Map(
        [...new Set(samples.map(({ pack }) => pack))].map((pack) => [
          pack,
          new sdk.Platform(pack, { assembly: shop, source: 'oneops', pack, version: '1' }),
        ]),
      );
      samples.forEach(({ pack, template, attributes }, index) => {
        const owner = platforms.get(pack) as sdk.Platform;
        new sdk.Component(`c${index}`, { platform: owner, type: template, attributes });
      });
    });
  } finally {
    spy.mockRestore();
  }
  return samples.map(({ pack, template, attributes }, index) => {
    const address = { assembly: 'shop', platform: pack };
    errors(platform, { assembly: 'shop', name: pack, source: 'oneops', pack, version: '1' });
    const own = { ...address, name: `c${index}`, type: template, attributes };
    const parent = { source: 'oneops', pack, version: '1' };
    const judged = judge(component, own, { level: 'auto', parent });
    const known = new Map(judged.map((finding) => [textOf(finding), codeOf(finding.path[1], finding)]));
    const warnings = warned.filter(({ name }) => name === `c${index}`).map(({ text }) => known.get(text) ?? text);
    // The samples give no attribute that a template needs.
    return [...errors(component, own), ...warnings].filter((line) => !line.endsWith(' required')).sort();
  });
}

const textOf = ({ message, hint }: { readonly message: string; readonly hint?: string }): string =>
  hint === undefined ? message : `${message}: ${hint}`;

const wrongType = ({ dataType, expects }: AttributeMetadata): unknown => {
  if (dataType !== 'text') return 'neither a map nor a list';
  return expects?.type === undefined ? ['a', 'b'] : 'many';
};

/** A value of the right type that is not allowed; undefined where any is. */
const outOfRange = ({ dataType, pattern, expects }: AttributeMetadata): unknown => {
  if (dataType === 'array') return pattern === undefined ? undefined : ['!'];
  if (expects?.maximum !== undefined) return expects.maximum + 1;
  if (expects?.minimum !== undefined) return expects.minimum - 1;
  if (expects?.allowed !== undefined) return 'surely-not-allowed';
  return pattern !== undefined || expects?.pattern !== undefined ? '!' : undefined;
};

test.each([
  ['a misspelt name', ({ attribute }: EachAttribute) => ({ [`${attribute}x`]: 'value' })],
  ['a value of the wrong type', ({ attribute, rule }: EachAttribute) => ({ [attribute]: wrongType(rule) })],
  ['a value out of range', ({ attribute, rule }: EachAttribute) => ({ [attribute]: outOfRange(rule) })],
])('one mistake is one finding in both faces: %s of every attribute of every class', async (_, mistake) => {
  const samples = samplesOf(mistake);
  const inFile = foundInFile(samples);
  const mistakes = samples.map(({ attributes }) => Object.keys(attributes).sort());
  expect(mistakes.flat().length).toBeGreaterThan(40);
  expect(inFile.map((found) => found.map((each) => each.split(':')[0]))).toEqual(mistakes);
  expect(await foundInProgram(samples)).toEqual(inFile);
});

test('every default of every class and template is silent, in both faces', async () => {
  const samples = catalogue.packs().flatMap((pack) =>
    templates(pack, 'design').map((template) => {
      const attributes = classMetadata(registeredClass('catalog', template.class))?.attributes ?? {};
      const values = Object.entries(attributes).map(([name, rule]) => [name, template.defaults[name] ?? rule.default]);
      // A required attribute without a default is the user's to give.
      const given = values.filter(([, value]) => value !== '');
      return {
        pack: pack.name,
        template: template.name,
        attributes: Object.fromEntries(given) as Sample['attributes'],
      };
    }),
  );
  expect(samples.length).toBeGreaterThan(200);
  expect(foundInFile(samples).flat()).toEqual([]);
  expect((await foundInProgram(samples)).flat()).toEqual([]);
});

const file = (platforms: object): string => JSON.stringify({ assembly: { name: 'shop' }, platforms });
const checked = (text: string, level?: CatalogueLevel) =>
  readStack([{ name: 'oneops.yaml', text }], {
    readFile: () => ({ problem: 'there is none' }),
    ...(level ? { catalogue: level } : {}),
  }).findings;

describe('packs, versions and templates', () => {
  test.each([
    ['oneops/tomcatt:1', 'unknown-pack', 'did you mean "tomcat"?'],
    ['oneopps/tomcat:1', 'unknown-pack', 'did you mean "oneops"?'],
    ['oneops/tomcat:77', 'unknown-version', 'the only known one is 1'],
  ])('%s: %s', (pack, code, hint) => {
    const [finding, ...others] = checked(file({ web: { pack } }));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', code, hint: expect.stringContaining(hint) as string });
    const [source = '', rest = ''] = pack.split('/');
    const [name, version] = rest.split(':');
    const [inProgram] = judge(platform, { source, pack: name, version }, { level: 'auto' });
    expect(inProgram).toMatchObject({ severity: 'warning', code, message: finding?.message });
  });

  test('a component directly below components, and a template of another pack, are reported', () => {
    const components = { deployer: { username: 'deployer' }, mysql: { port: 1 }, sshkeys: {} };
    const findings = checked(file({ web: { pack: 'oneops/tomcat:1', components } }));
    expect(findings.map(({ severity, code, path }) => [severity, code, path.at(-1)])).toEqual([
      ['warning', 'unknown-template', 'deployer'],
      ['warning', 'unknown-template', 'mysql'],
      ['warning', 'unknown-template', 'sshkeys'],
    ]);
    expect(findings[0]?.hint).toContain('"user"');
    expect(findings[2]?.message).toContain('in environments');
  });

  test('every design template of every pack passes, whatever is unknown with it', () => {
    for (const pack of knownPacks) {
      const designed = Object.keys(pack.templates).filter((name) => pack.templates[name]?.design);
      for (const type of designed) {
        for (const parent of [pack, undefined, { source: pack.source, pack: pack.name }]) {
          const judged = judge(
            component,
            { type },
            { level: 'strict', parent: parent && { ...parent, pack: pack.name } },
          );
          const { constraint = '', needs = [] } = pack.templates[type] ?? {};
          const needed = parent === pack && constraint.startsWith('0') ? needs : [];
          expect(judged.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual(
            needed.map((name) => `required attributes.${name}`),
          );
        }
      }
    }
  });

  test('where only the file names the class, attributes are judged by that class', () => {
    const components = { 'cache/oneops.1.Redisio': { one: { replicsa: 1, replicas: 'many' } } };
    const findings = checked(file({ web: { pack: 'acme/own:1', components } }));
    expect(findings.map(({ severity, code }) => `${severity} ${code}`).sort()).toEqual([
      'error unknown-attribute',
      'warning unknown-pack',
      'warning wrong-type',
    ]);
  });

  test('the attributes of a pack that is not packaged are warned of, since its classes may be others', () => {
    const parent = { source: 'acme', pack: 'tomcat', version: '1' };
    const findings = judge(component, { type: 'tomcat', attributes: { prot: '1' } }, { level: 'auto', parent });
    expect(findings.map(({ severity, code }) => [severity, code])).toEqual([['warning', 'unknown-attribute']]);
  });
});

describe('levels', () => {
  const text = file({ web: { pack: 'oneops/tomcatt:1', components: { compute: { sise: 'M', size: 'XXXXL' } } } });
  test.each([
    ['auto', ['warning', 'warning', 'warning']],
    ['strict', ['error', 'error', 'error']],
    ['warn', ['warning', 'warning', 'warning']],
    ['off', []],
  ] as const)('%s', (level, severities) => {
    expect(checked(text, level).map(({ severity }) => severity)).toEqual(severities);
  });

  test('what the service surely refuses is an error unless the level is warn', () => {
    const sure = file({ web: { pack: 'oneops/tomcat:1', components: { compute: { sise: 'M' } } } });
    expect(checked(sure).map(({ severity }) => severity)).toEqual(['error']);
    expect(checked(sure, 'warn').map(({ severity }) => severity)).toEqual(['warning']);
  });

  test('the provider reports warnings as errors when it is strict, and judges by the platform declared before', () => {
    const session: Session = { ...newSession(kinds), catalogue: 'strict' };
    const codes = (of: Kind, inputs: { readonly [name: string]: unknown }): readonly string[] =>
      lifecycle(of, () => Promise.reject(new Error('no request is allowed')), session)
        .check(inputs)
        .findings.map(({ severity, code }) => `${severity} ${code}`);
    expect(codes(platform, { assembly: 'shop', name: 'web', source: 'oneops', pack: 'custom', version: '1' })).toEqual(
      [],
    );
    expect(codes(component, { assembly: 'shop', platform: 'web', name: 'tomcat', type: 'tomcat' })).toEqual([
      'error unknown-template',
    ]);
    expect(codes(component, { assembly: 'shop', platform: 'other', name: 'tomcat', type: 'tomcat' })).toEqual([]);
  });
});

describe('what is not judged', () => {
  test('references to variables, of any kind, in any attribute', () => {
    for (const scope of ['GLOBAL', 'LOCAL', 'CLOUD']) {
      const samples = samplesOf((each) => ({ [each.attribute]: `$OO_${scope}{X}` }));
      expect(foundInFile(samples).flat()).toEqual([]);
    }
  });

  test('unknown values and secrets of a program, nested ones too', async () => {
    const spy = jest.spyOn(log, 'warn').mockImplementation(() => Promise.resolve());
    await recorded(() => {
      const shop = new sdk.Assembly('shop', {});
      const web = new sdk.Platform('web', { assembly: shop, source: 'oneops', pack: secret('tomcatt'), version: '1' });
      const attributes = {
        size: secret('XXXXL'),
        require_public_ip: output(secret('maybe')),
        ports: output({ '80': secret('x') }),
      };
      new sdk.Component('one', { platform: web, type: 'compute', attributes });
      new sdk.Component('two', { platform: web, type: 'compute', attributes: output(attributes) });
    });
    // That a secret is not encrypted there is another warning.
    const warnings = spy.mock.calls.map(([text]) => text).filter((text) => !text.includes('is given a secret'));
    expect(warnings).toEqual([]);
    spy.mockRestore();
  });

  test('what another stack owns', () => {
    expect(judge(platform, { source: 'x', pack: 'y', version: '1', existing: true }, { level: 'strict' })).toEqual([]);
  });

  test('outputs are judged once they are known, and each warning is reported once', async () => {
    const warned: string[] = [];
    const spy = jest.spyOn(log, 'warn').mockImplementation((text) => {
      warned.push(text);
      return Promise.resolve();
    });
    await recorded(() => {
      const shop = new sdk.Assembly('shop', {});
      const web = new sdk.Platform('web', { assembly: shop, source: 'oneops', pack: 'tomcat', version: '1' });
      new sdk.Component('compute', { platform: web, type: 'compute', attributes: output({ size: 'XXXXL' }) });
      new sdk.Component('usr', { assembly: 'shop', platform: 'db', type: 'usr' });
      new sdk.Platform('db', { assembly: 'shop', source: 'oneops', pack: 'custom', version: Promise.resolve('1') });
      new sdk.Platform('cache', { assembly: 'shop', source: 'oneops', pack: 'custom', version: '1' });
      new sdk.Component('tomcat', { assembly: 'shop', platform: 'cache', type: 'tomcat' });
    });
    spy.mockRestore();
    expect(warned.sort()).toEqual([
      expect.stringMatching(/^"size" must be one of .*: did you mean "XXL"\?$/),
      expect.stringMatching(/^template "tomcat" of pack oneops\/custom:1 is not/),
      expect.stringMatching(/^template "usr" of any pack is not .*: did you mean "user"\?$/),
    ]);
  });

  test('a separate provider has its own level', async () => {
    const spy = jest.spyOn(log, 'warn').mockImplementation(() => Promise.resolve());
    await recorded(() => {
      const provider = new sdk.Provider('other', { url: 'http://127.0.0.1:1', organization: 'acme', catalogue: 'off' });
      const shop = new sdk.Assembly('shop', {}, { provider });
      new sdk.Platform('web', { assembly: shop, source: 'oneops', pack: 'tomcatt', version: '1' });
    });
    expect(spy.mock.calls).toEqual([]);
    spy.mockRestore();
  });
});

test('no message of the catalogue contains a value', () => {
  const value = 'q7x-secret-q7x';
  const samples = everyAttribute.map((each) => ({ each, value: each.rule.dataType === 'text' ? value : `{${value}` }));
  for (const { each, value: given } of samples) {
    const findings = judge(
      component,
      { type: each.template, attributes: { [each.attribute]: given } },
      { level: 'auto' },
    );
    expect(JSON.stringify(findings)).not.toContain(value);
  }
});

test('every pattern of a component has words that say it', () => {
  const silent = everyAttribute.filter(({ rule }) => rule.pattern !== undefined && rule.says === undefined);
  expect(silent).toEqual([]);
});
