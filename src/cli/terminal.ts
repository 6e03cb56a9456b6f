/** Asking a person at a terminal. An input that ends, or is broken off, is an empty answer. */
import { createInterface } from 'node:readline/promises'

/** Asks on standard error and gives the line that was typed. */
export async function askAtTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await new Promise<string>((resolve) => {
      // The promise of `question` never settles when the input ends.
      terminal.once('close', () => resolve(''))
      terminal.question(question).then(resolve, () => resolve(''))
    })
  } finally {
    terminal.close()
  }
}
