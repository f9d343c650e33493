// Laws of the OpenAPI document: every route in the dialect's own paths, no reference to nothing.
import { described } from '../../test/described';
import { allRoutes, DIALECTS, methodIn, nameRules, type NameRule, parametersOf, pathIn, dialectRules } from './index';
import { type openApiDocument, openApiText } from './openapi';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly example?: string | number;
  readonly schema: {
    readonly type: string;
    readonly pattern?: string;
    readonly enum?: readonly string[];
    readonly default?: string;
  };
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: object };
  readonly responses: {
    readonly [status: string]: { readonly content?: object; readonly headers?: { readonly [name: string]: object } };
  };
  readonly security?: readonly object[];
  readonly deprecated?: boolean;
}

describe.each(DIALECTS)('%s', (dialect) => {
  const document = JSON.parse(openApiText(dialectRules[dialect])) as ReturnType<typeof openApiDocument> & {
    readonly components: { readonly [part: string]: { readonly [name: string]: unknown } };
  };
  const written = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(
      methods as unknown as {
        readonly [method: string]: Omit<Operation, 'parameters'> & {
          readonly parameters?: readonly { readonly $ref: string }[];
        };
      },
    ).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  const shared = document.components['parameters'] as { readonly [name: string]: Parameter };
  const operations = written.map(([line, { parameters, ...operation }]): readonly [string, Operation] => [
    line,
    parameters === undefined
      ? operation
      : {
          ...operation,
          parameters: parameters.flatMap(({ $ref }) => shared[$ref.replace('#/components/parameters/', '')] ?? []),
        },
  ]);

  test('has every route once, where the dialect has it', () => {
    const wanted = allRoutes.map((route) => [
      `${methodIn(dialectRules[dialect], route)} ${pathIn(dialect, route).replace(/\/$/, '')}`,
      route.name,
    ]);
    const once = wanted.filter(([line], index) => wanted.findIndex(([other]) => other === line) === index);
    expect(operations.map(([line, { operationId }]) => [line, operationId]).sort()).toEqual(once.sort());
  });

  test('has every parameter once, by its name, and refers to it', () => {
    for (const [line, { parameters = [] }] of written)
      for (const parameter of parameters) expect([line, Object.keys(parameter)]).toEqual([line, ['$ref']]);
    const texts = Object.values(shared).map((parameter) => JSON.stringify(parameter));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  test('has numbers as integers', () => {
    for (const { name, description, schema, example } of Object.values(shared)) {
      if (!/^(Number of|The ciId of|How many|Most)/.test(description)) continue;
      expect([name, schema.type, typeof (example ?? 0)]).toEqual([name, 'integer', 'number']);
    }
  });

  test('has bodies that generators of clients take: objects with their own members, or a choice of such', () => {
    for (const [line, { requestBody }] of operations) {
      if (requestBody === undefined) continue;
      expect([line, JSON.stringify(requestBody.content)]).toEqual([line, expect.not.stringContaining('"allOf"')]);
    }
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
          expect([line, name, String(example)]).toEqual([line, name, expect.stringMatching(schema.pattern ?? '')]);
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
    const written = ['200', ...redirects, '400', '401', '403', '404', '413', '415', '422', '429', '500', '507'];
    expect(statuses.get('assemblies.create')).toEqual(written);
    expect(statuses.get('service.status')).toEqual(['200', '400', '403', '429', '500']);
    expect([...statuses.values()].flat()).not.toContain('default');
  });

  test('names the header of the answers that may carry warnings', () => {
    const warning = operations.flatMap(([, { operationId, responses }]) =>
      responses['200']?.headers?.['oneops-warnings'] === undefined ? [] : [operationId],
    );
    expect(warning.sort()).toEqual(['design.load', 'environments.load']);
  });

  test('shows a body for every operation that takes one, which its own schema and the contract take', () => {
    const { bodyFault, operations: all } = described(dialect);
    for (const route of allRoutes) {
      const { requestBody } = all.get(route.name) ?? {};
      if (requestBody === undefined) continue;
      const { example } = requestBody.content['application/json'] ?? {};
      const fault = example === undefined ? 'has no example' : bodyFault(route.name, example);
      expect([route.name, fault, route.body.safeParse(example).success]).toEqual([route.name, undefined, true]);
    }
  });

  const events = dialectRules[dialect].attachmentEvents;
  test.each<[string, object | undefined, string | undefined]>([
    ['assemblies.create', { ciName: 'shop', ciAttributes: { owner: 'a@b.io' } }, undefined],
    ['assemblies.create', { ciName: '1shop', ciAttributes: { owner: 'a@b.io' } }, 'ciName'],
    ['assemblies.create', { ciName: 'shop', ciAttributes: { owner: 'nobody' } }, 'owner'],
    ['assemblies.create', { ciName: 'shop', ciAttributes: { ownr: 'a@b.io' } }, 'additional'],
    ['clouds.create', { ciName: 'my_cloud', ciAttributes: { location: '/x' } }, undefined],
    ['clouds.create', { ciName: 'my cloud', ciAttributes: { location: '/x' } }, 'ciName'],
    ['attachments.create', { ciName: 'a', ciAttributes: { [events]: 'after-add' } }, undefined],
    [
      'attachments.create',
      { ciName: 'a', ciAttributes: { [events === 'run_on' ? 'runs_on' : 'run_on']: 'after-add' } },
      'additional',
    ],
    ['components.create', { ciName: 'a', ciAttributes: { of_my_own: 'x' } }, undefined],
    ['components.create', { ciName: 'a', ciAttributes: { username: ['x'] } }, 'ciAttributes'],
    ['environments.create', { ciName: 'prod', ciAttributes: { subdomain: '$OO_GLOBAL{domain}' } }, undefined],
    ['environments.create', { ciName: 'prod', ciAttributes: { subdomain: 'one' } }, 'subdomain'],
  ])('%s of %j: %s', (route, record, fault) => {
    const body = { [/^(attachments|components)/.test(route) ? 'cms_dj_ci' : 'cms_ci']: record };
    const found = described(dialect).bodyFault(route, body);
    expect(found).toEqual(fault === undefined ? undefined : expect.stringContaining(fault));
  });

  test('says of one attribute of one class what the class says', () => {
    const { fault } = described(dialect);
    const of = (name: string) => ({ $ref: `#/components/schemas/Attributes_${name}` });
    expect(fault(of('Compute'), { size: 'L', of_my_own: 'x' })).toBeUndefined();
    expect(fault(of('User'), { username: 'De Ployer' })).toContain('username');
    expect(fault(of('User'), { sudoer: 'perhaps' })).toContain('sudoer');
    expect(fault(of('User'), { sudoer: false })).toBeUndefined();
    for (const [name, schema] of Object.entries(document.components['schemas'] ?? {}))
      if (name.startsWith('Attributes_'))
        for (const [attribute, { default: byDefault, examples = [] }] of Object.entries(
          (schema as { properties?: { [name: string]: { default?: string; examples?: string[] } } }).properties ?? {},
        ))
          for (const value of [byDefault, ...examples].filter((each) => each !== undefined))
            expect([name, attribute, fault(of(name.replace('Attributes_', '')), { [attribute]: value })]).toEqual([
              name,
              attribute,
              undefined,
            ]);
  });

  test('lists the words of members that contain one of a few', () => {
    const schemas = document.components['schemas'] as {
      readonly [name: string]: { readonly properties: { readonly [name: string]: object } };
    };
    expect(schemas['Release']?.properties['releaseState']).toMatchObject({ enum: ['open', 'closed', 'canceled'] });
    expect(schemas['Approval']?.properties['state']).toMatchObject({ enum: expect.arrayContaining(['rejected']) });
    expect(schemas['SwitchBody']?.properties['status']).toMatchObject({ enum: ['enable', 'disable', null] });
  });

  test('is not too large to read: below 1.5 MB', () => {
    expect(openApiText(dialectRules[dialect]).length).toBeLessThan(1_500_000);
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

  test('marks the former path of releases/bom as deprecated, and nothing else', () => {
    const deprecated = operations.filter(([, operation]) => operation.deprecated === true);
    expect(deprecated.map(([, { operationId }]) => operationId)).toEqual(['environmentReleases.latest']);
  });

  test('says of DELETE what it answers', () => {
    const [, removal] = operations.find(([line]) => line === 'DELETE /{organization}/assemblies/{assembly}') ?? [];
    expect(removal?.responses['200']?.content !== undefined).toBe(dialectRules[dialect].deleteAnswersRecord);
  });
});

test('property names that JSON Schema has too stay properties', () => {
  const { components } = JSON.parse(openApiText(dialectRules.documented)) as {
    readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: object } } };
  };
  expect(Object.keys(components.schemas['OrganizationRow']?.properties ?? {})).toContain('id');
  expect(Object.keys(components.schemas['Relation']?.properties ?? {})).toContain('fromCi');
});
