/** How a difference names products: cards refer to them by id, people know them by name. */

/** The name of a product, '' where neither card has it. */
export type ProductNames = (productId: number) => string

/** "1201 Classic", or "1201" where neither card has the product. */
export function productText(productId: number, names: ProductNames): string {
  return `${productId} ${names(productId)}`.trimEnd()
}
