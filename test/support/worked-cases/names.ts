/**
 * Assigns the names of published lines to the charges of a case. Inputs often name duties but not taxes or fees. Names are
 * matched in this order: the name in the inputs; the input key ("MPF"); words such as "VAT" or "fee" in a name; any
 * remaining name.
 */

export type Charged = {
  readonly kind: 'duty' | 'tax' | 'fee'
  name?: string
  /** The input key. */
  readonly hint: string
  /** Takes a name only if no other charge needs it, since the case may not list this charge. */
  readonly isModest: boolean
}

const KIND_WORDS: readonly (readonly [Charged['kind'], RegExp])[] = [
  ['tax', /\b(?:VAT|GST|HST|PST|QST|IGST|ICMS|IVA|TVA|BTW|MVA|KDV|JCT|MwSt|USt|EUSt|MOMS|tax)\b/i],
  ['fee', /\b(?:MPF|HMF|fee|charge|levy|handling|processing)\b/i],
  ['duty', /\b(?:duty|duties|tariff|preference|section|II|BCD|SWS|surcharge|excise|anti-dumping)\b/i],
]

const PLAIN_NAMES: Readonly<Record<Charged['kind'], string>> = { duty: 'Duty', tax: 'VAT', fee: 'Fee' }

export function nameCharges(charges: readonly Charged[], lineNames: readonly string[]): void {
  const free = new Set(lineNames)
  const claim = (charge: Charged, fits: (name: string) => boolean): void => {
    const found = [...free].find(fits)
    if (found === undefined) return
    charge.name = found
    free.delete(found)
  }
  const modestLast = [...charges].sort((a, b) => Number(a.isModest) - Number(b.isModest))
  const unnamed = (): readonly Charged[] => modestLast.filter(({ name }) => name === undefined)
  for (const charge of charges)
    if (charge.name !== undefined) claim(charge, (name) => sameName(name, charge.name ?? ''))
  for (const charge of unnamed()) if (charge.hint !== '') claim(charge, (name) => sameName(name, charge.hint))
  for (const charge of unnamed()) if (charge.hint !== '') claim(charge, (name) => hasWord(name, charge.hint))
  for (const charge of unnamed()) claim(charge, (name) => kindByWords(name) === charge.kind)
  for (const charge of unnamed()) if (!charge.isModest) claim(charge, () => true)
  for (const charge of unnamed()) charge.name = unlistedName(charges, charge)
}

function sameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}

function hasWord(name: string, word: string): boolean {
  return name
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .includes(word)
}

function kindByWords(name: string): Charged['kind'] | undefined {
  return KIND_WORDS.find(([, words]) => words.test(name))?.[0]
}

function unlistedName(charges: readonly Charged[], { kind, hint }: Charged): string {
  const name = kind === 'tax' || hint === '' ? PLAIN_NAMES[kind] : hint
  return charges.some((other) => other.name === name) ? `${name} (not listed)` : name
}
