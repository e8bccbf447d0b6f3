import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFiles } from '../../../../src/hosts/node/files.ts'
import { testApi } from '../../../support/api.ts'
import { TENANT } from '../../../support/drive.ts'
import { agent, skill } from '../../../support/layers.ts'

/** So long that what management adds to it is no key any more. */
const LONG = `${Array(4).fill('l'.repeat(122)).join('/')}/`
const DEEP = `${Array(14).fill('d').join('/')}/`

describe('the shared rules for files', () => {
  for (const layer of [LONG, DEEP]) {
    it(`every route refuses a key that is too ${layer === LONG ? 'long' : 'deep'} with 400`, async () => {
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

  it('a switch that cannot be written is a 409, and nothing reports the skill as off', async () => {
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

  it('200 a file larger than the upload limit can be moved and restored', async () => {
    const api = await testApi()
    const large = 'x'.repeat(2_000_000)
    await api.write({
      'base/.goclaw/skills/deploy/SKILL.md': skill('Deploy.', 'deploy'),
      'base/.goclaw/skills/deploy/model.bin': large,
    })
    const asset = 'base/.agents/skills/deploy/model.bin'
    expect((await api.call('POST /v1/layers/migrate', { dry_run: false })).status).toBe(200)
    expect(await api.read(asset)).toBe(large)
    expect((await api.call('DELETE /v1/skills/deploy')).status).toBe(200)
    expect(await api.read(asset)).toBeUndefined()
    const versions = (await api.call('GET /v1/skills/deploy/versions')).body.data
    const { version } = versions.find(({ files }: { files: unknown[] }) => files.length === 2)
    const restored = await api.call('POST /v1/skills/deploy/rollback', { version })
    expect([restored.status, await api.read(asset)]).toEqual([200, large])
  })

  it('200 a skill created by other means is switched off in its own folder, whatever its name', async () => {
    const api = await testApi()
    for (const folder of ['c#', 'd'.repeat(140)]) {
      await api.write({ [`base/.agents/skills/${folder}/SKILL.md`]: skill('Help.', folder) })
      const path = `PATCH /v1/skills/${encodeURIComponent(folder)}`
      const { status, body } = await api.call(path, { enabled: false })
      expect([folder, status, body.skill?.enabled]).toEqual([folder, 200, false])
      expect(await api.read(`base/.agents/skills/${folder}/.disabled`)).toBe('')
    }
  })

  it('200 an agent is changed likewise, and so is a server in a layer too deep for a new file', async () => {
    const api = await testApi()
    const deep = `${Array(15).fill('d').join('/')}/`
    await api.write({
      'base/.agents/agents/c#.md': agent('Review.', 'c#'),
      [`${deep}.agents/config.toml`]: '[mcp_servers.a]\nurl = "https://a.example/mcp"\n',
    })
    const changed = await api.call('PATCH /v1/agents/c%23', { description: 'Reviews code.' })
    const server = await api.call(`PATCH /v1/mcp-servers/a?layer=${deep}`, { enabled: false })
    expect([changed.status, server.status]).toEqual([200, 200])
    expect(await api.read('base/.agents/agents/c#.md')).toContain('Reviews code.')
    expect(await api.read(`${deep}.agents/config.toml`)).toContain('enabled = false')
  })
})
