/**
 * The script of a page of another origin (test/console): it knows a token, and shows the events of
 * a run in the page, by this repository's client and by the official `@ag-ui/client`.
 */

import { HttpAgent } from '@ag-ui/client'
import { createClient } from '../../../src/client/index.ts'

/** The parameters after `#` in the address of the page. */
const given = new URLSearchParams(location.hash.slice(1))
const url = given.get('url') ?? ''
const token = given.get('token') ?? 'strata_none'
const run = given.get('run') ?? ''

const shown = document.querySelector('ol')!
const status = document.querySelector('output')!

function show(text: string, id?: number): void {
  const item = document.createElement('li')
  item.textContent = text
  if (id !== undefined) item.value = id
  shown.append(item)
}

/** Events that this tab has seen, so that a reload asks for those after the last of them. */
const KEY = `events ${run}`
const seen = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as { seq: number; type: string }[]

async function stream(): Promise<void> {
  const client = createClient({ url, apiKey: token, retries: 0 })
  for (const { seq, type } of seen) show(type, seq)
  const from = seen.at(-1)?.seq
  for await (const event of client.runs.stream(run, from === undefined ? {} : { after: from })) {
    if (!('seq' in event)) continue
    seen.push({ seq: event.seq, type: event.type })
    sessionStorage.setItem(KEY, JSON.stringify(seen))
    show(event.type, event.seq)
  }
}

async function talk(): Promise<void> {
  const agent = new HttpAgent({
    url: `${url}/v1/ag-ui/general`,
    headers: { authorization: `Bearer ${token}` },
    threadId: given.get('thread') ?? '',
  })
  agent.addMessage({ id: 'one', role: 'user', content: given.get('text') ?? '' })
  const { newMessages } = await agent.runAgent({}, { onEvent: ({ event }) => show(event.type) })
  show(String(newMessages.at(-1)?.content))
}

/** The browser's own `EventSource`, which can send no header. */
function source(): Promise<void> {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`${url}/v1/runs/${run}/events?token=${token}`)
    events.addEventListener('error', () => {
      events.close()
      reject(new Error('the stream was refused'))
    })
    for (const type of ['run.created', 'run.started', 'run.completed']) {
      events.addEventListener(type, (event) => {
        show(event.type)
        if (type !== 'run.completed') return
        events.close()
        resolve()
      })
    }
  })
}

/** Shows the status and the text of an answer of the API to this page. */
async function read(): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/v1/runs/${run}`, { headers })
  show(`${response.status} ${(await response.text()).slice(0, 200)}`)
}

const PARTS = { stream, talk, source, read }
const part = (given.get('part') ?? 'stream') as keyof typeof PARTS
PARTS[part]().then(
  () => {
    status.value = 'over'
  },
  (error: unknown) => {
    status.value = `failed: ${error instanceof Error ? error.name : ''} ${String(error)}`
  },
)
