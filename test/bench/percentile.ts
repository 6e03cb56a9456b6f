/** Percentiles and timing for benchmarks. */

/** The value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!
}

/** Median and 99th percentile. */
export type Percentiles = {
  readonly p50: number
  readonly p99: number
  /** The 99th percentile of the inputs, each with its median time, which other load hardly affects. */
  readonly inputsP99: number
}

/**
 * Microseconds per call: percentiles of each round over all inputs, then their median over the rounds, which limits
 * the effect of other load. Runs the same number of rounds first as a warm-up.
 */
export function measureCalls<Input>(
  inputs: readonly Input[],
  rounds: number,
  call: (input: Input) => void,
): Percentiles {
  for (let warm = 0; warm < rounds; warm++) for (const input of inputs) call(input)
  const measured = Array.from({ length: rounds }, () => {
    const samples = inputs.map((input) => {
      const start = process.hrtime.bigint()
      call(input)
      return Number(process.hrtime.bigint() - start) / 1000
    })
    return { samples, p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }
  })
  const medians = inputs.map((_, index) =>
    percentile(
      measured.map(({ samples }) => samples[index]!),
      0.5,
    ),
  )
  return {
    p50: percentile(
      measured.map(({ p50 }) => p50),
      0.5,
    ),
    p99: percentile(
      measured.map(({ p99 }) => p99),
      0.5,
    ),
    inputsP99: percentile(medians, 0.99),
  }
}

/** Rounds to one decimal. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
