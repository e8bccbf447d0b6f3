/** Addresses of webhooks and servers that must be refused when they are written (U). */

import { type Case, json } from './kit.ts'

const REFUSED: readonly (readonly [string, string])[] = [
  ['U01', 'http://example.com'],
  ['U01', 'HTTP://example.com'],
  ['U03', 'http://127。0。0。1'],
  ['U03', 'https://①②⑦.⓪.⓪.①'],
  ['U03', 'https://①⑥⑨.②⑤④.①⑥⑨.②⑤④'],
  ['U04', 'https://0'],
  ['U04', 'https://0.0.0.0'],
  ['U04', 'https://[::]'],
  ['U05', 'https://[::1]'],
  ['U05', 'https://[::ffff:127.0.0.1]'],
  ['U05', 'https://[::ffff:a9fe:a9fe]'],
  ['U05', 'https://[::127.0.0.1]'],
  ['U07', 'https://169.254.169.254'],
  ['U07', 'https://0xA9FEA9FE'],
  ['U07', 'https://0251.0376.0251.0376'],
  ['U08', 'https://[fd00:ec2::254]'],
  ['U08', 'https://169.254.170.2'],
  ['U08', 'https://100.100.100.200'],
  ['U08', 'https://168.63.129.16'],
  ['U08', 'https://192.0.0.192'],
  ['U09', 'https://metadata.google.internal'],
  ['U09', 'https://localhost'],
  ['U09', 'https://localhost.'],
  ['U09', 'https://x.local'],
  ['U09', 'https://x.internal'],
  ['U09', 'https://x.home.arpa'],
  ['U10', 'https://10.0.0.1'],
  ['U10', 'https://172.16.0.1'],
  ['U10', 'https://192.168.1.1'],
  ['U10', 'https://100.64.0.1'],
  ['U10', 'https://198.18.0.1'],
  ['U10', 'https://192.0.2.1'],
  ['U10', 'https://224.0.0.1'],
  ['U10', 'https://240.0.0.1'],
  ['U10', 'https://[fc00::1]'],
  ['U10', 'https://[fe80::1]'],
  ['U10', 'https://[3fff::1]'],
  ['U10', 'https://[5f00::1]'],
  ['U11', 'https://good.com@127.0.0.1'],
  ['U11', 'https://user:pass@example.com'],
  ['U12', 'https://good.com\\@127.0.0.1'],
  ['U12', 'https:\\\\127.0.0.1'],
  ['U12', 'ht\ntps://example.com'],
  ['U12', 'https:169.254.169.254'],
  ['U21', 'https://example.com:22'],
  ['U21', 'https://example.com:25'],
  ['U21', 'https://example.com:6379'],
  ['U21', 'https://example.com:0'],
  ['U21', 'https://example.com:99999'],
  ['U22', 'file:///etc/passwd'],
  ['U22', 'data:text/plain,x'],
  ['U22', 'gopher://example.com'],
  ['U22', 'ftp://example.com'],
  ['U22', 'blob:https://example.com/x'],
  ['U22', 'javascript:alert(1)'],
  ['U22', 'ws://example.com'],
  ['U23', 'https://api.strata.example/v1/runs'],
  ['U23', 'https://API.strata.example./x'],
  ['U25', `https://example.com/${'a'.repeat(2_029)}`],
  ['U25', `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(70)}.com`],
  ['U25', 'https://example.com/#x'],
  ['U25', 'https://example.com/\u0000'],
]

/** A host of the deployment under test, which is refused as a receiver. */
export const OWN_HOST = 'api.strata.example'

/** A text that is too long is refused before it is taken for a URL. */
const codeFor = (url: string) => (url.length > 2_048 ? 'invalid_request' : 'blocked_url')

/** The first of each row: the rules of all addresses are the same. */
const FIRST = REFUSED.filter(([row], at) => REFUSED.findIndex(([first]) => first === row) === at)

export const URLS: readonly Case[] = [
  ...REFUSED.map(
    ([row, url]): Case => [
      row,
      `an endpoint at ${JSON.stringify(url.slice(0, 60))}`,
      ({ client }) => json(client, 'POST', '/v1/webhook-endpoints', { url }),
      422,
      codeFor(url),
    ],
  ),
  ...FIRST.map(
    ([row, url]): Case => [
      row,
      `a run's webhook at ${JSON.stringify(url.slice(0, 60))}`,
      ({ client }) => json(client, 'POST', '/v1/runs', { input: '@say x', webhook: { url } }),
      422,
      codeFor(url),
    ],
  ),
]
