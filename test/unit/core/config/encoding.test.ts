import { describe, expect, it } from 'vitest'
import { parseAgent } from '../../../../src/core/config/agent/agent.ts'
import { encodingFault, textOfFile } from '../../../../src/core/config/encoding.ts'
import { looseRecords } from '../../../../src/core/config/layer/library-scan.ts'
import { parseSchedule } from '../../../../src/core/config/schedule/schedule.ts'
import { parseConfig } from '../../../../src/core/config/server/file.ts'
import { parseSkill } from '../../../../src/core/config/skill/skill.ts'
import { measured } from '../../../support/measured.ts'

const AGENT = '---\nname: helper\ndescription: Helps with one thing.\n---\nYou help.\n'
const SERVERS = '[mcp_servers.a]\nurl = "https://a.example/mcp"\n'
const utf16 = (text: string, mark = '\uFEFF'): Buffer => Buffer.from(mark + text, 'utf16le')
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const utf32 = (text: string): Buffer =>
  Buffer.from([...`\uFEFF${text}`].flatMap((char) => [...u32(char.codePointAt(0)!)]))
const u32 = (code: number): Uint8Array => new Uint8Array(Uint32Array.of(code).buffer)

const CASES: readonly (readonly [string, Uint8Array, string, number | null])[] = [
  ['UTF-16 LE', utf16(AGENT), 'UTF-16 (little endian)', null],
  ['UTF-16 BE', swapped(utf16(AGENT)), 'UTF-16 (big endian)', null],
  ['UTF-16 LE without a mark', utf16(AGENT, ''), 'UTF-16 (little endian) without', null],
  ['UTF-16 BE without a mark', swapped(utf16(AGENT, '')), 'UTF-16 (big endian) without', null],
  [
    'UTF-16 without a mark, in Japanese',
    utf16(AGENT.replace('You help.', 'あなたは親切な助手です。'.repeat(30)), ''),
    'UTF-16 (little endian)',
    null,
  ],
  ['UTF-32', utf32(AGENT), 'UTF-32', null],
  ['Windows-1252', latin1(AGENT.replace('You', 'You\u0092ll')), 'Windows-1252, because of', 5],
  ['Latin-1', latin1(AGENT.replace('one', 'caf\u00e9')), 'Windows-1252 or Latin-1', 3],
  [
    'Windows-1251',
    latin1(AGENT.replace('You help.', '\u00cf\u00f0\u00e8\u00e2\u00e5\u00f2')),
    'Windows-1251',
    5,
  ],
  [
    'damaged UTF-8',
    Buffer.concat([Buffer.from(AGENT.replace('You', 'Für größere Äpfel')), Buffer.from([0xc3])]),
    'UTF-8 with corrupt characters',
    6,
  ],
  ['a text of DOS', latin1(`${AGENT.replace('one', 'caf\u00e9')}\u001a`), 'Latin-1', 3],
  ['a binary file', Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 0xff]), 'a binary file', 1],
]

describe('a file that is not UTF-8', () => {
  it.each(CASES)('is reported as %s, with the fix', (_, bytes, name, line) => {
    const [found, ...more] = parseAgent(bytes, 'helper').found
    expect(more).toEqual([])
    expect(found).toMatchObject({ code: 'invalid_utf8', severity: 'error', line })
    expect(found?.message).toContain(name)
    expect(found?.hint).toContain('save it as UTF-8')
  })

  it('is reported in skills, schedules, configuration, and libraries alike', () => {
    const bytes = utf16(AGENT)
    const config = utf16(SERVERS)
    const loose = (path: string) => looseRecords([path], () => bytes)[0]!
    for (const { found } of [
      parseSkill(bytes, 'helper'),
      parseSchedule(bytes, 'helper'),
      parseConfig(config, 'config.toml'),
      parseConfig(config, 'mcp.json'),
      { found: loose('agents/helper.md').diagnostics },
      { found: loose('x/SKILL.md').diagnostics },
    ]) {
      expect(found).toMatchObject([{ code: 'invalid_utf8', severity: 'error' }])
      expect(found[0]?.message).toContain('like UTF-16 ')
    }
    expect(loose('agents/helper.md').status).toBe('rejected')
  })

  it('is never a text in UTF-8, in any script', () => {
    for (const text of [AGENT, 'Привет, мир', '日本語', '😀 emoji', '', 'x', '\uFEFFx']) {
      expect(textOfFile(Buffer.from(text)), text).toEqual({ ok: true, value: text })
      expect(encodingFault(Buffer.from(text))).toBeUndefined()
    }
  })
})

describe('a NUL character', () => {
  it('is an error with its line and the fix', () => {
    const [found] = parseAgent(Buffer.from(AGENT.replace('You', 'Yo\0u')), 'helper').found
    expect(found).toMatchObject({ code: 'nul', severity: 'error', line: 5 })
    expect(found?.hint).toContain('save it as UTF-8')
    expect(parseConfig(Buffer.from(`${SERVERS}# \0`), 'config.toml').found[0]?.code).toBe('nul')
  })
})

it('a megabyte without one character of UTF-8 has a bounded report', async () => {
  const hostile = [0xff, 0xe9, 0x80, 0xf0].map((byte) => new Uint8Array(1_000_000).fill(byte))
  const act = async () => hostile.map((bytes) => encodingFault(bytes))
  await measured('bytes that are no text', act, { wallMs: 1_000 })
})

describe('a byte order mark within a text', () => {
  const within = (text: string) => parseAgent(Buffer.from(text), 'helper')

  it.each([
    ['a second one at the start', `\uFEFF\uFEFF${AGENT}`, 1],
    ['one behind an empty line', `\n\uFEFF${AGENT}`, 2],
    ['one before a key', AGENT.replace('name', '\uFEFFname'), 2],
    ['one in the description', AGENT.replace('one', '\uFEFFone'), 3],
  ])('is an error in the head: %s', (_, text, line) => {
    const { agent, ignored, found } = within(text)
    expect([agent, ignored]).toEqual([null, false])
    expect(found).toContainEqual(
      expect.objectContaining({ code: 'bom_inside', severity: 'error', line }),
    )
  })

  it('is a warning in the body', () => {
    const { agent, found } = within(AGENT.replace('You', 'You\n\uFEFF---\n'))
    expect(agent?.id).toBe('helper')
    const [mark] = found.filter(({ code }) => code === 'bom_inside')
    expect(mark).toMatchObject({ severity: 'warning', line: 6 })
    expect(mark?.hint).toContain('save the file as UTF-8')
  })

  it('is an error in configuration', () => {
    const { found, broken } = parseConfig(Buffer.from(`${SERVERS}\uFEFF${SERVERS}`), 'config.toml')
    expect([broken, found[0]?.code, found[0]?.line]).toEqual([true, 'bom_inside', 3])
  })
})
