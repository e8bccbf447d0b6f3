/** Finding runs and fan-outs, and working with one: again, as a command, compared, in time. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { type Check, holds, signedIn, unharmed } from './checks.ts'
import { spawn, until } from './host.ts'

const shell = promisify(execFile)
const mark = (): string => crypto.randomUUID().slice(0, 8)
const rows = (page: Page) =>
  page.getByRole('region', { name: 'Runs', exact: true }).getByRole('link')
const search = (page: Page) => new URL(page.url()).searchParams

const LISTS: Record<string, Check> = {
  'runs: a text finds, in whatever case; filters stand in the address and survive a reload': async (
    given,
  ) => {
    const { api } = given.host
    const word = mark()
    await api.runs.createAndWait({ input: '@say a', label: `Apple ${word}` })
    await api.runs.createAndWait({ input: `@say pear ${word}`, metadata: { team: `a=${word}` } })
    const watched = await signedIn(given, {}, '/console/runs')
    const { page } = watched
    await page.getByLabel('Find a text').fill(word.toUpperCase())
    await until('both are found', async () => (await rows(page).count()) === 2)
    await page.getByLabel('Find a text').fill(`APPLE ${word}`)
    await until('one is found', async () => (await rows(page).count()) === 1)
    await page.reload()
    await rows(page).first().waitFor()
    holds((await rows(page).count()) === 1, 'another list after a reload')
    holds(
      (await page.getByLabel('Find a text').inputValue()) === `APPLE ${word}`,
      'the field does not say what is searched for',
    )
    await page.getByLabel('Find a text').fill('')
    await page.getByLabel('Metadata, key=value').fill(`team=a=${word}`)
    await page.keyboard.press('Enter')
    await until('the pair is found', async () => (await rows(page).count()) === 1)
    await page.getByLabel('Status', { exact: true }).selectOption('Completed')
    await page.reload()
    await until('the same after a reload', async () => (await rows(page).count()) === 1)
    holds(search(page).get('status') === 'completed', 'the status is not in the address')
    unharmed(watched)
  },
  'runs: what is no filter is said beside its field; what nothing matches has a way back': async (
    given,
  ) => {
    await given.host.api.runs.createAndWait({ input: '@say there is one' })
    const watched = await signedIn(given, {}, '/console/runs')
    const { page } = watched
    await rows(page).first().waitFor()
    await page.getByLabel('Metadata, key=value').fill('team')
    await page.keyboard.press('Enter')
    await page.getByText('Not applied: write key=value.').waitFor()
    await page.getByLabel('Label', { exact: true }).fill(mark())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    holds((await page.getByText('No runs', { exact: true }).count()) === 0, 'it says: no runs')
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await rows(page).first().waitFor()
    holds((await page.getByLabel('Label', { exact: true }).inputValue()) === '', 'stale label')
    holds(search(page).size === 0, `the address says ${search(page)}`)
    // The keys that lead here mean the whole list, and the fields say so.
    await page.getByLabel('Agent', { exact: true }).fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('heading', { name: 'Runs', exact: true }).click()
    await page.keyboard.press('Tab')
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await rows(page).first().waitFor()
    holds((await page.getByLabel('Agent', { exact: true }).inputValue()) === '', 'stale agent')
    unharmed(watched)
  },
  'runs: from and until bound the list; a session is one of its filters': async (given) => {
    const { api } = given.host
    const run = await api.runs.createAndWait({ input: '@say bounded' })
    const watched = await signedIn(given, {}, '/console/runs')
    const { page } = watched
    await page.getByLabel('Session', { exact: true }).fill(run.session_id)
    await page.keyboard.press('Enter')
    await until('one session', async () => (await rows(page).count()) === 1)
    await page.getByLabel('Since', { exact: true }).selectOption('From and until…')
    const until_ = page.getByLabel('Until', { exact: true })
    await until_.fill('2020-01-01T00:00')
    await until_.press('Enter')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    const from = page.getByLabel('From', { exact: true })
    await from.fill('2021-01-01T00:00')
    await from.press('Enter')
    await page.getByText(/Nothing lies between/).waitFor()
    await until_.fill('2099-01-01T00:00')
    await until_.press('Enter')
    await until('it lies between', async () => (await rows(page).count()) === 1)
    await page.reload()
    await until('also after a reload', async () => (await rows(page).count()) === 1)
    holds((await from.inputValue()) === '2021-01-01T00:00', 'the field shows another time')
    unharmed(watched)
  },
  'runs: one that is started while somebody looks appears, filtered or not': async (given) => {
    const { api } = given.host
    const word = mark()
    const watched = await signedIn(given, {}, '/console/runs')
    const { page } = watched
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
    await api.runs.create({ input: '@say live', label: `first ${word}` })
    await page.getByRole('link', { name: new RegExp(`first ${word}`) }).waitFor()
    await page.getByLabel('Find a text').fill(`second ${word}`)
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await api.runs.create({ input: '@say live', label: `second ${word}` })
    await page.getByRole('link', { name: new RegExp(`second ${word}`) }).waitFor()
    holds((await rows(page).count()) === 1, 'others are shown, too')
    unharmed(watched)
  },
}

const FANOUTS: Record<string, Check> = {
  'fan-outs: a live list, and all 300 tasks of one in its matrix, by keys as well': async (
    given,
  ) => {
    const { api } = given.host
    const label = `all of them ${mark()}`
    const watched = await signedIn(given, {}, '/console/runs')
    const { page } = watched
    await page.getByLabel('Kind', { exact: true }).selectOption('Tasks of fan-outs →')
    await page.getByRole('heading', { name: 'Fan-outs', exact: true }).waitFor()
    const tasks = Array.from({ length: 300 }, (_, at) => ({
      ...{ label: `part ${at}`, agent: 'general' },
      task: at === 250 ? '@error invalid' : `@say part ${at} is done`,
    }))
    const { id } = await api.fanouts.create({ label, tasks } as never)
    await page.getByRole('link', { name: new RegExp(label) }).click()
    const matrix = page.getByRole('list', { name: 'Tasks', exact: true })
    await until('all are shown', async () => (await matrix.getByRole('listitem').count()) === 300)
    await api.fanouts.wait(id, { forMs: 240_000 })
    await page.getByText('300 of 300 tasks ended').waitFor({ timeout: 60_000 })
    await matrix.getByRole('link', { name: 'part 299: Completed' }).waitFor()
    await matrix.getByRole('link', { name: 'part 250: Failed' }).waitFor()
    const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
    holds((await results.count()) === 30, 'the results are not shown in parts')
    const failed = page.getByRole('button', { name: 'Only those without success' })
    await failed.click()
    await until('one result', async () => (await results.count()) === 1)
    await results.getByText('part 250', { exact: true }).waitFor()
    await failed.click()
    await matrix.getByRole('link', { name: 'part 0: Completed' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByText('part 2 is done').first().waitFor()
    await page.getByRole('link', { name: 'Its fan-out' }).click()
    await matrix.waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await page.getByRole('link', { name: new RegExp(label) }).waitFor()
    unharmed(watched)
  },
}

/** All that a request may say and a run can be given again. */
const whole = (label: string) => ({
  ...{ input: `@say it's "$HOME" \`id\` !x\n@then\n@say ${'long '.repeat(300)}`, label },
  metadata: { team: "o'neill", 'a b': '$(id)' },
  limits: { max_steps: 9, max_tokens: 50_000 },
  model_settings: { temperature: 0.5 },
  disallowed_tools: ['web_*'],
  output_schema: { type: 'object', properties: { n: { type: 'integer' } } },
  approvals: { expires_seconds: 600, on_expiry: 'deny', unattended: true },
})

const AGAIN: Record<string, Check> = {
  'run again is the same request in all its parts; what it cannot have is said before': async (
    given,
  ) => {
    const { api } = given.host
    const label = `again ${mark()}`
    const run = await api.runs.createAndWait(whole(label) as never)
    const watched = await signedIn(given, {}, `/console/runs/${run.id}`)
    const { page } = watched
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(run.id))
    const next = new URL(page.url()).pathname.split('/').at(-1)!
    const asked = async (id: string) => JSON.stringify((await api.runs.request(id)).request)
    holds((await asked(next)) === (await asked(run.id)), 'another request')
    holds(next !== run.id, 'the same run')
    const servers = { own: { url: 'https://k.example/mcp', http_headers: { 'X-Key': 'hush' } } }
    const keyed = await api.runs.createAndWait({ input: '@say s', mcp_servers: servers })
    await page.goto(`${given.host.url}/console/runs/${keyed.id}`)
    await page.getByRole('button', { name: 'Run again' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/own: its values are shown to nobody/).waitFor()
    holds((await page.content()).includes('hush') === false, 'a value is shown')
    await dialog.getByRole('button', { name: 'Run it all the same' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(keyed.id))
    unharmed(watched)
  },
  'copy as curl: what is copied starts the same run, from a shell with the key': async (given) => {
    const { api, key } = given.host
    const label = `copied ${mark()}`
    const run = await api.runs.createAndWait(whole(label) as never)
    const watched = await signedIn(given, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = watched
    await page.goto(`${given.host.url}/console/runs/${run.id}`)
    await page.getByRole('button', { name: 'Copy as…' }).click()
    await page.getByRole('button', { name: 'Copy: curl' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    const env = { ...process.env, STRATA_API_KEY: key, HOME: '/nowhere' }
    const { stdout } = await shell('bash', ['-c', command.replace('curl', 'curl -s')], { env })
    const { id } = JSON.parse(stdout) as { readonly id: string }
    const asked = async (of: string) => JSON.stringify((await api.runs.request(of)).request)
    holds((await asked(id)) === (await asked(run.id)), `another request: ${await asked(id)}`)
    const program = await page.getByRole('group', { name: 'TypeScript' }).textContent()
    holds(program?.includes('"max_steps": 9') === true, 'the program lacks the limits')
    holds(program?.includes('"team": "o\'neill"') === true, 'the program lacks the metadata')
    unharmed(watched)
  },
  'a configuration is compared with that of any other run: what each was given': async (given) => {
    const { api } = given.host
    const path = 'base/.agents/agents/differs.md'
    const agent = (tools: string, text: string) =>
      `---\nname: differs\ndescription: Differs.\ntools: ${tools}\n---\n${text}\n`
    await api.files.put(path, agent('file_read, web_search', 'You look once.'))
    const skill = 'base/.agents/skills/unpaid/SKILL.md'
    const needs = 'metadata:\n  requires:\n    secrets: [NOT_THERE]\n'
    await api.files.put(skill, `---\nname: unpaid\ndescription: Pays.\n${needs}---\nPay.\n`)
    const one = await api.runs.createAndWait({ input: '@say 1', agent: 'differs' })
    await api.files.delete(path)
    await api.files.delete(skill)
    await api.files.put(path, agent('file_read, file_list', 'You look twice.'))
    const limits = { max_steps: 7 }
    const two = await api.runs.createAndWait({ input: '@say 2', agent: 'differs', limits })
    const watched = await signedIn(given, {}, `/console/runs/${two.id}?tab=config`)
    const { page } = watched
    await page.getByLabel('The other run').fill(one.id)
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByText('max_steps', { exact: true }).first().waitFor()
    await page.getByText(/50.*→.*7/).waitFor()
    await page.getByText('You look once.').first().waitFor()
    await page.getByText('You look twice.').first().waitFor()
    const tool = page.getByRole('listitem').filter({ hasText: /only here\s*Tool\s*file_list/ })
    await tool.locator('summary').click()
    await tool.getByText('input_schema').first().waitFor()
    await page
      .getByText(/only there\s*Missing/)
      .first()
      .waitFor()
    await page.goto(`${given.host.url}/console/runs/${one.id}?tab=config`)
    const missing = page.locator('section').filter({ hasText: 'Missing' }).first()
    await missing.getByText('web_search', { exact: true }).waitFor()
    await missing.getByText('needs the secret NOT_THERE').waitFor()
    unharmed(watched)
  },
}

const IN_TIME: Record<string, Check> = {
  'a timeline by keys: spans, their details, zoom and move; the critical path has marks': async (
    given,
  ) => {
    const children = [
      spawn('quick', '@call file_read {"path": "none.md"}\n@say 1'),
      spawn('slow', '@slow 600\n@say 2'),
    ]
    const input = [...children, '@await', '@say both'].join('\n')
    const run = await given.host.api.runs.createAndWait({ input })
    const watched = await signedIn(given, {}, `/console/runs/${run.id}`)
    const { page } = watched
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await page.keyboard.press('ArrowRight')
    const tab = page.getByRole('tab', { name: 'Timeline' })
    holds((await tab.getAttribute('aria-selected')) === 'true', 'an arrow chooses no tab')
    await page.keyboard.press('End')
    await page.getByRole('tabpanel', { name: 'JSON' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByRole('link', { name: 'slow' }).waitFor()
    await timeline.focus()
    await page.keyboard.press('ArrowRight')
    const chosen = () => page.evaluate(() => document.activeElement?.getAttribute('data-span'))
    await until('a span is chosen', async () => (await chosen()) !== null)
    await page.getByText(/^Span: /).waitFor()
    const first = await chosen()
    await page.keyboard.press('ArrowDown')
    await until('another line', async () => ![first, null].includes((await chosen()) ?? null))
    await page.getByRole('definition').filter({ hasText: 'quick' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const width = page.getByText(/ \/ /).first()
    const whole = await width.textContent()
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    holds((await width.textContent()) !== whole, 'plus does not zoom')
    const marks = () => page.locator('[aria-hidden] .tabular-nums').allTextContents()
    await page.getByRole('button', { name: 'Later' }).click()
    const later = (await marks()).join()
    await page.getByRole('button', { name: 'Earlier' }).click()
    holds((await marks()).join() !== later, 'the axis stays where it is')
    await timeline.focus()
    await page.keyboard.press('0')
    holds((await width.textContent()) === whole, '0 does not show all')
    await page.getByLabel('Critical path').check()
    await page.getByText(/◆ The end waited for/).waitFor()
    // Short ones may lie below others: the longest call of the model is seen whole.
    await page
      .getByRole('button', { name: /^Model .*on the critical path/ })
      .last()
      .click()
    await page.getByText('◆ on the critical path', { exact: true }).waitFor()
    unharmed(watched)
  },
}

export const FINDINGS: Readonly<Record<string, Check>> = {
  ...LISTS,
  ...FANOUTS,
  ...AGAIN,
  ...IN_TIME,
}
