/**
 * What a campaign leaves behind: nothing. Whatever it starts is put on a pile at once, and the pile is taken down from
 * the top at the end, after an error, and when somebody stops the campaign with Ctrl-C or SIGTERM.
 */

/** Steps that undo what was started. */
export type Undo = {
  /** Remembers how to undo something; later ones are undone first. */
  add(step: () => Promise<unknown> | unknown): void
}

/** Thrown where a campaign cannot run here. */
export class Skipped extends Error {}

/**
 * Runs a campaign to its end and leaves its exit status: 0 when it answers no violations (or cannot run here), 1 when
 * it answers some or throws, 130 when it was stopped. Its last line is the JSON of what it answers.
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
    await takeDown(steps)
    console.log(JSON.stringify(result))
  } catch (error) {
    await takeDown(steps)
    if (error instanceof Skipped) {
      console.log(`skipped: ${error.message}`)
      console.log(JSON.stringify({ skipped: error.message }))
    } else {
      console.error(error instanceof Stopped ? error.message : error)
      process.exitCode = error instanceof Stopped ? 130 : 1
    }
  }
  // A campaign that was stopped has work that nobody waits for.
  process.exit()
}

class Stopped extends Error {}

async function takeDown(steps: (() => Promise<unknown> | unknown)[]): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step()
    } catch (error) {
      console.error('could not be undone:', error)
    }
  }
}
