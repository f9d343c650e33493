// Declares a resource by its kind's token: what the classes do, for readers of declarations that are not programs.
// It must not know what the arguments mean.
import { CustomResource, type CustomResourceOptions } from '@pulumi/pulumi/resource';
import { settledNames } from '../provider';
import { announce, knownKind, registration } from './registration';

class DeclaredResource extends CustomResource {
  constructor(token: string, name: string, args: object, options: CustomResourceOptions) {
    super(...registration(token, name, args, options));
    announce(this, token, { name, args, options, isJudged: true });
  }
}

/**
 * Registers a resource of a kind (`Attachment`) under a logical name. Arguments are those of its class. No release is declared together with an
 * Assembly: that is the caller's.
 */
export function declareResource(
  token: string,
  name: string,
  args: object,
  options: CustomResourceOptions = {},
): CustomResource {
  return new DeclaredResource(token, name, args, options);
}

/** Arguments of a kind that are filled in from everything declared, when they are not given: `members`, `clouds`, `designRelease`. */
export function deferredNames(token: string): readonly string[] {
  return settledNames(knownKind(token));
}
