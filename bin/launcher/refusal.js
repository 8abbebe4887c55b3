/** Why the launcher cannot go on, as one sentence for a person that says what to do. */
export class Refusal extends Error {
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
