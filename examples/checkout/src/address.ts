/** The address of the buyer, and its checks. */
import { z } from 'zod'

type Country = { readonly code: string; readonly postalCode: RegExp; readonly example: string }

/** Every country to which the shop sends, with the form of its postal codes. */
export const COUNTRIES: readonly Country[] = [
  { code: 'CA', postalCode: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i, example: 'K1A 0B1' },
  { code: 'FR', postalCode: /^\d{5}$/, example: '75001' },
  { code: 'DE', postalCode: /^\d{5}$/, example: '10115' },
  { code: 'JP', postalCode: /^\d{3}-?\d{4}$/, example: '100-0001' },
  { code: 'NO', postalCode: /^\d{4}$/, example: '0150' },
  { code: 'ZA', postalCode: /^\d{4}$/, example: '8001' },
  { code: 'CH', postalCode: /^\d{4}$/, example: '8001' },
  { code: 'TH', postalCode: /^\d{5}$/, example: '10100' },
  { code: 'GB', postalCode: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i, example: 'SW1A 1AA' },
  { code: 'US', postalCode: /^\d{5}(-\d{4})?$/, example: '10001' },
]

const NAMES = new Intl.DisplayNames('en', { type: 'region' })

export function countryName(code: string): string {
  return NAMES.of(code) ?? code
}

const text = (what: string, max: number) =>
  z.string().trim().min(1, `Enter ${what}.`).max(max, `Use at most ${max} characters.`)

export const addressSchema = z
  .object({
    name: text('your name', 100),
    email: z.string().trim().pipe(z.email('Enter an e-mail such as ada@example.com.')),
    country: z.string().min(2, 'Choose a country.'),
    street: text('street and house number', 100),
    postalCode: text('the postal code', 12),
    city: text('the city', 60),
  })
  .refine(({ country, postalCode }) => hasForm(country, postalCode), {
    path: ['postalCode'],
    error: ({ input }) => postalCodeHint((input as { readonly country: string }).country),
    // Also while other fields have faults.
    when: () => true,
  })

function hasForm(country: string, postalCode: string): boolean {
  const form = COUNTRIES.find(({ code }) => code === country)?.postalCode
  return form === undefined || postalCode.trim() === '' || form.test(postalCode.trim())
}

function postalCodeHint(country: string): string {
  const example = COUNTRIES.find(({ code }) => code === country)?.example
  return `Postal codes in ${countryName(country)} look like ${example}.`
}

export type Address = z.infer<typeof addressSchema>

export const EMPTY_ADDRESS: Address = {
  name: '',
  email: '',
  country: '',
  street: '',
  postalCode: '',
  city: '',
}
