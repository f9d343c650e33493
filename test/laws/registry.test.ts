// What Pulumi's registry demands of a package: two pages, and a schema that is good for every language.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dynamicType } from '../../provider';
import { kinds } from '../../provider/kinds';

const ROOT = join(__dirname, '..', '..');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Property {
  readonly description?: string;
  readonly secret?: boolean;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

interface Resource {
  readonly description: string;
  readonly aliases: readonly { readonly type: string }[];
  readonly properties: { readonly [name: string]: Property };
  readonly inputProperties: { readonly [name: string]: Property };
}

const schema = JSON.parse(textOf('schema.json')) as {
  readonly [fact: string]: unknown;
  readonly keywords: readonly string[];
  readonly config: { readonly variables: { readonly [name: string]: Property } };
  readonly resources: { readonly [token: string]: Resource };
  readonly types: { readonly [token: string]: object };
  readonly functions: { readonly [token: string]: object };
  readonly language: { readonly [language: string]: { readonly [setting: string]: unknown } };
};
const variables = Object.entries(schema.config.variables);

test.each(['docs/_index.md', 'docs/installation-configuration.md'])('%s is a page of the registry', (path) => {
  const [, matter = '', text = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(textOf(path)) ?? [];
  expect(matter.split('\n').map((line) => line.split(': ')[0])).toEqual(['title', 'meta_desc', 'layout']);
  expect(matter).toMatch(/^layout: package$/m);
  expect(text).not.toMatch(/!\[[^\]]*\]\((?!https:)|<img/);
  expect(text).not.toMatch(/\]\([^)]*\.md[)#]/);
  // Pulumi's registry writes the title of the page.
  expect(text.replace(/^```[^]*?^```$/gm, '')).not.toMatch(/^# /m);
});

test('the first page shows the program that runs in test/engine/plugin.test.ts', () => {
  const [, block = 'no block'] = /```yaml\n([^]*?)```/.exec(textOf('docs/_index.md')) ?? [];
  expect(textOf('docs/plugin.md')).toContain(block);
});

test('the second page lists every setting with its environment variable', () => {
  const page = textOf('docs/installation-configuration.md');
  for (const [name, { defaultInfo, description }] of variables) {
    const variable = (defaultInfo?.environment ?? []).map((word) => `\`${word}\``).join(', ');
    expect(page).toContain(`| \`oneops:${name}\` | ${variable} | ${description ?? 'nothing'} |`);
  }
});

test('the package says who publishes it, where it is and what it is', () => {
  const placeholder = 'https://github.com/pulumi-oneops/pulumi-oneops';
  const { publisher, repository, homepage, logoUrl, displayName, license, keywords } = schema;
  expect({ publisher, repository, homepage }).toEqual({
    publisher: 'pulumi-oneops',
    repository: placeholder,
    homepage: `${placeholder}#readme`,
  });
  expect([displayName, license]).toEqual(['OneOps', 'Apache-2.0']);
  const logo = /^https:\/\/raw\.githubusercontent\.com\/pulumi-oneops\/pulumi-oneops\/main\/(.*)$/.exec(
    String(logoUrl),
  );
  expect(existsSync(join(ROOT, logo?.[1] ?? 'no logo'))).toBe(true);
  expect(keywords).toEqual(expect.arrayContaining(['category/infrastructure', 'kind/native']));
});

test('settings that the environment may give have it as default, and the token is a secret', () => {
  const fromEnvironment = variables.flatMap(([name, { defaultInfo }]) => (defaultInfo ? [name] : []));
  expect(fromEnvironment.sort()).toEqual(['audit', 'offlinePreview', 'organization', 'readOnly', 'token', 'url']);
  for (const [name, { defaultInfo }] of variables)
    if (defaultInfo)
      expect(defaultInfo.environment).toEqual([
        `ONEOPS_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      ]);
  expect(variables.flatMap(([name, { secret }]) => (secret ? [name] : []))).toEqual(['token']);
});

test.each(kinds.map(({ token }) => token))('%s has an example, an import line and its dynamic type', (token) => {
  const { description, aliases } = schema.resources[`oneops:index:${token}`] as Resource;
  expect(description).toMatch(
    new RegExp(`\n## Example Usage\n\n\`\`\`yaml\nresources:\n[^]*type: oneops:${token}\n[^]*\n\`\`\`\n`),
  );
  expect(description).toMatch(
    new RegExp(`\n## Import\n\n\`\`\`sh\npulumi import oneops:index:${token} \\S+ \\S+\n\`\`\`$`),
  );
  expect(aliases).toEqual([{ type: dynamicType(token) }]);
});

test('no two names are the same in a language: classes, their arguments and states, functions, and members of a class', () => {
  const classes = Object.keys(schema.resources).flatMap((token) => [token, `${token}Args`, `${token}State`]);
  const all = [...classes, ...Object.keys(schema.types), ...Object.keys(schema.functions)].map((each) =>
    each.toLowerCase(),
  );
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  for (const [token, { properties, inputProperties }] of Object.entries(schema.resources)) {
    // In C#, a member has not the name of its class.
    const own = token.replace(/^.*:/, '').toLowerCase();
    const names = Object.keys({ ...properties, ...inputProperties }).map((name) => name.toLowerCase());
    expect(names.filter((name, index) => names.indexOf(name) !== index || name === own)).toEqual([]);
  }
});

test('each language has the name of its package', () => {
  const { nodejs, python, go, csharp, java } = schema.language;
  expect([nodejs?.['packageName'], python?.['packageName'], csharp?.['rootNamespace'], java?.['basePackage']]).toEqual([
    '@pulumi-oneops/plugin-sdk',
    'pulumi_oneops',
    'PulumiOneOps',
    'com.pulumioneops',
  ]);
  expect(go?.['importBasePath']).toBe('github.com/pulumi-oneops/pulumi-oneops/sdk/go/oneops');
});
