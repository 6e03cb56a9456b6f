/** The violations of one scenario. Equal ones are counted, not listed. */

export type Findings = {
  /** Adds a violation. `kind` is the rule, `detail` the case. */
  add(kind: string, detail?: string): void
  /** One line per kind, with the number of cases and the first case. */
  lines(): readonly string[]
}

const MAX_DETAIL = 300

export function openFindings(): Findings {
  const kinds = new Map<string, { times: number; first: string }>()
  return {
    add(kind, detail = '') {
      const known = kinds.get(kind)
      if (known === undefined) kinds.set(kind, { times: 1, first: inOneLine(detail) })
      else known.times += 1
    },
    lines: () =>
      [...kinds].map(([kind, { times, first }]) =>
        [kind, ...(first === '' ? [] : [first]), ...(times === 1 ? [] : [`${times} times`])].join('; '),
      ),
  }
}

function inOneLine(text: string): string {
  return text.slice(0, MAX_DETAIL).replace(/\s+/g, ' ').trim()
}
