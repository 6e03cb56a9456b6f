/**
 * A client of the REST API whose types openapi-typescript generates from the OpenAPI document. It is compiled, and then
 * called against the service.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { partnerApiText } from '../support/partner-api.ts'

const COMPILER = path.resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
const SLOW_MS = 600_000

const PROGRAM = `import createClient from 'openapi-fetch'
import type { paths } from './partner-api.ts'

const ROUTE = { fromCountry: 'US', toCountry: 'NL' }

export async function shop(baseUrl: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'X-PP-API': 'demo@demo-secret' } })

  const rates = await client.POST('/partners-api/v1/rates', {
    body: {
      parcels: [{ type: 'NONDOC', weight: '5.0', length: 40, width: 30, height: 20, count: 1 }],
      fromCountry: 'NL',
      toCountry: 'ES',
      recipientType: 'business',
    },
  })
  const cheapest: number | undefined = rates.data?.data[0]?.price

  const estimate = await client.POST('/partners-api/v1/duties-taxes-estimate', {
    body: { contentItems: [{ description: 'stuff', numberOfItems: 1, cost: 10 }], ...ROUTE },
  })
  // Only an estimate with an item without a code has a message.
  const problem: string | undefined = estimate.data?.hasErrors ? estimate.data.message : undefined

  const cancel = async (shipmentId: string): Promise<string> => {
    const path = { shipmentId }
    const { data, error } = await client.POST('/partners-api/v1/shipments/{shipmentId}/cancel', { params: { path } })
    if (data !== undefined) return data.message
    return typeof error === 'string' ? error : error.message
  }

  // @ts-expect-error: a parcel with goods needs its weight.
  const refused = await client.POST('/partners-api/v1/rates', { body: { parcels: [{ type: 'NONDOC', count: 1 }], ...ROUTE } })
  const message: string | undefined = refused.error?.message

  return { cheapest, problem, message, booked: await cancel('demo-booked'), unknown: await cancel('unknown') }
}
`

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await openTestApp()
  folder = makeThrowAwayFolder()
  symlinkSync(path.join(import.meta.dirname, 'node_modules'), path.join(folder, 'node_modules'))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

test(
  'a client that is generated from the document compiles, and calls all endpoints',
  async () => {
    const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)
    write('partner-api.ts', astToString(await openapiTS(partnerApiText)))
    write('client.ts', PROGRAM)
    write('package.json', '{"type":"module"}')
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, types: [] },
      ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] },
      rewriteRelativeImportExtensions: true,
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['client.ts'] }))
    execFileSync(process.execPath, [COMPILER, '-p', folder], { encoding: 'utf8', stdio: 'inherit' })
    const { shop } = await import(pathToFileURL(path.join(folder, 'client.js')).href)
    expect(await shop(await app.app.server.listen({ port: 0, host: '127.0.0.1' }))).toEqual({
      cheapest: 15.81,
      problem: expect.stringContaining('contentItems[0].description: no HS code fits'),
      message: expect.stringContaining('parcels[0].weight: required for NONDOC'),
      booked: 'The shipment is cancelled',
      unknown: 'Shipment not found',
    })
  },
  SLOW_MS,
)
