// A program in Pulumi's configuration language (PCL) as a tree with places.
// It must not know what a name means.
import type { Steps } from '../values/value';

/** Offsets in the text: from one up to, not including, another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What could not be read, or cannot be said in a stack file. */
export interface PclFault extends Span {
  /** Errors are parts that the stack file lacks; warnings are what a person has to do or to know. */
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail?: string;
}

export type Expression = Span &
  (
    | { readonly form: 'literal'; readonly value: string | number | boolean | null }
    | { readonly form: 'template'; readonly parts: readonly (string | Expression)[] }
    | { readonly form: 'list'; readonly items: readonly Expression[] }
    | { readonly form: 'object'; readonly entries: readonly (readonly [key: string, value: Expression])[] }
    | { readonly form: 'reference'; readonly root: string; readonly steps: Steps }
    | {
        readonly form: 'call';
        readonly name: string;
        readonly args: readonly Expression[];
        readonly steps: Steps;
      }
  );

/** `owner = …` */
export interface PclAttribute extends Span {
  readonly form: 'attribute';
  readonly name: string;
  readonly value: Expression;
}

/** `resource web "oneops:index:Platform" { … }` */
export interface Block extends Span {
  readonly form: 'block';
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: readonly Statement[];
}

export type Statement = PclAttribute | Block;

/** A file's statements, and what of it could not be read. */
export interface PclReading {
  readonly statements: readonly Statement[];
  readonly faults: readonly PclFault[];
}
