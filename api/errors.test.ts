// Laws of error messages: each says what to do, on what. Which status is of which class is in test/matrix.
import * as errors from './errors';

const refusal = (status: number, messages: readonly string[] = ['no']) => ({
  method: 'GET',
  path: '/acme/assemblies',
  status,
  messages,
});

test('each says what to do, and keeps method, path, status and the words of the service', () => {
  for (const status of [400, 401, 403, 404, 409, 413, 418, 422, 429, 500, 502, 503]) {
    const error = errors.apiError(refusal(status, ['first', 'second']), { errors: ['first', 'second'] });
    expect(error).toMatchObject({ method: 'GET', path: '/acme/assemblies', status, messages: ['first', 'second'] });
    expect(error.message).toMatch(/first; second \(GET \/acme\/assemblies\)\n\S/);
  }
  expect(errors.apiError({ ...refusal(429), retryAfter: 7 }, {}).hint).toMatch(/7 s/);
});

test('a description says what was attempted, on what, what came back and what to do; the nearest one counts', () => {
  const error = errors.apiError(refusal(401, ['unknown token']), { error: 'unknown token' });
  const described = errors.describe(
    errors.describe(error, { attempt: 'create', subject: 'attachment acme/shop/web/deployer/motd' }),
    { attempt: 'deploy', subject: 'acme' },
  );
  expect(described).toBe(error);
  expect(described.message).toBe(
    'cannot create attachment acme/shop/web/deployer/motd: the service answered 401: unknown token (GET /acme/assemblies)\n' +
      'give the token of a user of the service: token in new OneOps({ token })',
  );
});

test('what is no error of ours is a defect and says so', () => {
  const described = errors.describe(new TypeError('x is not a function'), {
    attempt: 'read',
    subject: 'assembly acme/shop',
  });
  expect(described).toBeInstanceOf(errors.Bug);
  expect(described.message).toMatch(/^cannot read assembly acme\/shop: x is not a function\nthis is a defect/);
});
