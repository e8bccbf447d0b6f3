/** `strata test`: tables, exit codes, JUnit, filters, recordings, judges. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { check } from '../../../src/cli/check.ts'
import { init } from '../../../src/cli/init.ts'
import { type TestOptions, test } from '../../../src/cli/test.ts'
import { junit } from '../../../src/cli/test-report.ts'
import { WrongUse } from '../../../src/cli/usage-error.ts'
import { startModelServer } from '../../../src/testing/model-server.ts'
import { cleanup } from '../../support/cleanup.ts'
import { everythingByStdio } from '../../support/everything.ts'
import { terminal } from '../../support/terminal.ts'

const RED = join(import.meta.dirname, '../../fixtures/failing-pack')

function folder(files: Readonly<Record<string, string>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'strata-test-'))
  cleanup.push(async () => rmSync(dir, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return dir
}

async function run(place: string, options: Partial<TestOptions> = {}, env = {}) {
  const shown = terminal(env)
  const code = await test(shown, { place, only: [], ...options })
  return { code, lines: shown.lines(), text: shown.lines().join('\n'), errors: shown.errors }
}

const AGENT = '---\nname: greeter\ndescription: Greets.\ntools: file_read\n---\nGreet.\n'
const pack = (tests: Readonly<Record<string, string>>) =>
  folder({
    'base/.agents/agents/greeter.md': AGENT,
    ...Object.fromEntries(Object.entries(tests).map(([name, text]) => [`tests/${name}.md`, text])),
  })
const greets = (more: string, expected = 'text: Hello', body = 'Greet me.') =>
  `---\nagent: greeter\n${more}\nexpect:\n  ${expected}\n---\n${body}\n`

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}
/** Throws when it is not well-formed. */
function elements(xml: string): Element[] {
  const found: Element[] = []
  const open: Element[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' }
    open.push(element)
    found.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return found
}

describe('strata test', () => {
  it('shows a failing test with expected and actual values, and exits with 1', async () => {
    const { code, lines } = await run(RED)
    expect(code).toBe(1)
    expect(lines[0]).toMatch(/^test +result +time +cost$/)
    expect(lines[1]).toMatch(/^good +ok +\d+ ms +-$/)
    expect(lines[2]).toMatch(/^greets & reads <notes> +FAILED +\d+ ms +-$/)
    expect(lines.slice(3, -1)).toEqual([
      expect.stringMatching(/tests\/red\.md$/),
      '  expected a call file_read with {"path":"notes.txt"}',
      '  got      the calls file_read {"path":"a.txt"} (an error)',
      '  expected text that contains "Hello"',
      '  got      "Good \\"evening\\" <b>]]> & so on."',
    ])
    expect(lines.at(-1)).toMatch(/^2 tests: 1 ok, 1 failed, 0 with errors, 0 skipped, in \d+ ms$/)
  })

  it('writes well-formed JUnit for a failing test', async () => {
    const file = join(folder(), 'junit.xml')
    await run(RED, { junit: file })
    const xml = elements(readFileSync(file, 'utf8'))
    const counts = { tests: '2', failures: '1', errors: '0', skipped: '0' }
    expect(xml[0]).toMatchObject({ name: 'testsuites', attributes: counts })
    expect(xml[1]).toMatchObject({ name: 'testsuite', attributes: counts })
    const cases = xml.filter(({ name }) => name === 'testcase')
    expect(cases.map(({ attributes }) => attributes.name)).toEqual([
      'good',
      'greets & reads <notes>',
    ])
    const failures = xml.filter(({ name }) => name === 'failure')
    expect(failures[1]?.attributes.message).toBe('expected text that contains "Hello"')
    expect(failures[1]?.text).toContain('<b>]]> & so on.')
  })

  it('writes well-formed JUnit for any text', () => {
    const odd = '\u0001 \u001b[31m \ufffe \ud800 😀 ]]> & < " \' \t\r\n'
    const one = { name: odd, file: odd, ms: 1, cost: null, notes: [odd] }
    const failures = [{ expected: odd, got: odd }]
    const all = (['passed', 'failed', 'error', 'skipped'] as const).map((result) => {
      return { ...one, result, failures: result === 'passed' ? [] : failures }
    })
    const found = elements(junit(all))
    const names = ['testcase', 'failure', 'error', 'skipped']
    expect(names.map((name) => found.filter((one) => one.name === name).length)).toEqual([
      4, 1, 1, 1,
    ])
    const shown = '\ufffd \ufffd[31m \ufffd \ufffd 😀 ]]> & < " \' \t\r\n'
    expect(found.find(({ name }) => name === 'testcase')?.attributes.name).toBe(shown)
  })

  it('prints one line of JSON per test with --json', async () => {
    const { lines, code } = await run(RED, { json: true })
    expect(code).toBe(1)
    const all = lines.map((line) => JSON.parse(line))
    expect(all.map(({ result }) => result)).toEqual(['passed', 'failed'])
    expect(all[1]).toMatchObject({
      name: 'greets & reads <notes>',
      failures: [{ expected: expect.any(String) }, { got: expect.any(String) }],
      run: { status: 'completed', calls: [{ tool: 'file_read' }] },
    })
  })

  it('runs only tests whose name or path contains the text of --only, or one file', async () => {
    expect((await run(RED, { only: ['good'] })).code).toBe(0)
    expect((await run(RED, { only: ['reads <notes>'] })).text).toContain('1 test: 0 ok, 1 failed')
    expect((await run(join(RED, 'tests/good.md'))).text).toContain('1 test: 1 ok')
    await expect(run(RED, { only: ['nothing'] })).rejects.toThrow(
      /no test matches nothing; available tests: good/,
    )
  })

  it('refuses a path without tests and an unwritable report as wrong usage', async () => {
    const wrong = async (done: Promise<unknown>, message: RegExp) => {
      await expect(done).rejects.toBeInstanceOf(WrongUse)
      await expect(done).rejects.toThrow(message)
    }
    await wrong(run(folder()), /no tests found in/)
    await wrong(run('/nowhere'), /\/nowhere is neither a folder nor/)
    await wrong(run(join(RED, 'base/.agents/agents/greeter.md')), /is not in the tests/)
    const junit = join(folder(), 'missing', 'junit.xml')
    await wrong(run(RED, { junit }), /folder not found: .*missing/)
    expect(existsSync(junit)).toBe(false)
  })

  it('reports a file that is not a test as an error, and runs the others', async () => {
    const { code, text } = await run(
      pack({
        broken: '---\nexpect: [\n---\nx\n',
        near: greets('scrpt: a'),
        ok: greets("script: '@say Hello'"),
      }),
    )
    expect(code).toBe(1)
    expect(text).toMatch(/broken +ERROR[\s\S]*got {6}line \d/)
    expect(text).toContain('unknown key `scrpt`; did you mean `script`?')
    expect(text).toContain('3 tests: 1 ok, 0 failed, 2 with errors')
  })

  it('names a missing agent, and reports an exhausted script', async () => {
    const script = 'script: \'@call file_read {"path":"a"}\''
    const missing = greets("script: '@say Hello'").replace('greeter', 'gretter')
    const { code, text } = await run(pack({ dry: greets(script), missing }))
    expect(code).toBe(1)
    expect(text).toMatch(/dry +FAILED[\s\S]*contains "Hello"\n {2}got {6}"done"/)
    expect(text).toMatch(/missing +ERROR[\s\S]*unknown_agent: .*gretter/)
  })

  it('gives each test an isolated world', async () => {
    const writes = AGENT.replace('file_read', 'file_read, file_write')
    const script = 'script: |\n  @call file_write {"path":"notes.txt","content":"x"}\n  @say Hello'
    const reads = 'script: |\n  @call file_read {"path":"notes.txt"}\n  @say Hello'
    const failed = 'calls: [{ tool: file_read, is_error: true }]'
    const dir = pack({
      a: greets(script, 'calls: [{ tool: file_write }]'),
      b: greets(reads, failed),
    })
    writeFileSync(join(dir, 'base/.agents/agents/greeter.md'), writes)
    expect((await run(dir)).text).toContain('2 tests: 2 ok')
  })

  it('reports which links of a pack it does not follow', async () => {
    const dir = pack({ greets: greets('model:\n  script: "@say Hello"') })
    symlinkSync('greeter.md', join(dir, 'base/.agents/agents/second.md'))
    const { errors } = await run(dir)
    expect(errors).toContain(
      'base/.agents/agents/second.md: skipped: symbolic links are not followed',
    )
  })

  it('accepts a folder that is one layer, and does not load its tests as layer files', async () => {
    const script = 'script: |\n  @call file_list {"path":"base/tests"}\n  @say {last}'
    const dir = folder({
      '.agents/agents/greeter.md': AGENT.replace('file_read', 'file_list'),
      'tests/one.md': greets(script, 'text: { not_contains: one.md }'),
      'tests/unit.py': 'pass\n',
    })
    expect((await run(dir)).text).toContain('1 test: 1 ok')
  })
})

describe('judges', () => {
  const judged = (script: string) =>
    greets("script: '@say Hello'", `judge: { criterion: It greets., script: '${script}' }`)

  it('pass or fail with a reason', async () => {
    const { code, text } = await run(
      pack({
        bad: judged('@say {"pass":false,"reason":"It is curt."}'),
        good: judged('@say {"pass":true,"reason":"It does."}'),
      }),
    )
    expect(code).toBe(1)
    expect(text).toMatch(/bad +FAILED/)
    expect(text).toContain('expected the judge to confirm: It greets.')
    expect(text).toContain('got      It is curt. (answer: "Hello")')
    expect(text).toMatch(/good +ok/)
  })

  it('with an invalid answer fail the test', async () => {
    const { code, text } = await run(pack({ odd: judged('@say Sure, looks fine!') }))
    expect(code).toBe(1)
    expect(text).toContain('the judge returned no verdict: schema_unmet')
  })

  it('receive criterion, input, and answer as data, through the model port', async () => {
    const server = await startModelServer({
      script: ({ messages }) => {
        const said = JSON.stringify(messages)
        const text = said.includes('criterion') ? '{"pass":true,"reason":"r"}' : 'Hello'
        return { text, reasoning: '', calls: [], finish: 'stop', slowMs: 0, fault: undefined }
      },
    })
    cleanup.push(server.close)
    const env = { OPENAI_BASE_URL: server.url, STRATA_MODEL: 'openai/main' }
    const criterion = 'judge: { criterion: It greets., model: openai/judge }'
    const { code } = await run(pack({ real: greets('', criterion) }), {}, env)
    expect(code).toBe(0)
    const [asked, judge] = server.requests.map(({ body }) => body)
    expect([asked?.model, judge?.model]).toEqual(['main', 'judge'])
    const sent = judge?.messages.findLast(({ role }) => role === 'user')
    expect(JSON.parse(String(sent?.content))).toEqual({
      ...{ criterion: 'It greets.', input: 'Greet me.', calls: [], answer: 'Hello' },
    })
  })
})

describe('tests that need a model', () => {
  it('are skipped with the reason when no model is configured, and a run without tests is no success', async () => {
    const { code, text } = await run(pack({ real: greets('') }))
    expect(code).toBe(1)
    expect(text).toMatch(/real +skipped/)
    expect(text).toContain('note     the test has neither `script` nor `replay`')
    expect(text).toContain('no test ran')
    const both = pack({ ok: greets("script: '@say Hello'"), real: greets('') })
    const junit = join(folder(), 'junit.xml')
    expect((await run(both, { junit })).code).toBe(0)
    const skipped = elements(readFileSync(junit, 'utf8')).find(({ name }) => name === 'skipped')
    expect(skipped?.attributes.message).toContain('no model is configured')
  })

  it('replay a recording that --record has made with a real model and a real server', async () => {
    const local = everythingByStdio()
    const input = '@call mcp__everything__echo {"message":"hi"}\n@say Hello: {last}'
    const dir = folder({
      'base/.agents/config.toml': `[mcp_servers.everything]\ncommand = ${JSON.stringify(local.command)}\nargs = ${JSON.stringify(local.args)}\n`,
      'tests/echo.md': `---\nreplay: recordings/echo.json\nexpect:\n  calls: [mcp__everything__echo]\n  text: Hello\n  judge: It greets.\n---\n${input}\n`,
    })
    const missing = await run(dir)
    expect(missing.code).toBe(1)
    expect(missing.text).toMatch(/echo +ERROR[\s\S]*echo\.json does not exist.*--record/)
    const unable = await run(dir, { record: true })
    expect(unable.text).toContain('the test will be recorded, and no model is configured')
    await expect(run(RED, { record: true })).rejects.toThrow(
      /--record requires a test with `replay: <file>`/,
    )
    const server = await startModelServer({})
    const env = { OPENAI_BASE_URL: server.url, STRATA_MODEL: 'openai/m', ALLOW_STDIO_MCP: 'true' }
    const recorded = await run(dir, { record: true }, env)
    await server.close()
    expect(recorded.text).toMatch(/recorded in .*tests\/recordings\/echo\.json/)
    // The scripted model is no judge, and its answer is in the recording too.
    expect(recorded.text).toContain('the judge returned no verdict')
    const again = await run(dir)
    const without = (text: string) =>
      text
        .replace(/\d+ ms/g, '')
        .replace(/ *note .*recorded in.*\n/, '')
        .replace(/ +/g, ' ')
    expect(without(again.text)).toBe(without(recorded.text))
  })
})

it('a pack from strata init passes at once, and check and push recognize its tests', async () => {
  const dir = folder()
  init(terminal({}), dir)
  const { code, text } = await run(dir)
  expect(text).toContain('1 test: 1 ok')
  expect(code).toBe(0)
  cpSync(join(dir, 'tests'), join(dir, 'base/tests'), { recursive: true })
  const lines: string[] = []
  expect(await check(dir, { json: true, loose: false }, (line) => lines.push(line))).toBe(0)
  const said = lines.map((line) => JSON.parse(line)).filter(({ path }) => /tests\//.test(path))
  expect(said.map(({ status, diagnostics }) => [status, diagnostics[0].message])).toEqual([
    ['ignored', 'a test of the pack; run it with strata test'],
    ['ignored', 'a test of the pack; run it with strata test'],
  ])
})
