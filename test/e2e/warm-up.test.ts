/** The warm-up: runs that a server starts for itself, of which nothing is shown or kept. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from '../support/server.ts'

const WARM = { WARM_UP: 'true', LOG_LEVEL: 'debug' }

it('a warm-up stops with its server; the next one removes its folder and logs it, leaving no run', async () => {
  const stopped = await startServer({ env: WARM })
  await stopped.process.stop('SIGTERM')
  expect(stopped.process.output()).not.toContain('"event":"error"')
  const folder = join(stopped.dataDir, 'warm-up')
  expect(existsSync(folder)).toBe(false)
  // A server that was killed leaves it.
  await mkdir(join(folder, 'objects'), { recursive: true })
  const server = await startServer({ before: stopped, env: WARM })
  await server.process.line(/"event":"warm_up","duration_ms":\d+/)
  expect(existsSync(folder)).toBe(false)
  expect(await server.get('/v1/runs')).toMatchObject({ data: [] })
  expect(server.process.output()).not.toContain('"event":"error"')
})

it('a setting that is neither true nor false is refused', async () => {
  await expect(startServer({ env: { WARM_UP: 'yes' } })).rejects.toThrow(
    /WARM_UP must be one of true, false, not yes/,
  )
})
