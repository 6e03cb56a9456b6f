/**
 * Operation: the data of a customs declaration. Codes are declared only as given, or as the account has agreed on for
 * the product. For other items, the classifier proposes a code that a person has to check. See
 * docs/customs-documents.md.
 */
import { type CustomsDeclaration, declare } from '../core/customs/declaration/declaration.ts'
import {
  checkDeclarationRequest,
  type DeclarationInput,
  type DeclarationItem,
} from '../core/customs/declaration/request.ts'
import type { HsCandidate } from '../core/hs-candidate.ts'
import type { InputProblem } from '../core/problem.ts'
import { agreedCodesFor, type FindCodes } from './estimate-duties.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'

export type ProposedDeclaration = CustomsDeclaration & {
  /** By item: the most likely code. Undefined if the item has a code, or none was found. */
  readonly proposals: readonly (HsCandidate | undefined)[]
}

/** Reads memory only, apart from `find` and from agreed codes that are not in memory. */
export async function declareCustoms(
  { reference, descriptionWords }: Pick<Ports, 'reference' | 'descriptionWords'>,
  caller: Pick<Caller, 'agreedCodes'>,
  input: DeclarationInput,
  find: FindCodes,
): Promise<ProposedDeclaration | InputProblem> {
  const request = checkDeclarationRequest(input)
  if ('kind' in request) return request
  const items = await withAgreedCodes(request.items, caller)
  const tables = { territories: reference.customsTables(), words: descriptionWords }
  const declaration = declare(tables, { ...request, items })
  const goods = items.map((item) => item.goods)
  const uncoded = goods.filter(({ tariff }) => tariff === undefined)
  const found = uncoded.length === 0 ? [] : await find(uncoded)
  const proposals = goods.map((item) => found[uncoded.indexOf(item)]?.[0])
  return { ...declaration, proposals }
}

async function withAgreedCodes(
  items: readonly DeclarationItem[],
  { agreedCodes }: Pick<Caller, 'agreedCodes'>,
): Promise<readonly DeclarationItem[]> {
  const agreed = await agreedCodesFor(
    items.map(({ goods }) => goods),
    agreedCodes,
  )
  return items.map((item) => {
    const { tariff, sku } = item.goods
    const code = tariff === undefined && sku !== undefined ? agreed.get(sku) : undefined
    return code === undefined ? item : { ...item, goods: { ...item.goods, tariff: code } }
  })
}
