/** Serves previews of messages to hooks: what a message would start. */

import { LIMITS } from '../../core/limits.ts'
import { previewHook } from '../../engine/inbound/preview.ts'
import { readHook } from '../../engine/inbound/store.ts'
import { encode } from '../../lib/bytes.ts'
import { pathId } from '../request/path-id.ts'
import { granted, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { HookPreview, HookPreviewInput } from '../schemas/triggers/hook-preview.ts'

const missing = () => refuse('not_found', 'Hook not found.')

export function hookPreviewRoutes(api: Api): void {
  route(
    api,
    {
      id: 'previewHook',
      method: 'post',
      path: '/v1/hooks/{id}/preview',
      params: { id: PATH_ID.hook },
      tag: 'Hooks',
      summary: 'Preview a message to a hook',
      description:
        'Returns what a first delivery with this payload would start, without starting or ' +
        'storing anything. No signature is required, no URL of the payload is read, and no ' +
        'model is called. A payload that the hook would reject is rejected with the same status. ' +
        'The input of the run equals `input`; images and files follow it.',
      scope: 'hooks:read',
      body: HookPreviewInput,
      bodyLimit: LIMITS.file_body_bytes,
      answers: { 200: { description: 'What the message would start', schema: HookPreview } },
    },
    async ({ c, world, tenant, body }) => {
      const stored = await readHook(world, pathId(c, 'hk', missing))
      if (stored?.hook.tenant !== tenant) throw missing()
      const { payload, headers = {} } = body
      const bytes = encode(typeof payload === 'string' ? payload : JSON.stringify(payload))
      const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
      const message = { headers: Object.fromEntries(names), body: bytes }
      const result = granted(await previewHook(world, stored.hook, message))
      return c.json({ object: 'hook_preview', ...result })
    },
  )
}
