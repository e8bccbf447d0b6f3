/** Accessibility of every page in Chinese, light and dark, wide and narrow. */

import { runToEnd } from '../support/launch.ts'
import { judge } from './axe.ts'
import { openConsole } from './console-page.ts'
import { clientOf, LAYER, PATH, WIDE, withClerk } from './layer-page.ts'
import { check, type Scenarios } from './stage.ts'

const SETTINGS = ['policy', 'models', 'tools', 'limits', 'readiness', 'sessions', 'browser']

/** Paths below /console that need no resource. */
const PAGES = [
  ...['runs', 'fanouts', 'approvals', 'layers/effective', 'layers/effective?kind=missing'],
  ...['layers/import', 'schedules', 'memory', 'keys', 'tenants', 'usage', 'audit'],
  ...['webhooks', 'webhooks?tab=endpoints', 'webhooks?tab=hooks'],
  ...SETTINGS.map((tab) => `settings?tab=${tab}`),
]

export const CHINESE: Scenarios = {
  async 'axe finds no violation on any page in Chinese'(stage) {
    await withClerk(stage, async () => {
      const { fanouts, memory, schedules, files } = clientOf(stage)
      const run = await runToEnd(stage.server, { input: '@say 好' })
      const { id: fanout } = await fanouts.create({ tasks: [{ task: '@say 1' }], label: '夜间' })
      await memory.put('shared/desk.md', { content: '- 订单 48213' })
      const cron = { name: 'axe-zh', cron: '0 2 * * *', input: '@say x' }
      const { id: schedule } = await schedules.create(cron)
      await files.put('imports/zh/.agents/agents/clerk.md', 'x')
      const paths = [
        ...[`chat/${run.session_id}`, `runs/${run.id}`, `runs/${run.id}?tab=given`],
        ...[`fanouts/${fanout}`, `layers?layer=${LAYER}`, `layers?file=${PATH}&pane=versions`],
        ...['layers/import?from=imports%2Fzh%2F', `schedules?sel=${schedule}`],
        ...['memory?file=shared%2Fdesk.md', ...PAGES],
      ]
      const page = await openConsole(stage, '', { locale: 'zh-CN' })
      for (const path of paths) {
        await page.setViewportSize(WIDE)
        await page.goto(`${stage.server.url}/console/${path}`)
        await page.locator('html[lang^=zh]').waitFor()
        await page
          .locator('#main')
          .getByText(/[\u4e00-\u9fff]/)
          .first()
          .waitFor()
        await page.getByText('加载中').first().waitFor({ state: 'detached' })
        await judge(stage, page, `Chinese ${path}`)
      }
      check(stage, paths.length > 25, 'pages are missing')
      await schedules.delete(schedule)
      await files.delete('imports/zh/.agents/agents/clerk.md')
    })
  },
}
