/**
 * Facts about models that no deployment needs to configure: context window, maximum output,
 * supported content, and list prices in US dollars. Each table states its source page and the date
 * of reading; an unpublished fact is absent and shown as null. `models` in STRATA_PROVIDERS
 * overrides these facts.
 */

import type { Price } from '../../core/policy.ts'
import type { Modality } from '../../ports/world.ts'
import type { ProviderKind } from './provider-schema.ts'

export interface ModelFacts {
  /** Size of the model's context window, in tokens. */
  readonly window?: number | undefined
  /** Maximum output of the model, in tokens. */
  readonly max_output?: number | undefined
  readonly input?: readonly Modality[] | undefined
  /** Price of the model in US dollars per million tokens. */
  readonly price?: Price | undefined
  /** Higher price above a threshold of input tokens. */
  readonly long?: { readonly above: number; readonly price: Price } | undefined
}

/** Facts about a model with their source page and the date of reading. */
export interface SourcedFacts extends ModelFacts {
  readonly source: string
  /** Date on which the source page was read, for example 2026-11-23. */
  readonly read: string
}

interface Page {
  readonly source: string
  readonly read: string
  readonly models: Readonly<Record<string, ModelFacts>>
}

/** Builds a price from prices of input, cached input, output, and, if separate, cache writes. */
const price = (input: number, cached: number, output: number, cacheWrite?: number): Price => ({
  input_per_million: input,
  output_per_million: output,
  cache_read_per_million: cached,
  ...(cacheWrite === undefined ? {} : { cache_write_per_million: cacheWrite }),
})

const SEES = ['text', 'image', 'pdf'] as const
const HEARS = ['text', 'image', 'pdf', 'audio'] as const
const MILLION = 1_000_000
const GEMINI = { window: 1_048_576, max_output: 65_536, input: HEARS } as const
const GPT = { window: 1_050_000, max_output: 128_000, input: SEES } as const
const CLAUDE = { window: MILLION, max_output: 128_000, input: SEES } as const

const OPUS_5 = { ...CLAUDE, price: price(5, 0.5, 25, 6.25) }

/*
 * models.dev keeps what the vendors' own pages say, each row with its page. Prices of Terra and
 * Luna are those since 2026-07-30 (docs.laozhang.ai/en/announcements/gpt-5-6-pricing-2026-07).
 */

const ANTHROPIC: readonly Page[] = [
  {
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    read: '2026-11-23',
    models: {
      'claude-fable-5-1': { ...CLAUDE, price: price(10, 0.25, 50, 12.5) },
      'claude-fable-5': { ...CLAUDE, price: price(10, 1, 50, 12.5) },
      'claude-opus-5-5': { ...CLAUDE, price: price(4, 0.2, 20, 5) },
      'claude-opus-5': OPUS_5,
      'claude-sonnet-5-5': { ...CLAUDE, price: price(2, 0.1, 10, 2.5) },
      'claude-sonnet-5': { ...CLAUDE, price: price(2, 0.2, 10, 2.5) },
      'claude-haiku-5-5': {
        ...CLAUDE,
        price: price(0.1, 0.01, 0.5, 0.125),
        long: { above: 100_000, price: price(0.5, 0.05, 2.5, 0.625) },
      },
      // Context windows of earlier models depend on beta headers and snapshots, so the smallest
      // window is used.
      'claude-opus-4-8': { window: 200_000, input: SEES, price: OPUS_5.price },
      'claude-opus-4-7': { window: 200_000, input: SEES, price: OPUS_5.price },
      'claude-opus-4-6': { window: 200_000, input: SEES, price: OPUS_5.price },
      'claude-opus-4-5': { window: 200_000, input: SEES, price: OPUS_5.price },
      'claude-opus-4-1': { window: 200_000, input: SEES, price: price(15, 1.5, 75, 18.75) },
      'claude-sonnet-4-6': { window: 200_000, input: SEES, price: price(3, 0.3, 15, 3.75) },
      'claude-sonnet-4-5': { window: 200_000, input: SEES, price: price(3, 0.3, 15, 3.75) },
      'claude-haiku-4-5': {
        ...{ window: 200_000, max_output: 64_000, input: SEES },
        price: price(1, 0.1, 5, 1.25),
      },
    },
  },
  {
    // The vendor has not published the prices of these models yet.
    source: 'https://runware.ai/docs/models/anthropic-claude-fable-5-2.md',
    read: '2026-11-23',
    models: { 'claude-fable-5-2': { ...CLAUDE, input: ['text', 'image'] } },
  },
]

const OPENAI: readonly Page[] = [
  {
    source: 'https://models.dev/?provider=openai',
    read: '2026-11-23',
    models: {
      'gpt-6-astra': {
        price: price(10, 1, 50, 12.5),
        long: { above: 272_000, price: price(20, 2, 75, 25) },
      },
      // Sources disagree about the price after the end of a promotion in November 2026.
      'gpt-5.6': GPT,
      'gpt-5.6-sol': GPT,
      'gpt-5.6-terra': {
        ...GPT,
        price: price(2, 0.2, 12),
        long: { above: 272_000, price: price(4, 0.4, 18) },
      },
      'gpt-5.6-luna': {
        ...GPT,
        price: price(0.2, 0.02, 1.2),
        long: { above: 272_000, price: price(0.4, 0.04, 1.8) },
      },
      'gpt-5.5': {
        ...GPT,
        price: price(5, 0.5, 30),
        long: { above: 272_000, price: price(10, 1, 45) },
      },
      'gpt-5.4': { ...GPT, window: 272_000, price: price(2.5, 0.25, 15) },
      'gpt-5.4-mini': {
        ...{ window: 400_000, max_output: 128_000, input: ['text', 'image'] },
        price: { input_per_million: 0.75, output_per_million: 4.5 },
      },
      'gpt-5': { window: 400_000, max_output: 128_000, input: ['text', 'image'] },
      'gpt-5-codex': {
        ...{ window: 400_000, max_output: 128_000, input: ['text', 'image'] },
        price: price(1.25, 0.125, 10),
      },
      'gpt-5-mini': { window: 400_000, max_output: 128_000 },
      'gpt-5-nano': { window: 400_000 },
      'gpt-5.1': { window: 400_000, max_output: 128_000 },
      'gpt-5.2': { window: 400_000, max_output: 128_000 },
      'gpt-4.1': { window: MILLION, price: { input_per_million: 2, output_per_million: 8 } },
      'gpt-4.1-mini': {
        ...{ window: MILLION, price: { input_per_million: 0.4, output_per_million: 1.6 } },
      },
    },
  },
]

const GOOGLE: readonly Page[] = [
  {
    source: 'https://models.dev/?provider=google',
    read: '2026-11-23',
    models: {
      // Introductory price; from 2027, the prices are 1.50, 0.15, and 7.50.
      'gemini-3.8-flash': { ...GEMINI, price: price(0.75, 0.075, 3.75) },
      'gemini-3.5-flash': { ...GEMINI, price: price(1.5, 0.15, 9) },
      'gemini-3.1-pro-preview': {
        ...GEMINI,
        price: price(2, 0.2, 12),
        long: { above: 200_000, price: price(4, 0.4, 18) },
      },
      'gemini-2.5-pro': {
        ...GEMINI,
        price: price(1.25, 0.125, 10),
        long: { above: 200_000, price: price(2.5, 0.25, 15) },
      },
      'gemini-2.5-flash': { ...GEMINI, price: price(0.3, 0.03, 2.5) },
    },
  },
]

/** Claude models under Amazon's names; prices differ by region and are set by the operator. */
const BEDROCK: readonly Page[] = [
  {
    source: 'https://platform.claude.com/docs/en/models/overview',
    read: '2026-11-23',
    models: {
      'anthropic.claude-fable-5-1': CLAUDE,
      'anthropic.claude-opus-5-5': CLAUDE,
      'anthropic.claude-sonnet-5-5': CLAUDE,
      'anthropic.claude-sonnet-5': CLAUDE,
      'anthropic.claude-haiku-4-5-20251001-v1:0': {
        ...{ window: 200_000, max_output: 64_000, input: SEES },
      },
    },
  },
]

/**
 * Source pages by kind of provider. `azure` uses deployment names; other kinds are absent because
 * only their servers know the models.
 */
const PAGES: Readonly<Partial<Record<ProviderKind, readonly Page[]>>> = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  google: GOOGLE,
  vertex: GOOGLE,
  'amazon-bedrock': BEDROCK,
}

const NO_PAGES: readonly Page[] = []

/** Strips snapshot suffixes (`-20251001`, `-2026-03-05`) and Bedrock's region prefixes. */
const familiar = (name: string): string =>
  name.replace(/^(us|eu|apac|global)\./, '').replace(/-\d{4}-?\d{2}-?\d{2}$/, '')

/** Returns the facts about a model; undefined if the model is unknown. */
export function factsOf(kind: ProviderKind, name: string): SourcedFacts | undefined {
  for (const { source, read, models } of PAGES[kind] ?? NO_PAGES) {
    for (const key of [name, familiar(name)]) {
      if (Object.hasOwn(models, key)) return { ...models[key], source, read }
    }
  }
  return undefined
}

/** Returns the names of all models in the table for a kind of provider. */
export const knownModels = (kind: ProviderKind): readonly string[] =>
  (PAGES[kind] ?? NO_PAGES).flatMap(({ models }) => Object.keys(models))
