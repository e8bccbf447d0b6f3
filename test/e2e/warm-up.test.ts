/** A server that starts runs some runs for itself first; nothing of it is seen or kept. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from '../support/server.ts'

const WARM = { WARM_UP: 'true', LOG_LEVEL: 'debug' }

it('it is told in the log, and leaves neither a run nor a folder', async () => {
  const server = await startServer({ env: WARM })
  await server.process.line(/"event":"warm_up","duration_ms":\d+/)
  expect(await server.get('/v1/runs')).toMatchObject({ data: [] })
  expect(existsSync(join(server.dataDir, 'warm-up'))).toBe(false)
  expect(server.process.output()).not.toContain('"event":"error"')
})

it('a stop in the middle of it is over at once, and what a killed one left is taken away', async () => {
  const server = await startServer({ env: WARM })
  await server.process.stop('SIGTERM')
  expect(server.process.output()).not.toContain('"event":"error"')
  const left = join(server.dataDir, 'warm-up')
  expect(existsSync(left)).toBe(false)
  await mkdir(join(left, 'objects'), { recursive: true })
  const again = await startServer({ before: server, env: WARM })
  await again.process.line(/"event":"warm_up"/)
  expect(existsSync(left)).toBe(false)
})

it('a setting that nobody can mean is refused', async () => {
  await expect(startServer({ env: { WARM_UP: 'yes' } })).rejects.toThrow(
    /WARM_UP must be one of true, false, not yes/,
  )
})
