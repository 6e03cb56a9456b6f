/** The text that the service prints after it has started: its URLs and, with demo data, commands to try. */
import type { Config } from './config.ts'
import { DEMO_CREDENTIALS } from './store/demo/accounts.ts'

const PARCEL = {
  parcels: [{ type: 'NONDOC', weight: '5.0', length: 40, width: 30, height: 20, count: 1 }],
  fromCountry: 'NL',
  toCountry: 'ES',
  recipientType: 'business',
}
const GOODS = {
  contentItems: [{ description: "men's cotton t-shirt", numberOfItems: 5, cost: 40, tariff: '610910' }],
  fromCountry: 'US',
  toCountry: 'NL',
}

/** `origin` is the URL of the service, such as "http://localhost:4000". */
export function welcome(origin: string, database: string, config: Config): string {
  const rest = `${origin}/partners-api/v1`
  const lines = [
    '',
    `  Waybill is ready. Database: ${database}.`,
    '',
    ...(config.playground ? [`  Playground  ${origin}/graphql`] : []),
    `  GraphQL     ${origin}/graphql`,
    `  REST        ${rest}`,
    `  Health      ${origin}/healthz  ${origin}/readyz`,
    ...(config.demoData ? demoLines(rest) : []),
    '',
  ]
  return `${lines.join('\n')}\n`
}

function demoLines(rest: string): string[] {
  return [
    `  Demo key    X-PP-API: ${DEMO_CREDENTIALS}`,
    '',
    '  Rates:',
    `  ${curl(`${rest}/rates`, PARCEL)}`,
    '',
    '  Duties and taxes:',
    `  ${curl(`${rest}/duties-taxes-estimate`, GOODS)}`,
    '',
    '  Cancellation (npm run demo:reset restores the shipment):',
    `  ${curl(`${rest}/shipments/demo-booked/cancel`)}`,
  ]
}

function curl(url: string, body?: object): string {
  const json = body && JSON.stringify(body).replaceAll("'", "'\\''")
  const data = json === undefined ? '' : ` -d '${json}'`
  return `curl -s -X POST ${url} -H 'X-PP-API: ${DEMO_CREDENTIALS}' -H 'Content-Type: application/json'${data}`
}
