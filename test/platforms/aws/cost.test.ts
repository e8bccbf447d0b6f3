/**
 * What a parent with many children costs on DynamoDB, in billed units of requests that were really
 * made: the same for each child, however many there are; and nothing comes near a limit.
 */

import { expect, inject, it } from 'vitest'
import { dynamoStore } from '../../../src/hosts/aws/dynamodb.ts'
import { memoryObjects } from '../../../src/hosts/memory/objects.ts'
import { meterDynamo, resetDynamo } from '../../measure/cost/dynamo-meter.ts'
import { perform } from '../../measure/cost/scenarios.ts'
import { createTable, dynamoClient } from '../../support/aws/dynamodb.ts'

const { dynamodb } = inject('aws')
const PER_STEP = 100

async function unitsPerChild(children: number) {
  const table = `cost-${process.pid}-${children}`
  await createTable(dynamodb, table)
  const client = dynamoClient(dynamodb)
  const bill = meterDynamo(client)
  const store = dynamoStore({ client, table, objects: memoryObjects(), spillBytes: 8_192 })
  const steps = Array.from({ length: Math.ceil(children / PER_STEP) }, (_, step) => {
    const here = Math.min(PER_STEP, children - step * PER_STEP)
    return `@spawn ${here} {"task":"@say part {i} of ${step}"}\n@then`
  })
  const input = [...steps, '@await', '@say saw {results}'].join('\n')
  await perform(store, input, { spillBytes: 4_096 })
  client.destroy()
  return { write: bill.writeUnits / children, read: bill.readUnits / children, bill }
}

it('1,000 children announce in linear cost, with no item over 400 KB and no transaction over 100', async () => {
  const ten = await unitsPerChild(10)
  const hundred = await unitsPerChild(100)
  const thousand = await unitsPerChild(1_000)
  for (const { write, read, bill } of [ten, hundred, thousand])
    console.log({ write, read, ...bill })
  for (const many of [hundred, thousand]) {
    expect(many.write / ten.write).toBeLessThan(1.5)
    expect(many.read / ten.read).toBeLessThan(1.5)
    expect(many.bill.largestItem).toBeLessThan(400 * 1_024)
    expect(many.bill.largestTransaction).toBeLessThanOrEqual(100)
  }
}, 600_000)

/** One run from its request to its rest, where others have run before. */
async function unitsOf(input: string, name: string) {
  const table = `cost-${process.pid}-${name}`
  await createTable(dynamodb, table)
  const client = dynamoClient(dynamodb)
  const bill = meterDynamo(client)
  const store = dynamoStore({ client, table, objects: memoryObjects(), spillBytes: 8_192 })
  const begin = () => resetDynamo(bill)
  const { objects, queue } = await perform(store, input, { spillBytes: 4_096, begin })
  client.destroy()
  return { ...bill, lists: objects.lists, messages: queue.messages }
}

type Units = Awaited<ReturnType<typeof unitsOf>>

// None may rise again, so the best of three counts. When eight children end is chance: 187 to 227 units were seen, and 301 with 8
// workers that commit the same rows.
it.each([
  ['plain', '@say hello', { write: 13, read: 7, messages: 1, refusals: 0 }],
  [
    'eight',
    '@spawn 8 {"task":"@say part {i}"}\n@await\n@say {results} of us',
    { write: 260, read: 110, messages: 18, refusals: 6 },
  ],
] as const)(
  'a run (%s) lists nothing and stays within its units',
  async (name, input, most) => {
    const exceeds = ({ writeUnits, readUnits, messages, refusals }: Units) =>
      writeUnits > most.write ||
      readUnits > most.read ||
      messages > most.messages ||
      refusals > most.refusals
    let found = await unitsOf(input, name)
    for (let again = 1; again < 3 && exceeds(found); again += 1)
      found = await unitsOf(input, `${name}-${again}`)
    console.log(name, found)
    expect(found.lists).toBe(0)
    expect(found.writeUnits).toBeLessThanOrEqual(most.write)
    expect(found.readUnits).toBeLessThanOrEqual(most.read)
    expect(found.messages).toBeLessThanOrEqual(most.messages)
    expect(found.refusals).toBeLessThanOrEqual(most.refusals)
  },
  120_000,
)
