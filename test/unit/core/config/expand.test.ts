import { describe, expect, it } from 'vitest'
import { expandServer, neededNames } from '../../../../src/core/config/server/expand.ts'
import { serverEntry } from '../../../support/everything.ts'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: references of the config file
const entry = serverEntry({
  args: ['--token', '${TOKEN}', '${MODE:-fast}'],
  env: { A: 'x-${TOKEN}-y', B: '$HOME and $(id)' },
  url: 'https://h.example/${TENANT:-all}/mcp',
  http_headers: { 'X-T': '${TOKEN}' },
})

describe('${NAME} in a server', () => {
  it('is a secret of the tenant, or its default [MCP-12]', () => {
    const expanded = expandServer(entry, new Map([['TOKEN', 'a$&b']]))
    expect(expanded).toMatchObject({
      ok: true,
      value: {
        args: ['--token', 'a$&b', 'fast'],
        env: { A: 'x-a$&b-y', B: '$HOME and $(id)' },
        url: 'https://h.example/all/mcp',
        http_headers: { 'X-T': 'a$&b' },
      },
    })
  })

  it('without a value or a default is an error with its name [MCP-12]', () => {
    expect(neededNames(entry)).toEqual(['TOKEN'])
    expect(expandServer(entry, new Map())).toEqual({ ok: false, error: 'TOKEN' })
  })
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: references of the config file
