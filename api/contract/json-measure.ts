// How deep and how wide JSON text is, found out before it is parsed.

/** Size of JSON text; what is in quotes does not count. Of text that is no JSON the numbers mean nothing. */
interface JsonMeasure {
  /** Deepest nesting of brackets: 1 for `[]`. */
  readonly depth: number;
  /** Members and elements of all levels together, at most: commas and opening brackets. */
  readonly members: number;
}

/** Measures JSON text in one pass, without recursion. */
export function measureJson(text: string): JsonMeasure {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ',') members += 1;
    else if (character === '{' || character === '[') {
      depth += 1;
      members += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return { depth: deepest, members };
}
