import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Calls f with the address of a server for as long as f takes. */
export async function serving(listener: RequestListener, f: (server: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    await f(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
