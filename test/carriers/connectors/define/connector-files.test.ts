/** Files with connectors: what is loaded, and what stops the start. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  ConnectorFileError,
  withConnectorFiles,
} from '../../../../src/carriers/connectors/define/connector-files.ts'
import { BUILT_IN, openCarriers, orderRefFault, settingsFaults } from '../../../../src/carriers/registry.ts'
import { carrierSettings } from '../../../../src/carriers/settings.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'waybill-connectors-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
/** A new file each time: modules are loaded once. */
function fileWith(text: string): string {
  count += 1
  const file = path.join(folder, `connector-${count}.mjs`)
  writeFileSync(file, text)
  return file
}

const definition = (fields: string) => `{
  apiVersion: 1, name: 'outside', hosts: { live: 'https://x.example', test: ['test.x.example'] }, cancels: 'shipment',
  settings: { apiKey: { format: { pattern: /^\\d{9}$/, mustBe: '9 digits' } }, branch: { required: false } },
  cancel: async () => ({ kind: 'unknown', cause: 'never' }),
  track: async () => ({ kind: 'unknown', cause: 'never' }),
  ${fields}
}`
const plain = (fields = '') => fileWith(`export default ${definition(fields)}`)

async function refusal(...files: string[]): Promise<string> {
  const error = await withConnectorFiles(files).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ConnectorFileError)
  return (error as Error).message
}

test('are added to the connectors of this repository', async () => {
  const made = fileWith(
    `export default ({ defineConnector, unknown }) => defineConnector(${definition("name: 'made', cancel: async () => unknown('x'),")})`,
  )
  const connectors = await withConnectorFiles([plain(), made])
  expect([...connectors.keys()]).toEqual([...BUILT_IN.keys(), 'outside', 'made'])
  expect(connectors.get('ups')).toBe(BUILT_IN.get('ups'))
  expect(connectors.get('outside')).toMatchObject({
    credentials: ['apiKey'],
    optionalCredentials: ['branch'],
  })
})

test('are none without files', async () => {
  expect([...(await withConnectorFiles([]))]).toEqual([...BUILT_IN])
})

describe('the start is stopped by', () => {
  test('a missing file', async () => {
    const file = path.join(folder, 'none.mjs')
    expect(await refusal(file)).toBe(`the connector ${file} cannot be loaded: there is no such file`)
  })

  test.each([
    ['a file that is not JavaScript', 'export default {', /cannot be loaded: ./],
    ['a file that throws', "throw new Error('broken')", /cannot be loaded: broken$/],
    [
      'a function that throws',
      "export default () => { throw new Error('broken') }",
      /cannot be loaded: broken$/,
    ],
    ['a file that throws nothing', 'throw null', /cannot be loaded: null$/],
    [
      'a field that throws',
      "export default { get apiVersion() { throw new Error('broken') } }",
      /cannot be loaded: broken$/,
    ],
    [
      'a field that throws when it is read again',
      `let reads = 0; export default { ...(${definition('')}), get cancels() { if (++reads > 1) throw new Error('broken'); return 'parcel' } }`,
      /cannot be loaded: broken$/,
    ],
    ['no default export', 'export const connector = 1', /is refused:\n {2}expected a definition/],
  ])('%s', async (_, text, message) => {
    const file = fileWith(text)
    const found = await refusal(file)
    expect(found).toMatch(message)
    expect(found).toContain(file)
  })

  test.each([
    ['a file that never ends', 'await new Promise(() => {})'],
    ['a function that never ends', 'export default () => new Promise(() => {})'],
  ])('%s', async (_, text) => {
    const file = fileWith(text)
    await expect(withConnectorFiles([file], 200)).rejects.toThrow(
      new ConnectorFileError(`the connector ${file} cannot be loaded: it was not loaded within 200 ms`),
    )
  })

  test('another version', async () => {
    const file = plain('apiVersion: 2,')
    expect(await refusal(file)).toBe(`the connector ${file} is refused:\n  apiVersion: expected 1, found 2`)
  })

  test('faults, all of them, also if defineConnector finds them', async () => {
    const faults = "cancels: 'all', track: {},"
    const lines =
      'is refused:\n  cancels: expected shipment or parcel\n  track.request: expected a function\n  track.judge: expected a function'
    const file = plain(faults)
    expect(await refusal(file)).toBe(`the connector ${file} ${lines}`)
    const made = fileWith(`export default ({ defineConnector }) => defineConnector(${definition(faults)})`)
    expect(await refusal(made)).toBe(`the connector ${made} ${lines}`)
  })

  test('a name that is taken, by Waybill or by another file', async () => {
    const ups = plain("name: 'ups',")
    expect(await refusal(ups)).toBe(
      `the connector ${ups} is refused:\n  name: expected a name that is not taken, found ups`,
    )
    const second = plain()
    expect(await refusal(plain(), second)).toContain(`${second} is refused:\n  name:`)
  })

  test('a file that every user can change', async () => {
    const file = plain()
    chmodSync(file, 0o666)
    expect(await refusal(file)).toContain(`chmod o-w ${file}`)
  })
})

describe('the settings of such a connector', () => {
  const RULES = { production: true, allowTestCarriers: false }
  const faultsOf = async (entry: object) => {
    const connectors = await withConnectorFiles([plain()])
    return settingsFaults(() => 'outside', carrierSettings({ mine: entry }), RULES, connectors)
  }

  test('are checked like those of others', async () => {
    const baseUrl = 'https://x.example'
    expect(await faultsOf({ baseUrl, credentials: { apiKey: '123456789' } })).toEqual([])
    expect(await faultsOf({ baseUrl, credentials: {} })).toEqual(['mine.credentials.apiKey: required'])
    expect(await faultsOf({ baseUrl, credentials: { apiKey: '12345678x', key: 'x' } })).toEqual([
      'mine.credentials.key: the connector outside has no such credential',
      'mine.credentials.apiKey: must be 9 digits',
    ])
    expect(
      await faultsOf({ baseUrl: 'https://test.x.example', credentials: { apiKey: '123456789' } }),
    ).toEqual([expect.stringContaining('mine.baseUrl: test.x.example is a test interface of the carrier')])
  })

  test('open it for its carrier', async () => {
    const connectors = await withConnectorFiles([plain()])
    const settings = carrierSettings({
      mine: { baseUrl: 'https://x.example', credentials: { apiKey: '123456789' } },
    })
    const carriers = openCarriers(() => 'outside', { sandboxUrl: undefined, settings, connectors })
    expect(carriers.connectorOf('mine', 'shop')).toBeDefined()
    expect(carriers.cancelsEachParcel('mine')).toBe(false)
    expect(
      openCarriers(() => 'outside', { sandboxUrl: undefined, settings }).connectorOf('mine', 'shop'),
    ).toBeUndefined()
  })
})

test('the number of an order is required or refused, depending on the connector', async () => {
  const file = plain("orderNumber: { pattern: /^\\d+$/, mustBe: 'digits' },")
  const type = (await withConnectorFiles([file])).get('outside')
  expect(orderRefFault(type, undefined)).toBe('is required: the connector cancels by it')
  expect([orderRefFault(type, 'x'), orderRefFault(type, '7')]).toEqual(['must be digits', undefined])
  expect(orderRefFault(BUILT_IN.get('ups'), '7')).toBe('must be empty: the connector uses no order numbers')
  expect([orderRefFault(BUILT_IN.get('ups'), undefined), orderRefFault(undefined, '7')]).toEqual([
    undefined,
    undefined,
  ])
})
