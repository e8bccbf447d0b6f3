/** Editing on the page of layers: conflicts, findings, versions, and scopes. */

import { judge } from './axe.ts'
import {
  clerk,
  clientOf,
  editor,
  fileRow,
  findings,
  LAYER,
  openLayers,
  PATH,
  QUERY,
  replaceText,
  signedIn,
  textOf,
  typeAtEnd,
  WIDE,
  withClerk,
} from './layer-page.ts'
import { check, type Scenarios } from './stage.ts'

export const LAYERS: Scenarios = {
  async 'layers: two people edit one file; no character is lost, and the result is saved'(stage) {
    await withClerk(stage, async () => {
      const { agents } = clientOf(stage)
      const page = await openLayers(stage, { file: PATH })
      await typeAtEnd(page, 'My line.')
      await agents.put('clerk', { agent_md: clerk('File two letters.') }, QUERY)
      await page.keyboard.press('Control+s')
      await page.getByRole('alert').getByText('Another person has saved this file').waitFor()
      const texts = page.getByRole('region', { name: 'Both texts' })
      for (const text of ['My line.', 'File one letter.', 'File two letters.'])
        await texts.getByText(text).first().waitFor()
      await texts.getByText('Theirs').waitFor()
      await page.getByText('The author is not recorded.').waitFor({ state: 'detached' })
      const stored = await textOf(stage)
      check(stage, stored === clerk('File two letters.'), 'the conflict has written')
      await typeAtEnd(page, ' And more.', 'Result')
      await judge(stage, page, 'layers, conflict')
      await page.setViewportSize(WIDE)
      await page.reload()
      await editor(page, 'Result').getByText('My line. And more.').waitFor()
      await texts.getByText('File two letters.').waitFor()
      await page.getByRole('button', { name: 'Save the result' }).click()
      await editor(page).getByText('My line. And more.').waitFor()
      const merged = await textOf(stage)
      check(stage, merged === `${clerk('File one letter.')}My line. And more.`, merged)
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      await typeAtEnd(page, ' Again.')
      await agents.put('clerk', { agent_md: clerk('File three letters.') }, QUERY)
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Take theirs' }).click()
      await editor(page, 'Result').getByText('File three letters.').waitFor()
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await editor(page, 'Result').getByText('And more. Again.').waitFor()
      await page.getByRole('button', { name: 'Continue in the editor' }).click()
      await editor(page).getByText('And more. Again.').waitFor()
      const notes = await page.getByText('has changed since you began to edit').count()
      check(stage, notes === 0, 'the draft is based on an older text')
      await agents.put('clerk', { agent_md: clerk('File four letters.') }, QUERY)
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Take theirs' }).click()
      await page.getByRole('button', { name: 'Save the result' }).click()
      await editor(page).getByText('File four letters.').waitFor()
      check(stage, (await textOf(stage)) === clerk('File four letters.'), 'theirs is lost')
    })
  },

  async 'layers: findings as one types equal those of the API, and go when the text is mended'(
    stage,
  ) {
    await withClerk(stage, async () => {
      const page = await openLayers(stage, { file: PATH })
      await page.getByText('No findings.').waitFor()
      const text = clerk('File one letter.', 'file_read, no_such_tool\nmax_steps: many')
      await replaceText(page, text)
      await findings(page).getByText('no_such_tool').waitFor()
      const { records } = await clientOf(stage).layers.resolve({
        repo_dir: 'repos/desk',
        overlay: { files: [{ path: PATH, text }] },
      })
      const expected = records.flatMap(({ layer, path, diagnostics }) =>
        layer + path === PATH ? diagnostics.map(({ line, message }) => ({ line, message })) : [],
      )
      const items = await findings(page).getByRole('listitem').allInnerTexts()
      check(stage, expected.length > 1, 'the text has one finding')
      check(stage, items.length === expected.length, `${items.length} findings: ${items}`)
      for (const { line, message } of expected)
        check(
          stage,
          items.some((item) => item.includes(message) && item.includes(`line ${line}`)),
          `${message} is not shown: ${items}`,
        )
      await page.keyboard.press('Control+Enter')
      await editor(page).locator('.cm-activeLine', { hasText: 'no_such_tool' }).waitFor()
      await judge(stage, page, 'layers, findings')
      await page.setViewportSize(WIDE)
      await findings(page).getByRole('button').filter({ hasText: 'line 5' }).first().click()
      await page.waitForURL((url) => url.searchParams.get('line') === '5')
      await page.context().setOffline(true)
      await page.keyboard.press('End')
      await page.keyboard.type(' ')
      await page.getByText('The text is not checked.').waitFor()
      await page.context().setOffline(false)
      await findings(page).getByText('no_such_tool').waitFor()
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Save the file in spite of the error' }).click()
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      check(stage, (await textOf(stage)) === text, 'a text with errors is not saved')
      const effective = new URLSearchParams({ repo: 'repos/desk', kind: 'missing' })
      await page.goto(`${stage.server.url}/console/layers/effective?${effective}`)
      await page.getByRole('main').getByRole('button').filter({ hasText: PATH }).first().click()
      await page.getByRole('link', { name: `${PATH}:4` }).click()
      await editor(page).locator('.cm-activeLine', { hasText: 'no_such_tool' }).waitFor()
      await replaceText(page, clerk('File two letters.'))
      await page.getByText('No findings.').waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      check(stage, (await textOf(stage)) === clerk('File two letters.'), 'the text is not saved')
    })
  },

  async 'layers: an earlier version of an agent is compared and restored'(stage) {
    await withClerk(stage, async () => {
      const page = await openLayers(stage, { file: PATH })
      await typeAtEnd(page, 'File no parcels.')
      await page.keyboard.press('Control+s')
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Versions' }).filter({ visible: true }).click()
      const versions = page.getByRole('list', { name: 'Versions' })
      await versions.getByRole('listitem').nth(1).getByRole('button').click()
      const comparison = page.getByRole('region', { name: 'Version compared with the stored text' })
      await comparison.getByText('File no parcels.').waitFor()
      await judge(stage, page, 'layers, version')
      await page.setViewportSize(WIDE)
      await comparison.getByRole('button', { name: 'Restore this version' }).click()
      await comparison.waitFor({ state: 'detached' })
      await editor(page).getByText('File no parcels.').waitFor({ state: 'detached' })
      const text = await textOf(stage)
      check(stage, text === clerk('File one letter.'), `the restored text is ${text}`)
      await page.getByRole('link', { name: 'Used by' }).filter({ visible: true }).click()
      await judge(stage, page, 'layers, uses')
      await page.setViewportSize(WIDE)
      await page.getByRole('link', { name: 'Runs of this agent' }).click()
      await page.waitForURL(/\/runs\?agent=clerk/)
    })
  },

  async 'layers: a key without config:raw sees managed files only, and writes by operations'(
    stage,
  ) {
    await withClerk(stage, async () => {
      const { files } = clientOf(stage)
      await files.put(`${LAYER}README.md`, 'Read me.\n')
      await files.put(
        `${LAYER}.agents/config.toml`,
        '[mcp_servers.vault]\nurl = "https://vault.example/mcp"\nhttp_headers = {X-Key = "hush"}\n',
      )
      const scopes = ['sessions:read', 'runs:read', 'layers:read', 'layers:write']
      const page = await signedIn(stage, scopes)
      await page.goto(`${stage.server.url}/console/layers?layer=${encodeURIComponent(LAYER)}`)
      await page.getByText('does not have the scope config:raw').first().waitFor()
      await fileRow(page, 'clerk.md').waitFor()
      check(stage, (await fileRow(page, 'README.md').count()) === 0, 'README.md is listed')
      await fileRow(page, 'config.toml').click()
      await editor(page, `${LAYER}.agents/config.toml`).getByText('vault.example').waitFor()
      check(stage, !(await page.content()).includes('hush'), 'a header is shown')
      await judge(stage, page, 'layers, without config:raw')
      await page.setViewportSize(WIDE)
      await fileRow(page, 'clerk.md').click()
      await typeAtEnd(page, 'By its operation.')
      await page.keyboard.press('Control+s')
      await page.getByText('Not saved').waitFor({ state: 'detached' })
      check(stage, (await textOf(stage)).endsWith('By its operation.'), 'nothing was saved')
      await typeAtEnd(page, 'Of this person.')
      await fileRow(page, 'clerk.md').getByRole('img', { name: 'Not saved' }).waitFor()
      await page.getByRole('button', { name: 'Browser settings' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByLabel('API key').fill(stage.server.key)
      await page.keyboard.press('Enter')
      await editor(page).getByText('By its operation.').waitFor()
      const drafts = await page.getByText('Of this person.').count()
      check(stage, drafts === 0, 'a draft outlives the session')
      check(stage, !(await page.getByText('Not saved').isVisible()), 'a draft is marked')
      const reader = await signedIn(stage, scopes.slice(0, -1))
      await reader.goto(`${stage.server.url}/console/layers?file=${encodeURIComponent(PATH)}`)
      await reader.getByText('does not have the scope layers:write').waitFor()
      const saves = await reader.getByRole('button', { name: 'Save', exact: true }).count()
      check(stage, saves === 0, 'a key that may only read is offered to save')
      const raw = await signedIn(stage, ['sessions:read', 'config:raw'])
      await raw.goto(`${stage.server.url}/console/layers?file=${encodeURIComponent(PATH)}`)
      await raw.getByText('The text is not checked.').waitFor()
      await raw.getByText('does not have the scope layers:read').waitFor()
      const visitor = await signedIn(stage, ['sessions:read', 'runs:read'])
      await visitor.goto(`${stage.server.url}/console/layers`)
      await visitor.getByText('does not have the scope layers:read').waitFor()
    })
  },
}
