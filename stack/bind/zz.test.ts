import { classMetadata, templateClass } from '../../api/contract';
import { readStack } from './bind-stack';
import { readYaml } from '../reader/read-yaml';
import { readFileSync } from 'fs';
test('t', () => {
  const text = readFileSync('/tmp/y/a.yaml','utf8');
  const env = { classMetadata, templateClass, readFile: () => ({ problem: 'x' }) };
  for (let k=0;k<3;k++){ let t = process.hrtime.bigint();
  for (let i=0;i<100;i++) readYaml({name:'a',text});
  const t2 = process.hrtime.bigint();
  for (let i=0;i<100;i++) readStack([{name:'a',text}], env);
  const t3 = process.hrtime.bigint();
  console.log(Number(t2-t)/1e8, Number(t3-t2)/1e8);}
});
