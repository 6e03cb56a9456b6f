/** The articles of the shop, and what Waybill has to know about a cart. Used by the page and by the server half. */
import type { ContentItemInput, PlaceInput, RatesInput } from '@waybill/client'
import { z } from 'zod'

export type Article = {
  readonly sku: string
  readonly name: string
  readonly detail: string
  readonly priceCents: number
  /** What customs needs. Without a code, it is found from the description, and the buyer is asked if it is unclear. */
  readonly description: string
  readonly hsCode?: string
  readonly originCountry: string
  readonly weightKg: number
}

export const ARTICLES: readonly Article[] = [
  {
    sku: 'boots',
    name: 'Quay ankle boots',
    detail: 'Size 39, chestnut',
    priceCents: 18_900,
    description: "women's boots",
    originCountry: 'PT',
    weightKg: 1.2,
  },
  {
    sku: 'jumper',
    name: 'Dune merino jumper',
    detail: 'Size M, sand',
    priceCents: 9_500,
    description: 'knitted jumper of merino wool',
    hsCode: '611011',
    originCountry: 'NL',
    weightKg: 0.4,
  },
  {
    sku: 'teapot',
    name: 'Tide stoneware teapot',
    detail: '0.9 litres, glazed',
    priceCents: 5_800,
    description: 'teapot of stoneware',
    hsCode: '691200',
    originCountry: 'NL',
    weightKg: 1.1,
  },
]

/** The currency of the articles, and of what the page asks Waybill for. */
export const CURRENCY = 'EUR'

/** The number of each article, by its sku. */
export const cartSchema = z.partialRecord(z.enum(['boots', 'jumper', 'teapot']), z.int().min(0).max(9))
export type Cart = z.infer<typeof cartSchema>

export const toSchema = z.object({
  country: z.string().regex(/^[A-Z]{2}$/),
  postalCode: z.string().max(12).optional(),
  city: z.string().max(60).optional(),
})

const WAREHOUSE: PlaceInput = { country: 'NL', postalCode: '1012 LG', city: 'Amsterdam' }
const PACKAGING_KG = 0.3

export function linesOf(cart: Cart): readonly { readonly article: Article; readonly count: number }[] {
  return ARTICLES.map((article) => ({ article, count: cart[article.sku as keyof Cart] ?? 0 })).filter(
    ({ count }) => count > 0,
  )
}

/** Everything is packed into one box. Its weight must not have more than one decimal. */
export function ratesInput(cart: Cart, to: PlaceInput): RatesInput {
  const kilograms = linesOf(cart).reduce(
    (sum, { article, count }) => sum + article.weightKg * count,
    PACKAGING_KG,
  )
  return {
    ...{ from: WAREHOUSE, to, recipientType: 'INDIVIDUAL' },
    parcels: { boxes: [{ weightKg: kilograms.toFixed(1), lengthCm: 40, widthCm: 30, heightCm: 25 }] },
  }
}

/** `hsCodes` has the codes that the buyer's answers gave, by sku. */
export function goodsOf(cart: Cart, hsCodes: Readonly<Record<string, string>>): ContentItemInput[] {
  return linesOf(cart).map(({ article, count }) => ({
    ...{ count, description: article.description, originCountry: article.originCountry },
    hsCode: hsCodes[article.sku] ?? article.hsCode,
    value: { amount: decimal(article.priceCents) },
    weightKg: String(article.weightKg),
  }))
}

export function goodsCents(cart: Cart): number {
  return linesOf(cart).reduce((sum, { article, count }) => sum + article.priceCents * count, 0)
}

/** An amount as the API writes it, such as "189.00". */
export function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
