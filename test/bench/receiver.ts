/**
 * An OTLP receiver of a benchmark: takes everything and keeps nothing but how many requests came,
 * which `GET /` answers. Prints where it is.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let taken = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(taken))
  taken += 1
  request.resume().on('end', () => response.writeHead(200).end('{}'))
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
