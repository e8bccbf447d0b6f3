/** The U rows of the security cases that a URL's text, or an address, decides. */

import { describe, expect, it } from 'vitest'
import { checkUrl, isPublicAddress, mayConnect } from '../../../../src/hosts/outbound/guard.ts'

const closed = { allowLoopback: false, ownHosts: ['api.example.com', '.mine.workers.dev'] }
const open = { ...closed, allowLoopback: true, ownHosts: ['127.0.0.1:8080'] }
const why = (url: string, policy = closed) => {
  const checked = checkUrl(url, policy)
  return checked.ok ? '' : checked.error
}

describe('an accepted URL', () => {
  it.each(['https://example.com', 'https://example.com/a?b=@c', 'https://bücher.example/x'])(
    '%s',
    (url) => expect(why(url)).toBe(''),
  )
  it('may be on loopback only when that is allowed', () => {
    for (const url of ['http://127.0.0.1:9/mcp', 'http://localhost:3000/x', 'http://[::1]:1/']) {
      expect(why(url)).toContain('set ALLOW_LOOPBACK=true')
      expect(why(url, open)).toBe('')
    }
  })
  it('may use another port only when the deployment names it', () => {
    expect(why('https://example.com:8443/')).toMatch(/port/)
    expect(checkUrl('https://example.com:8443/', { ...closed, ports: [8443] }).ok).toBe(true)
  })
})

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'U01 plain http': ['http://example.com', 'HTTP://example.com'],
  'U03 loopback in other scripts': [
    'https://127。0。0。1',
    'https://①②⑦.⓪.⓪.①',
    'https://①⑥⑨.②⑤④.①⑥⑨.②⑤④',
  ],
  'U04 any-address': ['https://0', 'https://0.0.0.0', 'https://[::]'],
  'U05 mapped and compatible IPv6': [
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:a9fe:a9fe]',
    'https://[::127.0.0.1]',
  ],
  'U07 metadata in disguise': [
    'https://169.254.169.254',
    'https://0xA9FEA9FE',
    'https://0251.0376.0251.0376',
    'https://2852039166',
  ],
  'U08 metadata of other clouds': [
    'https://[fd00:ec2::254]',
    'https://169.254.170.2',
    'https://100.100.100.200',
    'https://168.63.129.16',
    'https://192.0.0.192',
  ],
  'U09 names that are not public': [
    'https://metadata.google.internal',
    'https://localhost',
    'https://localhost.',
    'https://x.local',
    'https://x.internal',
    'https://x.home.arpa',
    'https://intranet',
  ],
  'U11 user info': [
    'https://good.com@127.0.0.1',
    'https://user:pass@example.com',
    'https://@example.com',
  ],
  'U12 what a parser repairs': [
    'https://good.com\\@127.0.0.1',
    'https:\\\\127.0.0.1',
    'ht\ntps://example.com',
    'https:169.254.169.254',
    ' https://example.com',
    'https:///example.com',
  ],
  'U21 ports': [22, 25, 6379, 0, 99999].map((port) => `https://example.com:${port}`),
  'U22 schemes': [
    'file:///etc/passwd',
    'data:text/plain,x',
    'gopher://example.com',
    'ftp://example.com',
    'blob:https://example.com/x',
    'javascript:alert(1)',
    'ws://example.com',
  ],
  'U23 ourselves': [
    'https://api.example.com/v1/runs',
    'https://API.example.com./x',
    'https://x.mine.workers.dev',
    'https://mine.workers.dev',
  ],
  'U25 length, fragment, control characters': [
    `https://example.com/${'a'.repeat(2_029)}`,
    `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(70)}.com`,
    'https://example.com/#x',
    'https://example.com/\u0000',
    'https://example.com/\u0085',
  ],
}
describe('a refused URL', () => {
  it.each(Object.entries(REFUSED))('%s', (_, urls) => {
    for (const url of urls) expect(why(url), url).not.toBe('')
  })
  it('stays refused where loopback is allowed [U11 U12 U21 U22 U25]', () => {
    const rows = Object.entries(REFUSED).filter(([name]) => /^U(11|12|21|22|25)/.test(name))
    for (const [, urls] of rows) for (const url of urls) expect(why(url, open), url).not.toBe('')
    expect(why('http://127.0.0.1:8080/v1/runs', open)).toMatch(/this service/)
    expect(why('http://127.0.0.2:80/', open)).not.toBe('')
  })
  it('may be 2,048 bytes long without being refused [U25]', () => {
    expect(why(`https://example.com/${'a'.repeat(2_028)}`)).toBe('')
  })
})

describe('a disguised host', () => {
  const disguised = [
    'https://exam\u00adple.com/',
    'https://exam\u200bple.com/',
    'https://ｅｘａｍｐｌｅ.com/',
    'https://example。com/',
    'https://ex%61mple.com/',
    'https://example.com\t/',
    'https://exam\nple.com/',
  ]
  it('is refused with a sentence [U03 U12]', () => {
    for (const url of disguised) expect(why(url), url).not.toBe('')
  })
  it('is refused as another spelling of loopback even where loopback is allowed [U04 U05]', () => {
    const spelled = ['0x7f.1', '0177.0.0.1', '2130706433', '127.1', '%3127.0.0.1', '１27.0.0.1']
    for (const host of [...spelled, 'loc\u00adalhost', '[::ffff:127.0.0.1]', '[0:0::1]']) {
      expect(why(`http://${host}:9/`, open), host).not.toBe('')
    }
  })
})

describe("the platform's own addresses", () => {
  const own = { ports: new Set([8787]), has: (address: string) => address === '93.184.216.34' }
  it('our own port on loopback is refused under any name, and other ports stay allowed [U23]', () => {
    const policy = { allowLoopback: true, own }
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(checkUrl(`http://${host}:8787/v1/hooks/x`, policy)).toMatchObject({
        ok: false,
        error: 'the URL points back to this service',
      })
      expect(checkUrl(`http://${host}:8788/`, policy).ok).toBe(true)
    }
  })
  it('a public name that resolves to an address of this machine is refused [U23]', () => {
    const policy = { allowLoopback: false, own }
    expect(mayConnect('example.com', '93.184.216.34', policy)).toBe(false)
    expect(mayConnect('example.com', '93.184.216.35', policy)).toBe(true)
  })
})

describe('the classification of addresses', () => {
  it('every private, special, and documentation range is refused [U07 U08 U10]', () => {
    const addresses = [
      ...['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '198.18.0.1'],
      ...['192.0.2.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '0.0.0.0', '127.9.9.9'],
      ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
      ...['fc00::1', 'fd00:ec2::254', 'fe80::1', '3fff::1', '5f00::1', '::', '::1', 'ff02::1'],
      ...['::ffff:10.0.0.1', '::127.0.0.1', '64:ff9b::a9fe:a9fe', '2002:7f00:1::', '2001:db8::1'],
      ...['fec0::1', '4000::1', 'not an address', ''],
    ]
    for (const address of addresses) expect(isPublicAddress(address), address).toBe(false)
  })
  it('ordinary addresses of both families are public', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1']) {
      expect(isPublicAddress(address), address).toBe(true)
    }
  })
  it('a loopback name may resolve only to loopback', () => {
    expect(mayConnect('localhost', '127.0.0.1', open)).toBe(true)
    expect(mayConnect('localhost', '1.1.1.1', open)).toBe(false)
    expect(mayConnect('example.com', '127.0.0.1', open)).toBe(false)
  })
})
