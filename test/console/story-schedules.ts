/** Schedules of the support desk, for pictures: past slots with several outcomes, and a pause. */

import type { Server } from '../support/launch.ts'
import { until } from '../support/patience.ts'

interface Created {
  readonly id: string
}

interface Fire {
  readonly outcome: string
}

/** Inputs of past slots, the oldest first; the script of the model fails one of them. */
const INPUTS = [
  'Which tickets of the night are open?',
  'Where are the parcels of November?',
  '@fail 400',
  'Which tickets of October are open?',
  'Where are the parcels of November?',
]

/** Fills the list of schedules. Returns the paths of pages below /console by their names. */
export async function tellSchedules(server: Server): Promise<Readonly<Record<string, string>>> {
  const post = <T>(path: string, json: object): Promise<T> =>
    server.get<T>(path, { method: 'POST', json })
  const digest = await post<Created>('/v1/schedules', {
    ...{ name: 'desk-digest', cron: '30 2 * 3 0', timezone: 'Europe/Berlin' },
    ...{ description: 'Digest of the desk for the shop', agent: 'scout', label: 'digest' },
    input: INPUTS[0],
  })
  for (const [at, input] of INPUTS.entries()) {
    const path = `/v1/schedules/${digest.id}`
    await server.get(path, { method: 'PATCH', json: { input } })
    await server.get(`${path}/run`, { method: 'POST' })
    await until('the run of the slot has ended', async () => {
      const { data } = await server.get<{ data: readonly Fire[] }>(`${path}/runs`)
      const ended = data.filter(({ outcome }) => outcome === 'completed' || outcome === 'failed')
      return ended.length === at + 1
    })
  }
  const parcels = { name: 'parcels', every: '2h', input: INPUTS[1], agent: 'scout' }
  const { id } = await post<Created>('/v1/schedules', parcels)
  await post(`/v1/schedules/${id}/pause`, { reason: 'The carrier moves its server.' })
  await post('/v1/schedules', { name: 'inventory', at: '2099-01-01T08:00:00Z', input: INPUTS[3] })
  await server.get('/v1/schedules/digest/source', { method: 'PUT', json: {} })
  return {
    schedules: 'schedules',
    schedule: `schedules?sel=${digest.id}`,
    'schedule-paused': `schedules?sel=${id}`,
    'schedule-file': 'schedules?sel=digest',
  }
}
