/** The page of usage: its table equals the API, and its cells open the runs that they count. */

import type { Locator } from 'playwright-core'
import { createRun, runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { check, type Scenarios } from './stage.ts'

const WIDE = { width: 1_440, height: 900 }

interface Group {
  readonly group: string | null
  readonly runs: number
  readonly unpriced: number
  readonly usage: { readonly model_calls: number }
}

interface Report {
  readonly total: { readonly runs: number; readonly groups: readonly Group[] }
}

const numberText = (value: number): string => new Intl.NumberFormat('en').format(value)

export const USAGE_SCENARIOS: Scenarios = {
  async 'usage: the table has the numbers of the API, and a cell opens the runs that it counts'(
    stage,
  ) {
    const { server } = stage
    for (const input of ['@say one', '@say two']) await runToEnd(server, { input })
    const page = await openConsole(stage)
    await page.goto(`${server.url}/console/usage?of=runs`)
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    const table = page.getByRole('region', { name: 'By agent' }).getByRole('table')
    const rowOf = (group: string): Locator =>
      table
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: group, exact: true }) })
    // Runs of other scenarios may still be active.
    const total = await until('the table differs from the API', async () => {
      await page.reload()
      await table.getByRole('row').nth(1).waitFor()
      const report = await server.get<Report>('/v1/usage?group_by=agent')
      for (const { group, runs, usage, unpriced } of report.total.groups) {
        if (group === null) continue
        const cells = await rowOf(group).getByRole('cell').allInnerTexts()
        const numbers = [cells[0], cells[1], cells.at(-1)]
        const expected = [runs, usage.model_calls, unpriced].map(numberText)
        if (`${numbers}` !== `${expected}`) return undefined
      }
      return report.total
    })
    await page.getByText('used only models without a price').waitFor()
    const days = page.getByRole('table', { name: 'Runs by day and group' })
    const last = days.getByRole('row').nth(1).getByRole('cell').last()
    check(stage, (await page.locator('main canvas').count()) === 1, 'there is no chart')
    await judge(stage, page, 'usage')
    await page.setViewportSize(WIDE)
    check(stage, Number(await last.innerText()) <= total.runs, 'a day has more runs than all days')
    const links = rowOf(total.groups.find(({ group }) => group !== null)?.group ?? '')
    check(stage, (await links.getByRole('link').count()) === 1, 'numbers of tokens are links')
    const [agent] = total.groups.filter(({ group, runs }) => group !== null && runs > 0)
    await rowOf(agent?.group ?? '')
      .getByRole('cell')
      .first()
      .getByRole('link')
      .click()
    await page.waitForURL((url) => url.searchParams.get('agent') === agent?.group)
    const query = new URL(page.url()).searchParams
    query.set('limit', '100')
    const list = await server.get<{ data: unknown[]; has_more: boolean }>(`/v1/runs?${query}`)
    const isSame = list.has_more || list.data.length === agent?.runs
    check(stage, isSame, `${list.data.length} runs are listed, ${agent?.runs} are counted`)
    await page.getByRole('grid').getByRole('row').nth(1).waitFor()
    await page.goBack()
    await table.waitFor()
  },

  async 'usage: grouping and range are in the URL, fan-outs have their page, a wrong range is refused'(
    stage,
  ) {
    const { server } = stage
    await createRun(server, { input: '@say three' })
    const tasks = [{ task: '@say in parallel' }]
    await server.get('/v1/fanouts', { method: 'POST', json: { tasks } })
    const page = await openConsole(stage)
    await page.goto(`${server.url}/console/usage`)
    await page.getByRole('combobox', { name: 'Group by' }).selectOption('kind')
    await page.waitForURL((url) => url.searchParams.get('by') === 'kind')
    const table = page.getByRole('region', { name: 'By origin' }).getByRole('table')
    await table.getByRole('link', { name: 'Fan-outs' }).waitFor()
    await page.getByRole('combobox', { name: 'Range' }).selectOption('7')
    await page.waitForURL((url) => url.searchParams.has('from') && url.searchParams.has('to'))
    await page.reload()
    await table.getByRole('link', { name: 'Fan-outs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Fan-outs' }).waitFor()
    await page.goBack()
    const measure = page.getByRole('combobox', { name: 'Chart of' })
    check(stage, ['cost', 'tokens'].includes(await measure.inputValue()), 'no measure is selected')
    await measure.selectOption('tokens')
    await page.getByRole('heading', { name: 'Tokens by day' }).waitFor()
    await page.goto(`${server.url}/console/usage?from=2020-01-01&to=2020-01-03`)
    await page.getByText('No run was created in this range.').waitFor()
    await page.goto(`${server.url}/console/usage?from=2026-02-01&to=2026-01-01`)
    await page.getByRole('alert').getByText('The first day must not be after').waitFor()
    const first = await page.getByLabel('First day (UTC)').inputValue()
    const final = await page.getByLabel('Last day (UTC)').inputValue()
    check(stage, `${first} ${final}` === '2026-02-01 2025-12-31', `${first} ${final}`)
    await page.goto(`${server.url}/console/usage?from=2020-01-01&to=2026-01-01`)
    await page.getByRole('alert').getByText('invalid_query').waitFor()
  },
}
