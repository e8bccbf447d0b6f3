/** Previews of messages to hooks on the real server, compared with the runs that they start. */

import { describe, expect, it } from 'vitest'
import { bodyOf, HOOK_MESSAGES, HOOK_SECRET, signHook } from '../support/hook-messages.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask } from '../support/node-client.ts'

describe('a preview of a message to a hook', () => {
  it('shows the input of the run that a delivery of each service starts, and starts none', async () => {
    const api = await startNodeApi()
    for (const message of HOOK_MESSAGES) {
      const template = '@say done\n{{$event}} {{action}} {{absent}}'
      const json = { scheme: message.scheme, secret: HOOK_SECRET, template }
      const { id } = (await ask(api, 'POST', '/v1/hooks', json)).body
      const now = Date.now()
      const { headers = {} } = message
      const shown = await ask(api, 'POST', `/v1/hooks/${id}/preview`, {
        payload: message.payload(now),
        headers,
      })
      expect(shown.body).toMatchObject({ object: 'hook_preview', starts: true })
      expect(shown.body.missing).toContain('absent')
      const body = bodyOf(message, now)
      const sent = await fetch(`${api.url}/v1/hooks/${id}`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          ...headers,
          ...signHook(message.scheme, body, now),
        },
      })
      const { run_id } = (await sent.json()) as { run_id: string }
      expect([message.name, sent.status]).toEqual([message.name, 202])
      const run = (await ask(api, 'GET', `/v1/runs/${run_id}`)).body
      expect(run.input).toBe(shown.body.input)
    }
    expect((await ask(api, 'GET', '/v1/runs?limit=100')).body.data).toHaveLength(
      HOOK_MESSAGES.length,
    )
  })
})
