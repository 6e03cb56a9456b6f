/** Converts customs declarations to the types of the schema. */
import type { DeclaredItem } from '../../core/customs/declaration/declaration.ts'
import type { Field, Gap } from '../../core/customs/declaration/entry.ts'
import type { HsCandidate } from '../../core/hs-candidate.ts'
import type { ProposedDeclaration } from '../../operations/declare-customs.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { presentConfidence } from './classification.ts'
import { orNull } from './duties.ts'
import { inputNames, presentMoney, presentWeight, type Typed } from './typed.ts'

type Presented = ResolversParentTypes['CustomsDeclaration'] & Pick<Typed<ProposedDeclaration>, '__typename'>

export function presentDeclaration({
  kind,
  form,
  formReason,
  complete,
  totals: { valueCents, netGrams, grossGrams },
  fields,
  items,
  h7,
  h7Reason,
  missing,
  proposals,
}: ProposedDeclaration): Presented {
  return {
    __typename: kind,
    form: form ?? null,
    formReason,
    complete,
    h7Reason,
    totalValue: presentMoney(valueCents),
    netWeight: netGrams === undefined ? null : presentWeight(netGrams),
    grossWeight: grossGrams === undefined ? null : presentWeight(grossGrams),
    boxes: fields.map(presentField),
    items: items.map((item, index) => presentItem(item, index, proposals[index])),
    h7: h7 === undefined ? null : { elements: h7.map(presentField) },
    missing: missing.map(presentGap),
  }
}

function presentItem(
  { valueCents, netGrams, fields, h7, descriptionFault }: DeclaredItem,
  index: number,
  proposal: HsCandidate | undefined,
): ResolversParentTypes['DeclaredItem'] {
  return {
    index,
    value: presentMoney(valueCents),
    netWeight: netGrams === undefined ? null : presentWeight(netGrams),
    boxes: fields.map(presentField),
    h7Elements: h7.map(presentField),
    descriptionProblem: descriptionFault ?? null,
    proposedHsCode:
      proposal === undefined
        ? null
        : {
            hsCode: proposal.code,
            description: proposal.label,
            confidence: presentConfidence(proposal.confidence),
          },
  }
}

function presentField({ number, name, value }: Field): ResolversParentTypes['DeclarationField'] {
  return { number: orNull(number), name, value }
}

function presentGap({ path, number, ...gap }: Gap): ResolversParentTypes['MissingField'] {
  return { ...gap, number: orNull(number), path: inputNames(path) }
}
