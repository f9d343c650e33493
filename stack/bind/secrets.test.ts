// Secrets in a file where the service keeps them readable: a warning at the place, and none where they are encrypted or not kept at all.
import { readText } from '../../test/read-text';
import { renderFindings } from '../findings/show';

const read = (web: string, more = '') => {
  const text = `config: { key: { type: string, secret: true }, level: { type: string, default: info } }
assembly: { name: shop, owner: team@acme.io }
variables: { KEY: '\${config.key}' }
platforms:
  web:
    pack: oneops/tomcat:1
${web}
environments: { prod: { clouds: { east: { priority: 1 } }${more} } }
`;
  return {
    text,
    found: readText(text).findings.filter(({ code }) => code === 'readable-secret'),
  };
};

test.each([
  ['a text argument', "    description: '${config.key}'", '7:5', 'description'],
  ['a part of a text', "    description: 'for ${config.key}'", '7:5', 'description'],
  ['a literal', '    description: { fn::secret: canary }', '7:5', 'description'],
  ['an attribute', "    components: { tomcat: { environment: { A: '${config.key}' } } }", '7:29', 'environment'],
  ['a list', "    components: { user: { u: { authorized_keys: ['${config.key}'] } } }", '7:32', 'authorized_keys'],
  [
    'an attachment',
    "    components: { user: { u: { attachments: { a: { content: '${config.key}' } } } } }",
    '7:52',
    'content',
  ],
])('%s: a warning that says who can read it and what to do', (_, web, place, name) => {
  const { found } = read(web);
  expect(
    found.map(({ at, severity, message, hint }) => [`${at.start.line}:${at.start.column}`, severity, message, hint]),
  ).toEqual([
    [
      place,
      'warning',
      `"${name}" is given a secret, but the service does not encrypt it: everybody who may read the assembly can read it`,
      'keep the secret in a secret variable of the assembly, and write $OO_GLOBAL{NAME} here',
    ],
  ]);
});

test('texts of actions, which the service keeps: arguments of a procedure, comments of releases; and no text that only has to change', () => {
  const called = "platform: web, component: tomcat, action: restart, triggers: { a: '${config.key}' }";
  const { found } = read(
    '',
    `, deploy: { comment: 'by \${config.key}' }, procedures: { again: { ${called}, arglist: '\${config.key}' } },
     platforms: { web: { components: { tomcat: { max_threads: 9, touch: '\${config.key}' } } } }`,
  );
  expect(found.map(({ message }) => message.split(',')[0])).toEqual([
    '"comment" is given a secret',
    '"arglist" is given a secret',
  ]);
});

test('none for what is encrypted, for references to a secret variable, and for what is no secret', () => {
  const web = `    description: '\${config.level}'
    variables: { TOKEN: { fn::secret: canary } }
    components:
      tomcat: { environment: { A: '$OO_GLOBAL{KEY}' } }
      keystore: { keystore_password: '\${config.key}' }
      user: { u: { attachments: { a: { source: 'http://a', basic_auth_password: '\${config.key}' } } } }`;
  expect(read(web, ", variables: { KEY: '${config.key}' }").found).toEqual([]);
});

test('the warning shows no line that contains a secret', () => {
  const { text, found } = read('    description: { fn::secret: canary }');
  expect(found).toHaveLength(1);
  expect(renderFindings(found, [{ name: 'oneops.yaml', text }])).not.toContain('canary');
});
