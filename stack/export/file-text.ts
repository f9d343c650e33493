// A value of a stack file that is more than data: a text with references.

/** A text as the file has it: its `${…}` are references. */
export class FileText {
  constructor(readonly text: string) {}
}
