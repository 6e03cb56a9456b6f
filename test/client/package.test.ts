/**
 * The client package as its users get it: built, packed, and installed without network in an empty folder. There it is
 * used against the running service from ES modules, CommonJS, TypeScript and, if the machine has Chromium, a browser.
 * The TypeScript program consists of the examples in client/README.md.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage } from '../docs/pages.ts'
import { DEMO, openTestApp, type TestApp } from '../support/app/test-app.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../..')
const CLIENT = path.join(ROOT, 'client')
const { blocks } = readPage('client/README.md')

const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (file) => file !== undefined && existsSync(file),
)

let app: TestApp
let folder: string
let url: string
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] }

const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd })

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** Builds and packs without changing the repository, and installs the file in the folder `user`. */
async function installPackage(): Promise<string> {
  const source = path.join(folder, 'source')
  mkdirSync(source)
  for (const file of ['package.json', 'README.md', 'LICENSE'])
    cpSync(path.join(CLIENT, file), path.join(source, file))
  await run(process.execPath, [path.join(CLIENT, 'tools/build.mjs'), path.join(source, 'dist')])
  const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], source)
  packed = JSON.parse(stdout)[0]
  const user = path.join(folder, 'user')
  mkdirSync(user)
  writeFileSync(path.join(user, 'package.json'), '{ "name": "user", "private": true }')
  await npm(['install', path.join(folder, packed.filename)], user)
  return user
}

beforeAll(async () => {
  folder = makeThrowAwayFolder()
  app = await openTestApp()
  await app.app.server.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.app.server.server.address() as AddressInfo).port}/graphql`
  await installPackage()
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes a program beside the installed package and returns its output. */
async function runProgram(name: string, text: string): Promise<string> {
  const file = path.join(folder, 'user', name)
  writeFileSync(file, text)
  return (await run(process.execPath, [file])).stdout
}

/** The faults that the compiler finds in files beside the package, which it compiles to JavaScript. */
function compile(files: Readonly<Record<string, string>>): string[] {
  const user = path.join(folder, 'user')
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(user, name), text)
  const program = ts.createProgram(
    Object.keys(files).map((name) => path.join(user, name)),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.Node20,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      skipDefaultLibCheck: true,
    },
  )
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}

test('the package has the version of the service, no dependencies, and no other files than it needs', () => {
  const { version } = readJson(path.join(ROOT, 'package.json'))
  const manifest = readJson(path.join(folder, 'user/node_modules/@waybill/client/package.json'))
  expect(manifest).toMatchObject({ version, sideEffects: false })
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([])
  const names = packed.files.map(({ path: name }) => name)
  expect(names.filter((name) => !/^dist\/(?:esm|cjs)\/[\w-]+\.d\.ts$/.test(name)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/cjs/index.js',
    'dist/cjs/package.json',
    'dist/esm/index.js',
    'dist/schema.graphql',
    'package.json',
  ])
})

test('the package of the service contains the schema', () => {
  const { files } = readJson(path.join(ROOT, 'package.json'))
  expect(files).toEqual(expect.arrayContaining(['dist', 'schema']))
})

test('an ES module can import the package', async () => {
  const output = await runProgram(
    'program.mjs',
    `import * as all from '@waybill/client'
    const { createWaybillClient, CarrierDocument } = all
    const client = createWaybillClient({ url: '${url}', apiKey: '${DEMO}' })
    const { carrier } = await client.request(CarrierDocument, { id: 'rondeel' })
    console.log(carrier.name, all.possibleTypes.Problem.length > 3, import.meta.resolve('@waybill/client/schema.graphql'))`,
  )
  expect(output).toMatch(/^Rondeel Parcel true file:.*schema\.graphql\n$/)
})

test('a CommonJS program can require the package', async () => {
  const output = await runProgram(
    'program.cjs',
    `const { createWaybillClient, WaybillError, ClassifyDocument } = require('@waybill/client')
    const client = createWaybillClient({ url: '${url}', apiKey: '${DEMO}' })
    client.request(ClassifyDocument, { description: '' }).then(({ classify }) => console.log(classify.__typename))
    client.request('{ nothing }').catch((error) => console.log(error instanceof WaybillError, error.code))`,
  )
  expect(output.trim().split('\n').sort()).toEqual(['InputProblem', 'true GRAPHQL_VALIDATION_FAILED'])
})

test('the examples of the README compile in TypeScript and print what the README says', async () => {
  const examples = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)
  const faults = compile({
    'examples.mts': examples.join('\n').replaceAll('http://localhost:4000/graphql', url),
    // CommonJS gets its own declarations.
    'types.cts': `import waybill = require('@waybill/client')
      const client = waybill.createWaybillClient({ url: '' })
      export const name: Promise<string | undefined> = client
        .request(waybill.CarrierDocument, { id: '' }, { signal: undefined })
        .then(({ carrier }) => carrier?.name)
      client.request(waybill.CarriersDocument)
      // @ts-expect-error Variables are required.
      client.request(waybill.CarrierDocument)
      // @ts-expect-error Decimals are strings.
      client.request(waybill.ClassifyDocument, { description: 5 })
      client.request(waybill.CancelShipmentDocument, { input: { shipmentId: '' } }).then(({ cancelShipment }) => {
        if (waybill.isProblem(cancelShipment)) {
          // @ts-expect-error One problem is left out.
          if (cancelShipment.__typename !== 'ShipmentNotFound') waybill.assertNever(cancelShipment)
          return cancelShipment.message
        }
        if (cancelShipment.__typename === 'CancellationPending') return cancelShipment.retryAfterSeconds
        return cancelShipment.labelMustBeDestroyed
      })`,
  })
  expect(faults).toEqual([])
  const { stdout } = await run(process.execPath, [path.join(folder, 'user/examples.mjs')])
  const shown = blocks.filter(({ language }) => language === 'text').map(({ text }) => text)
  expect(stdout.trimEnd()).toBe(shown.join('\n'))
})

test.skipIf(executablePath === undefined)('a bundle works in a browser', async () => {
  const contents = `import { CarrierDocument, createWaybillClient } from '@waybill/client'
    export const ask = () =>
      createWaybillClient({ url: '/graphql', apiKey: '${DEMO}' }).request(CarrierDocument, { id: 'rondeel' })`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(folder, 'user') },
    ...{ bundle: true, minify: true, write: false, format: 'iife', globalName: 'program' },
  })
  const [{ text } = { text: '' }] = outputFiles
  // A page of the same origin, because the API sends no CORS headers.
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(url.replace('/graphql', '/healthz'))
    const result = await page.evaluate(`${text} program.ask()`)
    expect(result).toMatchObject({ carrier: { id: 'rondeel', name: 'Rondeel Parcel' } })
  } finally {
    await browser.close()
  }
})
