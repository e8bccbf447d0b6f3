/** Server definitions without their secrets, which a caller can send again. */

import { describe, expect, it } from 'vitest'
import { withoutServerSecrets, withoutUserinfo } from '../../../src/core/redaction.ts'

const read = (servers: object) => withoutServerSecrets(servers, '/mcp_servers')

describe('servers without secrets', () => {
  it('keep a server with the name of a secret field, without the secrets of that server', () => {
    const names = ['env', 'headers', 'http_headers', 'approval']
    const secret = { env: { KEY: 'hush' }, http_headers: { 'X-Key': 'hush' } }
    const servers = names.map((name) => [name, { command: 'x', ...secret }])
    expect(read(Object.fromEntries(servers))).toEqual({
      value: Object.fromEntries(names.map((name) => [name, { command: 'x' }])),
      removed: names.flatMap((name) => [
        `/mcp_servers/${name}/env/KEY`,
        `/mcp_servers/${name}/http_headers/X-Key`,
      ]),
    })
  })

  it('keep the rules for tools with the name of a secret field, and their arguments', () => {
    const rules = { env: 'allow', headers: { ask: [{ env: '<= 1' }] }, approval: 'deny' }
    const servers = { desk: { url: 'https://desk.example', approval: rules } }
    expect(read(servers)).toEqual({ value: servers, removed: [] })
  })

  it('have no secret field within another field', () => {
    const removed = ['/mcp_servers/desk/oauth/headers/A']
    const desk = { oauth: { headers: { A: 'hush' }, scopes: ['read'] } }
    expect(read({ desk })).toEqual({ value: { desk: { oauth: { scopes: ['read'] } } }, removed })
  })

  it('have no user information in a URL, also inside a string', () => {
    const args = ['https://a:b@c@d.example/@x', '--db=pg://u:p@one,pg://u:p@two/x http://e/f@g']
    expect(read({ desk: { args } })).toEqual({
      value: { desk: { args: ['https://d.example/@x', '--db=pg://one,pg://two/x http://e/f@g'] } },
      removed: ['/mcp_servers/desk/args/0', '/mcp_servers/desk/args/1'],
    })
    expect(withoutUserinfo('https://a:b@c@d.example/@x')).toBe('https://[redacted]@d.example/@x')
  })

  it('are read in linear time', () => {
    const args = ['a'.repeat(250_000), '://'.repeat(80_000)]
    expect(read({ desk: { args } }).removed).toEqual([])
  })
})
