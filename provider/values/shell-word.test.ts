// A shell takes each word as it is meant.
import { execFileSync } from 'node:child_process';
import { shellWord } from './text';

test.each([
  ['a plain word', 'Component:acme/shop/web/tomcat=web_tomcat,v1.2+x@%-'],
  ['no text', ''],
  ['blanks and lines', 'two words\nand a line\t'],
  ['quotes', `it's "quoted" \\'here\\'`],
  ['what a shell replaces', '~ $HOME `id` $(id) * ? [a] {a,b} !1 #x'],
  ['what ends a command', 'a; b && c | d > e < f &'],
  ['another alphabet', 'größe 日本'],
])('%s', (_, word) => {
  expect(execFileSync('sh', ['-c', `printf '<%s>' ${shellWord(word)}`], { encoding: 'utf8' })).toBe(`<${word}>`);
});

test('a word that needs no quotes has none', () => expect(shellWord('acme/shop=x')).toBe('acme/shop=x'));
