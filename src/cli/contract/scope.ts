/** The options that name a contract: its products, and its first day. */
import { Option } from 'commander'
import { type ContractRow, scopeText } from '../../core/rating/contract.ts'
import type { ContractKey } from '../../store/rate-cards/contracts.ts'
import { plainText, productId } from '../terminal/arguments.ts'

export type ScopeOptions = { readonly product?: number; readonly carrier?: string; readonly from: string }

export function productOption(): Option {
  return new Option('--product <id>', 'only for this product (default: for all)')
    .argParser(productId)
    .conflicts('carrier')
}

export function carrierOption(): Option {
  return new Option('--carrier <code>', 'only for the products of this carrier').argParser(plainText)
}

export function keyOf(accountId: string, { product, carrier, from }: ScopeOptions): ContractKey {
  return {
    accountId,
    ...(product !== undefined && { productId: product }),
    ...(carrier !== undefined && { carrierCode: carrier }),
    validFrom: from,
  }
}

export function isFor(row: ContractKey, key: ContractKey): boolean {
  return (
    row.productId === key.productId && row.carrierCode === key.carrierCode && row.validFrom === key.validFrom
  )
}

export function nameOf(
  key: Pick<ContractRow, 'accountId' | 'productId' | 'carrierCode' | 'validFrom'>,
): string {
  return `${key.accountId} for ${scopeText(key)} from ${key.validFrom}`
}
