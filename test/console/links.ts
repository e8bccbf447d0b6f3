/** A person decides by a signed link, in a browser that has no key and no session. */

import { type Client, createRun, untilEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { newPage } from './browser.ts'
import { check, type Scenarios } from './stage.ts'

interface Waiting {
  readonly id: string
  readonly run_id: string
}

async function asking(server: Client, what: string) {
  const policy = await server.ask('/v1/policy')
  const etag = policy.headers.get('etag') ?? '"0"'
  const json = { ...((await policy.json()) as object), approvals: { file_write: 'ask' } }
  await server.get('/v1/policy', { method: 'PUT', headers: { 'if-match': etag }, json })
  const call = `@call file_write ${JSON.stringify({ path: 'a.txt', content: what })}`
  const run = await createRun(server, { input: `${call}\n@then\n@say {last}` })
  const approval = await until('an approval', async () => {
    const { data } = await server.get<{ data: readonly Waiting[] }>('/v1/approvals')
    return data.find(({ run_id }) => run_id === run.id)
  })
  const subject = { for: { approval: approval.id } }
  const link = await server.get<{ url: string }>('/v1/access-links', {
    method: 'POST',
    json: subject,
  })
  return { run, approval, url: link.url }
}

export const LINKS: Scenarios = {
  async 'an approval is decided by a link, once, without a key, on a phone'(stage) {
    const { server, browser, faults } = stage
    const { run, approval, url } = await asking(server, '<img src=x onerror=alert(1)> pay 42')
    const page = await newPage(browser, faults, { viewport: { width: 360, height: 740 } })
    for (const _ of [1, 2]) await page.goto(url)
    const stands = await server.get<{ status: string }>(`/v1/approvals/${approval.id}`)
    check(stage, stands.status === 'pending', `opening it made it ${stands.status}`)
    check(stage, (await page.locator('img').count()) === 0, 'markup of the call became an element')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    check(stage, Number(width) <= 360, `the page is ${width} wide`)
    await page.getByLabel('Reason').fill('Not today.')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'file_write was denied' }).waitFor()
    check(stage, page.url() === url, `it went to ${new URL(page.url()).pathname.slice(0, 12)}`)
    check(stage, (await page.getByRole('button').count()) === 0, 'it can be decided again')
    const { output } = await untilEnd(server, run.id)
    check(stage, String(output?.text).includes('Not today.'), `the model read ${output?.text}`)
    const cut = await page.goto(url.slice(0, -6))
    check(stage, cut?.status() === 401, `a link that was cut off is ${cut?.status()}`)
    await page.getByRole('heading').waitFor()
  },
}
