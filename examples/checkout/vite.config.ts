/** Builds the page, and serves it in development together with the server half. */
import type { IncomingMessage } from 'node:http'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import type { shopServer } from './server.ts'

export default defineConfig(({ mode }) => ({
  // Relative addresses, so that the page works below any path.
  base: './',
  plugins: [react(), serverHalf(loadEnv(mode, import.meta.dirname, 'WAYBILL_'))],
  build: {
    // Fonts and images as data URLs would need a weaker content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    // Rollup ignores comments of zod that mention annotations.
    rollupOptions: {
      onLog: (_level, log, handle) => log.code !== 'INVALID_ANNOTATION' && handle('warn', log),
    },
  },
}))

/** Serves `/api` from server.ts with `npm run dev`. In production, mount `shopServer` in your own server. */
function serverHalf(env: Record<string, string>): Plugin {
  return {
    name: 'server-half',
    async configureServer(vite) {
      const server: { shopServer: typeof shopServer } = await import('./server.ts')
      const handle = server.shopServer({
        url: `${env['WAYBILL_URL']}/graphql`,
        apiKey: env['WAYBILL_KEY'] ?? '',
        publicUrl: `${env['WAYBILL_URL']}/graphql`,
        publishableKey: env['WAYBILL_PUBLISHABLE_KEY'] ?? '',
      })
      vite.middlewares.use('/api', async (incoming, outgoing) => {
        const response = await handle(requestOf(incoming))
        outgoing.writeHead(response.status, Object.fromEntries(response.headers))
        outgoing.end(await response.text())
      })
    },
  }
}

function requestOf(incoming: IncomingMessage): Request {
  return new Request(new URL(incoming.url ?? '/', 'http://shop.invalid'), {
    method: incoming.method ?? 'GET',
    headers: { 'content-type': incoming.headers['content-type'] ?? '' },
    ...(incoming.method === 'POST' && { body: incoming as unknown as ReadableStream, duplex: 'half' }),
  })
}
