/** The response to an address at which there is nothing: a page for people in a browser, JSON for other clients. */
import type { FastifyReply } from 'fastify'
import { HTML_TYPE, PAGE_HEADERS, renderPage } from './html-page.ts'
import { CACHEABLE_METHODS, prefersHtml, sendJson, sendText } from './json-response.ts'

const NOT_FOUND_PAGE = renderPage(
  'Not found · Waybill',
  `<h1>Not found</h1>
<p>There is no page at this address.</p>
<p><a href="/">Overview of the service</a></p>`,
)

export function sendNotFound(reply: FastifyReply): FastifyReply {
  const { method, headers } = reply.request
  if (!CACHEABLE_METHODS.includes(method) || !prefersHtml(headers.accept))
    return sendJson(reply, { status: 404, body: 'Not found' })
  return sendText(reply.headers(PAGE_HEADERS), { status: 404, text: NOT_FOUND_PAGE, type: HTML_TYPE })
}
