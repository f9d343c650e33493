// The service does not let a command in.
// It must not know any command.

/** There is no token, or the service refuses it. Exit code 4. */
export class NotLetIn extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotLetIn';
  }
}
