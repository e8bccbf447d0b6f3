/** `runAgent` of strata/testing: packs are tested in memory, by the API's own rules. */

import { describe, expect, it } from 'vitest'
import { ProblemError } from '../../../src/client/index.ts'
import { runAgent } from '../../../src/testing/index.ts'
import { measured } from '../../support/measured.ts'

const REVIEWER =
  '---\nname: reviewer\ndescription: Reviews a file.\ntools: [Read, Write]\n---\nReview it.\n'
const FILES = {
  'base/.agents/agents/reviewer.md': REVIEWER,
  'repos/app/a.ts': 'export const a = 1\n',
}
const RUN = { input: 'Review a.ts.', agent: 'reviewer', repo_dir: 'repos/app' }

describe('runAgent', () => {
  it('runs a file-based agent from a script: calls, results, text, and model requests', async () => {
    const script = '@call file_read {"path":"a.ts"}\n@say Fine: {last}'
    const { run, text, calls, events, requests } = await runAgent(FILES, RUN, { script })
    expect(run).toMatchObject({ status: 'completed', agent: 'reviewer' })
    expect(text).toContain('export const a = 1')
    expect(calls).toMatchObject([
      { tool: 'file_read', arguments: '{"path":"a.ts"}', isError: false },
    ])
    expect(calls[0]?.result).toContain('export const a')
    expect(events.map(({ type }) => type)).toContain('tool.result')
    expect(JSON.stringify(requests[0]?.system)).toContain('Review it.')
  })

  it('returns the files that the run wrote', async () => {
    const script = '@call file_write {"path":"b.ts","content":"new"}\n@say written'
    const { readFile } = await runAgent(FILES, RUN, { script })
    expect(await readFile('repos/app/b.ts')).toBe('new')
  })

  it('runs subagents too, each with the script in its task', async () => {
    const script = '@spawn 2 {"task":"@say child","agent":"reviewer"}\n@await\n@say {results} told'
    const { run, text } = await runAgent(FILES, { input: 'Spawn.' }, { script })
    expect(run.children.total).toBe(2)
    expect(text).toBe('2 told')
  })

  it('stops where a person must decide', async () => {
    const asks = { ...FILES, 'base/.agents/agents/reviewer.md': REVIEWER }
    const script = '@call ask_user {"questions":[{"question":"Which?"}]}\n@say then'
    const agent = REVIEWER.replace('[Read, Write]', '[AskUserQuestion]')
    const files = { ...asks, 'base/.agents/agents/reviewer.md': agent }
    const { run, calls } = await runAgent(files, RUN, { script })
    expect(run).toMatchObject({ status: 'waiting', waiting_on: 'input' })
    expect(calls).toMatchObject([{ tool: 'ask_user' }])
    expect(calls[0]).not.toHaveProperty('result')
  })

  it('refuses what the API would refuse', async () => {
    const unknown = runAgent(FILES, { ...RUN, agent: 'nobody' })
    await expect(unknown).rejects.toMatchObject({ code: 'unknown_agent' })
    await expect(runAgent({ 'a//x': '' }, 'x')).rejects.toBeInstanceOf(ProblemError)
    await expect(runAgent({ '../x': '' }, 'x')).rejects.toBeInstanceOf(TypeError)
    const parts = { input: [{ type: 'text' as const, text: 'a' }] }
    await expect(runAgent(FILES, parts, { script: '@say a' })).rejects.toBeInstanceOf(TypeError)
  })

  it('takes less than 50 ms once the code is warm', async () => {
    const act = () => runAgent(FILES, RUN, { script: '@call file_read {"path":"a.ts"}\n@say ok' })
    for (let warm = 0; warm < 9; warm += 1) await act()
    const { calls } = await measured('a run', act, { wallMs: 50 })
    expect(calls).toHaveLength(1)
  })
})
