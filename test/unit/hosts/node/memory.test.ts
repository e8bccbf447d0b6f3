/** The control of a process's memory, in a process of its own. */

import { expect, it } from 'vitest'
import { start } from './child/start.ts'

async function youngMb(...args: string[]): Promise<number> {
  const child = start('objects.ts', args)
  await child.until((line) => line !== '')
  return Number(child.lines[0])
}

it('limits the space of new objects, whose collections stop the event loop', async () => {
  const [limited, unlimited] = await Promise.all([youngMb('small'), youngMb()])
  expect(limited).toBeGreaterThan(0)
  expect(limited).toBeLessThan(unlimited)
})
