/** Functions of a caller on a host under test. */

import { expect } from 'vitest'
import { type Client, createRun, type RunShown, untilEnd } from '../support/launch.ts'

interface Restarting {
  /** Ends the processes that work, and starts others over the same storage. */
  restart(): Promise<Client>
}

const FUNCTION = {
  input: '@call stock {"sku":"MUG-7"}\n@then\n@say {last}',
  functions: [{ name: 'stock', parameters: { type: 'object' } }],
}

/** The call outlives the process, and the wait of a request ends because its caller has to act. */
export async function functionOverRestart(host: Restarting, client: Client): Promise<Client> {
  const { id } = await createRun(client, FUNCTION)
  const open = await client.get<RunShown>(`/v1/runs/${id}?wait=30`)
  expect(open).toMatchObject({
    waiting_on: 'function',
    function_calls: [{ name: 'stock', arguments: { sku: 'MUG-7' } }],
  })
  const after = await host.restart()
  const { call } = open.function_calls![0]!
  const answer = { method: 'POST', json: { output: { count: 12 } } }
  expect((await after.ask(`/v1/runs/${id}/functions/${call}`, answer)).status).toBe(200)
  const ended = await untilEnd(after, id)
  expect(ended).toMatchObject({ status: 'completed', output: { text: '{"count":12}' } })
  return after
}
