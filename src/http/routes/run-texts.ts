/**
 * Serves a run's large texts. Events identify these texts by digest and contain only their start.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { runText } from '../../engine/run/texts.ts'
import { encode } from '../../lib/bytes.ts'
import { download } from '../request/download.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { untilTerminal } from '../stream/wait.ts'
import { pathPartition } from './run-reads.ts'

/**
 * Maximum length of a UTF-8 character in bytes; a page is at least this long, so that every page
 * advances.
 */
const CHARACTER_BYTES = 4

const TextQuery = z.strictObject({
  from: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe(
      'Position of the first byte of the UTF-8 text, from 0. A position within a character ' +
        'is moved to the first byte of that character',
    ),
  limit: z.coerce
    .number()
    .int()
    .min(CHARACTER_BYTES)
    .max(LIMITS.text_page_bytes)
    .default(65_536)
    .describe(
      'Maximum number of bytes. A character that does not fit is returned on the next page',
    ),
})

export function runTextRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getRunText',
      method: 'get',
      path: '/v1/runs/{id}/texts/{digest}',
      params: { id: PATH_ID.run, digest: 'Digest of the text, from an event of this run' },
      tag: 'Runs',
      summary: 'Get large text from an event',
      description:
        'Returns the complete text that the event truncates. Pages are measured in bytes and ' +
        'never split a character. Values that the event hides are also hidden here, which can ' +
        'change the size. Returns 404 for a digest that no event of this run contains, and ' +
        '410 if the text is no longer stored.',
      scope: 'runs:read',
      query: TextQuery,
      refusals: [410],
      answers: {
        200: {
          description: 'A page of the UTF-8 text',
          type: 'text/plain',
          headers: ['Strata-Text-Range', 'Strata-Text-Next'],
        },
      },
    },
    async ({ c, world, tenant, query }) => {
      const { state } = await untilTerminal(world, pathPartition(c, tenant), 0)
      const digest = c.req.param('digest') ?? ''
      const result = await runText(world, tenant, state.spec!, digest)
      if (result.kind === 'unnamed') {
        throw refuse('not_found', 'No event of this run contains this digest.')
      }
      if (result.kind === 'gone') throw refuse('gone', 'The text is no longer stored.')
      const bytes = encode(result.text)
      if (query.from > bytes.length) {
        throw refuse(
          'invalid_query',
          `The text has ${bytes.length} bytes; \`from\` must be less than that.`,
        )
      }
      return textPage(bytes, query)
    },
  )
}

function textPage(bytes: Uint8Array, { from, limit }: z.output<typeof TextQuery>): Response {
  const begin = characterAt(bytes, from)
  const end = characterAt(bytes, begin + limit)
  const response = download(bytes.subarray(begin, end), 'text/plain; charset=utf-8')
  const range = begin === end ? '*' : `${begin}-${end - 1}`
  response.headers.set('strata-text-range', `bytes ${range}/${bytes.length}`)
  if (end < bytes.length) response.headers.set('strata-text-next', String(end))
  return response
}

/** Returns the index of the first byte of the UTF-8 character that contains the byte at `index`. */
function characterAt(bytes: Uint8Array, index: number): number {
  let first = Math.min(index, bytes.length)
  while (first > 0 && ((bytes[first] ?? 0) & 0xc0) === 0x80) first -= 1
  return first
}
