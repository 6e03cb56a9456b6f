/** The formats of registration numbers. */
import { expect, test } from 'vitest'
import { readRegistrationNumber, SELLER_SCHEMES } from '../../../src/core/customs/seller-registration.ts'
import { readShippedCustomsData } from '../../../src/reference/customs.ts'

test.each([
  ['IOSS', 'im 040 123 4567', 'IM0401234567'],
  ['GB_VAT', 'GB 123 4567 89', 'GB123456789'],
  ['VOEC', '2012345', '2012345'],
  ['OVR', 'M9-0312345-A', 'M90312345A'],
  ['AU_GST', '51 824 753 556', '51824753556'],
  ['NZ_GST', '123-456-789', '123456789'],
  ['CL_VAT', '59.012.345-6', '590123456'],
  ['CH_VAT', 'CHE-123.456.789', 'CHE123456789'],
])('%s: %s is stored as %s', (scheme, text, number) => {
  expect(readRegistrationNumber(scheme, text)).toEqual({ number })
})

test.each([
  ['IOSS', 'IM123', 'a number such as IM0401234567'],
  ['VOEC', 'IM0401234567', 'a number such as 2012345'],
  ['GB_VAT', '123456789', 'a number such as GB123456789'],
  ['VAT', '1', 'one of IOSS, GB_VAT, VOEC, OVR, AU_GST, NZ_GST, MY_LVG, CL_VAT, CH_VAT'],
])('%s: %s is refused', (scheme, text, expected) => {
  expect(readRegistrationNumber(scheme, text)).toEqual({ expected })
})

test('every shipped scheme has a format', () => {
  const shipped = new Set(readShippedCustomsData().sellerSchemes.map(({ scheme }) => scheme))
  expect(shipped).toEqual(new Set(SELLER_SCHEMES))
})
