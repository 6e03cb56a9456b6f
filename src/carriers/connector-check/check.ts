/** The check of a connector: its fixtures, variants of them, and the cases of contradictions.ts. */
import { DefinitionError } from '../connectors/define/api.ts'
import { connectorTypeOf } from '../connectors/define/connector-type.ts'
import type { ConnectorDefinition, Settings } from '../connectors/define/definition.ts'
import { messageOf } from '../connectors/define/requests.ts'
import { playContradictions } from './contradictions.ts'
import type { FixtureFolder } from './fixture.ts'
import { type CheckResult, playFixture, playVariants } from './fixtures-check.ts'
import { type CallInput, type Subject, valuesOf } from './play.ts'

export type { CheckResult } from './fixtures-check.ts'

/** A number for connectors without fixtures. */
const ANY_NUMBER = '0000000000'

/** The connector of a definition. Throws a DefinitionError if its function for token requests makes none. */
export function subjectOf(
  definition: ConnectorDefinition,
  { settings }: Pick<FixtureFolder, 'settings'>,
): Subject {
  const type = connectorTypeOf(definition)
  const tokenPath = tokenPathOf(definition, valuesOf(type, settings))
  return {
    ...{ name: definition.name, type },
    ...(tokenPath !== undefined && { tokenPath }),
    ...(definition.bookings?.services && { services: definition.bookings.services }),
    settings,
  }
}

function tokenPathOf({ token }: ConnectorDefinition, settings: Settings): string | undefined {
  if (token === undefined) return undefined
  try {
    const { path } = token.request(settings)
    if (typeof path === 'string' && path.startsWith('/')) return path.split('?')[0]
  } catch (error) {
    throw new DefinitionError([`token.request: ${messageOf(error)}`])
  }
  throw new DefinitionError(['token.request: expected a path that begins with /'])
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
