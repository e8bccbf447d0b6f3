import { describe, expect, it } from 'vitest'
import { outputOf, runToRest, testWorld } from '../../../support/drive.ts'

describe('a run', () => {
  it('with one answer ends after two commits', async () => {
    const world = testWorld()
    const run = await runToRest(world, { input: '@say hello' })
    expect(run.state.status).toBe('completed')
    expect(outputOf(run)).toBe('hello')
    expect(run.version).toBe(2)
    expect(run.head.wake_at).toBeNull()
  })

  it('with three subagents waits for all and joins their results once', async () => {
    const world = testWorld()
    const input = [
      '@spawn 3 {"task":"@say part {i}","label":"w{i}"}',
      '@await',
      '@say saw {results}',
    ].join('\n')
    const run = await runToRest(world, { input })
    expect(run.state.status).toBe('completed')
    expect(outputOf(run)).toBe('saw 3')
  })
})
