/** A definition that tests change. */
import type { ConnectorDefinition } from '../../../../src/carriers/connectors/define/definition.ts'
import { refused, reportsError, unknown } from '../../../../src/carriers/connectors/judgement.ts'
import { textAt } from '../../../../src/carriers/http-exchange.ts'

/** A parcel is cancelled with DELETE and looked up with GET; the reply has `{number, state}`. */
export const EXAMPLE: ConnectorDefinition = {
  apiVersion: 1,
  name: 'example',
  settings: { apiKey: {}, trackUrl: { required: false } },
  hosts: { live: 'https://api.example.com', test: ['sandbox.example.com'] },
  cancels: 'parcel',
  headers: ({ apiKey = '' }) => ({ 'api-key': apiKey }),
  cancel: {
    request: ({ carrierRef }) => ({ method: 'DELETE', path: `/parcels/${encodeURIComponent(carrierRef)}` }),
    answers: [200, 409],
    judge(reply, { carrierRef }) {
      const { status, json } = reply
      if (textAt(json, 'number') !== carrierRef || reportsError(json))
        return unknown(`HTTP ${status} without this parcel`)
      if (status === 409) return refused('SCANNED', 'SCANNED', 'The parcel was scanned')
      const isCancelled = textAt(json, 'state') === 'cancelled'
      return isCancelled ? { kind: 'cancelled', how: 'now' } : unknown('HTTP 200 without a cancellation')
    },
  },
  track: {
    request: ({ carrierRef }) => ({
      method: 'GET',
      path: '/parcels',
      query: { number: carrierRef },
      baseUrlFrom: 'trackUrl',
    }),
    judge: ({ json }, { carrierRef }) =>
      textAt(json, 'number') === carrierRef && textAt(json, 'state') === 'announced' && !reportsError(json)
        ? { kind: 'announced' }
        : unknown('no parcel'),
  },
}
