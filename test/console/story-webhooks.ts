/** Receivers of the support desk, for pictures: one accepts, one is down, and one is gone. */

import { startCannedServer } from '../support/canned-server.ts'
import { type Open, runToEnd, type Server } from '../support/launch.ts'
import { until } from '../support/patience.ts'

const STATUSES: Readonly<Record<string, number>> = {
  '/desk': 204,
  '/reports': 503,
  '/old-desk': 410,
}
const TICKETS = ['Close ticket 7731.', 'Close ticket 7755.', 'Close ticket 7760.']

interface Delivery {
  readonly id: string
  readonly url: string
  readonly endpoint_id: string | null
  readonly attempts: number
}

/** Fills the lists of webhooks. Returns the paths of pages below /console by their names. */
export async function tellWebhooks(
  server: Server,
  open: Open,
): Promise<Readonly<Record<string, string>>> {
  const receiver = await startCannedServer(({ url }, response) => {
    response.writeHead(STATUSES[url] ?? 404, { 'content-type': 'application/json' })
    response.end(url === '/reports' ? '{"error": "The report database is down."}' : undefined)
  })
  open.push(() => receiver.close())
  for (const [path, description] of [
    ['/desk', 'Tickets of the desk'],
    ['/reports', 'Reports of the night'],
  ]) {
    const json = { url: `${receiver.origin}${path}`, description, events: ['run.completed'] }
    await server.get('/v1/webhook-endpoints', { method: 'POST', json })
  }
  const webhook = { url: `${receiver.origin}/old-desk` }
  for (const [at, input] of TICKETS.entries())
    await runToEnd(server, { input, ...(at === 0 ? { webhook } : {}) })
  const path = '/v1/webhook-deliveries?limit=100'
  const failing = await until('a delivery has two attempts', async () => {
    const { data } = await server.get<{ data: readonly Delivery[] }>(path)
    const settled = data.every(({ attempts }) => attempts > 0)
    return settled && data.find(({ url, attempts }) => url.endsWith('/reports') && attempts > 1)
  })
  const json = {
    scheme: 'github',
    description: 'Issues of the shop',
    template: 'Triage this issue: {{issue.title}}\n\nReported by {{sender.login}}.',
    events: ['issues'],
  }
  const hook = await server.get<{ id: string }>('/v1/hooks', { method: 'POST', json })
  return {
    hook: `webhooks?tab=hooks&sel=${hook.id}`,
    deliveries: `webhooks?sel=${failing.id}`,
    endpoints: `webhooks?tab=endpoints&sel=${failing.endpoint_id}`,
  }
}
