/** The check of a connector: its fixtures, variants of them, and the cases of contradictions.ts. */
import { connectorTypeOf } from '../connectors/define/connector-type.ts'
import type { ConnectorDefinition } from '../connectors/define/definition.ts'
import { playContradictions } from './contradictions.ts'
import type { FixtureFolder } from './fixture.ts'
import { type CheckResult, playFixture, playVariants } from './fixtures-check.ts'
import { type CallInput, type Subject, valuesOf } from './play.ts'

export type { CheckResult } from './fixtures-check.ts'

/** A number for connectors without fixtures. */
const ANY_NUMBER = '0000000000'

/** The connector of a definition. Throws what its function for token requests throws. */
export function subjectOf(
  definition: ConnectorDefinition,
  { settings }: Pick<FixtureFolder, 'settings'>,
): Subject {
  const type = connectorTypeOf(definition)
  const tokenPath = definition.token?.request(valuesOf(type, settings)).path.split('?')[0]
  return {
    ...{ name: definition.name, type },
    ...(tokenPath !== undefined && { tokenPath }),
    ...(definition.bookings?.services && { services: definition.bookings.services }),
    settings,
  }
}

/** Never throws for a faulty connector: what it throws is a result. */
export async function checkConnector(
  subject: Subject,
  { fixtures }: Pick<FixtureFolder, 'fixtures'>,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [...settingFaults(subject), ...untriedServices(subject, fixtures)]
  for (const fixture of fixtures) results.push(await playFixture(subject, fixture))
  for (const fixture of fixtures) results.push(...(await playVariants(subject, fixture)))
  const about: Omit<CallInput, 'call'> = fixtures[0] ?? {
    ...{ number: ANY_NUMBER, orderNumber: ANY_NUMBER, sends: 1, ageMs: 0 },
  }
  return [...results, ...(await playContradictions(subject, about))]
}

/** Services that the connector says it passes on, and that no fixture books. */
function untriedServices(
  { services = [] }: Subject,
  fixtures: FixtureFolder['fixtures'],
): readonly CheckResult[] {
  const booked = new Set(fixtures.flatMap((fixture) => fixture.services ?? []))
  return services
    .filter((service) => !booked.has(service))
    .map((service) => ({
      ...{ name: `service ${service}`, outcome: 'not booked' },
      warning: 'add a fixture of `book` with it, so that its request is checked',
    }))
}

/** Formats that the values for the check do not have. `settings.json` of the fixtures can replace them. */
function settingFaults({ type, settings }: Subject): CheckResult[] {
  return Object.entries(valuesOf(type, settings)).flatMap(([name, value]) => {
    const fault = type.credentialFault?.(name, value)
    if (fault === undefined) return []
    return [{ name: `setting ${name}`, outcome: 'refused', fault: `${fault}; give one in settings.json` }]
  })
}
