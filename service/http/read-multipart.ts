// A form with files, as curl -F and browsers send it: the name and text of each part (RFC 7578).
// It must not know what the parts are for, nor how names nest.
import { Refusal } from '../handler';

/** Most parts of a form. */
const MOST_PARTS = 1000;

/** Longest head of a part: its name and type. */
const LONGEST_HEAD = 4096;

const broken = (why: string): Refusal => new Refusal(400, [`the multipart form cannot be read: ${why}`]);

/** Name of a part by its head. Throws a Refusal (400) for none. */
function nameIn(head: string): string {
  const name = /^content-disposition:\s*form-data\b[^\r\n]*?;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/im.exec(head);
  const text = name?.[1]?.replace(/\\(.)/g, '$1') ?? name?.[2];
  if (text === undefined || text === '') throw broken('a part has no name');
  return text;
}

/** Names and texts of a form, in order; a file is its text. Throws a Refusal (400) for what is no such form. */
export function readMultipart(text: string, contentType: string): readonly (readonly [name: string, value: string])[] {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw broken('its content type names no boundary');
  // What stands before the first boundary and after the last is no part.
  const [, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`);
  const last = parts.pop();
  if (last?.startsWith('--') !== true) throw broken('its last boundary is missing');
  if (parts.length > MOST_PARTS) throw broken(`it has more than ${MOST_PARTS} parts`);
  return parts.map((part) => {
    const end = part.indexOf('\r\n\r\n');
    if (!/^[ \t]*\r\n/.test(part) || end < 0 || end > LONGEST_HEAD) throw broken('a part has no head');
    return [nameIn(part.slice(part.indexOf('\r\n') + 2, end)), part.slice(end + 4)];
  });
}
