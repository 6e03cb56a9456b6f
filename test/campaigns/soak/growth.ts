/** The growth of memory over a run. */

/** Megabytes in use after a full collection, `minutes` after the start. */
export type Sample = { readonly minutes: number; readonly mb: number }

/** The slope of the line of least squares, in MB per 10 minutes. */
export function growthPer10Minutes(samples: readonly Sample[]): number {
  return 10 * slopeOf(samples.map(({ minutes, mb }) => [minutes, mb]))
}

/**
 * The lowest sample of each of several consecutive parts of the run. A cache that fills and empties hardly changes them
 * if each part is longer than its cycle.
 */
export function lowestSamples(samples: readonly Sample[], parts: number): Sample[] {
  const length = Math.ceil(samples.length / parts)
  return Array.from({ length: parts }, (_unused, part) =>
    samples
      .slice(part * length, (part + 1) * length)
      .reduce((lowest, sample) => (sample.mb < lowest.mb ? sample : lowest)),
  )
}

/** The slope of the line of least squares through points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = mean(points.map(([x]) => x))
  const meanY = mean(points.map(([, y]) => y))
  let [covariance, variance] = [0, 0]
  for (const [x, y] of points) {
    covariance += (x - meanX) * (y - meanY)
    variance += (x - meanX) ** 2
  }
  return covariance / variance
}
