/**
 * What fields are calculated from when they are selected. Added to the presented objects by the mappers of codegen.ts.
 */
import type { Classification, DutiesEstimate, ItemEstimate } from '../../core/customs/estimate/estimate.ts'
import type { TaxLine } from '../../core/customs/estimate/tax-line.ts'
import type { ContentItem } from '../../core/customs/request.ts'
import type { GoodsQuestion } from '../../core/hs-candidate.ts'
import type { AvailableService } from '../../core/rating/available-services.ts'
import type { RateOption } from '../../core/rating/quote.ts'
import type { SelectedQuote } from '../../core/rating/selection.ts'
import type { DatedEstimate } from '../../operations/estimate-duties.ts'
import type { LandedCost } from '../../operations/landed-cost.ts'
import type { ShipmentList } from '../../operations/list-shipments.ts'
import type { CostedItem } from '../../operations/points.ts'

export type QuoteParent = { readonly quote: SelectedQuote }
export type OptionParent = { readonly option: RateOption }
/** `current`: the option that is offered now. */
export type ExpiredParent = { readonly current: RateOption | undefined }
export type PriceLineParent = { readonly option: RateOption; readonly index: number }
export type ServiceParent = { readonly available: AvailableService }
export type LandedCostParent = { readonly landedCost: LandedCost }
export type LandedOptionParent = { readonly landedOption: LandedCost['options'][number] }

export type EstimateParent = { readonly estimate: DatedEstimate }

/** An estimate of the same goods under another assumption. */
export type VariantParent = {
  readonly variant: DutiesEstimate
  readonly contentItems: readonly ContentItem[]
}

export type TaxLineParent = {
  readonly line: TaxLine
  readonly estimate: DutiesEstimate
  readonly contentItems: readonly ContentItem[]
}

export type TaxedItemParent = { readonly contentItems: readonly ContentItem[] }
export type ItemParent = { readonly item: ItemEstimate; readonly estimate: DatedEstimate }
export type ItemTaxParent = { readonly lineIndex: number; readonly estimate: DatedEstimate }

export type ClassificationParent = {
  readonly itemIndex: number
  readonly classification: Classification
  readonly estimate: DatedEstimate
}

export type AlternativeParent = { readonly itemIndex: number; readonly actual: DatedEstimate }

/** `ask` classifies the goods once more. */
export type CandidatesParent = {
  readonly described: CostedItem
  readonly ask: () => Promise<readonly GoodsQuestion[]>
}

export type ConnectionParent = { readonly list: ShipmentList }
