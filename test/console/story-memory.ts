/** Memory of the support desk, for pictures: files of each scope, versions, and a long file. */

import type { Server } from '../support/launch.ts'

const DESK = [
  '# Desk',
  '',
  '## Wishes',
  '',
  '- Order 48213: the customer wants replies by **post**.',
  '- Order 48102: refunds go to the card that paid.',
  '',
  '## Rules',
  '',
  '- Ask before you promise money.',
  '- A refund above 100 EUR needs an approval.',
  '',
].join('\n')

const FILES: Readonly<Record<string, string>> = {
  'shared/MEMORY.md': '- Answer in short sentences.\n- The shop closes at 18:00.\n',
  'shared/desk.md': DESK,
  'agents/triage/2026-11-28.md': '- Ticket 7755 waits for the carrier.\n',
  'agents/triage/notes.md': '- Parcels without a label go to the desk of returns.\n',
  'agents/scout/notes.md': '- `src/price.ts` has no rounding.\n',
  'roles/support/notes.md': '- Refunds are answered within a day.\n',
}

/** Fills the memory. Returns the paths of pages below /console by their names. */
export async function tellMemory(server: Server): Promise<Readonly<Record<string, string>>> {
  const put = (path: string, content: string): Promise<unknown> =>
    server.get(`/v1/memory/${path}`, { method: 'PUT', json: { content } })
  await put('shared/desk.md', DESK.replace('100 EUR', '50 EUR').replace('**post**', 'mail'))
  for (const [path, content] of Object.entries(FILES)) await put(path, content)
  const { data } = await server.get<{ data: readonly { readonly version: string }[] }>(
    '/v1/memory/versions?path=shared/desk.md',
  )
  const file = 'memory?file=shared%2Fdesk.md'
  return {
    memory: 'memory',
    'memory-file': file,
    'memory-search': 'memory?q=refund&file=shared%2Fdesk.md&line=6',
    'memory-versions': `${file}&version=${data.at(-1)?.version}`,
  }
}
