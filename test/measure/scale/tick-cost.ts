/**
 * What the clock's function computes for one alarm that is due: the tick on DynamoDB's emulator,
 * by the processor's time of this process, in which only the client and the engine are.
 */

import { runPartition } from '../../../src/engine/partition/keys.ts'
import { tick } from '../../../src/engine/worker/tick.ts'
import { dynamoStore } from '../../../src/hosts/aws/dynamodb.ts'
import { SPILL_BYTES } from '../../../src/hosts/aws/ports.ts'
import { memoryObjects } from '../../../src/hosts/memory/objects.ts'
import { systemClock } from '../../../src/hosts/shared/clock.ts'
import { HEAD, type World } from '../../../src/ports/world.ts'
import { createTable, dynamoClient, startDynamo } from '../../support/aws/dynamodb.ts'
import { runToRest, TENANT, testWorld } from '../../support/drive.ts'

const ALARMS = 1_000

export async function tickCpuMs(): Promise<number> {
  const dynamo = await startDynamo()
  const client = dynamoClient(dynamo.url)
  try {
    await createTable(dynamo.url, 'tick')
    const store = dynamoStore({
      client,
      table: 'tick',
      objects: memoryObjects(),
      spillBytes: SPILL_BYTES,
    })
    const memory = testWorld({ store })
    const { state } = await runToRest(memory, { input: '@say hello' })
    const rows = await store.read(runPartition(TENANT, state.spec!.id))
    const head = rows.find(({ key }) => key === HEAD)!
    const due = async (): Promise<void> => {
      const at = Date.now() - 1_000
      const ids = Array.from({ length: ALARMS }, () => `run_${crypto.randomUUID()}`)
      for (let from = 0; from < ALARMS; from += 100)
        await Promise.all(
          ids.slice(from, from + 100).map((id) =>
            store.commit(runPartition(TENANT, id), [], {
              expect: null,
              body: JSON.stringify({ ...JSON.parse(head.body), wake_at: at }),
              alarm: { at, lane: 'background', started: true },
            }),
          ),
        )
    }
    const world: World = { ...memory, clock: systemClock, queue: { send: async () => 'ok' } }
    const once = async (): Promise<number> => {
      await due()
      const before = process.cpuUsage()
      const sent = await tick(world)
      const { user, system } = process.cpuUsage(before)
      if (sent < ALARMS) throw new Error(`the tick found ${sent} of ${ALARMS} alarms`)
      return (user + system) / 1_000 / sent
    }
    // The first compiles.
    await once()
    return await once()
  } finally {
    client.destroy()
    await dynamo.stop()
  }
}
