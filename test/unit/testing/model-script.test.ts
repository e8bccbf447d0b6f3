/** The scripted model's answers follow from the conversation alone. */

import { describe, expect, it } from 'vitest'
import { answer, type WireMessage } from '../../../src/testing/model-script.ts'

const tools = [{}]
const user = (content: string): WireMessage => ({ role: 'user', content })
const tool = (content: string): WireMessage => ({ role: 'tool', content })
const said: WireMessage = { role: 'assistant', content: '' }
const at = (...messages: WireMessage[]) => answer({ messages, tools })
const id = (n: number) => `run_${String(n).padStart(26, '0')}`

describe('the scripted model', () => {
  it('answers a message without a script, and answers "done" after the last step', () => {
    expect(at(user('hello')).text).toBe('ok: hello')
    expect(at(user('@say a'), said).text).toBe('done')
  })
  it('requests parallel calls in one step and continues after their results', () => {
    const script = user('@call a {"x":1}\n@call b oops\n@then\n@call c {}\n@say {tools}: {last}')
    expect(at(script).calls.map((call) => call.arguments)).toEqual(['{"x":1}', 'oops'])
    expect(at(script, said, tool('1'), tool('2')).calls.map((call) => call.name)).toEqual(['c'])
    expect(at(script, said, tool('1'), tool('2'), said, tool('3')).text).toBe('3: 3')
  })
  it('spawns children whose tasks contain their own scripts', () => {
    const spawn = at(user('@spawn 2 {"agent":"explore","task":"@call x {}\\n@say {i}"}'))
    expect(spawn.calls.map((call) => JSON.parse(call.arguments))).toEqual([
      { task: '@call x {}\n@say 1', label: 'child 1', agent: 'explore' },
      { task: '@call x {}\n@say 2', label: 'child 2', agent: 'explore' },
    ])
    expect(at(user('Context:\nfoo\n\nTask:\n@say x')).text).toBe('x')
  })
  it('waits for results whether they arrive before, during, or after its turn', () => {
    const script = user('@spawn 2\n@await\n@say saw {results}')
    const results = (...numbers: number[]) => user(`results: ${numbers.map(id).join(' ')}`)
    expect(at(script, said, tool(id(1)), tool(id(2))).text).toBe('waiting for 2 results')
    expect(at(script, said, results(1), said).text).toBe('waiting for 2 results')
    expect(at(script, said, results(1), said, results(2)).text).toBe('saw 2')
    expect(at(script, said, results(1, 2)).text).toBe('saw 2')
    expect(at(script, said, said, results(1, 2)).text).toBe('saw 2')
    expect(at(script, said, said, results(1, 2), said).text).toBe('done')
  })
  it('uses the last message that begins with a directive as its script', () => {
    expect(at(user('@say one'), said, user('@say two')).text).toBe('two')
    expect(at(user('@say one\n@say two'), said, user('not @say three')).text).toBe('two')
  })
  it('attaches a failure directive to the step that follows it', () => {
    const script = user('@call a {}\n@fail 429 times=2 retry-after=1\n@say x')
    expect(at(script).fault).toBeUndefined()
    expect(at(script, said, tool('')).fault).toEqual({
      kind: 'status',
      status: 429,
      times: 2,
      retryAfter: '1',
    })
  })
  it('reports a script that it cannot read', () => {
    expect(at(user('@say a\nfree text')).text).toMatch(/invalid line/)
    expect(at(user('@spawn 1 {"a":}')).text).toMatch(/invalid JSON/)
  })
})
