// A text as a whole stack, read with the packaged catalogue and no files next to it.
import type { StackEnvironment } from '../stack';
import { readStack, type ReadStack } from '../stack/bind/stack';

export const readText = (text: string, more: Partial<StackEnvironment> = {}): ReadStack =>
  readStack([{ name: 'oneops.yaml', text }], {
    readFile: () => ({ problem: 'there is none' }),
    ...more,
  });
