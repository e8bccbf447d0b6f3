/** Examples of memory files: the wishes of the support desk's customers. */

import { at, etagOf } from '../shared/story.ts'

const path = 'shared/customers.md'
const etag = etagOf(path)
const note = '- Order 48213: the customer wants replies by post'

export const MEMORY_LIST = [{ path, etag, size: 72, modified_at: at('09:14:40.512') }]
export const MEMORY_TEXT = [
  { path, text: `## Wishes\n\n${note}`, etag, lines: { from: 1, to: 3, total: 3 }, more: false },
]
export const MEMORY_PUT = [{ content: `## Wishes\n\n${note}\n` }]
export const MEMORY_APPEND = [{ content: note, heading: 'Wishes' }]
export const MEMORY_WRITTEN = [
  { path, etag, created: true, added: 1, duplicates: 0, bytes: 62, redacted: false },
]
export const MEMORY_DELETED = [{ path, deleted: true }]
export const MEMORY_FOUND = [
  {
    passages: [
      {
        path,
        lines: { from: 1, to: 3 },
        heading: 'Wishes',
        text: `## Wishes\n\n${note}`,
        highlights: [{ from: 19, to: 24 }],
        score: 4.21,
      },
    ],
    stale: false,
    notes: [],
  },
]
const counts = { files: 1, passages: 1, index_bytes: 812, stale: false, healed: 0 }
export const MEMORY_STATUS = [
  {
    object: 'memory_status',
    ...counts,
    memories: [{ folder: 'shared/', ...counts, notes: [] }],
  },
]
export const MEMORY_REBUILD = [{ prefix: 'shared/', go_on: false }]
