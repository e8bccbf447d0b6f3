/** STRATA_PROVIDERS: what it names, and the sentence about what it names wrongly. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { nodeOptions } from '../../../../src/hosts/node/options.ts'
import { cleanup } from '../../../support/cleanup.ts'

const groq = { kind: 'openai-compatible', base_url: 'https://api.groq.com/openai/v1' }
const config = (file: object, env: Record<string, string> = {}, home = {}) =>
  modelConfigFromEnv({ ...env, STRATA_PROVIDERS: JSON.stringify(file) }, home)
const find = (file: object, reference?: string, env: Record<string, string> = {}) => {
  const found = createModel(config(file, env)).find(reference)
  return found.ok ? found.value : found.error.message
}

describe('STRATA_PROVIDERS', () => {
  it('configures any number of providers, whose keys may be names of variables', () => {
    const providers = {
      groq: { ...groq, key_env: 'GROQ', headers: { 'x-a': { env: 'TEAM' }, 'x-b': 'plain' } },
      google: { kind: 'google', key: 'g' },
    }
    const env = { GROQ: 'gsk', TEAM: 'red', ANTHROPIC_API_KEY: 'a' }
    expect(config({ providers }, env).providers).toMatchObject({
      groq: { key: 'gsk', headers: { 'x-a': 'red', 'x-b': 'plain' } },
      google: { key: 'g' },
      anthropic: { key: 'a' },
    })
    expect(find({ providers }, 'groq/llama', env)).toMatchObject({ id: 'groq/llama' })
    expect(find({ providers }, 'gemini-2.5-pro', env)).toMatchObject({
      id: 'google/gemini-2.5-pro',
      window: 1_048_576,
      input: ['text', 'image', 'pdf', 'audio'],
    })
  })

  it('an alias lists models tried in order, with separate settings', () => {
    const file = {
      providers: {
        groq: { ...groq, key: 'k' },
        local: { ...groq, base_url: 'http://10.0.0.7/v1' },
      },
      aliases: {
        fast: { models: ['groq/a', 'gone/x', 'local/b', 'groq/a'], settings: { temperature: 0 } },
        faster: ['fast'],
      },
      models: {
        'local/b': { window: 8_000, price: { input_per_million: 0, output_per_million: 0 } },
      },
      default: 'fast',
    }
    const chain = {
      id: 'groq/a',
      settings: { temperature: 0 },
      fallbacks: [{ id: 'local/b', window: 8_000 }],
    }
    expect(find(file)).toMatchObject(chain)
    expect(find(file, 'faster')).toMatchObject(chain)
    expect(find(file, 'groq/a')).not.toHaveProperty('fallbacks')
    expect(find(file, undefined, { STRATA_MODEL: 'local/b' })).toMatchObject({ id: 'local/b' })
  })

  it("the deployment's short names select one model and never change to another vendor's", () => {
    const env = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }
    expect(find({}, 'sonnet', env)).not.toHaveProperty('fallbacks')
  })

  it('a provider in the file overrides the variable of the same name', () => {
    const providers = { openai: { ...groq, key: 'file' } }
    expect(config({ providers }, { OPENAI_API_KEY: 'variable' }).providers.openai).toMatchObject({
      ...{ kind: 'openai-compatible', key: 'file' },
    })
  })

  it('the example of the repository is valid', () => {
    const text = readFileSync('examples/providers.json', 'utf8')
    const named = [...text.matchAll(/_env": "(\w+)"|"env": "(\w+)"/g)].map(([, a, b]) => a ?? b)
    const account = { client_email: 'a@b', private_key: '-----BEGIN PRIVATE KEY-----' }
    const env = Object.fromEntries(
      named.map((name) => [
        name,
        name === 'GOOGLE_SERVICE_ACCOUNT' ? JSON.stringify(account) : 'k',
      ]),
    )
    const read = modelConfigFromEnv({ ...env, STRATA_PROVIDERS: text }, { role: true })
    const found = createModel(read).find(undefined)
    expect(found).toMatchObject({ ok: true, value: { id: 'anthropic/claude-sonnet-5-5' } })
  })

  const SECRET = 'a-key-that-nobody-may-see'
  it.each([
    ['JSON', `{"providers": ${SECRET}`, /^STRATA_PROVIDERS must be valid JSON\.$/],
    [
      'a path, off Node',
      '/etc/providers.toml',
      /only Node supports the path of a \.json or \.toml file/,
    ],
    [
      'an unknown kind',
      { providers: { a: { kind: 'grok', key: SECRET } } },
      /providers\.a\.kind: must be one of openai, anthropic/,
    ],
    [
      'an unknown member',
      { providers: { a: { kind: 'openai', key: SECRET, sekret: SECRET } } },
      /providers\.a: .*sekret/,
    ],
    ['no key', { providers: { a: { kind: 'google' } } }, /providers\.a\.key is missing/],
    [
      'a variable that is not set',
      { providers: { a: { kind: 'openai', key_env: 'NOT_THERE' } } },
      /providers\.a\.key_env names the variable NOT_THERE, which is not set/,
    ],
    [
      'a key twice',
      { providers: { a: { kind: 'openai', key: SECRET, key_env: 'X' } } },
      /providers\.a\.key_env cannot be combined with key/,
    ],
    ['no address', { providers: { a: { kind: 'openai-compatible' } } }, /a\.base_url is missing/],
    [
      'an address with a password',
      { providers: { a: { kind: 'openai', key: 'k', base_url: `https://u:${SECRET}@x.example` } } },
      /providers\.a\.base_url: contains a user name or password/,
    ],
    [
      'no role',
      { providers: { a: { kind: 'amazon-bedrock', region: 'eu-central-1' } } },
      /a\.access_key_id is missing/,
    ],
    [
      'half a pair',
      { providers: { a: { kind: 'amazon-bedrock', region: 'x', secret_access_key: SECRET } } },
      /a\.access_key_id and `secret_access_key` must be set together/,
    ],
    [
      'a service account that is none',
      {
        providers: { a: { kind: 'vertex', project: 'p', location: 'l', service_account: SECRET } },
      },
      /a\.service_account must be the JSON key of a service account/,
    ],
    [
      'no binding',
      { providers: { a: { kind: 'workers-ai' } } },
      /a\.account_id is missing; it is required without the AI binding/,
    ],
    [
      'a setting out of bounds',
      { aliases: { fast: { models: ['a/b'], settings: { temperature: 9 } } } },
      /aliases\.fast\.settings\.temperature/,
    ],
    ['a window of nothing', { models: { 'a/b': { window: 1 } } }, /models\.a\/b\.window/],
  ])('%s is one sentence that names the position and shows no value', (_, file, sentence) => {
    const text = typeof file === 'string' ? file : JSON.stringify(file)
    const read = () => modelConfigFromEnv({ STRATA_PROVIDERS: text })
    expect(read).toThrow(sentence)
    expect(read).not.toThrow(new RegExp(SECRET))
    expect(read).toThrow(/^STRATA_PROVIDERS.*\.$/)
  })

  it('may be a JSON or TOML file on Node; a broken one is named by its path', () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-providers-'))
    cleanup.push(async () => rmSync(folder, { recursive: true }))
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return { STRATA_PROVIDERS: join(folder, name) }
    }
    const toml = write(
      'p.toml',
      '[providers.groq]\nkind = "openai-compatible"\nbase_url = "https://x.example"\nkey_env = "G"\n',
    )
    expect(nodeOptions({ ...toml, G: 'gsk' }).model.providers.groq).toMatchObject({ key: 'gsk' })
    const json = write('p.json', JSON.stringify({ default: 'a/b' }))
    expect(nodeOptions(json).model.default).toBe('a/b')
    expect(() => nodeOptions(write('q.toml', `a = ${SECRET}`))).toThrow(/q\.toml is not valid TOML/)
    expect(() => nodeOptions(write('q.toml', `a = ${SECRET}`))).not.toThrow(new RegExp(SECRET))
    expect(() => nodeOptions({ STRATA_PROVIDERS: join(folder, 'no.json') })).toThrow(
      /no\.json cannot be read/,
    )
  })
})
