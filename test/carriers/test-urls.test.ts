/** Which URLs of carriers are test interfaces. Production refuses them. */
import { expect, test } from 'vitest'
import { isTestUrl, productionFault } from '../../src/carriers/test-urls.ts'

test.each([
  ['https://test.carrier.example/v1', ['test.carrier.example'], true],
  ['https://TEST.carrier.example./v1', ['test.carrier.example'], true],
  ['https://carrier.example/Api/Test/orders', ['carrier.example/Api/Test'], true],
  ['https://carrier.example/api/test', ['carrier.example/Api/Test'], true],
  ['https://carrier.example/Api/Testing', ['carrier.example/Api/Test'], false],
  ['https://carrier.example/', ['test.carrier.example'], false],
])('%s against %o: %s', (url, testUrls, isTest) => {
  expect(isTestUrl(url, testUrls)).toBe(isTest)
})

test('a fault names the path if the carrier has live and test interfaces on one host', () => {
  expect(productionFault('https://carrier.example/api/test/', ['carrier.example/api/test'])).toBe(
    'carrier.example/api/test is a test interface of the carrier',
  )
})
