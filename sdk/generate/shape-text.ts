// The type of an argument as the reference pages say it.
import type { Shape } from '../../provider';
import { codeText } from './markdown';

/** A shape in words. */
export function shapeText(shape: Shape): string {
  switch (shape.type) {
    case 'text':
      return shape.allowed ? shape.allowed.map(codeText).join(', ') : 'text';
    case 'flag':
      return 'true or false';
    case 'int':
      return `whole number${rangeText(shape)}`;
    case 'list':
      return `list of ${shapeText(shape.items)}`;
    case 'map':
      return `map of ${shapeText(shape.values)}`;
    case 'object':
      return 'objects';
    case 'open':
      return 'map of attributes';
  }
}

function rangeText({ minimum, maximum }: Shape & { readonly type: 'int' }): string {
  if (minimum === undefined) return '';
  return maximum === undefined ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`;
}
