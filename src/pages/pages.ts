/** The pages for people: overview, reference, documentation, and with demo data the example shop. */
import type { FastifyPluginAsync } from 'fastify'
import { apiReferenceRoutes, isReferenceBuilt } from './api-reference.ts'
import { docsRoutes, isSiteBuilt } from './docs.ts'
import { indexRoutes } from './index-page.ts'
import { isShopBuilt, shopRoutes } from './shop.ts'

export type PagesOptions = {
  readonly playground: boolean
  readonly docs: boolean
  /** Undefined: the service has no demo data. */
  readonly demo:
    | {
        readonly credentials: string
        readonly port: number
        /** The publishable key of the example shop for pages of `origin`. */
        publishableKey(origin: string): Promise<string | undefined>
      }
    | undefined
}

/** Pages whose assets are not built are left out. */
export function pages({ playground, docs, demo }: PagesOptions): readonly FastifyPluginAsync[] {
  const served = { docs: docs && isSiteBuilt(), shop: demo !== undefined && isShopBuilt() }
  return [
    indexRoutes({
      ...served,
      playground,
      reference: playground && isReferenceBuilt(),
      ...(demo && { demo: { credentials: demo.credentials, port: demo.port } }),
    }),
    apiReferenceRoutes({
      page: playground,
      docs: served.docs,
      credentials: demo?.credentials,
    }),
    ...(docs ? [docsRoutes()] : []),
    ...(demo && served.shop
      ? [
          shopRoutes({
            credentials: demo.credentials,
            publishableKey: (origin) => demo.publishableKey(origin),
          }),
        ]
      : []),
  ]
}
