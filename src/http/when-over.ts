/** Tells when a response is over: handed to the operating system, or given up because its connection is closed. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const CALLBACKS = Symbol('callbacks')

/** `isSent` is true if the whole response has been handed to the operating system. */
type OverCallback = (isSent: boolean) => void

/** The callbacks are undefined before the first one is added, and null once the response is over. */
type WatchedResponse = ServerResponse & { [CALLBACKS]?: OverCallback[] | null }

/**
 * Calls `callback` once: when the response has been handed to the operating system, or its connection is closed. Calls
 * it at once if the response is over already. Callbacks of a response share their listeners, because listeners cost
 * more than most callbacks.
 */
export function whenOver(response: ServerResponse, callback: OverCallback): void {
  const watched: WatchedResponse = response
  const callbacks = watched[CALLBACKS]
  if (callbacks === null) return void callback(false)
  if (callbacks !== undefined) return void callbacks.push(callback)
  watched[CALLBACKS] = [callback]
  watched.on('finish', onFinish)
  watched.on('close', onClose)
  if (watched.socket === null) awaitSocket(watched)
}

/** Whether the callbacks of `whenOver` have been called. False if there are none. */
export function isOver(response: ServerResponse): boolean {
  return (response as WatchedResponse)[CALLBACKS] === null
}

/** Node emits `finish` even when the rest of the response is dropped because its connection is closed. */
function onFinish(this: WatchedResponse): void {
  callBack(this, !this.req.socket.destroyed)
}

function onClose(this: WatchedResponse): void {
  callBack(this, false)
}

function callBack(response: WatchedResponse, isSent: boolean): void {
  const callbacks = response[CALLBACKS] ?? []
  response[CALLBACKS] = null
  for (const callback of callbacks) callback(isSent)
}

/** The pipelined responses of a connection. */
const queues = new WeakMap<Socket, Set<WatchedResponse>>()

/**
 * Pipelined responses wait for those before them. Node emits no event for a waiting response if its connection is
 * closed.
 */
function awaitSocket(response: WatchedResponse): void {
  const { socket } = response.req
  const queue = queues.get(socket) ?? new Set()
  if (!queues.has(socket)) {
    queues.set(socket, queue)
    socket.once('close', () => {
      for (const waiting of queue) callBack(waiting, false)
    })
  }
  queue.add(response)
  response.once('close', () => queue.delete(response))
}
