/** A link to one decision: a browser that never signed in decides it, and reaches nothing else. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '../../src/client/index.ts'
import { MAIN } from '../support/launch.ts'
import { openPage } from './browser.ts'
import { type Check, type Given, holds, signedIn, unharmed } from './checks.ts'
import { askFor, until } from './host.ts'

const TOOL = 'file_list'

/** A run that waits for a person. */
async function asking(
  { host }: Given,
  label: string,
  said = '@say {last}',
): Promise<{ readonly run: string; readonly approval: string }> {
  await askFor(host, TOOL)
  const input = `@call ${TOOL} {"path": "."}\n${said}`
  const { id: run } = await host.api.runs.create({ input, label })
  const mine = async () =>
    (await host.api.approvals.list({})).data.find(({ run_id }) => run_id === run)
  await until('the run asks', async () => (await mine()) !== undefined)
  return { run, approval: (await mine())!.id }
}

export async function linkTo(
  { host }: Given,
  approval: string,
  {
    seconds = 600,
    by = host.api,
  }: { readonly seconds?: number; readonly by?: Given['host']['api'] },
) {
  const { token } = await by.tokens.create({
    ...{ for: approval, actions: ['read', 'decide'], expires_in_seconds: seconds },
  })
  return { token, url: `${host.url}/console/decide#token=${token}&approval=${approval}` }
}

/** As a person makes one in a shell. */
async function printedLink({ host }: Given, approval: string): Promise<string> {
  const env = { STRATA_URL: host.url, STRATA_API_KEY: host.key }
  const args = [MAIN, 'link', '--approval', approval, '--seconds', '60']
  return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim()
}

const ended = ({ host }: Given, run: string) =>
  until('the run ends', async () => (await host.api.runs.get(run)).status === 'completed')

export const DECISIONS: Record<string, Check> = {
  'a copied link opens one decision in another browser: nothing else, and the run goes on': async (
    given,
  ) => {
    const { host, browser } = given
    const { run, approval } = await asking(given, 'by link')
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] }
    const first = await signedIn(given, permissions, `/console/approvals/${approval}`)
    await first.page.getByRole('button', { name: 'Copy a link to this decision' }).click()
    await first.page.getByText(/^Copied\. For 60 min/).waitFor()
    const url = await first.page.evaluate(() => navigator.clipboard.readText())
    holds(url.startsWith(`${host.url}/console/decide#token=`), `a link: ${url}`)
    const watched = await openPage(browser, host.url)
    const { page, requests } = watched
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.headers().referer}`))
    await page.goto(url)
    await page.getByText('by link waits for your answer').waitFor()
    holds(page.url() === `${host.url}/console/decide`, `the address is ${page.url()}`)
    holds((await page.getByRole('navigation').count()) === 0, 'the rest of the app is there')
    await page.getByText('"path": "."').waitFor()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText(/It was approved/).waitFor()
    await ended(given, run)
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')!
    const tells = sent.filter((one) => one.includes(token))
    holds(tells.length === 0, `the token stands in a request's address: ${tells}`)
    const own = [`GET /v1/approvals/${approval}`, `POST /v1/approvals/${approval}/decision`]
    holds(
      [...requests].every((one) => own.includes(one)),
      [...requests].join('; '),
    )
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    holds(!kept.includes('strata_'), 'the token is kept')
    const other = createClient({ url: host.url, apiKey: token, retries: 0 })
    for (const asked of [() => other.runs.list({}), () => other.runs.get(run)]) {
      const refused = await asked().then(
        () => 0,
        (error: { readonly status?: number }) => error.status,
      )
      holds(refused === 403, `the token is answered ${refused}`)
    }
    await page.reload()
    await page.getByText(/Open the link once more/).waitFor()
    unharmed(first)
    unharmed(watched)
  },
  'by a link arguments are edited in the form of the tool, or the call is denied': async (
    given,
  ) => {
    const one = await asking(given, 'edited')
    const url = await printedLink(given, one.approval)
    const watched = await openPage(given.browser, given.host.url)
    const { page } = watched
    await page.goto(url)
    await page.getByRole('button', { name: 'Edit arguments' }).click()
    await page.getByLabel('path', { exact: true }).fill('notes')
    await page.getByRole('button', { name: 'Approve with these' }).click()
    await page.getByText(/It was approved/).waitFor()
    await page.getByText('"path":"notes"').or(page.getByText('"path": "notes"')).first().waitFor()
    await ended(given, one.run)
    const two = await asking(given, 'denied')
    // The same tab: the fragment changes alone.
    await page.goto((await linkTo(given, two.approval, {})).url)
    await page.getByText('denied waits for your answer').waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByLabel('Reason').fill('not today')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText(/It was denied/).waitFor()
    await page.getByText('not today').waitFor()
    await ended(given, two.run)
    holds(
      (await given.host.api.runs.get(two.run)).output?.text.includes('not today') === true,
      'the model has read the reason',
    )
    unharmed(watched)
  },
  'a link that counts no more says why: time, its key, another decision, none': async (given) => {
    const { host, browser } = given
    const { approval } = await asking(given, 'refused')
    const watched = await openPage(browser, host.url)
    const { page } = watched
    const short = await linkTo(given, approval, { seconds: 12 })
    await page.goto(short.url)
    await page.getByText('refused waits for your answer').waitFor()
    await page.getByText(/its time is over, or the key that made it was revoked/).waitFor()
    holds((await page.getByRole('button', { name: 'Approve' }).count()) === 0, 'one can approve')
    const key = await host.api.keys.create({ scopes: ['*'] })
    const by = createClient({ url: host.url, apiKey: key.key ?? '' })
    const revoked = await linkTo(given, approval, { by })
    await host.api.keys.revoke(key.id)
    await page.goto(revoked.url)
    await page.getByText(/its time is over, or the key/).waitFor()
    const good = await linkTo(given, approval, {})
    await page.goto(good.url)
    await page.getByText('refused waits for your answer').waitFor()
    // Somebody else is first.
    await host.api.approvals.decide(approval, { decision: 'approve' })
    await page.getByText(/It was approved/).waitFor()
    holds((await page.getByRole('button', { name: 'Approve' }).count()) === 0, 'one can approve')
    const none = `apr_${'0'.repeat(52)}`
    await page.goto(good.url.replace(approval, none))
    await page.getByText(/no such approval any more/).waitFor()
    const bare = await openPage(browser, host.url)
    await bare.page.goto(`${host.url}/console/decide#token=<b>&approval=../runs`)
    await bare.page.getByText(/has no link to a decision/).waitFor()
    holds(bare.requests.size === 0, [...bare.requests].join('; '))
    unharmed(watched)
    unharmed(bare)
  },
}
