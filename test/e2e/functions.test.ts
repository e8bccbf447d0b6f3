/** Functions of a program by its client, over deaths of the server and of the program. */

import { describe, expect, it } from 'vitest'
import { createClient, type Functions } from '../../src/client/index.ts'
import { cleanup } from '../support/cleanup.ts'
import { startModelServer } from '../support/model-server.ts'
import { until } from '../support/patience.ts'
import { sharedServer, startServer } from '../support/server.ts'

const CALLS = '@call stock {"sku":"MUG-7"}\n@then\n@say {last}'
const stock = (args: { sku: string }) => ({ sku: args.sku, count: 12 })
const DECLARED = [
  {
    name: 'stock',
    description: 'Number of items in stock',
    parameters: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
  },
]

describe('client functions', () => {
  const server = sharedServer()
  const strata = () => createClient({ url: server().url, apiKey: server().key })

  it('run while the client waits for the run', async () => {
    const { runs } = strata()
    const run = await runs.createAndWait({ input: CALLS, functions: { stock } })
    expect(run).toMatchObject({
      status: 'completed',
      output: { text: '{"sku":"MUG-7","count":12}' },
    })
    const { id } = await runs.create({ input: CALLS, functions: { stock } })
    expect(await runs.wait(id)).toMatchObject({ status: 'completed' })
  })

  it('run while the client streams, and an error they throw fails the call', async () => {
    const functions: Functions = {
      stock: {
        description: 'Number of items in stock',
        parameters: { type: 'object', properties: { sku: { type: 'string' } } },
        handler: (_, { run, call }) => {
          expect([run, call]).toEqual([
            expect.stringMatching(/^run_/),
            expect.stringMatching(/^call_/),
          ])
          throw new Error('the warehouse is closed')
        },
      },
    }
    const types: string[] = []
    for await (const event of strata().runs.stream({ input: CALLS, functions })) {
      types.push(event.type)
      if (event.type === 'tool.result')
        expect(event.data).toMatchObject({ status: 'error', text: 'the warehouse is closed' })
    }
    expect(types).toContain('run.waiting')
    expect(types.at(-1)).toBe('run.completed')
  })

  it('leave a call without a handler to the program that has one', async () => {
    const { runs } = strata()
    const { id } = await runs.create({ input: CALLS, functions: DECLARED })
    const open = await runs.wait(id)
    expect(open).toMatchObject({ status: 'waiting', waiting_on: 'function' })
    const { call } = open.function_calls![0]!
    await runs.answerFunction(id, call, { output: 'none left' })
    expect(await runs.wait(id)).toMatchObject({ output: { text: 'none left' } })
  })

  it('are called again in a restarted program, and the first result wins', async () => {
    const { id } = await strata().runs.create({ input: CALLS, functions: { stock } })
    const results = await Promise.all(
      ['one', 'two'].map((text) => strata().runs.wait(id, { functions: { stock: () => text } })),
    )
    const [first, second] = results.map(({ output }) => output?.text)
    expect(['one', 'two']).toContain(first)
    expect(second).toBe(first)
  })
})

it('a client function call survives a server restart, and its result reaches the next server', async () => {
  const model = await startModelServer()
  cleanup.push(model.close)
  const env = { OPENAI_BASE_URL: model.url }
  const server = await startServer({ env })
  const before = createClient({ url: server.url, apiKey: server.key })
  const { id } = await before.runs.create({ input: CALLS, functions: DECLARED })
  await until('the call', async () => (await before.runs.get(id)).waiting_on === 'function')
  await server.process.stop('SIGKILL')
  const next = await startServer({ before: server, env })
  const after = createClient({ url: next.url, apiKey: next.key })
  const run = await after.runs.wait(id, { functions: { stock } })
  expect(run).toMatchObject({ status: 'completed', output: { text: '{"sku":"MUG-7","count":12}' } })
})
