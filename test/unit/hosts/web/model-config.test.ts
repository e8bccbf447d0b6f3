/** What a model reference means under an environment. */

import { describe, expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'

const find = (env: Record<string, string>, reference?: string) => {
  const found = createModel(modelConfigFromEnv(env)).find(reference)
  return found.ok ? found.value.id : found.error.message
}
const BOTH = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }
const SERVER = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', STRATA_MODEL: 'openai/qwen' }

describe('a model reference', () => {
  it('is refused without any key, with a sentence that names the variables', () => {
    expect(find({}, 'sonnet')).toMatch(/OPENAI_API_KEY or ANTHROPIC_API_KEY/)
    expect(find({ OPENAI_API_KEY: ' ' })).toMatch(/OPENAI_BASE_URL/)
  })
  it('that is missing resolves to the default', () => {
    expect(find({ ANTHROPIC_API_KEY: 'b' })).toMatch(/^anthropic\/claude-sonnet/)
    expect(find({ OPENAI_API_KEY: 'a' })).toMatch(/^openai\/gpt/)
    expect(find({ ...BOTH, STRATA_MODEL: 'openai/gpt-x' })).toBe('openai/gpt-x')
  })
  it('that is an alias resolves to its first configured model', () => {
    expect(find({ ANTHROPIC_API_KEY: 'b' }, 'opus')).toMatch(/^anthropic\/claude-opus/)
    expect(find({ OPENAI_API_KEY: 'a' }, 'opus')).toMatch(/^openai\//)
    const STRATA_MODEL_ALIASES = '{"fast":["groq/x","haiku"],"loop":"loop"}'
    expect(find({ ...BOTH, STRATA_MODEL_ALIASES }, 'fast')).toMatch(/^anthropic\/claude-haiku/)
    expect(find({ ...BOTH, STRATA_MODEL_ALIASES }, 'loop')).toMatch(/Model "loop"/)
  })
  it("with a custom server resolves aliases to the default and other names to the server's models", () => {
    expect(find({ ...SERVER, STRATA_MODEL: 'llama' }, 'sonnet')).toBe('openai/llama')
    expect(find(SERVER, 'meta-llama/Llama-3')).toBe('openai/meta-llama/Llama-3')
    expect(find(SERVER, 'openai/qwen')).toBe('openai/qwen')
  })
  it("in a vendor's native name resolves to the vendor or names the missing variable", () => {
    expect(find(BOTH, 'claude-opus-4-5')).toBe('anthropic/claude-opus-4-5')
    expect(find({ OPENAI_API_KEY: 'a' }, 'claude-opus-4-5')).toMatch(/requires ANTHROPIC_API_KEY/)
    expect(find({ OPENAI_API_KEY: 'a' }, 'anthropic/x')).toMatch(/requires ANTHROPIC_API_KEY/)
  })
  it('that is a role of agent files resolves to a model everywhere, and to a small one for summaries', () => {
    expect(find({ ANTHROPIC_API_KEY: 'b' }, 'Main')).toMatch(/^anthropic\/claude-sonnet/)
    expect(find({ ANTHROPIC_API_KEY: 'b' }, 'Compaction')).toMatch(/^anthropic\/claude-haiku/)
    expect(find({ OPENAI_API_KEY: 'a' }, 'Fallback')).toMatch(/^openai\/gpt/)
    expect(find({ ...SERVER, STRATA_MODEL: 'llama' }, 'Compaction')).toBe('openai/llama')
    const STRATA_MODEL_ALIASES = '{"Compaction":"opus"}'
    expect(find({ ...BOTH, STRATA_MODEL_ALIASES }, 'Compaction')).toMatch(/claude-opus/)
  })
  it('has the context window that the deployment declares, or else that of its family', () => {
    const windowOf = (more: Record<string, string>) => {
      const found = createModel(modelConfigFromEnv({ ...SERVER, ...more })).find('openai/qwen')
      return found.ok && found.value.window
    }
    expect(windowOf({})).toBe(128_000)
    expect(windowOf({ STRATA_MODEL_WINDOWS: '{"openai/qwen":32768}' })).toBe(32_768)
    for (const text of ['[1]', '{"openai/qwen":"big"}', '{"openai/qwen":1}']) {
      expect(() => windowOf({ STRATA_MODEL_WINDOWS: text })).toThrow(/STRATA_MODEL_WINDOWS/)
    }
  })
  it('uses the schema mode declared for a custom server, or else that of its vendor', () => {
    const schema = { type: 'object' }
    const means = (env: Record<string, string>) => {
      const model = createModel(modelConfigFromEnv(env))
      const found = model.find(undefined, schema)
      expect(model.find(undefined)).not.toHaveProperty('value.structured_output')
      return found.ok && found.value.structured_output
    }
    expect(means(SERVER)).toMatchObject({ native: false })
    const said = (STRATA_STRUCTURED_OUTPUTS: string) => ({ ...SERVER, STRATA_STRUCTURED_OUTPUTS })
    expect(means(said('without_tools'))).toMatchObject({ native: true, only: 'without_tools' })
    expect(means(said('with_tools'))).toEqual({ native: true })
    expect(means({ OPENAI_API_KEY: 'a' })).toEqual({ native: true })
    expect(() => means(said('yes'))).toThrow(/"without_tools" or "with_tools"/)
    const vendor = { OPENAI_API_KEY: 'a', STRATA_STRUCTURED_OUTPUTS: 'with_tools' }
    expect(() => means(vendor)).toThrow(/OPENAI_BASE_URL/)
  })
  it('that resolves to nothing is refused with the valid names', () => {
    expect(find(BOTH, 'nonsense')).toMatch(/use an alias \(.*sonnet.*\) or provider\/model/)
    expect(find(BOTH, '__proto__')).toMatch(/Model "__proto__" not found/)
    expect(find(BOTH, 'sonett')).toMatch(/ Did you mean "sonnet"\?$/)
  })
  it('with an unknown provider is refused with the providers and the nearest name', () => {
    expect(find(BOTH, 'foo/bar')).toBe(
      'Model "foo/bar" not found: unknown provider "foo"; the providers are anthropic, openai.',
    )
    expect(find(BOTH, 'antropic/claude-x')).toMatch(/ Did you mean "anthropic\/claude-x"\?$/)
    // A server that may know any name is no place for a misspelled provider.
    expect(find(SERVER, 'openia/qwen')).toMatch(/ Did you mean "openai\/qwen"\?$/)
  })
  it('needs a valid alias table: an invalid one stops the start', () => {
    expect(() => modelConfigFromEnv({ STRATA_MODEL_ALIASES: '[1]' })).toThrow(
      /STRATA_MODEL_ALIASES/,
    )
  })
})
