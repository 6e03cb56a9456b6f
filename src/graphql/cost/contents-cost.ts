/**
 * The cost of the contents of stored shipments by their real sizes. An operation is charged for assumed sizes before it
 * runs. What larger contents cost in addition is known when the sizes have been read, and is charged before the
 * contents are. See docs/limits.md#contents-of-stored-shipments.
 */
import { groupBy } from '../../core/group-by.ts'
import type { ContentSizes } from '../../core/shipments/shipment.ts'
import type { VariableValues } from '../execution/variables.ts'
import { type ContentField, type ContentSelection, planUnits } from './plan.ts'
import { ASSUMED_CONTENTS, NO_SIZES } from './sizes.ts'

/** The units by which a field with contents of these sizes exceeds the assumption; 0 if it does not. */
export type ContentsExcess = (field: ContentField, sizes: ContentSizes) => number

/** If an operation selects a field in several places, the most expensive one counts. */
export function contentsExcess(
  selections: readonly ContentSelection[],
  variables: VariableValues,
): ContentsExcess {
  const units: Readonly<Record<ContentField, Units>> = {
    parcels: highest(selections, 'parcels', variables),
    contentItems: highest(selections, 'contentItems', variables),
  }
  return (field, sizes) => Math.max(0, units[field](sizes) - units[field](ASSUMED_CONTENTS))
}

type Units = (contents: ContentSizes) => number

function highest(
  selections: readonly ContentSelection[],
  field: ContentField,
  variables: VariableValues,
): Units {
  const ofField = selections.filter((selection) => selection.field === field)
  const places = [...groupBy(ofField, ({ path }) => path).values()]
  return (contents) => {
    const sizes = { ...NO_SIZES, contents }
    const unitsOf = (merged: readonly ContentSelection[]): number =>
      merged.reduce((sum, { plan }) => sum + planUnits(plan, sizes, variables), 0)
    return Math.max(0, ...places.map(unitsOf))
  }
}
