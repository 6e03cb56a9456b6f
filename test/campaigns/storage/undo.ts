/**
 * Clean-up of a campaign. Each started part registers a step, and the steps run in reverse order at the end,
 * after an error, and after Ctrl-C or SIGTERM.
 */

export type Undo = {
  /** Registers a clean-up step. Later steps run first. */
  add(step: () => Promise<unknown> | unknown): void
}

/** Thrown if a campaign cannot run here. */
export class Skipped extends Error {}

/** Thrown if a program is not installed that the campaign is about. */
export class Missing extends Error {}

/**
 * Runs a campaign and sets the exit code: 0 without violations or if it cannot run here, 1 after violations
 * or an error, 2 if a program is missing, 130 if it was stopped. The last line is its result as JSON.
 */
export async function runCampaign<Result extends { readonly violations: number }>(
  campaign: (undo: Undo) => Promise<Result>,
): Promise<void> {
  const steps: (() => Promise<unknown> | unknown)[] = []
  let stop = (_reason: Error): void => {}
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = reject
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => stop(new Stopped(`stopped by ${signal}`)))
  process.on('uncaughtException', stop)
  try {
    const result = await Promise.race([campaign({ add: (step) => steps.push(step) }), stopped])
    process.exitCode = result.violations === 0 ? 0 : 1
    await runSteps(steps)
    console.log(JSON.stringify(result))
  } catch (error) {
    await runSteps(steps)
    if (error instanceof Skipped) {
      console.log(`skipped: ${error.message}`)
      console.log(JSON.stringify({ skipped: error.message }))
    } else if (error instanceof Missing) {
      console.log(`cannot run: ${error.message}`)
      process.exitCode = 2
    } else {
      console.error(error instanceof Stopped ? error.message : error)
      process.exitCode = error instanceof Stopped ? 130 : 1
    }
  }
  // A stopped campaign may still have pending work.
  process.exit()
}

class Stopped extends Error {}

async function runSteps(steps: (() => Promise<unknown> | unknown)[]): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step()
    } catch (error) {
      console.error('clean-up failed:', error)
    }
  }
}
