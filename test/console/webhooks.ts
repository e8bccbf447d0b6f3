/** The page of webhooks: deliveries read and replayed, endpoints with secrets, hooks tried. */

import type { Locator, Page } from 'playwright-core'
import { type CannedServer, startCannedServer } from '../support/canned-server.ts'
import { HOOK_SECRET, signHook } from '../support/hook-messages.ts'
import { runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

interface Receiver extends CannedServer {
  /** Status of all further responses. */
  status: number
}

interface Delivery {
  readonly id: string
  readonly status: string
  readonly url: string
}

const WIDE = { width: 1_440, height: 900 }

async function openReceiver(status: number): Promise<Receiver> {
  const receiver: Receiver = Object.assign(
    await startCannedServer((_, response) => {
      response.writeHead(receiver.status, { 'content-type': 'application/json' })
      response.end('{"seen": "by the receiver"}')
    }),
    { status },
  )
  return receiver
}

/** Acts with a receiver, which is closed afterwards. */
async function withReceiver(status: number, act: (receiver: Receiver) => Promise<void>) {
  const receiver = await openReceiver(status)
  try {
    await act(receiver)
  } finally {
    await receiver.close()
  }
}

const deliveriesTo = async ({ server }: Stage, url: string): Promise<readonly Delivery[]> => {
  const { data } = await server.get<{ data: readonly Delivery[] }>(
    '/v1/webhook-deliveries?limit=100',
  )
  return data.filter((delivery) => delivery.url === url)
}

/** Runs that name the receiver; waits until each delivery has the status. */
async function deliver(stage: Stage, url: string, count: number, status: string) {
  for (let n = 0; n < count; n += 1)
    await runToEnd(stage.server, { input: `@say ${n}`, webhook: { url } })
  return until(`the deliveries are not ${status}`, async () => {
    const deliveries = await deliveriesTo(stage, url)
    const settled = deliveries.filter((delivery) => delivery.status === status)
    return settled.length === count && settled
  })
}

async function openWebhooks(stage: Stage, query = ''): Promise<Page> {
  const page = await openConsole(stage)
  await page.goto(`${stage.server.url}/console/webhooks${query}`)
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  return page
}

const rows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')

export const WEBHOOKS: Scenarios = {
  async 'webhooks: deliveries of a filter are counted, replayed, and arrive at the receiver once'(
    stage,
  ) {
    await withReceiver(410, async (receiver) => {
      const count = 14
      const url = `${receiver.origin}/in`
      const from = new Date().toISOString()
      await deliver(stage, url, count, 'disabled')
      check(stage, receiver.received.length === count, `${receiver.received.length} attempts`)
      receiver.status = 204
      const page = await openWebhooks(stage)
      await page.keyboard.press('g')
      await page.keyboard.press('w')
      await page.getByRole('combobox', { name: 'Status' }).selectOption('disabled')
      await page.waitForURL((search) => search.searchParams.get('status') === 'disabled')
      await page.goto(`${page.url()}&created%5Bgte%5D=${encodeURIComponent(from)}`)
      await rows(page)
        .nth(count - 1)
        .waitFor()
      await page.getByRole('button', { name: 'Replay this filter' }).click()
      await page.getByRole('dialog').getByText('The filter selects 14 deliveries.').waitFor()
      check(stage, receiver.received.length === count, 'the count has sent deliveries')
      await page.getByRole('button', { name: 'Replay 14 deliveries' }).click()
      await page.getByText('14 deliveries were scheduled to be sent.').waitFor()
      await judge(stage, page, 'replay of a filter')
      await until('not all replays have arrived', () => receiver.received.length === 2 * count)
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      const [first, second] = [ids.slice(0, count), ids.slice(count)]
      check(stage, `${first.toSorted()}` === `${second.toSorted()}`, 'other deliveries were sent')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await page.getByText('No delivery matches the filters.').waitFor()
      await page.goBack()
    })
  },

  async 'webhooks: a delivery is read whole, sent again by keyboard, and marked ones together'(
    stage,
  ) {
    await withReceiver(410, async (receiver) => {
      const url = `${receiver.origin}/read`
      const [delivery] = await deliver(stage, url, 3, 'disabled')
      const page = await openWebhooks(stage, '?status=disabled')
      await rows(page).nth(2).waitFor()
      await page.keyboard.press('j')
      await page.waitForURL((search) => search.searchParams.get('sel') === delivery?.id)
      const detail = page.getByRole('article', { name: 'run.completed' })
      await detail.getByText('Webhook of a single run').waitFor()
      await detail.getByText('"type": "run.completed"').waitFor()
      await detail.getByText('"seen": "by the receiver"').waitFor()
      const attempts = detail.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
      check(stage, (await attempts.count()) === 1, `${await attempts.count()} attempts are shown`)
      await judge(stage, page, 'delivery')
      await page.setViewportSize(WIDE)
      receiver.status = 200
      await page.keyboard.press('r')
      await detail.getByText('The receiver accepted the request.').waitFor()
      await detail.getByText('replay 1').waitFor()
      await page.goto(`${stage.server.url}/console/webhooks?status=disabled`)
      await rows(page).nth(1).waitFor()
      for (const key of ['j', 'x', 'j', 'x']) {
        await page.keyboard.press(key)
        if (key === 'j') await page.waitForURL(/sel=/)
      }
      await page.getByText('2 marked').waitFor()
      await page.keyboard.press('Shift+R')
      await page.getByRole('dialog').getByRole('button', { name: 'Replay 2 deliveries' }).click()
      await page.getByText('2 deliveries were scheduled to be sent.').waitFor()
      await until('the marked have arrived', () => receiver.received.length === 6)
    })
  },

  async 'webhooks: an endpoint is created, tested, changed, rotated, and deleted; a secret is shown once'(
    stage,
  ) {
    await withReceiver(204, async (receiver) => {
      const page = await openWebhooks(stage, '?tab=endpoints')
      await page.getByRole('button', { name: 'New endpoint' }).click()
      const form = page.getByRole('dialog', { name: 'New endpoint' })
      await form.getByLabel('URL').fill(`${receiver.origin}/desk`)
      await form.getByLabel('Description').fill('Tickets')
      await form.getByRole('checkbox', { name: 'approval.*' }).check()
      await judge(stage, page, 'form of an endpoint')
      await page.setViewportSize(WIDE)
      await form.getByRole('button', { name: 'Create' }).click()
      const dialog = page.getByRole('dialog', { name: 'Signing secret' })
      await page.keyboard.press('Escape')
      const secret = await dialog.getByText(/^whsec_/).innerText()
      await judge(stage, page, 'secret of an endpoint')
      await page.setViewportSize(WIDE)
      await dialog.getByRole('button', { name: 'I have stored it' }).click()
      const detail = page.getByRole('article', { name: 'Tickets' })
      await detail.getByText('approval.*').waitFor()
      await page.reload()
      await detail.waitFor()
      const html = await page.content()
      check(stage, !html.includes(secret), 'the secret is shown twice')
      await detail.getByRole('button', { name: 'Send a test' }).click()
      await detail.getByText('The test event was scheduled.').waitFor()
      await detail.getByText('Delivered').waitFor()
      check(stage, receiver.received.length === 1, `${receiver.received.length} tests arrived`)
      await judge(stage, page, 'endpoint')
      await page.setViewportSize(WIDE)
      await detail.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('dialog').getByLabel('Description').fill('Tickets of the desk')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      const changed = page.getByRole('article', { name: 'Tickets of the desk' })
      await changed.getByRole('button', { name: 'Disable' }).click()
      await changed.getByText('Disabled by a request.').waitFor()
      await changed.getByRole('button', { name: 'Enable' }).click()
      await changed.getByText('Events are sent to this endpoint.').waitFor()
      await changed.getByRole('button', { name: 'Rotate the secret' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
      const rotated = await dialog.getByText(/^whsec_/).innerText()
      check(stage, rotated !== secret, 'the secret is the same')
      await dialog.getByRole('button', { name: 'I have stored it' }).click()
      await changed.getByRole('link', { name: 'Deliveries to this endpoint' }).click()
      await rows(page).getByText('endpoint.test').waitFor()
      await page.goBack()
      await changed.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the endpoint' }).click()
      await changed.waitFor({ state: 'detached' })
      await page.getByText('There is no endpoint.').waitFor()
    })
  },

  async 'webhooks: a template is tried on a payload, and a signed message starts the run it showed'(
    stage,
  ) {
    const page = await openWebhooks(stage, '?tab=hooks')
    await page.getByRole('button', { name: 'New hook' }).click()
    const form = page.getByRole('dialog', { name: 'New hook' })
    await form.getByLabel('Signature').selectOption('github')
    await form.getByLabel('Signing secret').fill(HOOK_SECRET)
    await form.getByLabel('Description').fill('Issues')
    await form.getByLabel('Template').fill('@say seen\n{{issue.title}} {{absent}}')
    await form.getByLabel('Event types').fill('issues')
    await judge(stage, page, 'form of a hook')
    await page.setViewportSize(WIDE)
    await form.getByRole('button', { name: 'Create' }).click()
    const detail = page.getByRole('article', { name: 'Issues' })
    await detail.getByText('This hook has not started a run.').waitFor()
    const body = JSON.stringify({ issue: { title: 'It hangs.' } })
    const preview = async (event: string) => {
      await detail.getByLabel('Payload').fill(body)
      await detail.getByLabel('X-GitHub-Event').fill(event)
      await detail.getByRole('button', { name: 'Preview the input' }).click()
    }
    await preview('push')
    await detail.getByText('Starts no run', { exact: true }).waitFor()
    await preview('issues')
    await detail.getByText('Starts a run', { exact: true }).waitFor()
    await detail.getByText('No value in the payload: absent').waitFor()
    const input = await detail.getByRole('group', { name: 'Input of the run' }).innerText()
    check(stage, input.includes('It hangs.'), input)
    await judge(stage, page, 'preview of a hook')
    await page.setViewportSize(WIDE)
    await detail.getByLabel('Payload').fill('{"issue":')
    await detail.getByRole('button', { name: 'Preview the input' }).click()
    await detail.getByRole('alert').waitFor()
    const path = new URL(await detail.getByText(/\/v1\/hooks\//).innerText()).pathname
    const headers = { ...signHook('github', body, Date.now()), 'x-github-event': 'issues' }
    const response = await fetch(`${stage.server.url}${path}`, { method: 'POST', headers, body })
    check(stage, response.status === 202, `the message was answered with ${response.status}`)
    await page.reload()
    const runs = detail.getByRole('region', { name: 'Runs that it started' })
    await runs.getByRole('listitem').getByRole('link').waitFor()
    await runs.getByRole('link', { name: 'All runs of this hook' }).click()
    await page.getByRole('grid').getByText('It hangs.').first().waitFor()
    await page.goBack()
    await detail.getByRole('button', { name: 'Rotate the secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Signing secret' })
    await dialog.getByRole('group', { name: 'Signing secret' }).waitFor()
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await detail.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the hook' }).click()
    await page.getByText('There is no hook.').waitFor()
  },

  async 'webhooks: a key without runs:read sees no content, and one without the scope no page'(
    stage,
  ) {
    await withReceiver(410, async (receiver) => {
      const [delivery] = await deliver(stage, `${receiver.origin}/scope`, 1, 'disabled')
      for (const scopes of [['sessions:read', 'webhooks:read'], ['sessions:read']]) {
        const json = { name: 'reader', scopes }
        const { key } = await stage.server.get<{ key: string }>('/v1/keys', {
          method: 'POST',
          json,
        })
        const page = await openBlank(stage.browser, stage)
        await page.goto(`${stage.server.url}/console`)
        await page.getByLabel('API key').fill(key)
        await page.keyboard.press('Enter')
        await page.locator('#main').waitFor()
        await page.goto(`${stage.server.url}/console/webhooks?sel=${delivery?.id}`)
        const mayRead = scopes.includes('webhooks:read')
        if (mayRead) await page.getByText('The request body is not shown').waitFor()
        else await page.getByText('does not have the scope webhooks:read').waitFor()
        const links = await page.getByRole('link', { name: 'Webhooks', exact: true }).count()
        check(stage, links > 0 === mayRead, `${links} links with ${scopes}`)
        const replays = await page.getByRole('button', { name: 'Replay' }).count()
        check(stage, replays === 0, 'a key without webhooks:write may replay')
      }
    })
  },
}
