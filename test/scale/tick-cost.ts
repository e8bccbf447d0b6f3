/**
 * What the clock's function computes for one alarm that is due: the tick on emulators of DynamoDB
 * and SQS, by the processor's time of this process, in which only the clients and the engine are.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { runPartition } from '../../src/engine/partition/keys.ts'
import { tick } from '../../src/engine/worker/tick.ts'
import { dynamoStore } from '../../src/hosts/aws/dynamodb.ts'
import { SPILL_BYTES } from '../../src/hosts/aws/ports.ts'
import { sqsQueue } from '../../src/hosts/aws/sqs.ts'
import { memoryObjects } from '../../src/hosts/memory/objects.ts'
import { systemClock } from '../../src/hosts/shared/clock.ts'
import { HEAD, type World } from '../../src/ports/world.ts'
import { started } from '../bench/processes.ts'
import { createTable, dynamoClient, startDynamo } from '../support/aws/dynamodb.ts'
import { stopProcess } from '../support/aws/local.ts'
import { sqsClient } from '../support/aws/sqs.ts'
import { runToRest, TENANT, testWorld } from '../support/drive.ts'

const ALARMS = 1_000

async function startQueue(): Promise<{ url: string; queue: string; child: ChildProcess }> {
  const program = new URL('queue-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const where = await started(child, (line) => JSON.parse(line) as { url: string; queue: string })
  return { ...where, child }
}

export async function tickCpuMs(): Promise<number> {
  const dynamo = await startDynamo()
  const client = dynamoClient(dynamo.url)
  const { url, queue, child } = await startQueue()
  const sqs = sqsClient(url)
  try {
    await createTable(dynamo.url, 'tick')
    const store = dynamoStore({
      client,
      table: 'tick',
      objects: memoryObjects(),
      spillBytes: SPILL_BYTES,
    })
    const memory = testWorld({ store, settings: { retentionMs: 86_400_000 } })
    const { state } = await runToRest(memory, { input: '@say hello' })
    const rows = await store.read(runPartition(TENANT, state.spec!.id))
    const head = rows.find(({ key }) => key === HEAD)!
    if (!JSON.parse(head.body).ended) throw new Error('the run does not wait for its deletion')
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
    const urls = { main: [queue], subagent: [queue], background: [queue], resume: [queue] }
    const world: World = {
      ...memory,
      clock: systemClock,
      queue: sqsQueue(sqs, urls),
      // As the function of the clock knows it: a root that comes due to be deleted is not moved.
      settings: { ...memory.settings, singleProcess: false },
    }
    const once = async (): Promise<number> => {
      await due()
      const before = process.cpuUsage()
      const sent = await tick(world)
      const { user, system } = process.cpuUsage(before)
      if (sent < ALARMS) throw new Error(`the tick found ${sent} of ${ALARMS} alarms`)
      return (user + system) / 1_000 / sent
    }
    // The first compiles. The least of the others: who else is at work here takes caches away.
    await once()
    const measured: number[] = []
    for (let time = 0; time < 3; time += 1) measured.push(await once())
    return Math.min(...measured)
  } finally {
    client.destroy()
    sqs.destroy()
    await stopProcess(child)
    await dynamo.stop()
  }
}
