/**
 * Reads the published geographical areas of a tariff into origin groups: which countries belong to an area on a day.
 * Three forms are read: the records of a TARIC3 file in XML, the list of the trade tariff service of the United Kingdom
 * in JSON, and a table with a row per member. Groups are named as in measures ("EU-2020", "GB-2005"). Source: TARIC3
 * records 250 00 and 250 15; the list of geographical areas of the trade tariff service. See docs/customs-files.md.
 */
import { Buffer } from 'node:buffer'
import type { OriginGroupRow } from '../../../core/customs/data/row-types/places.ts'
import { isJsonObject } from '../../../core/input.ts'
import { isCountryCode } from '../../../core/place.ts'
import { atMost, figureText, ImportRefusal } from '../../import/import-limits.ts'
import { parseJsonFile } from '../../import/json-file.ts'
import { parseXml } from '../../import/workbook-xml.ts'
import { readDay } from '../cell-text.ts'
import type { CustomsImport, ImportDefaults, ImportedTables, ImportTally } from '../customs-import.ts'
import {
  type ColumnNames,
  type FoundColumns,
  findColumns,
  hasColumns,
  neededColumn,
  possibleColumn,
  type ReadPeriod,
  readPeriod,
  visitSheetTables,
} from '../sheet-table.ts'
import { isGroup, readArea } from './measures.ts'

type Column = 'group' | 'member' | 'start' | 'end'

const COLUMNS: Readonly<Record<Column, ColumnNames>> = {
  group: neededColumn(
    ...['Geographical area group', 'Geographical area group id', 'Area group', 'Group code', 'Group'],
  ),
  member: neededColumn('Member', 'Member code', 'Member id', 'Country code', 'Country'),
  start: possibleColumn('Start date', 'Validity start date', 'Membership start date'),
  end: possibleColumn('End date', 'Validity end date', 'Membership end date'),
}

/** Bytes of a list in JSON, which is parsed as a whole: 8 MiB. The list of the United Kingdom is below 1 MB. */
const MAX_JSON_BYTES = 8 * 1024 * 1024

/** True for the header of a table of members. */
export function isAreasHeader(header: readonly string[]): boolean {
  return hasColumns(header, COLUMNS.group, COLUMNS.member)
}

/** True for the beginning of a list in XML, or of one in JSON. */
export function isAreasText(beginning: string): boolean {
  const text = beginning.replace(/^\ufeff/, '').trimStart()
  return text.startsWith('<') || (text.startsWith('{') && /"type": ?"geographical_area"/.test(text))
}

/** A country that is a member of an area, as published. */
type Membership = {
  readonly row: number
  readonly group: string
  readonly member: string
  readonly period: ReadPeriod
}

/** `defaults.jurisdiction` names the groups; `defaults.day` decides which memberships count. */
export function readGeographicalAreas(
  bytes: Uint8Array,
  defaults: ImportDefaults,
  tally: ImportTally,
): CustomsImport {
  const { jurisdiction, day } = defaults
  if (jurisdiction === undefined || day === undefined) {
    tally.log.fault(undefined, undefined, 'the jurisdiction of the areas, such as --jurisdiction EU')
    return tally.finish({})
  }
  const memberships: Membership[] = []
  const beginning = Buffer.from(bytes.subarray(0, 256))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  const add = (membership: Membership): void => {
    tally.read()
    memberships.push(membership)
  }
  if (beginning.startsWith('<')) readXml(bytes, tally, add)
  else if (beginning.startsWith('{')) readJson(bytes, tally, add)
  else readMembers(bytes, tally, add)
  return tally.finish(groupsOf(memberships, { dataSet: defaults.dataSet, jurisdiction, day }, tally))
}

type Add = (membership: Membership) => void

function readMembers(bytes: Uint8Array, tally: ImportTally, add: Add): void {
  visitSheetTables(bytes, isAreasHeader, tally.log, (head) => {
    const columns: FoundColumns<Column> | undefined = findColumns(COLUMNS, head, tally.log)
    if (columns === undefined) return undefined
    return (record, row) => {
      const at = (column: Column) => ({
        text: columns.textOf(record, column),
        column: columns.titleOf(column),
      })
      const period = readPeriod(head, at('start'), at('end'), null, (column, expected, found) =>
        tally.log.fault(row, column, expected, found),
      )
      const [group, member] = [columns.textOf(record, 'group'), columns.textOf(record, 'member')]
      if (!/^[A-Za-z0-9]{4}$/.test(group))
        tally.log.fault(row, columns.titleOf('group'), 'an area of four letters or digits', group)
      else if (!/^[A-Za-z0-9]{2,4}$/.test(member))
        tally.log.fault(row, columns.titleOf('member'), 'a country of two letters', member)
      else if (period !== undefined) add({ row, group, member, period })
    }
  })
}

const ALWAYS: ReadPeriod = { validFrom: null, validTo: null }

/** The list of the trade tariff service: areas, each with references to its members. It has no days. */
function readJson(bytes: Uint8Array, { log }: ImportTally, add: Add): undefined {
  if (bytes.length > MAX_JSON_BYTES)
    return log.fault(undefined, undefined, atMost(MAX_JSON_BYTES, 'bytes of JSON'), figureText(bytes.length))
  const list = parseJsonFile(bytes)
  const areas = isJsonObject(list) ? list['data'] : undefined
  if (!Array.isArray(areas)) return log.fault(undefined, undefined, 'JSON with a list "data" of areas')
  areas.forEach((area: unknown, index) => {
    const row = index + 1
    const id = isJsonObject(area) ? area['id'] : undefined
    if (typeof id !== 'string' || !isJsonObject(area)) {
      log.fault(row, 'id', 'a geographical area with its id')
      return
    }
    for (const member of membersIn(area)) {
      const code = isJsonObject(member) ? member['id'] : undefined
      if (typeof code === 'string') add({ row, group: id, member: code, period: ALWAYS })
      else log.fault(row, 'children_geographical_areas', 'members with their ids')
    }
  })
}

function membersIn(area: Readonly<Record<string, unknown>>): readonly unknown[] {
  const related = isJsonObject(area['relationships']) ? area['relationships'] : {}
  const members = related['children_geographical_areas'] ?? related['contained_geographical_areas']
  const list = isJsonObject(members) ? members['data'] : undefined
  return Array.isArray(list) ? list : []
}

/** The update types of TARIC3 records: 1 changes a record, 2 deletes it, 3 inserts it. */
const INSERT = '3'

/** Records of TARIC3. A file of changes is refused, because it does not have all members of an area. */
function readXml(bytes: Uint8Array, tally: ImportTally, add: Add): undefined {
  const ids = new Map<string, string>()
  const memberships: { readonly row: number; readonly fields: Readonly<Record<string, string>> }[] = []
  let [fields, text, row]: [Record<string, string>, string, number] = [{}, '', 0]
  const close: Readonly<Record<string, () => void>> = {
    'geographical.area': () =>
      ids.set(fields['geographical.area.sid'] ?? '', fields['geographical.area.id'] ?? ''),
    'geographical.area.membership': () => memberships.push({ row, fields }),
  }
  try {
    parseXml('the file', bytes, {
      open(name) {
        text = ''
        if (name === 'record') {
          row += 1
          fields = {}
        }
      },
      text(piece) {
        text += piece
      },
      close(name) {
        if (name === 'update.type' && text.trim() !== INSERT)
          tally.log.fault(
            row,
            name,
            'the update type 3: a file of changes lacks the other members',
            text.trim(),
          )
        close[name]?.()
        fields[name] = text.trim()
        text = ''
      },
    })
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    return tally.log.fault(
      undefined,
      undefined,
      'a TARIC3 file in XML that is complete and not damaged',
      error.found,
    )
  }
  for (const { row: at, fields: record } of memberships) {
    const report = (column: string | undefined, expected: string, found: string): undefined =>
      tally.log.fault(at, column, expected, found)
    const idOf = (column: string): string | undefined =>
      ids.get(record[column] ?? '') ??
      report(column, 'the number of an area in the file', record[column] ?? '')
    const [group, member] = [idOf('geographical.area.group.sid'), idOf('geographical.area.sid')]
    const dayAt = (column: string) => ({ text: record[column] ?? '', column })
    const period = readPeriod(
      { dayOf: readDay },
      dayAt('validity.start.date'),
      dayAt('validity.end.date'),
      null,
      report,
    )
    if (group !== undefined && member !== undefined && period !== undefined)
      add({ row: at, group, member, period })
  }
}

/** The members of each area on a day. */
function groupsOf(
  memberships: readonly Membership[],
  {
    dataSet,
    jurisdiction,
    day,
  }: { readonly dataSet: string; readonly jurisdiction: string; readonly day: string },
  tally: ImportTally,
): ImportedTables {
  const rows = new Map<string, OriginGroupRow>()
  for (const { group, member, period } of memberships) {
    const originGroup = readArea(group, jurisdiction) ?? ''
    const country = readArea(member, jurisdiction) ?? ''
    const why = whyLeftOut(originGroup, country, period, day)
    if (why !== undefined) tally.leftOut(why)
    else if (!tally.mayMake()) break
    else {
      rows.set(`${originGroup} ${country}`, { dataSet, originGroup, country })
      tally.used()
    }
  }
  if (rows.size === 0 && tally.log.faults().length === 0)
    tally.log.fault(undefined, undefined, `an area with members on ${day}`)
  return { originGroups: [...rows.values()] }
}

function whyLeftOut(
  group: string,
  country: string,
  { validFrom, validTo }: ReadPeriod,
  day: string,
): string | undefined {
  if (!isGroup(group)) return 'an area that is not a group, or that means all origins'
  if (!isCountryCode(country)) return 'a member that is not a country of ISO 3166'
  if (validTo !== null && validTo <= day) return `a membership that ended by ${day}`
  return validFrom !== null && validFrom > day ? `a membership that begins after ${day}` : undefined
}
