import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFiles } from '../../src/hosts/node/files.ts'
import { testApi } from '../support/api.ts'
import { TENANT } from '../support/drive.ts'
import { agent, skill } from '../support/layers.ts'

/** So long that what management adds to it is no key any more. */
const LONG = `${Array(4).fill('l'.repeat(122)).join('/')}/`
const DEEP = `${Array(14).fill('d').join('/')}/`

describe('files have one set of rules, whoever writes them', () => {
  for (const layer of [LONG, DEEP]) {
    it(`a key that is too ${layer === LONG ? 'long' : 'deep'} is refused with 400 by every road`, async () => {
      const api = await testApi()
      const writes: readonly (readonly [string, object])[] = [
        ['PUT /v1/skills/deploy', { skill_md: skill('Deploy.', 'deploy') }],
        [`PUT /v1/agents/reviewer-of-code`, { agent_md: agent('Review.', 'reviewer-of-code') }],
      ]
      for (const [request, body] of writes) {
        const { status, body: problem } = await api.call(`${request}?layer=${layer}`, body)
        expect([request, status, problem.code]).toEqual([request, 400, 'invalid_key'])
      }
      const raw = `PUT /v1/files/${layer}.agents/skills/deploy/SKILL.md`
      expect((await api.call(raw, { any: 'body' })).body.code).toBe('invalid_key')
      expect((await api.world.objects.list(`${TENANT}/files/`)).objects).toEqual([])
    })
  }

  it('a switch that cannot be written is 409, and nothing says that the skill is off', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-switch-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const api = await testApi({ objects: openFiles(join(folder, 'objects')) })
    const made = await api.call('PUT /v1/skills/deploy', { skill_md: skill('one', 'deploy') })
    expect(made.status).toBe(201)
    const home = join(folder, 'objects', TENANT, 'files/base/.agents/skills/deploy/.disabled')
    mkdirSync(home)
    writeFileSync(join(home, 'x'), '')
    const refused = await api.call('PATCH /v1/skills/deploy', { enabled: false })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    const off = { skill_md: skill('two', 'deploy'), enabled: false }
    const written = await api.call('PUT /v1/skills/deploy', off)
    expect([written.status, written.body.code]).toEqual([409, 'conflict'])
    const { skill_md, enabled } = (await api.call('GET /v1/skills/deploy')).body
    expect([skill_md, enabled]).toEqual([skill('one', 'deploy'), true])
  })
})
