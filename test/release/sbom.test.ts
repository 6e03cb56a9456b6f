/** The lists of packages and licenses: docs/releases.md, "Packages and licenses". */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect, test } from 'vitest'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SCHEMAS = path.join(ROOT, 'tools/sbom/node_modules/@cyclonedx/cyclonedx-library/res/schema')

type Row = readonly [part: string, name: string, version: string, license: string]
type Locked = { readonly dev?: true; readonly optional?: true; readonly devOptional?: true }

const { writeLists, isAccepted } = (await import(pathToFileURL(path.join(ROOT, 'tools/sbom.mjs')).href)) as {
  readonly writeLists: (
    folder: string,
    options: { readonly project?: string; readonly print: (line: string) => void },
  ) => { readonly rows: readonly Row[]; readonly faults: readonly string[] }
  readonly isAccepted: (license: string) => boolean
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

const locked: Readonly<Record<string, Locked>> = readJson(path.join(ROOT, 'package-lock.json')).packages
/** The paths of the packages that `npm prune --omit=dev --omit=optional` leaves. */
const installed = Object.entries(locked)
  .filter(([name, { dev, optional, devOptional }]) => name !== '' && !dev && !optional && !devOptional)
  .map(([name]) => name)

function openValidator(): ValidateFunction {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const name of ['spdx', 'jsf-0.82']) {
    const file = `${name}.SNAPSHOT.schema.json`
    ajv.addSchema(readJson(path.join(SCHEMAS, file)), `http://cyclonedx.org/schema/${file}`)
  }
  return ajv.compile(readJson(path.join(SCHEMAS, 'bom-1.6.SNAPSHOT.schema.json')))
}

function validate(check: ValidateFunction, file: string): void {
  expect(check(readJson(file)) || check.errors).toBe(true)
  expect(check({ ...readJson(file), specVersion: 1 })).toBe(false)
}

/** A project as in the image: production packages, and no lock file. */
function prunedProject(): string {
  const project = makeThrowAwayFolder(tmpdir())
  cpSync(path.join(ROOT, 'package.json'), path.join(project, 'package.json'))
  const kept = new Set(installed)
  for (const name of installed)
    cpSync(path.join(ROOT, name), path.join(project, name), {
      recursive: true,
      // Packages inside a package are copied by their own entry.
      filter: (file) => {
        const inside = path.relative(ROOT, file).replaceAll('\\', '/')
        return inside === name || kept.has(inside) || !/\/node_modules(\/(@[^/]+\/)?[^/]+)?$/.test(inside)
      },
    })
  return project
}

test('lists the packages of the service and of the pages, whose licenses are accepted', () => {
  const folder = makeThrowAwayFolder(tmpdir())
  const { rows, faults } = writeLists(folder, { print: () => {} })
  expect(faults).toEqual([])
  const parts = ['service', 'playground', 'reference', 'docs']
  expect([...new Set(rows.map(([part]) => part))]).toEqual(parts)
  const check = openValidator()
  for (const part of parts) validate(check, path.join(folder, `${part}.cdx.json`))
  const lines = readFileSync(path.join(folder, 'licenses.csv'), 'utf8').trim().split('\n')
  expect(lines[0]).toBe('part,package,version,license')
  expect(lines.length).toBe(rows.length + 1)
  const { version } = readJson(path.join(ROOT, 'node_modules/@apollo/server/package.json'))
  expect(lines).toContain(`service,@apollo/server,${version},MIT`)
})

test('lists exactly the packages in a pruned folder', () => {
  const lines: string[] = []
  const { rows, faults } = writeLists(makeThrowAwayFolder(tmpdir()), {
    project: prunedProject(),
    print: (line) => lines.push(line),
  })
  expect(faults).toEqual([])
  const expected = installed.map((name) => {
    const { version } = readJson(path.join(ROOT, name, 'package.json'))
    return `${name.replace(/.*node_modules\//, '')} ${version}`
  })
  expect(rows.map(([, name, version]) => `${name} ${version}`).sort()).toEqual([...new Set(expected)].sort())
  expect(lines).toContain('playground: left out, its packages are not installed')
})

test('reports a package without a license and one with a license that is not accepted', () => {
  const project = makeThrowAwayFolder(tmpdir())
  const packages = { free: 'MIT', copyleft: 'GPL-3.0-only', unknown: undefined }
  const dependencies = { free: '1.0.0', copyleft: '1.0.0', unknown: '1.0.0' }
  writeFileSync(
    path.join(project, 'package.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', dependencies }),
  )
  for (const [name, license] of Object.entries(packages)) {
    mkdirSync(path.join(project, 'node_modules', name), { recursive: true })
    writeFileSync(
      path.join(project, 'node_modules', name, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', license }),
    )
  }
  const { faults } = writeLists(makeThrowAwayFolder(tmpdir()), { project, print: () => {} })
  expect(faults).toEqual([
    'service: copyleft 1.0.0: license GPL-3.0-only',
    'service: unknown 1.0.0: license missing',
  ])
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only) AND ISC', true],
  ['(MIT OR ISC) AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['UNLICENSED', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['', false],
])('accepts the license %j: %s', (license, expected) => {
  expect(isAccepted(license)).toBe(expected)
})
