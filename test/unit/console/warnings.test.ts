/** Which warnings the turns of a conversation show. */

import { expect, it } from 'vitest'
import { freshWarnings } from '../../../src/console/log/warnings.ts'

const warning = (code: string, message: string) => ({ code, message })

it('a conversation shows a warning at its first turn, and no information findings', () => {
  const unknown = warning('unknown_tool', 'unknown tool `x`')
  const other = warning('unknown_tool', 'unknown tool `y`')
  const deferred = warning('tools_deferred', 'they are found by tool_search')
  const shown = freshWarnings([
    { id: 'one', warnings: [deferred, unknown] },
    { id: 'two', warnings: [unknown, other] },
    { id: 'three', warnings: [unknown, deferred] },
  ])
  expect(Object.fromEntries(shown)).toEqual({ one: [unknown], two: [other], three: [] })
})
