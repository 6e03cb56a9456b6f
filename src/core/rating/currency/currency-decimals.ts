/**
 * The decimals of amounts in a currency. Currencies that are not listed have two. Source: ISO 4217, list one, which the
 * maintenance agency SIX publishes.
 */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
)
const WITH_THREE: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))
const WITH_FOUR: ReadonlySet<string> = new Set(['CLF', 'UYW'])

export function decimalPlaces(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0
  if (WITH_THREE.has(currency)) return 3
  return WITH_FOUR.has(currency) ? 4 : 2
}
