/**
 * Registrations of sellers for the schemes under which they collect import taxes, and the formats of their numbers.
 * Check digits are not calculated. See docs/import-schemes.md#registrations.
 */

/** Days are 'YYYY-MM-DD'. A registration is valid from the first until the day before the second; null is open. */
export type SellerRegistration = {
  /** A scheme of the table of seller schemes, such as "VOEC". */
  readonly scheme: string
  readonly number: string
  readonly validFrom: string | null
  readonly validTo: string | null
}

type NumberFormat = { readonly pattern: RegExp; readonly example: string }

/** By scheme. Numbers are compared in capitals, without spaces, dots and hyphens. */
const FORMATS: Readonly<Record<string, NumberFormat>> = {
  IOSS: { pattern: /^IM\d{10}$/, example: 'IM0401234567' },
  GB_VAT: { pattern: /^GB(\d{9}|\d{12})$/, example: 'GB123456789' },
  VOEC: { pattern: /^\d{7}$/, example: '2012345' },
  OVR: {
    pattern: /^(M[A-Z0-9]\d{7}[A-Z0-9]|\d{8,9}[A-Z]|[TSR]\d{2}[A-Z]{2}\d{4}[A-Z])$/,
    example: 'M90312345A',
  },
  AU_GST: { pattern: /^(\d{11}|\d{12})$/, example: '51824753556' },
  NZ_GST: { pattern: /^\d{8,9}$/, example: '123456789' },
  MY_LVG: { pattern: /^[A-Z0-9]{8,20}$/, example: 'W10180832000001' },
  CL_VAT: { pattern: /^\d{7,8}[\dK]$/, example: '590123456' },
  CH_VAT: { pattern: /^CHE\d{9}$/, example: 'CHE123456789' },
}

export const SELLER_SCHEMES: readonly string[] = Object.keys(FORMATS)

/** The number in its stored form, or what is expected. */
export function readRegistrationNumber(
  scheme: string,
  text: string,
): { readonly number: string } | { readonly expected: string } {
  const format = FORMATS[scheme]
  if (format === undefined) return { expected: `one of ${SELLER_SCHEMES.join(', ')}` }
  const number = text.toUpperCase().replace(/[ .-]/g, '')
  return format.pattern.test(number) ? { number } : { expected: `a number such as ${format.example}` }
}
