// Laws of the OpenAPI document: it has every route in the voice's own paths, and nothing in it leads nowhere.
import {
  allRoutes,
  DIALECTS,
  methodIn,
  nameRules,
  type NameRule,
  openApi,
  openApiText,
  parametersOf,
  pathIn,
  voices,
} from './index';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string;
    readonly example?: string;
    readonly schema: { readonly pattern?: string; readonly enum?: readonly string[]; readonly default?: string };
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: object };
  readonly responses: { readonly [status: string]: { readonly content?: object } };
  readonly security?: readonly object[];
  readonly deprecated?: boolean;
}

describe.each(DIALECTS)('%s', (dialect) => {
  const document = JSON.parse(openApiText(voices[dialect])) as ReturnType<typeof openApi> & {
    readonly components: { readonly [part: string]: { readonly [name: string]: unknown } };
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as { readonly [method: string]: Operation }).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );

  test('has every route once, where the dialect has it', () => {
    const wanted = allRoutes.map((route) => [
      `${methodIn(voices[dialect], route)} ${pathIn(dialect, route)}`,
      route.name,
    ]);
    expect(operations.map(([line, { operationId }]) => [line, operationId]).sort()).toEqual(wanted.sort());
  });

  test('declares every parameter of every path, and a body only where one is taken', () => {
    for (const [line, operation] of operations) {
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect([line, declared.map(({ name }) => name)]).toEqual([line, parametersOf(line)]);
      expect(declared.every(({ required }) => required)).toBe(true);
      if (/^(GET|DELETE) /.test(line)) expect([line, operation.requestBody]).toEqual([line, undefined]);
    }
  });

  test('describes every operation and every parameter in words, each example as its schema says', () => {
    for (const [line, { description, parameters = [] }] of operations) {
      expect([line, description]).toEqual([line, expect.stringMatching(/^[A-Z].*[^.]\. [A-Z].*\.$/)]);
      for (const { name, description: words, example, schema } of parameters) {
        expect([line, name, words]).toEqual([line, name, expect.stringMatching(/^[A-Z`].{5}/)]);
        if (example !== undefined)
          expect([line, name, example]).toEqual([line, name, expect.stringMatching(schema.pattern ?? '')]);
        if (schema.default !== undefined) expect(schema.enum).toContain(schema.default);
      }
    }
  });

  test('takes a name by its rule, and a ciId, for a parameter that names a record; and nothing else', () => {
    for (const [, { parameters = [] }] of operations) {
      for (const { name, schema } of parameters.filter(({ description }) => /^Name or ciId/.test(description))) {
        const rule = nameRules[name as keyof typeof nameRules] as NameRule | undefined;
        if (rule === undefined || schema.pattern === undefined) continue;
        const pattern = new RegExp(schema.pattern);
        for (const text of ['shop', '17', '1shop', 'a b', 'shop\n', 'a'.repeat(32), 'a'.repeat(100), 'a_b', ''])
          expect([name, text, pattern.test(text)]).toEqual([name, text, rule.pattern.test(text) || text === '17']);
      }
    }
  });

  test('lists the statuses of each operation, and no default', () => {
    const statuses = new Map(operations.map(([, { operationId, responses }]) => [operationId, Object.keys(responses)]));
    const redirects = dialect === 'classic' ? ['302'] : [];
    expect(statuses.get('assemblies.list')).toEqual(['200', ...redirects, '400', '401', '403', '404', '429', '500']);
    const written = ['200', ...redirects, '400', '401', '403', '404', '413', '415', '422', '429', '500'];
    expect(statuses.get('assemblies.create')).toEqual(written);
    expect(statuses.get('service.status')).toEqual(['200', '400', '403', '429', '500']);
    expect([...statuses.values()].flat()).not.toContain('default');
  });

  test('has no reference that leads nowhere, and no component that nothing refers to', () => {
    const references = new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]));
    const components = Object.entries(document.components).flatMap(([part, members]) =>
      Object.keys(members).map((name) => `#/components/${part}/${name}`),
    );
    const reached = components.filter((name) => !name.startsWith('#/components/securitySchemes/'));
    expect([...references].sort()).toEqual(reached.sort());
  });

  test('asks for a token everywhere but where none is needed', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', security: [{ token: [] }] });
    const open = operations.filter(([, operation]) => operation.security?.length === 0);
    expect(open.map(([, { operationId }]) => operationId).sort()).toEqual(
      allRoutes
        .filter((route) => route.open)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test('marks the former path of releases/bom as deprecated, and nothing else (api.md §9)', () => {
    const deprecated = operations.filter(([, operation]) => operation.deprecated === true);
    expect(deprecated.map(([, { operationId }]) => operationId)).toEqual(['environmentReleases.latest']);
  });

  test('says of DELETE what it answers', () => {
    const [, removal] = operations.find(([line]) => line === 'DELETE /{organization}/assemblies/{assembly}') ?? [];
    expect(removal?.responses['200']?.content !== undefined).toBe(voices[dialect].deleteAnswersRecord);
  });
});

test('property names that JSON Schema has too stay properties', () => {
  const { components } = openApi(voices.documented) as unknown as {
    readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: object } } };
  };
  expect(Object.keys(components.schemas['OrganizationRow']?.properties ?? {})).toContain('id');
  expect(Object.keys(components.schemas['Relation']?.properties ?? {})).toContain('fromCi');
});
