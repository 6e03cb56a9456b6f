import { afterAll, expect, test, vi } from 'vitest'
import { CREDENTIALS, openInstance } from '../instance.ts'

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    existsSync: (file: string | URL) => !String(file).endsWith('/assets/') && fs.existsSync(file),
  }
})

const { app } = openInstance({ playground: { demoCredentials: CREDENTIALS } })
afterAll(() => app.close())

test('a service whose playground is not built answers queries, and has no page', async () => {
  const headers = { 'x-pp-api': CREDENTIALS }
  const query = { method: 'POST', url: '/graphql', headers, payload: { query: '{ __typename }' } } as const
  expect((await app.inject(query)).json()).toEqual({ data: { __typename: 'Query' } })

  const page = await app.inject({ url: '/graphql', headers: { ...headers, accept: 'text/html' } })
  expect(page.headers['content-type']).not.toContain('text/html')
  expect((await app.inject({ url: '/graphql/assets/playground.js', headers })).statusCode).toBe(404)
})
