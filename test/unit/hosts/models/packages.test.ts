/** Providers of models whose package is optional and not installed. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { lackedPackage } from '../../../../src/hosts/models/packages.ts'
import type { ProviderKind } from '../../../../src/hosts/models/providers.ts'
import { isInstalled } from '../../../../src/hosts/node/packages.ts'
import { testApi } from '../../../support/http.ts'
import { scriptModel } from '../../../support/script.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const BOTH = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }
const KINDS: readonly ProviderKind[] = [
  ...(['openai', 'anthropic', 'google', 'vertex', 'azure', 'amazon-bedrock'] as const),
  ...(['workers-ai', 'openai-compatible'] as const),
]
const modelWith = (...installed: string[]) =>
  createModel(modelConfigFromEnv(BOTH, { isInstalled: (name) => installed.includes(name) }))

describe('a model whose package is not installed', () => {
  it('is refused with the command that installs it', () => {
    const found = modelWith().find('anthropic/claude-x')
    expect(found).toMatchObject({ ok: false })
    expect(found.ok ? '' : found.error.message).toMatch(
      /^The model "anthropic\/claude-x" requires the package @ai-sdk\/anthropic; run `npm install @ai-sdk\/anthropic@\d+\.\d+\.\d+` and restart the server\.$/,
    )
    expect(modelWith('@ai-sdk/anthropic').find('anthropic/claude-x').ok).toBe(true)
  })

  it('is refused with 422 when a run is started', async () => {
    const api = await testApi({ model: { ...scriptModel(), find: modelWith().find } })
    const json = { input: '@say x', model: 'openai/gpt-x' }
    const { status, body } = await api.call('POST', '/v1/runs', { json })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain('npm install @ai-sdk/openai@')
  })

  it('leaves an alias to the models that are available', () => {
    const only = modelWith('@ai-sdk/openai')
    expect(only.find('sonnet')).toMatchObject({
      ok: true,
      value: { id: expect.stringMatching(/^openai/) },
    })
    expect(modelWith().find('sonnet')).toMatchObject({ ok: false })
  })

  it('is absent from every list', () => {
    const ids = (...installed: string[]) =>
      (modelWith(...installed).list?.().models ?? []).map(({ id }) => id)
    expect(ids('@ai-sdk/openai').filter((id) => id.startsWith('anthropic/'))).toEqual([])
    expect(ids('@ai-sdk/openai').length).toBeGreaterThan(0)
    expect(ids()).toEqual([])
    expect(modelWith('@ai-sdk/openai').list?.().warnings).toEqual([
      expect.stringMatching(
        /^The provider anthropic requires the package @ai-sdk\/anthropic; run `npm/,
      ),
    ])
  })
})

it('GET /v1/models names the command that installs a provider’s missing package', async () => {
  const { list } = modelWith('@ai-sdk/anthropic')
  const api = await testApi({ model: { ...scriptModel(), ...(list ? { list } : {}) } })
  const { status, body } = await api.call('GET', '/v1/models')
  expect(status).toBe(200)
  expect(body.warnings).toEqual([expect.stringContaining('npm install @ai-sdk/openai@')])
})

it('install commands name every package in its package.json version', () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  const named = KINDS.flatMap((kind) => {
    const lack = lackedPackage(kind, () => false)
    return lack === undefined ? [] : [/npm install (.*)@(.*?)`/.exec(lack)!.slice(1)]
  })
  expect(Object.fromEntries(named)).toEqual(peerDependencies)
  expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies))
  expect(devDependencies).toMatchObject(peerDependencies)
})

it('a package is resolved from the program’s location', () => {
  expect(isInstalled('@ai-sdk/openai')).toBe(true)
  expect(isInstalled('@ai-sdk/no-such-package')).toBe(false)
})
