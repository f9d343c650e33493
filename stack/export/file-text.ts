// Values of a stack file that are more than data: a text with references, and a secret.
// It must not know where they come from.

/** A text as the file has it: its `${…}` are references. */
export class FileText {
  constructor(readonly text: string) {}
}

/** A value that the file must not contain in clear. */
export class SecretText {
  constructor(readonly text: string) {}
}
