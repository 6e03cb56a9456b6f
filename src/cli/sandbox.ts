/**
 * `waybill sandbox`: runs the sandbox carrier as a separate process, to try the service with a carrier that is slow or
 * unreachable. See docs/sandbox-carrier.md.
 */
import { type Command, InvalidArgumentError } from 'commander'
import { type SandboxServer, startSandboxServer } from '../carriers/sandbox/server.ts'
import { plainText } from './terminal/arguments.ts'
import { Refusal } from './terminal/errors.ts'
import type { Output } from './terminal/output.ts'

export function sandboxCommand(command: Command, output: Output): void {
  command
    .description('run the sandbox carrier (see docs/sandbox-carrier.md) until it is stopped')
    .option('--host <host>', 'the address to listen on', plainText, '127.0.0.1')
    .option('--port <port>', 'the port to listen on; 0 selects a free port', port, 4010)
    .action(async (options: { host: string; port: number }) => {
      const server = await listen(options)
      const stopped = stopSignal()
      output.line(`Sandbox carrier at ${server.address}`)
      await stopped
      await server.close()
    })
}

async function listen({ host, port: number }: { host: string; port: number }): Promise<SandboxServer> {
  try {
    return await startSandboxServer({ host, port: number })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal(`the sandbox carrier cannot listen on ${host} port ${number}: ${reason}`)
  }
}

/** Resolves on the first SIGTERM or SIGINT. A second one ends the process. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGTERM', stop)
      process.off('SIGINT', stop)
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}

function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('Expected a port from 0 to 65535.')
  return Number(text)
}
