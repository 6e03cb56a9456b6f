/** Settings of the HTTP doors: compressed REST responses, and trusted documents. docs/configuration.md */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'

let running: TestApp | undefined
let folder: string | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
  if (folder !== undefined) rmSync(folder, { recursive: true })
  folder = undefined
})

async function open(environment: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  running = await openTestApp(environment)
  return running
}

const RATES = {
  parcels: [{ type: 'NONDOC', weight: '5.0', length: 40, width: 30, height: 20, count: 1 }],
  fromCountry: 'NL',
  toCountry: 'ES',
  recipientType: 'business',
}

describe('a REST response', () => {
  const modern = { 'accept-encoding': 'gzip, deflate, br', traceparent: 'invalid' }

  test('is the same with and without Accept-Encoding by default', async () => {
    const app = await open()
    const [plain, answer] = [await app.rest('/rates', RATES), await app.rest('/rates', RATES, modern)]
    expect(answer.text).toBe(plain.text)
    expect(answer.text.length).toBeGreaterThan(1_024)
    expect(Object.keys(answer.headers)).toEqual(Object.keys(plain.headers))
    expect(Object.keys(answer.headers)).not.toContain('vary')
  })

  test('is compressed with WAYBILL_REST_COMPRESSION, and then has the same body', async () => {
    const app = await open({ WAYBILL_REST_COMPRESSION: 'true' })
    const plain = await app.rest('/rates', RATES)
    const answer = await app.app.server.inject({
      method: 'POST',
      url: '/partners-api/v1/rates',
      headers: {
        'x-pp-api': 'demo@demo-secret',
        'content-type': 'application/json',
        'accept-encoding': 'gzip',
      },
      payload: RATES,
    })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.text)
  })
})

describe('trusted documents', () => {
  const manifest = (documents: object): string => {
    folder = makeThrowAwayFolder()
    const file = path.join(folder, 'manifest.json')
    writeFileSync(file, JSON.stringify(documents))
    return file
  }
  const post = async (app: TestApp, payload: object) => {
    const headers = { 'x-pp-api': 'demo@demo-secret' }
    return (await app.app.server.inject({ method: 'POST', url: '/graphql', headers, payload })).json()
  }

  test('are read from the file of WAYBILL_TRUSTED_DOCUMENTS', async () => {
    const file = manifest({ carriers: '{ carriers { id } }' })
    const app = await open({ WAYBILL_TRUSTED_DOCUMENTS: file })
    expect((await post(app, { documentId: 'carriers' })).data.carriers.length).toBeGreaterThan(1)
    expect((await post(app, { query: '{ __typename }' })).data).toEqual({ __typename: 'Query' })
  })

  test('are the only documents with WAYBILL_TRUSTED_DOCUMENTS_ONLY', async () => {
    const file = manifest({ carriers: '{ carriers { id } }' })
    const app = await open({ WAYBILL_TRUSTED_DOCUMENTS: file, WAYBILL_TRUSTED_DOCUMENTS_ONLY: 'true' })
    expect((await post(app, { documentId: 'carriers' })).data.carriers.length).toBeGreaterThan(1)
    const { errors } = await post(app, { query: '{ __typename }' })
    expect(errors[0].extensions.code).toBe('PERSISTED_QUERY_ID_REQUIRED')
  })

  test('that do not match the schema prevent the start', async () => {
    const file = manifest({ trucks: '{ trucks { id } }' })
    await expect(open({ WAYBILL_TRUSTED_DOCUMENTS: file })).rejects.toThrow(
      `The trusted documents in ${file} cannot be used:\n` +
        '  document trucks: Cannot query field "trucks" on type "Query".',
    )
  })
})
