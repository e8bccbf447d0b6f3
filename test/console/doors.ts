/** Endpoints, their deliveries, hooks and schedules: what is sent arrives, and is said. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { type Check, holds, signedIn, unharmed } from './checks.ts'
import { until } from './host.ts'

interface Got {
  readonly body: string
  readonly headers: Record<string, string>
}

/** A receiver on this machine: it answers as it is told, and keeps what it gets. */
async function withReceiver(
  use: (receiver: { url: string; got: Got[]; answer: (status: number) => void }) => Promise<void>,
): Promise<void> {
  const got: Got[] = []
  let status = 204
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const header = (name: string) => [name, String(request.headers[name] ?? '')] as const
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    got.push({
      body: Buffer.concat(chunks).toString(),
      headers: Object.fromEntries(names.map(header)),
    })
    response.writeHead(status).end('said by the receiver')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = (next: number): void => {
    status = next
  }
  try {
    await use({ url: `http://127.0.0.1:${port}/hook`, got, answer })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Throws unless the signature is right. */
const verify = (secret: string, { body, headers }: Got): unknown =>
  new Webhook(secret).verify(body, headers)

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).last().click()

export const DOORS: Record<string, Check> = {
  'webhooks: a delivery is sent again, and its receiver gets it, signed': (given) =>
    withReceiver(async ({ url, got, answer }) => {
      const { api } = given.host
      const made = await api.webhookEndpoints.create({ url, events: ['run.completed'] } as never)
      answer(500)
      const { id } = await api.webhookEndpoints.test(made.id, {})
      await until('its first attempt arrives', async () => got.length === 1)
      answer(204)
      const delivered = async () => (await api.webhookDeliveries.get(id)).status === 'delivered'
      await until('its second attempt arrives', delivered)
      const before = got.length
      const watched = await signedIn(given, {}, `/console/webhooks/deliveries?endpoint=${made.id}`)
      const { page } = watched
      await page.getByRole('button', { name: 'endpoint.test' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('"endpoint.test"').first().waitFor()
      await dialog.getByRole('button', { name: 'Send again' }).click()
      await dialog.getByText('The receiver answered 204.').waitFor()
      await until('it arrives once more', async () => got.length === before + 1)
      // An attempt of its own accord belongs to no replay.
      const { redrives, history } = await api.webhookDeliveries.get(id)
      const by = history.map(({ redrive }) => redrive ?? 0)
      holds(redrives === 1 && `${by}` === '0,0,1', `replays ${redrives}, attempts of ${by}`)
      const again = got.at(-1)!
      verify(made.secret ?? '', again)
      holds(again.headers['webhook-id'] === got[0]!.headers['webhook-id'], 'another webhook-id')
      holds(again.body === got[0]!.body, 'another body')
      unharmed(watched)
    }),
  'webhooks: of a range only those of one endpoint are sent again': (given) =>
    withReceiver(async (one) =>
      withReceiver(async (other) => {
        const { api } = given.host
        const ids: string[] = []
        for (const { url, answer } of [one, other]) {
          answer(410)
          const { id } = await api.webhookEndpoints.create({ url } as never)
          const sent = await api.webhookEndpoints.test(id, {})
          const isOver = async () =>
            (await api.webhookDeliveries.get(sent.id)).status === 'disabled'
          await until('it is given up', isOver)
          answer(204)
          ids.push(id)
        }
        const watched = await signedIn(given, {}, '/console/webhooks')
        const { page } = watched
        const card = page.getByRole('region', { name: one.url })
        await card.getByRole('button', { name: 'Send a test' }).click()
        await card.getByText('The endpoint is disabled.').waitFor()
        await card.getByRole('link', { name: 'Deliveries' }).click()
        // To an endpoint that is off: it says why it does not go.
        await page.getByRole('button', { name: 'endpoint.test' }).first().click()
        const dialog = page.getByRole('dialog')
        await press(page, 'Send again')
        await dialog.getByText('Endpoint is off').first().waitFor()
        await dialog.getByRole('button', { name: 'Close' }).click()
        holds(one.got.length === 1, 'something went to an endpoint that is off')
        for (const id of ids) await api.webhookEndpoints.update(id, { enabled: true })
        const bar = page.getByRole('search')
        await bar.getByLabel('Status').selectOption('Delivered')
        await page.getByText('No delivery is like that').waitFor()
        await bar.getByLabel('Status').selectOption('Endpoint is off')
        await page.getByRole('button', { name: 'endpoint.test' }).first().waitFor()
        await page.reload()
        await page.getByRole('button', { name: 'endpoint.test' }).first().waitFor()
        // Switched on, and nothing went by itself: what comes now is what is sent here.
        holds(one.got.length === 1, 'it went before it was sent again')
        await press(page, 'Send a range again')
        await dialog.getByLabel('Since').fill('2020-01-01T00:00')
        await dialog.getByRole('button', { name: 'Send a range again' }).click()
        await dialog.getByText('1 sent again.').waitFor()
        await until('it arrives', async () => one.got.length === 2)
        holds(other.got.length === 1, 'that of the other endpoint was sent too')
        unharmed(watched)
      }),
    ),
  'webhooks: a secret is rotated when it is confirmed, and both sign': (given) =>
    withReceiver(async ({ url, got }) => {
      const { api } = given.host
      const made = await api.webhookEndpoints.create({ url, events: ['run.completed'] } as never)
      const watched = await signedIn(given, {}, '/console/webhooks')
      const { page } = watched
      const card = page.getByRole('region', { name: url })
      const dialog = page.getByRole('dialog')
      await card.getByRole('button', { name: 'New secret' }).click()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await card.getByRole('button', { name: 'Send a test' }).click()
      await card.getByText('The receiver answered 204.').waitFor()
      holds(got[0]!.headers['webhook-signature']!.split(' ').length === 1, 'it was rotated')
      verify(made.secret ?? '', got[0]!)
      await card.getByRole('button', { name: 'New secret' }).click()
      await dialog.getByRole('button', { name: 'New secret' }).click()
      const shown = dialog.getByText(/whsec_/).first()
      await shown.waitFor()
      const secret = /whsec_[A-Za-z0-9+/=]+/.exec((await shown.innerText()) ?? '')?.[0] ?? ''
      await dialog.getByRole('button', { name: 'Close' }).click()
      await api.webhookEndpoints.test(made.id, {})
      await until('it arrives', async () => got.length === 2)
      verify(secret, got[1]!)
      verify(made.secret ?? '', got[1]!)
      unharmed(watched)
    }),
  'endpoints, hooks and schedules are edited': async (given) => {
    const { api } = given.host
    const at = 'http://127.0.0.1:9/edited'
    const endpoint = await api.webhookEndpoints.create({ url: at } as never)
    const hook = await api.hooks.create({ scheme: 'github', template: 'Before {{issue.title}}' })
    await api.schedules.create({ name: 'to-edit', cron: '0 9 * * *', input: 'Before.' })
    const watched = await signedIn(given, {}, '/console/webhooks')
    const { page } = watched
    const dialog = page.getByRole('dialog')
    await page.getByRole('region', { name: at }).getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Description').fill('for the desk')
    await dialog.getByLabel('Events').fill('run.*')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('for the desk').waitFor()
    const changed = await api.webhookEndpoints.get(endpoint.id)
    holds(changed.events.join() === 'run.*' && changed.url === at, JSON.stringify(changed))
    await page.goto(`${given.host.url}/console/webhooks/hooks`)
    const card = page.getByRole('region', { name: `/v1/hooks/${hook.id}` })
    await card.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Template').fill('After {{issue.title}}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('After {{issue.title}}').waitFor()
    await page.goto(`${given.host.url}/console/schedules`)
    const one = page.getByRole('region', { name: 'to-edit' })
    await one.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('When').fill('61 * * * *')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const alert = dialog.getByRole('alert')
    await alert.waitFor()
    const said = await alert.innerText()
    holds(said.split('minute').length <= 2, `said more than once: ${said}`)
    await dialog.getByLabel('When').fill('30 7 * * *')
    await dialog.getByLabel('Input').fill('After.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await one.getByText('30 7 * * *').waitFor()
    const { run } = await api.schedules.get('to-edit')
    holds((run as { input?: string }).input === 'After.', 'the input is not changed')
    unharmed(watched)
  },
}
