import { describe, expect, it } from 'vitest'
import { isDenied } from '../../../src/core/policy.ts'
import { hasUnseen, nameKey } from '../../../src/lib/name.ts'
import { putFiles } from '../../support/drive.ts'
import { testApi } from '../../support/http.ts'

const UNSEEN = [
  '\u200b',
  '\u200d',
  '\u00ad',
  '\u2060',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\ufe0f',
  '\u{e0041}',
  '\u3164',
  '\u0007',
]

describe('confusable names', () => {
  it('that look identical have one key [M26 T21]', () => {
    for (const other of ['Deploy', 'ｄｅｐｌｏｙ', ...UNSEEN.map((char) => `de${char}ploy`)]) {
      expect(nameKey(other), JSON.stringify(other)).toBe('deploy')
      expect(isDenied(['deploy'], other), JSON.stringify(other)).toBe(true)
    }
    expect(nameKey('E\u0301')).toBe(nameKey('é'))
    for (const other of ['deplov', 'deploy-', 'dep loy']) expect(nameKey(other)).not.toBe('deploy')
    for (const char of UNSEEN) expect(hasUnseen(`a${char}b`), JSON.stringify(char)).toBe(true)
    for (const seen of ['deploy', 'déployer', '部署', 'a b']) expect(hasUnseen(seen)).toBe(false)
  })

  it('422 for an agent or skill name with an invisible character [M26]', async () => {
    const api = await testApi()
    const put = (kind: 'agent' | 'skill', name: string) => {
      const text = `---\nname: "${name}"\ndescription: d\n---\nBody.\n`
      return api.call('PUT', `/v1/${kind}s/deploy`, { json: { [`${kind}_md`]: text } })
    }
    for (const kind of ['agent', 'skill'] as const) {
      for (const char of UNSEEN.map((one) => (one === '\u0007' ? '\\a' : one))) {
        const { status, text } = await put(kind, `de${char}ploy`)
        expect([status, text], `${kind} ${JSON.stringify(char)}`).toEqual([
          422,
          expect.stringContaining('hidden_characters'),
        ])
      }
      expect((await put(kind, 'deploy')).status, kind).toBe(201)
    }
  })

  it('an agent in a later layer overrides one with a name that looks the same [K15 M26]', async () => {
    const api = await testApi()
    const agent = (name: string) => `---\nname: x\ndescription: of ${name}\n---\nBody.\n`
    await putFiles(api.world, {
      'base/.agents/agents/Tester.md': agent('base').replace('name: x', 'name: Te ster'),
      'repos/a/.agents/agents/tester.md': agent('repo').replace('name: x', 'name: tester'),
    })
    const { body } = await api.call('POST', '/v1/resolve', { json: { repo_dir: 'repos/a' } })
    const found = body.agents.filter(({ id }: { id: string }) => /^tester$/i.test(id))
    expect(found).toMatchObject([{ id: 'tester', description: 'of repo' }])
  })
})
