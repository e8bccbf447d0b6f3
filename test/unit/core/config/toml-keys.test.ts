import { describe, expect, it } from 'vitest'
import { parseToml } from '../../../../src/core/config/toml/parse.ts'

const NAMES = Object.getOwnPropertyNames(Object.prototype)
const members = (of: object) => Object.getOwnPropertyNames(of).sort().join()
const builtins = () =>
  [
    Object.prototype,
    Object,
    Function.prototype,
    ...NAMES.map((name) => Object.prototype[name as 'valueOf']),
  ]
    .filter((one) => one !== null && one !== undefined)
    .map((one) => members(one as object))
    .join('\n')

describe('keys that every object inherits', () => {
  const escaped = (name: string): string =>
    [...name].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const texts = (name: string): string[] => [
    `[mcp_servers.${name}]\ncall = "x"\nurl = "y"\n`,
    `[mcp_servers."${name}"]\ncall = "x"\nurl = "y"\n`,
    `[mcp_servers."${escaped(name)}"]\ncall = "x"\nurl = "y"\n`,
    `[mcp_servers]\n${name}.call = "x"\n${name}.url = "y"\n`,
    `mcp_servers = { ${name} = { call = "x", url = "y" } }\n`,
    `[[list]]\nx = [{ ${name} = { call = "x", url = "y" } }]\n`,
  ]

  it.each(NAMES)(
    '%s is plain data in every form, and changes nothing built in [K23 M11]',
    (name) => {
      const before = builtins()
      for (const text of texts(name)) {
        const parsed = parseToml(text)
        expect([text, parsed.ok]).toEqual([text, true])
        const found = JSON.stringify(parsed.ok ? parsed.value : null)
        expect(found).toContain(`"${name}":{"call":"x","url":"y"}`)
      }
      expect(builtins()).toBe(before)
      expect(parseToml('[mcp_servers.good]\nurl = "z"\n').ok).toBe(true)
    },
  )

  it('a broken text with such a key is an error with its line', () => {
    const parsed = parseToml('[mcp_servers.constructor]\nurl = ]\n')
    expect(parsed).toMatchObject({ ok: false, found: { code: 'toml_invalid', line: 2 } })
  })
})
