/**
 * Makes many objects that live a short while, with turns of the event loop in between, as a busy
 * server does; prints the largest size in MB of V8's space of new objects.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { keepMemorySmall } from '../../../../../src/hosts/node/memory.ts'

if (process.argv[2] === 'small') keepMemorySmall()

let most = 0
const recent: object[][] = []
for (let turn = 0; turn < 2_000; turn += 1) {
  recent.push(Array.from({ length: 1_500 }, (_, index) => ({ index, list: [index] })))
  if (recent.length > 400) recent.shift()
  for (const { space_name, space_size } of getHeapSpaceStatistics()) {
    if (space_name === 'new_space') most = Math.max(most, space_size)
  }
  await sleep(1)
}
console.log(String(most / 1_048_576))
process.exit()
