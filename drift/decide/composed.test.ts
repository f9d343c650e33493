// What composition made is not edited where it is copied from: accepting says where it is written.
import { entryOf, type Entry, type MapNode } from '../../stack';
import { classMetadata, templateClass } from '../../api/contract';
import { readFiles } from './file-tree';
import { obstacleIn } from './splice';

const text = `assembly: { name: shop }
templates:
  service:
    parameters: { size: { type: string } }
    body: { pack: oneops/tomcat:1, components: { compute: { size: '\${param.size}' }, tomcat: { max_threads: 5 } } }
platforms:
  web: { use: service, with: { size: L }, components: { tomcat: { min_spare_threads: 3 } } }
`;

test.each([
  ['compute', 'size', 'it comes from an argument of a template or of each, written at oneops.yaml:7'],
  ['tomcat', 'max_threads', 'it comes from a template, written at oneops.yaml:5'],
  ['tomcat', 'min_spare_threads', undefined],
])('%s.%s', (component, attribute, reason) => {
  const { read } = readFiles([{ name: 'oneops.yaml', text }], {
    classMetadata,
    templateClass,
    readFile: () => ({ problem: 'none' }),
  });
  let entry: Entry | undefined;
  for (const key of ['platforms', 'web', 'components', component, attribute])
    entry = entryOf((entry?.value as MapNode | undefined) ?? read.root, key);
  const found = entry && obstacleIn(text, entry)?.reason;
  expect([entry?.key, found?.split(':').slice(0, 2).join(':')]).toEqual([attribute, reason]);
});
