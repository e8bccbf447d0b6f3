/** A line to a server that takes its time: each chunk arrives so much later, both ways. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { cleanup } from './cleanup.ts'

/** The address of the near end; `ms` is the round trip. */
export async function slowLine(url: string, ms: number): Promise<string> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const late = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), ms / 2))
    from.on('close', () => {
      sockets.delete(from)
      setTimeout(() => to.destroy(), ms / 2)
    })
    from.on('error', () => {})
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) socket.setNoDelay(true)
    late(near, far)
    late(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanup.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
