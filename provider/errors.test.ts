// Laws of the provider's errors.
import { describe as described } from '../api/errors';
import { PartialFailure } from './errors';

test('a partial failure keeps id, outputs and at least one reason', () => {
  const failure = new PartialFailure({
    id: 'acme/shop/prod',
    outputs: { state: 'failed' },
    reasons: ['deployment 7 failed'],
  });
  described(failure, { attempt: 'update', subject: 'deployment acme/shop/prod' });
  expect(failure).toMatchObject({
    id: 'acme/shop/prod',
    outputs: { state: 'failed' },
    reasons: ['deployment 7 failed'],
  });
});
