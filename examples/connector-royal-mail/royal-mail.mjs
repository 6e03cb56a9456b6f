/**
 * Royal Mail Click & Drop: deletes orders that are not manifested. Royal Mail's scans are in another interface, so they
 * reach Waybill as scan events.
 *
 * Click & Drop deletes by its own order number. The order is looked up first: it must have the tracking number of the
 * shipment, and a manifested one is not touched. A 404 has no documented body, so it counts only while the interface
 * answers `GET /version`.
 *
 * Source: Royal Mail's description of the interface (api.parcel.royalmail.com/doc/v1/click-and-drop-api-v1.yaml), in the
 * copies of api-evangelist/royal-mail at 13c62c1 and APIs-guru/openapi-directory at 43a91d7, read on 29 November 2026.
 * Not tested with the live interface.
 *
 * @type {import('waybill/connector').ConnectorFile}
 */
export default ({
  ACCEPTED,
  credentialFault,
  defineConnector,
  listAt,
  refused,
  reportsError,
  textAt,
  unknown,
  unknownReply,
  valueAt,
}) => {
  const orderRequest = (method, orderRef) => ({ method, path: `/orders/${encodeURIComponent(orderRef)}` })

  /** `open`, `closed` (manifested or despatched), `absent`, or an answer that settles nothing. */
  async function lookUp({ carrierRef, orderRef }, { send }) {
    const reply = await send(orderRequest('GET', orderRef))
    if (reply.status === 404) return absentIfOwn(reply, await send({ method: 'GET', path: '/version' }))
    if (reply.status !== 200) return credentialFault(reply) ?? unknownReply(reply)
    const [order, ...others] = Array.isArray(reply.json) ? reply.json : []
    if (order === undefined || others.length > 0 || !isNumbered(order, orderRef))
      return unknown('HTTP 200 without this order')
    if (!trackingNumbersOf(order).includes(carrierRef))
      return unknown('the order has another tracking number', { configuration: true })
    const isClosed = ['manifestedOn', 'shippedOn'].some((field) => (valueAt(order, field) ?? null) !== null)
    return { kind: isClosed ? 'closed' : 'open' }
  }

  function absentIfOwn(reply, version) {
    const { status, json } = version
    const isOwn = status === 200 && !reportsError(json) && textAt(json, 'releaseDate') !== undefined
    return isOwn ? { kind: 'absent' } : unknownReply(reply)
  }

  const isNumbered = (order, orderRef) => String(valueAt(order, 'orderIdentifier')) === orderRef

  function trackingNumbersOf(order) {
    const packages = listAt(order, 'packages').map((one) => textAt(one, 'trackingNumber'))
    return [textAt(order, 'trackingNumber'), ...packages]
  }

  /** Deleted only if the reply names this order alone, and no error. */
  function judgeDeletion(reply, orderRef) {
    if (reply.status !== 200) return credentialFault(reply) ?? unknownReply(reply)
    const code = textAt(reply.json, 'errors', 0, 'code')
    if (reportsError(reply.json)) return unknown(`not deleted: ${code ?? 'an error without a code'}`)
    const [deleted, ...others] = listAt(reply.json, 'deletedOrders')
    return deleted !== undefined && others.length === 0 && isNumbered(deleted, orderRef)
      ? { kind: 'cancelled', how: 'now' }
      : unknown('HTTP 200 without this order')
  }

  return defineConnector({
    apiVersion: 1,
    name: 'royal-mail',
    settings: { apiKey: {} },
    hosts: { live: 'https://api.parcel.royalmail.com/api/v1' },
    cancels: 'shipment',
    // An order number is a 32-bit integer.
    orderNumber: { pattern: /^[1-9]\d{0,9}$/, mustBe: '1 to 10 digits' },
    // 5 calls a second, and 1 in the older description.
    tracking: { gapMs: 1_000 },
    headers: ({ apiKey = '' }) => ({ authorization: `Bearer ${apiKey}` }),

    async cancel(request, conversation) {
      const { orderRef = '', sends } = request
      const order = await lookUp(request, conversation)
      switch (order.kind) {
        case 'open':
          return judgeDeletion(await conversation.send(orderRequest('DELETE', orderRef)), orderRef)
        case 'closed':
          return refused('WINDOW_CLOSED', 'manifested', 'The order is manifested or despatched')
        case 'absent':
          // Not documented for deleted orders, and no proof that an earlier send was a deletion.
          return sends > 1
            ? unknown('no such order; an earlier request may have deleted it')
            : refused('UNKNOWN_PARCEL', '404', 'Click & Drop has no order with this number')
        default:
          return order
      }
    },

    /** A closed order may have been scanned, or not. */
    async track(parcel, conversation) {
      const order = await lookUp(parcel, conversation)
      switch (order.kind) {
        case 'open':
          return { kind: 'announced' }
        case 'closed':
          return unknown('manifested or despatched; Click & Drop has no scans')
        case 'absent':
          return { kind: 'no_data', cause: 'no order with this number' }
        default:
          return order
      }
    },

    check: {
      request: () => ({ method: 'GET', path: '/orders', query: { pageSize: '1' } }),
      judge: ({ json }) =>
        Array.isArray(valueAt(json, 'orders')) && !reportsError(json)
          ? ACCEPTED
          : unknown('HTTP 200 without a list of orders'),
    },
  })
}
