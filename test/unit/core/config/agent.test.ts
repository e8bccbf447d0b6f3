import { describe, expect, it } from 'vitest'
import { parseAgent, parseAgentText } from '../../../../src/core/config/agent/agent.ts'
import { refusedWhenStrict } from '../../../../src/core/config/diagnostic.ts'
import { encode } from '../../../../src/lib/bytes.ts'

const file = (head: string, body = 'You help.\n', name = 'helper', description = 'Helps.') =>
  `---\nname: ${name}\ndescription: ${description}\n${head}---\n${body}`
const parse = (text: string, stem = 'helper') => parseAgentText(text, stem)
const load = (text: string, stem = 'helper') => {
  const { agent, found } = parse(text, stem)
  if (agent === null) throw new Error(JSON.stringify(found))
  return { ...agent, codes: found.filter((one) => one.severity !== 'note').map((one) => one.code) }
}
const errors = (text: string) =>
  parse(text)
    .found.filter((one) => one.severity === 'error')
    .map((one) => one.code)

describe('agent files: head', () => {
  it('the body is the system prompt byte for byte, templates and blanks included [NC-01 M32]', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text must stay literal.
    const body = '\n  ${ENV} {{secret}} <%= x %>\r\n---\n\ttail  '
    expect(load(file('', body)).system_prompt).toBe(body)
  })

  it('a missing name or description, or a blank body, rejects the file [NV-06 NC-03 CC-01]', () => {
    expect(errors('---\ndescription: x\n---\nb')).toEqual(['name_missing'])
    expect(errors('---\nname: x\n---\nb')).toEqual(['description_missing'])
    expect(errors(file('', ' \n'))).toEqual(['body_empty'])
    expect(parse('# Agents of this team\n')).toMatchObject({ agent: null, ignored: true })
  })

  it('the unknown key maxTurns is reported with the key to write instead', () => {
    const noteOf = (head: string) => parse(file(head)).found.map(({ code, hint }) => [code, hint])
    expect(noteOf('maxTurns: 5\n')).toEqual([['unknown_keys', 'maxSteps: 5']])
    expect(noteOf('colour: red\n')).toEqual([['unknown_keys', null]])
  })

  it('an empty body is reported as missing, and a file over 1 MiB is refused unread [NV-10 M27]', () => {
    expect(parse(file('', '')).found.at(-1)?.message).toBe(
      'Missing system prompt (file body is empty)',
    )
    const large = parseAgent(encode(file('', 'x'.repeat(1_048_576))), 'helper')
    expect(large).toMatchObject({ agent: null, found: [{ code: 'file_too_large' }] })
    expect(parseAgent(encode(file('', 'x'.repeat(262_145))), 'helper').agent).not.toBeNull()
  })

  it('64 and 1,024 characters load silently; one more is a warning that strict refuses [NV-07 NV-08]', () => {
    const codes = (name: string, description: string) =>
      parse(file('', 'b', name, description), name)
        .found.filter(refusedWhenStrict)
        .map((one) => one.code)
    expect(codes('a'.repeat(64), 'd'.repeat(1_024))).toEqual([])
    expect(codes('a'.repeat(65), 'd'.repeat(1_025))).toEqual(['name_not_kebab', 'description_long'])
  })

  it('a name that is not an ID keeps its display name, and the ID is the file’s [CC-02]', () => {
    for (const name of ['"a:b"', '"-a"', 'C++ Expert']) {
      const agent = load(file('', 'b', name))
      expect([agent.id, agent.display_name]).toEqual(['helper', name.replaceAll('"', '')])
      expect(agent.codes).toEqual(['name_not_kebab'])
    }
  })

  it('dates, times, octals, and booleans keep their literal text, and null is not a name [M16]', () => {
    for (const name of ['2024-01-01', '12:30:45', '017', '1_000', 'no', 'true', '1e3']) {
      const agent = load(file('', 'b', name))
      expect([agent.display_name, agent.codes[0]]).toEqual([name, 'literal_text'])
    }
    expect(errors(file('', 'b', '~'))).toEqual(['name_missing'])
  })

  it('hidden characters and escapes are errors, and length and line breaks are warnings [M26]', () => {
    for (const hidden of ['a\u{E0041}b', 'a\u001b[31mb', 'a\u202Eb', 'a\u200Bb']) {
      expect(errors(file('', 'b', 'helper', `'${hidden}'`))).toContain('hidden_characters')
    }
    expect(load(file('', 'b', 'helper', '"one\\ntwo"')).codes).toEqual(['description_lines'])
    expect(load(file('', 'b', 'helper', '👩‍💻 emoji and — dashes')).codes).toEqual([])
  })

  it('unknown keys are kept under extra [CC-03 M11]', () => {
    const { extra, codes } = load(file('category: dev\n__proto__: {isAdmin: true}\n'))
    expect(JSON.parse(JSON.stringify(extra)).category).toBe('dev')
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
    expect(codes).toEqual([])
  })
})

describe('agent files: settings', () => {
  it('the model is an alias, an ID, a display name, or a list, and an invalid one inherits [NV-17 M24]', () => {
    const model = (value: string) => load(file(`model: ${value}\n`)).model
    expect(load(file('')).model).toBeNull()
    for (const value of ['inherit', 'sonnet', 'claude-sonnet-4-5-20250929', 'openai/gpt-5']) {
      expect(model(value)).toBe(value)
    }
    expect(model('Claude Sonnet 4.5 (copilot)')).toBe('Claude Sonnet 4.5 (copilot)')
    expect(model('[gpt-5, sonnet]')).toBe('gpt-5')
    for (const value of ['../../x', 'a/../b', '{a: 1}', `"${'x'.repeat(200)}"`]) {
      const agent = load(file(`model: ${value}\n`))
      expect([agent.model, agent.codes]).toEqual([null, ['model_unknown']])
    }
  })

  it('a time limit is a whole number of seconds within a day, or an error [NC-06 M25]', () => {
    expect(load(file('timeoutSeconds: 120\n')).timeout_seconds).toBe(120)
    for (const value of ['abc', '1e9', '-1', '.inf', '.nan', '"60"', '0', '1.5']) {
      expect([value, errors(file(`timeoutSeconds: ${value}\n`))]).toEqual([
        value,
        ['invalid_value'],
      ])
    }
  })

  it('an unknown visibility or model role is an error, never a silent default [NC-07 NC-08]', () => {
    expect(errors(file('visibility: hidden\n'))).toEqual(['invalid_value'])
    expect(errors(file('modelRole: Turbo\n'))).toEqual(['invalid_value'])
    expect(load(file('modelRole: Compaction\nvisibility: internal\n'))).toMatchObject({
      model_role: 'Compaction',
      visibility: 'internal',
    })
  })

  it('switches are parsed', () => {
    const head = 'forkContext: true\nemitStructuredFindings: true\nmaxSteps: 9\ncolor: purple\n'
    expect(load(file(head))).toMatchObject({
      fork_context: true,
      emit_structured_findings: true,
      max_steps: 9,
      color: 'purple',
    })
    expect(errors(file('forkContext: maybe\n'))).toEqual(['invalid_value'])
  })

  it('a user-facing agent has at most the five tools', () => {
    const five = ['web_search', 'web_fetch', 'file_read', 'attach_file', 'ask_user']
    expect(load(file('visibility: user-facing\n')).tools).toEqual(five)
    expect(load(file('visibility: user-facing\ntools: [web_search, bash]\n')).tools).toEqual([
      'web_search',
    ])
    expect(errors(file('visibility: user-facing\ntools: [bash]\n'))).toEqual(['no_tools_left'])
    expect(load(file('visibility: user-facing\ntools: []\n')).tools).toEqual([])
  })
})

it('limits are accepted in the spelling of runs, with a warning', () => {
  const head =
    'name: a\ndescription: b\ntimeout_seconds: 5\nmodel-patience-seconds: 60\nmax_steps: 3'
  const { agent, found } = parseAgentText(`---\n${head}\n---\nBody.\n`, 'a')
  expect(agent).toMatchObject({ timeout_seconds: 5, model_patience_seconds: 60, max_steps: 3 })
  expect(found.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'key_spelling'))
})
