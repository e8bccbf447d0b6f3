/** Arguments of tools as models write them: what cannot be understood never runs. */

import { describe, expect, it } from 'vitest'
import { eventPages, runToEnd, sharedServer, transcript } from '../support/server.ts'

const server = sharedServer()

describe('tool arguments', () => {
  it('that do not parse or have the wrong shape reach the model as an error', async () => {
    const wrong = ['{path: x}', '[]', '{"path":[7]}', '{"path":"x","more":1}', '{}']
    const calls = wrong.map((given) => `@call file_read ${given}`)
    const run = await runToEnd(server(), { input: [...calls, '@say {tools} told'].join('\n') })
    expect(run).toMatchObject({ status: 'completed', output: { text: '5 told' } })
    const results = (await transcript(server(), run.id)).flatMap((one) => one.results ?? [])
    expect(results).toHaveLength(wrong.length)
    for (const { is_error, text } of results) {
      expect(is_error).toBe(true)
      expect(text).toMatch(/^invalid_arguments: /)
    }
    const log = await eventPages(server(), run.id)
    expect(log.filter(({ type }) => type === 'tool.call')).toEqual([])
  })
})
