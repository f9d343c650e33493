// Attributes that cannot be given back: their class demands a value, and nothing says which one they had before they were declared.
// It must not know any single kind.
import { classMetadata, ENCRYPTED, routes } from '../../api/contract';
import { lookUp } from '../session';
import type { Work } from '../model';

/** Texts by wire name. */
interface Texts {
  readonly [wireName: string]: string;
}

/** The texts that can be written back, and the names of the attributes that stay as they are. */
interface GivenBack {
  readonly texts: Texts;
  readonly kept: readonly string[];
}

/**
 * Tells texts that a record can be given back from those it cannot: a blank one of a required attribute, which the service refuses, and a secret
 * of the pack, which nobody can read. Says on the row what stays. `className`: full name of the record's class.
 */
export async function givenBack(work: Work, className: string, texts: Texts): Promise<GivenBack> {
  const isRequired = Object.values(texts).includes('') ? await requiredIn(work, className) : () => false;
  const kept = Object.keys(texts).filter(
    (name) => texts[name] === ENCRYPTED || (texts[name] === '' && isRequired(name)),
  );
  if (kept.length > 0)
    work.notice(
      `${kept.join(', ')} ${kept.length === 1 ? 'stays as it is' : 'stay as they are'}: no value is known to go back to, and a blank one is refused`,
    );
  return { texts: Object.fromEntries(Object.entries(texts).filter(([name]) => !kept.includes(name))), kept };
}

/** Whether a class refuses a blank value of an attribute: by the catalogue of this package, or, for a class it does not hold, by the service's. */
async function requiredIn({ api, session }: Work, className: string): Promise<(wireName: string) => boolean> {
  const known = classMetadata(className);
  if (known) return (name) => known.attributes[name]?.required === true;
  const asked = await lookUp(session, `class ${className}`, () =>
    api.call(routes.catalogue.metadata, { query: { class_name: className } }),
  );
  const listed: unknown = asked?.['mdAttributes'];
  const attributes = (Array.isArray(listed) ? listed : []) as readonly {
    readonly attributeName?: unknown;
    readonly isMandatory?: unknown;
  }[];
  return (wireName) =>
    attributes.some(({ attributeName, isMandatory }) => attributeName === wireName && isMandatory === true);
}
