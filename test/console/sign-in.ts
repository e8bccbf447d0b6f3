/** Signing in to the console: links, keys, and sessions that end. */

import { composer, openBlank, openConsole } from './console-page.ts'
import { check, type Scenarios } from './stage.ts'

export const SIGN_IN: Scenarios = {
  async 'a link signs one browser in, leaves the address at once, and is refused later'(stage) {
    const { server, browser } = stage
    const { url } = await server.get<{ url: string }>('/v1/sign-in-links', { method: 'POST' })
    const first = await openBlank(browser, stage)
    await first.goto(url)
    await first.locator('#main').waitFor()
    check(stage, !first.url().includes('t='), `the token stands in the address: ${first.url()}`)
    await first.reload()
    await first.locator('#main').waitFor()
    const second = await openBlank(browser, stage)
    await second.goto(url)
    await second.getByText('This link has been used or has expired').waitFor()
    check(stage, !second.url().includes('t='), 'a refused token stays in the address')
  },

  async 'a wrong key is refused with the request; the right one signs in and is not stored'(stage) {
    const { server, browser } = stage
    const page = await openBlank(browser, stage)
    await page.goto(`${server.url}/console/chat/ses_nowhere`)
    await page.getByLabel('API key').fill('strata_0000000000000000_0')
    await page.keyboard.press('Enter')
    await page.getByText(/Request req_/).waitFor()
    await page.getByLabel('API key').fill(server.key)
    await page.keyboard.press('Enter')
    await page.locator('#main').waitFor()
    const stored = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie })',
    )
    check(stage, !stored.includes('strata_'), `the browser stores a credential: ${stored}`)
    await page.getByText('There is no session').or(page.getByText('not_found')).first().waitFor()
  },

  async 'a session that ends opens the sign-in over the page, and the draft stays'(stage) {
    const { server } = stage
    const page = await openConsole(stage)
    await composer(page).fill('typed before')
    const { data } = await server.get<{ data: { id: string }[] }>('/v1/browser-sessions')
    for (const { id } of data) await server.ask(`/v1/browser-sessions/${id}`, { method: 'DELETE' })
    await page.getByLabel('API key').waitFor()
    await page.getByLabel('API key').fill(server.key)
    await page.keyboard.press('Enter')
    await page.getByLabel('API key').waitFor({ state: 'detached' })
    const draft = await composer(page).inputValue()
    check(stage, draft === 'typed before', `the draft became "${draft}"`)
  },

  async 'a key with fewer scopes reads, and the page names the scope that is missing'(stage) {
    const { server, browser } = stage
    const json = { name: 'reader', scopes: ['runs:read', 'sessions:read', 'layers:read'] }
    const { key } = await server.get<{ key: string }>('/v1/keys', { method: 'POST', json })
    const page = await openBlank(browser, stage)
    await page.goto(`${server.url}/console`)
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByText('The key “reader” does not have the scope runs:write.').waitFor()
    const isDisabled = await page.getByRole('button', { name: 'Send' }).isDisabled()
    check(stage, isDisabled, 'a reader can send')
  },

  async 'signing out ends the session and drops the drafts'(stage) {
    const page = await openConsole(stage)
    await composer(page).fill('secret')
    await page.getByRole('button', { name: 'Browser settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    const stored = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
    check(stage, !stored.includes('secret'), `the draft is still there: ${stored}`)
    const status = await page.evaluate<number>(
      `fetch('/v1/runs', { headers: { 'strata-console': '1' } }).then(({ status }) => status)`,
    )
    check(stage, status === 401, `the cookie still answers ${status}`)
  },
}
