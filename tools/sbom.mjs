/**
 * Lists the packages that Waybill is distributed with: `node tools/sbom.mjs folder [project]`. Also `npm run sbom`.
 * Writes CycloneDX 1.6 files and licenses.csv to the folder. Fails if the license of a package is missing or not
 * accepted. `project` is a checkout, or a folder in which development packages were removed, such as /app of the image.
 * See docs/releases.md.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = path.resolve(import.meta.dirname, '..')
const GENERATOR = path.join(ROOT, 'tools/sbom/node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js')

/** What is distributed, and the folder of the package.json that it is built from. */
export const PARTS = [
  { part: 'service', folder: '.' },
  // Bundled into files for browsers.
  { part: 'playground', folder: 'tools/playground' },
  { part: 'reference', folder: 'tools/api-reference' },
  { part: 'docs', folder: 'tools/docs-site' },
]

/** SPDX identifiers of licenses that permit redistribution under the terms of a notice. */
const ACCEPTED = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT'],
  ...['PSF-2.0', 'Python-2.0', 'Unlicense', 'Zlib'],
])

/**
 * Writes the lists of the parts that are installed in `project`. Returns the rows of licenses.csv and the faults.
 * Throws if npm finds that packages are missing.
 */
export function writeLists(folder, { project = ROOT, print = console.log } = {}) {
  execFileSync(process.execPath, [path.join(ROOT, 'tools/install.mjs'), 'tools/sbom'], { cwd: ROOT })
  mkdirSync(folder, { recursive: true })
  const rows = PARTS.flatMap((part) => listPart(part, folder, project, print))
  writeFileSync(
    path.join(folder, 'licenses.csv'),
    [['part', 'package', 'version', 'license'], ...rows].map((row) => `${row.join(',')}\n`).join(''),
  )
  const faults = rows
    .filter(([, , , license]) => !isAccepted(license))
    .map(([part, name, version, license]) => `${part}: ${name} ${version}: license ${license || 'missing'}`)
  return { rows, faults }
}

function listPart({ part, folder: source }, folder, project, print) {
  const manifest = path.join(project, source, 'package.json')
  if (!existsSync(path.join(project, source, 'node_modules'))) {
    print(`${part}: left out, its packages are not installed`)
    return []
  }
  const output = path.resolve(folder, `${part}.cdx.json`)
  // The packages of the embedded database are optional, and the image has none of them.
  const options = ['--omit', 'dev', '--omit', 'optional', '--spec-version', '1.6', '--output-reproducible']
  execFileSync(process.execPath, [GENERATOR, ...options, '--output-file', output, '--', manifest], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const rows = componentsOf(JSON.parse(readFileSync(output, 'utf8'))).map((component) => [
    part,
    component.group === undefined ? component.name : `${component.group}/${component.name}`,
    component.version,
    licenseOf(component),
  ])
  // A package can be installed in several folders.
  const unique = [...new Map(rows.map((row) => [row.join(), row])).values()].sort(byText)
  print(`${part}: ${unique.length} packages`)
  return unique
}

const byText = (one, other) => (one.join() < other.join() ? -1 : 1)

/** Components can contain components. */
const componentsOf = ({ components = [] }) =>
  components.flatMap((component) => [component, ...componentsOf(component)])

const licenseOf = ({ licenses = [] }) =>
  licenses.map(({ expression, license }) => expression ?? license.id ?? license.name).join(' AND ')

/** Whether the terms of an SPDX expression can be met with accepted licenses. False if it is not an expression. */
export function isAccepted(license) {
  const parseExpression = createRequire(GENERATOR)('spdx-expression-parse')
  const accepts = (term) => {
    if (term.conjunction === 'and') return accepts(term.left) && accepts(term.right)
    if (term.conjunction === 'or') return accepts(term.left) || accepts(term.right)
    return ACCEPTED.has(term.license)
  }
  try {
    return accepts(parseExpression(license))
  } catch {
    return false
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, project] = process.argv.slice(2)
  if (folder === undefined) {
    console.error('usage: node tools/sbom.mjs folder [project]')
    process.exit(2)
  }
  const { faults } = writeLists(folder, { project })
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
