// Outputs of other stacks: `fn::stackReference`.
// It must not know how the other values of a stack are carried.
import { RunError } from '@pulumi/pulumi/errors';
import { all, output, type Output } from '@pulumi/pulumi/output';
import { StackReference } from '@pulumi/pulumi/stackReference';
import { isPlainObject } from '../provider';
import { rangeText } from './reader/source';
import type { Placed } from './reader/tree';
import { resolve, type Carrier } from './values/resolve';
import type { Value } from './values/value';

interface Question {
  /** The stack's name, which depends on nothing that a resource returns. */
  readonly stack: Value;
  /** The output's name; may be an output of Pulumi itself. */
  readonly name: unknown;
  readonly place: Placed;
}

/** Reads outputs of other stacks. Each stack is registered once, under its full name. `plain` returns values that are known from the start. */
export function stackOutputs(plain: Carrier<unknown>['lookup']): (question: Question) => Output<unknown> {
  const references = new Map<string, StackReference>();
  const carrier: Carrier<unknown> = {
    lookup: plain,
    combine: (values, compute) => compute(values),
    secret: (value) => value,
    invoke: () => null,
  };
  return ({ stack, name, place }) => {
    const of = String(resolve(stack, carrier));
    const reference = references.get(of) ?? new StackReference(of);
    references.set(of, reference);
    const wanted = output(name as string).apply(String);
    const answers = all([reference.getOutput(wanted) as Output<unknown>, wanted, reference.secretOutputNames]);
    return answers.apply<unknown>(([value, word, secrets]) => {
      const at = `${rangeText(place.at)}: fn::stackReference`;
      if (value === undefined) throw new RunError(`${at}: stack "${of}" has no output "${word}"`);
      // The engine gives an empty map in the place of a secret that it cannot decrypt.
      if (!secrets.includes(word) || !isPlainObject(value) || Object.keys(value).length > 0) return value;
      throw new RunError(
        `${at}: the output "${word}" of stack "${of}" is a secret that cannot be decrypted here\n  both stacks need one passphrase, or a secrets provider that this run may use: pulumi stack change-secrets-provider`,
      );
    });
  };
}
