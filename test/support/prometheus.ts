/** Reads the text format of Prometheus. https://prometheus.io/docs/instrumenting/exposition_formats/ */

type Labels = Readonly<Record<string, string>>

export type Samples = {
  readonly names: readonly string[]
  /** Counter, gauge or histogram, by name. Also of metrics without samples. */
  readonly types: ReadonlyMap<string, string>
  /** The values of each label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>
  /** The sample with exactly these labels; 0 if there is none. */
  value(name: string, labels?: Labels): number
  /** Of all samples that have at least these labels. */
  sum(name: string, labels?: Labels): number
  largest(name: string): number
}

export function samplesIn(text: string): Samples {
  const samples = text.split('\n').flatMap((line) => {
    const [, name, inner = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
    if (name === undefined) return []
    const labels = Object.fromEntries(
      [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]),
    )
    return [{ name, labels, value: Number(value) }]
  })
  const labels = new Map<string, Set<string>>()
  for (const sample of samples)
    for (const [key, text] of Object.entries(sample.labels))
      labels.set(key, (labels.get(key) ?? new Set()).add(text))
  const having = (name: string, wanted: Labels) =>
    samples.filter(
      (sample) =>
        sample.name === name && Object.entries(wanted).every(([key, text]) => sample.labels[key] === text),
    )
  return {
    types: new Map(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    ),
    names: [...new Set(samples.map(({ name }) => name))],
    labels,
    value: (name, wanted = {}) =>
      having(name, wanted).find((one) => Object.keys(one.labels).length === Object.keys(wanted).length)
        ?.value ?? 0,
    sum: (name, wanted = {}) => having(name, wanted).reduce((sum, { value }) => sum + value, 0),
    largest: (name) => Math.max(...having(name, {}).map(({ value }) => value)),
  }
}
