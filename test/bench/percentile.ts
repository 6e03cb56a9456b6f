/** Figures of benchmarks. */

/** The value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!
}

/** Median and 99th percentile. */
export type Percentiles = { readonly p50: number; readonly p99: number }

/**
 * Microseconds a call, over rounds of all inputs: percentiles of each round, and of those the median, so that a busy
 * moment of the machine weighs little. Runs as many rounds before, unmeasured.
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
    return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }
  })
  return {
    p50: percentile(
      measured.map(({ p50 }) => p50),
      0.5,
    ),
    p99: percentile(
      measured.map(({ p99 }) => p99),
      0.5,
    ),
  }
}

/** One decimal. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
