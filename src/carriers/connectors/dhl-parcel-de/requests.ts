/** The requests to the shipping API of DHL Parcel DE. */
import { basicAuthorization, type CarrierRequest, type Settings } from '../define/api.ts'

/** Tracking may have another host, so it does not get the user and the password. */
export function shippingRequest(
  method: 'GET' | 'DELETE',
  path: string,
  { user = '', password = '' }: Settings,
): CarrierRequest {
  return {
    method,
    path: `/parcel/de/shipping/v2${path}`,
    // The connector matches English texts.
    headers: { authorization: basicAuthorization(user, password), 'accept-language': 'en-US' },
  }
}

export function shipmentQuery(numbers: readonly string[]): string {
  return numbers.map((number) => `shipment=${encodeURIComponent(number)}`).join('&')
}

/** By default, DHL would send the documents themselves. */
export const WITHOUT_DOCUMENTS = 'includeDocs=URL'
