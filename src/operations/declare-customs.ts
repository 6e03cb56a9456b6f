/**
 * Operation: the data of a customs declaration. Codes are declared only as given. For items without one, the classifier
 * proposes a code that a person has to check. See docs/customs-documents.md.
 */
import { type CustomsDeclaration, declare } from '../core/customs/declaration/declaration.ts'
import { checkDeclarationRequest, type DeclarationInput } from '../core/customs/declaration/request.ts'
import type { HsCandidate } from '../core/hs-candidate.ts'
import type { InputProblem } from '../core/problem.ts'
import type { FindCodes } from './estimate-duties.ts'
import type { Ports } from './ports/ports.ts'

export type ProposedDeclaration = CustomsDeclaration & {
  /** By item: the most likely code. Undefined if the item has a code, or none was found. */
  readonly proposals: readonly (HsCandidate | undefined)[]
}

/** Reads memory only, apart from `find`. */
export async function declareCustoms(
  { reference, descriptionWords }: Pick<Ports, 'reference' | 'descriptionWords'>,
  input: DeclarationInput,
  find: FindCodes,
): Promise<ProposedDeclaration | InputProblem> {
  const request = checkDeclarationRequest(input)
  if ('kind' in request) return request
  const declaration = declare({ territories: reference.customsTables(), words: descriptionWords }, request)
  const goods = request.items.map(({ goods }) => goods)
  const uncoded = goods.filter(({ tariff }) => tariff === undefined)
  const found = uncoded.length === 0 ? [] : await find(uncoded)
  const proposals = goods.map((item) => found[uncoded.indexOf(item)]?.[0])
  return { ...declaration, proposals }
}
