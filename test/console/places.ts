/** Every place of the console that shows text from outside, and the text that is put there. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { CORPUS } from './corpus.ts'
import { askFor, type Host, spawn, until } from './host.ts'

export interface Filled {
  readonly run: string
  readonly session: string
  readonly parent: string
  readonly child: string
  readonly parentSession: string
  readonly failed: string
  readonly fanout: string
  readonly approval: string
  readonly decided: string
  readonly token: string
  readonly schedule: string
  clear(): Promise<void>
}

export interface Place {
  readonly name: string
  path(filled: Filled): string
  open?(page: Page, filled: Filled): Promise<unknown>
  /** In a browser of its own, without a session. */
  readonly apart?: boolean
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ')
const IMAGE = CORPUS[0]!
const SAID = CORPUS.join('\n\n')
const LABEL_MAX = 100
const AGENT = 'base/.agents/agents/injected.md'
const NOTE = 'base/notes/injected.md'
const MEMORY = 'shared/injected.md'
/** Names of files take no `<`, `>` or quotes: these are all that could become anything. */
const NAMES = CORPUS.map((one) => `${oneLine(one)}.md`).filter(
  (name) => !/[\\/:*?"<>|%#]/.test(name) && !/\p{Cf}/u.test(name),
)
const SCHEDULE = 'injected'

/** An agent with a field that nobody knows and a value that nobody takes: findings name both. */
const WRONG_AGENT = [
  ...['---', 'name: injected', `description: '${IMAGE}'`, `"${IMAGE}": 1`, `model: '${IMAGE}'`],
  ...['---', SAID, ''],
].join('\n')

async function fillRuns({ api }: Host) {
  const metadata = Object.fromEntries(CORPUS.slice(0, 8).map((one, at) => [`key${at}`, one]))
  const one = await api.runs.createAndWait({
    input: `${CORPUS.map((text) => `@text ${oneLine(text)}`).join('\n')}\n@say ${oneLine(SAID)}`,
    ...{ label: IMAGE, metadata },
  })
  for (const label of CORPUS) {
    await api.runs.create({ input: label, label: oneLine(label).slice(0, LABEL_MAX) })
  }
  const parent = await api.runs.createAndWait({
    input: [
      spawn(IMAGE, `@call file_read {"path": ${JSON.stringify(oneLine(IMAGE))}}`, `@say ${IMAGE}`),
      ...['@await', `@say ${oneLine(SAID)}`],
    ].join('\n'),
  })
  const failed = await api.runs.createAndWait({ input: IMAGE, agent: 'general', label: 'ok' })
  const [child] = (await api.runs.children(parent.id, {})).data
  const fanout = await api.fanouts.create({
    label: IMAGE,
    tasks: CORPUS.map((text, at) => ({
      task: `@say ${oneLine(text)}`,
      label: oneLine(at === 0 ? text : CORPUS[at]!).slice(0, LABEL_MAX),
    })),
  } as never)
  await api.fanouts.wait(fanout.id, { forMs: 120_000 })
  await api.sessions.update(one.session_id, { title: IMAGE })
  return {
    ...{ run: one.id, session: one.session_id, parent: parent.id, child: child!.id },
    ...{ parentSession: parent.session_id, failed: failed.id, fanout: fanout.id },
  }
}

async function fillApprovals(host: Host) {
  const { api } = host
  await askFor(host, 'file_write')
  const ask = async () => {
    const written = JSON.stringify({ path: 'a.md', content: SAID })
    const { id } = await api.runs.create({
      ...{ input: `@call file_write ${written}\n@say over`, label: IMAGE },
    })
    const mine = async () =>
      (await api.approvals.list({ limit: 100 })).data.find(({ run_id }) => run_id === id)
    await until('the run asks', async () => (await mine()) !== undefined)
    return { run: id, approval: (await mine())!.id }
  }
  const [waiting, denied] = [await ask(), await ask()]
  await api.approvals.decide(denied.approval, {
    decision: 'deny',
    reason: oneLine(SAID).slice(0, 2_000),
  })
  const { token } = await api.tokens.create({
    ...{ for: waiting.approval, actions: ['read', 'decide'], expires_in_seconds: 600 },
  })
  return { asks: waiting.run, approval: waiting.approval, decided: denied.approval, token }
}

/** Takes no delivery, and says so with all of the strings. */
async function startReceiver() {
  const server = createServer((_, response) => response.writeHead(500).end(SAID))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${port}/hook`, close }
}

async function fillDoors({ api }: Host) {
  const receiver = await startReceiver()
  const { id: endpoint } = await api.webhookEndpoints.create({
    ...{ url: receiver.url, events: ['run.completed'] },
  } as never)
  await api.runs.createAndWait({ input: `@say ${IMAGE}`, label: IMAGE, metadata: { of: IMAGE } })
  await until('a delivery was answered', async () => {
    const { data } = await api.webhookDeliveries.list({ endpoint_id: endpoint })
    return data.length > 0 && data.every(({ attempts }) => attempts > 0)
  })
  const { id: hook } = await api.hooks.create({
    ...{ scheme: 'github', secret: 'a secret of a test', template: `${IMAGE} {{issue.title}}` },
  })
  await api.schedules.create({
    ...{ name: SCHEDULE, cron: '0 9 1 1 *', description: IMAGE, input: IMAGE },
  } as never)
  await api.schedules.run(SCHEDULE)
  const { id: key } = await api.keys.create({ name: IMAGE, scopes: ['runs:read'] })
  return async () => {
    await api.webhookEndpoints.delete(endpoint)
    await receiver.close()
    await api.hooks.delete(hook)
    await api.schedules.delete(SCHEDULE)
    await api.keys.revoke(key)
  }
}

export async function fill(host: Host): Promise<Filled> {
  const { api } = host
  const runs = await fillRuns(host)
  const { asks, ...approvals } = await fillApprovals(host)
  await api.files.put(AGENT, WRONG_AGENT)
  await api.files.put(NOTE, SAID)
  await api.memory.put(MEMORY, { content: SAID })
  for (const name of NAMES) {
    await api.files.put(`base/notes/${name}`, 'text')
    await api.memory.put(`shared/${name}`, { content: 'text' })
  }
  const close = await fillDoors(host)
  const clear = async (): Promise<void> => {
    await api.runs.cancel(asks)
    await close()
    await api.files.delete(AGENT)
    await api.files.delete(NOTE)
    await api.memory.delete(MEMORY)
    for (const name of NAMES) {
      await api.files.delete(`base/notes/${name}`)
      await api.memory.delete(`shared/${name}`)
    }
  }
  return { ...runs, ...approvals, schedule: SCHEDULE, clear }
}

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    .first()
    .click()

const tab = (name: string): Place => ({
  name: `the run: ${name}`,
  path: ({ run }) => `runs/${run}?tab=${name}`,
})

export const PLACES: readonly Place[] = [
  ...['overview', 'events', 'transcript', 'json'].map(tab),
  { name: 'the run: its timeline', path: ({ parent }) => `runs/${parent}?tab=timeline` },
  {
    name: 'the run: compared with another',
    path: ({ run }) => `runs/${run}?tab=config`,
  },
  { name: 'the run: its subagents', path: ({ parent }) => `runs/${parent}` },
  {
    name: 'the run: copied as code',
    path: ({ run }) => `runs/${run}`,
    open: (page) => press(page, /^Copy as/),
  },
  { name: 'a subagent', path: ({ child }) => `runs/${child}` },
  { name: 'the list of runs', path: () => 'runs' },
  { name: 'a fan-out', path: ({ fanout }) => `fanouts/${fanout}` },
  { name: 'the chat', path: ({ session }) => `chat/${session}` },
  {
    name: 'the chat: conversations',
    path: () => '',
    open: (page) => page.getByLabel('Search conversations').fill('<img'),
  },
  {
    name: 'the chat: another title for it',
    path: ({ session }) => `chat/${session}`,
    async open(page) {
      await page.getByLabel('Search conversations').fill('<img src=x')
      const list = page.getByRole('navigation', { name: 'Conversations' })
      await list.getByRole('link', { name: IMAGE, exact: true }).first().hover()
      await press(page, 'Rename')
    },
  },
  { name: 'the chat: a subagent', path: ({ parentSession }) => `chat/${parentSession}` },
  {
    name: 'the chat: the panel of a subagent',
    path: ({ parentSession, child }) => `chat/${parentSession}?open=${child}`,
  },
  {
    name: 'the chat: a message that is not sent',
    path: () => '',
    open: (page) => page.getByRole('textbox', { name: 'Message' }).fill(SAID),
  },
  { name: 'approvals that wait', path: () => 'approvals' },
  {
    name: 'approvals: arguments in a form',
    path: ({ approval }) => `approvals/${approval}`,
    open: (page) => press(page, 'Edit arguments'),
  },
  {
    name: 'approvals that were decided',
    path: () => 'approvals',
    open: (page) => page.getByLabel('Which').selectOption('decided'),
  },
  { name: 'one approval, with its reason', path: ({ decided }) => `approvals/${decided}` },
  {
    name: 'a link to one decision',
    path: ({ token, approval }) => `decide#token=${token}&approval=${approval}`,
    apart: true,
  },
  {
    name: 'layers: names in the tree',
    path: () => 'layers',
    open: (page) => page.getByLabel('Find a file').fill('__broken'),
  },
  { name: 'layers: the editor', path: () => `layers/${NOTE}` },
  { name: 'layers: what is found in a file', path: () => `layers/${AGENT}` },
  {
    name: 'layers: what it comes to',
    path: () => 'layers?tab=effective',
    open: (page) => press(page, 'Show'),
  },
  { name: 'memory: names', path: () => 'memory' },
  {
    name: 'memory: a file',
    path: () => 'memory',
    open: (page) => page.getByText(MEMORY, { exact: true }).first().click(),
  },
  {
    name: 'memory: edited',
    path: () => 'memory',
    async open(page) {
      await page.getByText(MEMORY, { exact: true }).first().click()
      await press(page, 'Edit')
    },
  },
  {
    name: 'memory: what is found',
    path: () => 'memory',
    open: (page) => page.getByLabel('Search memory').fill('onerror'),
  },
  {
    name: 'webhooks: the body of a delivery',
    path: () => 'webhooks/deliveries',
    open: (page) => press(page, 'run.completed'),
  },
  { name: 'webhooks: templates of hooks', path: () => 'webhooks/hooks' },
  {
    name: 'webhooks: a hook that is tried',
    path: () => 'webhooks/hooks',
    async open(page) {
      await press(page, 'Try on a payload')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Payload').fill(JSON.stringify({ issue: { title: SAID } }))
      await dialog.getByRole('button', { name: 'Try on a payload' }).click()
      await dialog.getByText('Input of the run').waitFor()
    },
  },
  { name: 'schedules', path: () => 'schedules' },
  {
    name: 'schedules: one and its times',
    path: () => 'schedules',
    open: (page) =>
      page.getByRole('region', { name: SCHEDULE }).getByRole('button', { name: 'History' }).click(),
  },
  { name: 'names of keys', path: () => 'settings/keys' },
  {
    name: 'a key that would be revoked',
    path: () => 'settings/keys',
    open: (page) =>
      page
        .getByRole('row', { name: /<img/ })
        .first()
        .getByRole('button', { name: 'Revoke' })
        .click(),
  },
  {
    name: 'the palette',
    path: () => 'runs',
    async open(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Go to/ }).fill('<img')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
]
