import { describe, expect, it } from 'vitest'
import { hideIn, hiding } from '../../../src/lib/hide.ts'
import { measured } from '../../support/measured.ts'

const TOKEN = 'sk_Live.4f9/a+Zq"é~77'
const PEM = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj',
  'AgEAAoIBAQC7VJTUt9Us8cKjMzEfYyjiWA4R4/M2',
  '-----END PRIVATE KEY-----',
].join('\n')
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ'

describe('a secret in foreign text', () => {
  it.each([
    ['as it is', TOKEN, `got ${TOKEN}!`],
    ['in base64', TOKEN, Buffer.from(TOKEN).toString('base64')],
    ['in base64 of a longer text', TOKEN, Buffer.from(`Bearer ${TOKEN} `).toString('base64')],
    ['as Basic credentials', TOKEN, Buffer.from(`user:${TOKEN}`).toString('base64')],
    ['in base64url', TOKEN, Buffer.from(`xy${TOKEN}z`).toString('base64url')],
    ['in a URL', TOKEN, `?k=${encodeURIComponent(TOKEN)}`],
    [
      'in a URL in small letters',
      TOKEN,
      encodeURIComponent(TOKEN).replace(/%../g, (c) => c.toLowerCase()),
    ],
    ['in JSON', TOKEN, JSON.stringify({ k: TOKEN })],
    ['in JSON within JSON', TOKEN, JSON.stringify(JSON.stringify({ k: TOKEN }))],
    ['in JSON with slashes escaped', TOKEN, JSON.stringify(TOKEN).replaceAll('/', '\\/')],
    ['in hex', TOKEN, Buffer.from(TOKEN).toString('hex')],
    ['apart by dots', 'abcdefghijklmnop42', [...'abcdefghijklmnop42'].join('.')],
    [
      'apart by blanks, line ends and hidden characters',
      'abcdefghijklmnop42',
      'abcd efgh\nijkl\u200bmnop-42',
    ],
    ['of several lines, one of them', PEM, `line: ${PEM.split('\n')[1]}`],
    ['of several lines, in JSON', PEM, JSON.stringify({ key: PEM })],
    ['of several lines, with other line ends', PEM, PEM.replaceAll('\n', '\r\n')],
    ['one part of a token of three', JWT, `payload ${JWT.split('.')[1]}`],
  ])('is redacted: %s', (_, secret, text) => {
    const shown = hiding([secret])(text)
    expect(shown).toContain('[redacted]')
    const bare = (one: string) => one.replace(/[^A-Za-z0-9]/g, '')
    for (const line of secret.split('\n').filter((one) => !one.startsWith('---'))) {
      expect(bare(shown)).not.toContain(bare(line))
    }
  })

  it.each([
    ['base64 with line breaks', Buffer.from(`Bearer ${JWT}${JWT}`).toString('base64'), 76, '\n'],
    ['base64url with line breaks', Buffer.from(`y${JWT}${JWT}`).toString('base64url'), 64, '\r\n'],
    ['hex bytes with spaces', Buffer.from(JWT + JWT).toString('hex'), 2, ' '],
    [
      'hex bytes with colons',
      Buffer.from(JWT + JWT)
        .toString('hex')
        .toUpperCase(),
      2,
      ':',
    ],
  ])('is redacted in %s', (_, encoded, width, separator) => {
    const lines = encoded.match(new RegExp(`.{1,${width}}`, 'g'))!
    const shown = hiding([JWT + JWT])(`before ${lines.join(separator)} after`)
    expect(shown).toMatch(/^before .{0,14}\[redacted\].{0,4} after$/)
  })

  it('leaves short ordinary values and text without secrets unchanged', () => {
    const text = 'a test of x, true, eu-west and the-words apart from each other'
    expect(hiding(['x', 'test', 'true', '', '  ', 'eu-west'])(text)).toBe(text)
    expect(hiding([TOKEN, PEM, JWT])(text)).toBe(text)
    expect(hiding(['the-words'])('the words')).toBe('the words')
  })

  it('is redacted in every text of a value, including member names', () => {
    const value = { [TOKEN]: [`a ${TOKEN}`, 1, null, { deep: TOKEN }], same: true }
    expect(JSON.stringify(hideIn(value, hiding([TOKEN])))).not.toContain('Live')
    expect(hideIn(value, hiding([]))).toEqual(value)
  })

  it('costs time linear in the text', () => {
    const text = 'ab.cd '.repeat(150_000)
    const hide = hiding([TOKEN, PEM, JWT, 'ab'.repeat(50)])
    expect(measured('a megabyte', () => hide(text), { cpuMs: 3_000 })).toBe(text)
  })
})
