/**
 * The groups and countries that a surcharge's trigger names: trigger.ts knows how to ask for them, but not
 * whether the card has them.
 */
import { isCountryCode } from '../../place.ts'

const CONDITION = /^\s*([a-z_]+)\s*(?:[<>]=?|(=))(.*)$/s
const FLAG = /^\s*(always|domestic|international)\s*$/

/** The groups a sound trigger names that `groups` lacks, and its countries that do not exist: `to_group=G6`. */
export function unknownPlaces(trigger: string, groups: ReadonlySet<string>): string[] {
  return trigger.split('&').flatMap((clause) => {
    let field = ''
    return clause.split('|').flatMap((token) => {
      const [condition, name = '', equals, rest = token] = CONDITION.exec(token) ?? []
      // A word without an operator is one more value of the condition before it.
      if (condition !== undefined) field = equals === undefined ? '' : name
      else if (FLAG.test(token)) field = ''
      const value = rest.trim()
      return isUnknown(field, value, groups) ? [`${field}=${value}`] : []
    })
  })
}

function isUnknown(field: string, value: string, groups: ReadonlySet<string>): boolean {
  if (field === 'from_group' || field === 'to_group') return !groups.has(value)
  return (field === 'from_country' || field === 'to_country') && !isCountryCode(value)
}
