import { describe, expect, it } from 'vitest'
import { canonicalOf, canonicalUrl, hostOf } from '../../../src/lib/url.ts'

describe('the canonical spelling of a host', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['HTTPS://Example.COM/Path?Q=a%20B', 'https://example.com/Path?Q=a%20B'],
    ['https://example.com:443/x', 'https://example.com/x'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['https://example.com./x', 'https://example.com/x'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/ü'],
    ['https://ПРИМЕР.example', 'https://xn--e1afmkfd.example'],
    ['https://аpple.com/', 'https://xn--pple-43d.com/'],
    ['http://127.0.0.1:9/', 'http://127.0.0.1:9/'],
    ['http://[::1]:9/', 'http://[::1]:9/'],
  ])('%s is kept as %s', (given, kept) => {
    expect(canonicalUrl(given)).toEqual({ ok: true, value: kept })
    expect(canonicalOf(canonicalOf(given))).toBe(kept)
  })

  it.each([
    ['a soft hyphen', 'https://exam\u00adple.com/'],
    ['a zero-width space', 'https://exam\u200bple.com/'],
    ['a zero-width joiner', 'https://exam\u200dple.com/'],
    ['a word joiner', 'https://exam\u2060ple.com/'],
    ['a variation selector', 'https://example\ufe0f.com/'],
    ['a right-to-left override', 'https://moc.\u202eelpmaxe/'],
    ['wide letters', 'https://ｅｘａｍｐｌｅ.com/'],
    ['circled digits', 'http://①②⑦.⓪.⓪.①/'],
    ['mathematical letters', 'https://𝖾𝗑𝖺𝗆𝗉𝗅𝖾.com/'],
    ['a ligature', 'https://ﬁle.example/'],
    ['an ideographic dot', 'https://example。com/'],
    ['a wide dot', 'https://example．com/'],
    ['a half-wide dot', 'https://example｡com/'],
    ['a percent sign', 'https://ex%61mple.com/'],
    ['a percent sign before a dot', 'https://example%2ecom/'],
    ['octal numbers', 'http://0177.0.0.1/'],
    ['hexadecimal numbers', 'http://0x7f.0.0.1/'],
    ['one number', 'http://2130706433/'],
    ['few numbers', 'http://127.1/'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]/'],
    ['a long spelling of an address', 'http://[0:0:0:0:0:0:0:1]/'],
    ['a user name', 'https://a@example.com/'],
    ['no host', 'https:///x'],
  ])('%s is refused', (_, given) => {
    expect(canonicalUrl(given).ok).toBe(false)
  })

  it('two spellings of one host are the same receiver', () => {
    const hosts = [
      'https://Example.com./a',
      'https://example.com:443/b',
      'https://EXAMPLE.com',
    ].map(hostOf)
    expect(new Set(hosts)).toEqual(new Set(['example.com']))
    expect(hostOf('http://127.0.0.1:81/x')).toBe('127.0.0.1:81')
    expect(hostOf('no URL')).toBe('')
  })
})
