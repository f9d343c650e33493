// ONE10xx: texts that are no YAML, or YAML that a stack cannot mean.
import { SHOP, type Explanation } from './explanation';

export const SYNTAX: readonly Explanation[] = [
  {
    id: 'ONE1001',
    code: 'tab',
    meaning: 'YAML indents with spaces. A tab looks like several of them and counts as none.',
    wrong: 'assembly:\n\tname: shop\n',
    right: 'assembly:\n  name: shop\n',
  },
  {
    id: 'ONE1002',
    code: 'bad-indent',
    meaning: 'All keys of one map start in the same column, and what belongs to a key starts to the right of it.',
    wrong: 'assembly:\n    name: shop\n  owner: team@acme.io\n',
    right: 'assembly:\n  name: shop\n  owner: team@acme.io\n',
  },
  {
    id: 'ONE1003',
    code: 'bad-syntax',
    meaning:
      'The text is not valid YAML. Often a text that contains ": " or starts with a special character has no quotes. After a mistake of the grammar, the rest of the file is not read.',
    wrong: 'assembly:\n  name: shop\n  description: note: a shop\n',
    right: "assembly:\n  name: shop\n  description: 'note: a shop'\n",
  },
  {
    id: 'ONE1004',
    code: 'unclosed',
    meaning:
      'A quote, a bracket or a brace is opened and never closed. The finding points at the place where it is opened.',
    wrong: 'assembly: { name: shop\n',
    right: 'assembly: { name: shop }\n',
  },
  {
    id: 'ONE1005',
    code: 'unquoted-reference',
    meaning: 'Between braces or brackets, YAML takes the brace of a reference for a map. Put the reference in quotes.',
    wrong: 'config: { shop: { type: string, default: x } }\nassembly: { name: shop, description: ${config.shop} }\n',
    right: "config: { shop: { type: string, default: x } }\nassembly: { name: shop, description: '${config.shop}' }\n",
  },
  {
    id: 'ONE1006',
    code: 'too-deep',
    meaning: 'The file is nested more than 64 levels deep. No stack needs that.',
    wrong: `${SHOP}x-deep: ${'['.repeat(65)}1${']'.repeat(65)}\n`,
    right: `${SHOP}x-deep: [[1]]\n`,
  },
  {
    id: 'ONE1007',
    code: 'unknown-alias',
    meaning: 'An alias (*name) refers to an anchor (&name) that is written before it in the same file.',
    wrong: 'assembly: { name: shop, tags: *tags }\n',
    right: 'x-tags: &tags { cost: a }\nassembly: { name: shop, tags: *tags }\n',
  },
  {
    id: 'ONE1008',
    code: 'alias-cycle',
    meaning: 'An alias inside its own anchor would be a value that contains itself.',
    wrong: `${SHOP}x-tags: &tags { cost: *tags }\n`,
    right: `${SHOP}x-tags: &tags { cost: a }\n`,
  },
  {
    id: 'ONE1009',
    code: 'too-many-aliases',
    meaning: 'Aliases repeat what they refer to. Together they make the file larger than 10,000 values.',
    wrong: `${SHOP}x-a: &a [${'1,'.repeat(199)}1]\nx-b: [${'*a,'.repeat(59)}*a]\n`,
    right: `${SHOP}x-a: &a [1, 1]\nx-b: [*a, *a]\n`,
  },
  {
    id: 'ONE1010',
    code: 'complex-key',
    meaning:
      'A key is a word. Lists, maps and aliases cannot be keys. A key such as {{cloud}} belongs to a template that has to be rendered first.',
    wrong: `${SHOP}variables: { [a]: x }\n`,
    right: `${SHOP}variables: { a: x }\n`,
  },
  {
    id: 'ONE1011',
    code: 'missing-key',
    meaning: 'There is a value without a key before its colon.',
    wrong: `${SHOP}variables:\n  : x\n`,
    right: `${SHOP}variables:\n  LEVEL: x\n`,
  },
  {
    id: 'ONE1012',
    code: 'reserved-key',
    meaning: '"__proto__" has a special meaning in JavaScript and cannot be a key.',
    wrong: `${SHOP}variables: { __proto__: x }\n`,
    right: `${SHOP}variables: { PROTO: x }\n`,
  },
  {
    id: 'ONE1013',
    code: 'merge-key',
    meaning:
      'The merge key "<<" takes a map or a list of maps, usually an alias. Quote it where it is an ordinary key.',
    wrong: 'assembly:\n  <<: shop\n  name: shop\n',
    right: 'x-all: &all { description: Web shop }\nassembly:\n  <<: *all\n  name: shop\n',
  },
  {
    id: 'ONE1014',
    code: 'unknown-tag',
    meaning: 'Only the tags of YAML itself are known, such as !!str. A file has functions instead: { fn::secret: … }.',
    wrong: `${SHOP}variables: { KEY: !secret x }\n`,
    right: `${SHOP}variables: { KEY: { fn::secret: x } }\n`,
  },
  {
    id: 'ONE1015',
    code: 'several-documents',
    meaning: 'A file contains one document. A stack can consist of several files instead.',
    wrong: `${SHOP}---\nvariables: { LEVEL: info }\n`,
    right: `${SHOP}variables: { LEVEL: info }\n`,
  },
  {
    id: 'ONE1016',
    code: 'yaml-version',
    meaning: 'Files are YAML 1.2 with the merge keys of YAML 1.1. Another version cannot be chosen.',
    wrong: `%YAML 1.1\n---\n${SHOP}`,
    right: SHOP,
  },
  {
    id: 'ONE1017',
    code: 'empty-file',
    meaning: 'The file contains nothing, or only comments.',
    wrong: '# later\n',
    right: SHOP,
  },
];
