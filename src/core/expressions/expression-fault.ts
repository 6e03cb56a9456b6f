/** A fault in the text of an expression, with its place. */

export class ExpressionFault extends Error {
  /** The index of the character in the text, counted from 0. */
  readonly at: number

  constructor(at: number, explanation: string) {
    super(`character ${at + 1}: ${explanation}`)
    this.at = at
  }
}
