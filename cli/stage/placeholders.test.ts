// Placeholders for secrets: nothing that is a secret survives, and what follows from a setting follows from its placeholder.
import { markedSecret, secretIn } from '../../provider/lifecycle/registration';
import { placeholderOf, placeholdersFor, withPlaceholders } from './placeholders';

test('a state has placeholders wherever it has the secrets of the configuration, and in every other secret text', () => {
  const settings = {
    'shop:key': 'canary-1',
    'shop:longer': 'canary-1-2',
    'oneops:token': 'canary-3',
    'shop:empty': '',
  };
  const hidden = placeholdersFor({ ...settings, 'shop:plain': 'text' }, new Set(Object.keys(settings)));
  const state = {
    urn: 'urn',
    inputs: {
      own: markedSecret('canary-1'),
      made: markedSecret({ url: 'https://x:canary-1-2@db', list: ['canary-3', 7], plain: 'text' }),
      rotated: markedSecret('canary-4'),
      inside: markedSecret({ list: ['canary-6', '', 7], map: { text: 'canary-7' } }),
      encrypted: { ...markedSecret(''), plaintext: undefined, ciphertext: 'canary-5' },
    },
  };
  const masked = withPlaceholders(state, hidden) as typeof state;
  expect(JSON.stringify(masked)).not.toContain('canary');
  expect(secretIn(masked.inputs.own)).toEqual({ value: placeholderOf('shop:key') });
  expect(secretIn(masked.inputs.made)).toEqual({
    value: { url: 'https://x:placeholder-of-longer@db', list: ['placeholder-of-token', 7], plain: 'text' },
  });
  const another = 'placeholder-of-another-secret';
  expect(secretIn(masked.inputs.inside)).toEqual({ value: { list: [another, '', 7], map: { text: another } } });
  expect(masked.urn).toBe('urn');
});
