/**
 * Set-up of the test files that replace functions with `vi.mocked`: the functions of these modules are mocks, which
 * call the real ones until a test says otherwise. All these files replace the same modules, so that they can share
 * processes.
 */
import { vi } from 'vitest'

const MODULES = [
  'core/classification/classify',
  'core/customs/estimate/estimate',
  'core/rating/explain/explain',
  'core/rating/quote',
  'graphql/answer',
  'operations/book-shipment',
  'operations/cancel-shipment',
  'operations/classify-goods',
  'operations/create-draft-shipment',
  'operations/estimate-duties',
  'operations/points',
  'operations/quote-rates',
]

type Module = Readonly<Record<string, unknown>>

/** Vitest asks again for each file, but modules that are loaded have the mocks of the first one. */
const KEPT = Symbol.for('replaced modules')
const kept: Record<string, Promise<Module>> = Reflect.get(globalThis, KEPT) ?? {}
Reflect.set(globalThis, KEPT, kept)

async function withMocks(real: Promise<Module>): Promise<Module> {
  const mocked = Object.entries(await real).map(([name, value]) => [
    name,
    typeof value === 'function' ? vi.fn(value as () => unknown) : value,
  ])
  return Object.fromEntries(mocked)
}

for (const name of MODULES)
  vi.doMock(`../../src/${name}.ts`, (real) => {
    kept[name] ??= withMocks(real<Module>())
    return kept[name]
  })
