/** Checks of what operators load: prices, customs data, and the carriers of the settings file. */
import type { Kysely } from 'kysely'
import { ConnectorFileError, withConnectorFiles } from '../../carriers/connectors/define/connector-files.ts'
import { settingsFaults } from '../../carriers/registry.ts'
import { CarrierSettingsError, readCarrierSettings } from '../../carriers/settings.ts'
import type { Config } from '../../config/config.ts'
import { nextEditionDue, overdueSets } from '../../core/customs/data/edition.ts'
import { readSetsInUse } from '../../store/customs/customs.ts'
import { listCustomsSets } from '../../store/customs/publication.ts'
import type { Database } from '../../store/database/database.ts'
import { listRateCards } from '../../store/rate-cards/versions.ts'
import { readConnectorNames } from '../../store/shipments/operators/audit.ts'
import { counted } from '../terminal/output.ts'
import { type Finding, findingsOf, firstOf } from './finding.ts'

/** `day` is 'YYYY-MM-DD'. */
export async function checkData(db: Kysely<Database>, config: Config, day: string): Promise<Finding[]> {
  return [await checkPrices(db, day), await checkCustoms(db, day), ...(await checkCarriers(db, config))]
}

async function checkPrices(db: Kysely<Database>, day: string): Promise<Finding> {
  const { ok, problem } = findingsOf('prices')
  const cards = await listRateCards(db)
  const published = cards.filter(({ status }) => status === 'published')
  const remedy = 'run waybill card import and waybill card publish'
  if (published.length === 0)
    return problem('no rate card is published: no request is offered a product', remedy)
  const valid = published.filter(
    ({ validFrom, validTo }) => validFrom <= day && (validTo === null || day < validTo),
  )
  if (valid.length === 0)
    return problem(
      `no published rate card applies today: ${firstOf(published.map(({ version }) => version))}`,
      remedy,
    )
  return ok(`${counted(new Set(valid.map(({ code }) => code)).size, 'rate card')} in force`)
}

async function checkCustoms(db: Kysely<Database>, day: string): Promise<Finding> {
  const { ok, warning } = findingsOf('customs data')
  const used = await readSetsInUse(db)
  const sets = (await listCustomsSets(db)).filter(({ name }) => used.has(name))
  const overdue = overdueSets(sets, day).map((set) => `${set.name} (due ${nextEditionDue(set)})`)
  return overdue.length === 0
    ? ok(`${counted(sets.length, 'data set')} in use, none overdue`)
    : warning(
        `${overdue.length} of ${counted(sets.length, 'data set')} in use are overdue: ${firstOf(overdue)}`,
        'run waybill customs list, and import the next editions',
      )
}

/** What in the settings file depends on rate cards. `checkCarriersFile` reports other faults. */
async function checkCarriers(db: Kysely<Database>, config: Config): Promise<Finding[]> {
  if (config.carriersFile === undefined) return []
  const { problem } = findingsOf('carriers')
  try {
    const names = await readConnectorNames(db)
    const settings = readCarrierSettings(config.carriersFile)
    const connectors = await withConnectorFiles(config.connectorFiles)
    return settingsFaults((code) => names.get(code), settings, config, connectors).map((fault) =>
      problem(fault, 'correct the settings file; see docs/carriers.md'),
    )
  } catch (error) {
    // Reported by the checks of this machine.
    if (error instanceof CarrierSettingsError || error instanceof ConnectorFileError) return []
    throw error
  }
}
