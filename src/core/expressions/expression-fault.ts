/** A fault in the text of an expression, with its place. */

export class ExpressionFault extends Error {
  /** `at` is the index of the character in the text, counted from 0. */
  constructor(at: number, explanation: string) {
    super(`character ${at + 1}: ${explanation}`)
  }
}
