import { describe, expect, it } from 'vitest'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { putFiles } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'
import { agent } from '../../../support/layers.ts'
import { type ScriptModel, scriptModel } from '../../../support/script.ts'
import { together } from '../../../support/together.ts'

const FILE = 'base/.agents/agents/worker.md'

describe('POST /v1/runtime/reload', () => {
  it('a live run ends with the old file, and the next one starts with the new file [GC-68]', async () => {
    const clock = memoryClock()
    const model = scriptModel(clock)
    const api = await testApi({ clock, model })
    const { world } = api
    await putFiles(world, { [FILE]: agent('the old words', 'worker') })
    const systems = () => (model as ScriptModel).requests.map(({ system }) => system)
    const input = '@call file_list {}\n@slow 5000\n@say done'
    const post = () => api.call('POST', '/v1/runs', { json: { input, agent: 'worker' } })
    const first = (await post()).body.id
    await together(world, async () => systems().length === 2)
    await putFiles(world, { [FILE]: agent('the new words', 'worker') })
    // Twice changes nothing that once has not.
    for (let times = 0; times < 2; times += 1) {
      expect((await api.call('POST', '/v1/runtime/reload', { json: {} })).status).toBe(200)
    }
    await together(world)
    const second = (await post()).body.id
    await together(world)
    expect(new Set(systems().slice(0, 2))).toHaveLength(1)
    expect(systems()[0]).toContain('the old words')
    expect(systems().at(-1)).toContain('the new words')
    for (const id of [first, second]) {
      expect((await api.call('GET', `/v1/runs/${id}`)).body.status).toBe('completed')
    }
  })

  it('an unknown agent is not an error [GC-70]', async () => {
    const api = await testApi()
    const json = { agent_id: 'nobody' }
    expect((await api.call('POST', '/v1/runtime/reload', { json })).status).toBe(200)
  })
})
