/** Requirements of skills against what the deployment and its machine have. */

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SkillEntry } from '../../src/core/config/types.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, putFile, runToEnd } from '../support/node-client.ts'
import { eventually } from '../support/patience.ts'
import { temporaryFolder } from '../support/server.ts'

const put = (api: NodeApi, name: string, metadata: object) =>
  putFile(
    api,
    `base/.agents/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: does ${name}\nmetadata: ${JSON.stringify(metadata)}\n---\nThe words of ${name}.\n`,
  )
/** Each skill of the deployment: null where it is available, else why not. */
const reasons = async (api: NodeApi): Promise<Record<string, string | null>> => {
  const { skills } = (await ask(api, 'POST', '/v1/resolve', {})).body
  return Object.fromEntries(
    skills.map(({ id, available, reason }: SkillEntry) => {
      expect(available).toBe(reason === null)
      return [id, reason]
    }),
  )
}
/** What the tool says to a model that asks for the skill. */
const used = async (api: NodeApi, name: string): Promise<string> => {
  const input = `@call skill {"name":"${name}"}\n@say {last}`
  return (await runToEnd(api, { input })).output.text
}
/** Whether the last request to the model speaks of `has`, and of `lacks`, before any call of its. */
const offered = ({ model }: NodeApi): boolean[] => {
  const tools = JSON.stringify(model.requests.at(-1)?.body.tools)
  return ['does has', 'does lacks'].map((words) => tools.includes(words))
}

describe('configuration keys', () => {
  it('that are true open the skill, and false or missing ones do not [MC-36]', async () => {
    const api = await startNodeApi({ STRATA_SKILL_CONFIG: 'browser.enabled=true, x=false' })
    const needs = (...config: string[]) => ({ openclaw: { requires: { config } } })
    await put(api, 'passes', needs('browser.enabled'))
    await put(api, 'false', needs('x'))
    await put(api, 'missing', needs('y'))
    await put(api, 'half', needs('browser.enabled', 'x'))
    expect(await reasons(api)).toEqual({
      passes: null,
      false: 'requires the configuration x',
      missing: 'requires the configuration y',
      half: 'requires the configuration x',
    })
    expect(await used(api, 'passes')).toContain('The words of passes.')
    expect(await used(api, 'false')).toContain('requires the configuration x')
  })
})

describe('a skill with machine requirements', () => {
  const machine = async () => {
    const path = await temporaryFolder()
    const program = (name: string) => {
      writeFileSync(join(path, name), '#!/bin/sh\n')
      chmodSync(join(path, name), 0o755)
    }
    program('real')
    symlinkSync(join(path, 'real'), join(path, 'linked'))
    writeFileSync(join(path, 'data'), 'no program')
    mkdirSync(join(path, 'folder'))
    return { path, program }
  }

  it('is unavailable without its program, listed with the reason, and offered to no model [MC-35 SKO-09 SKO-17]', async () => {
    const { path, program } = await machine()
    const api = await startNodeApi({ PATH: `/no/such:${path}` })
    const needs = (...bins: string[]) => ({ openclaw: { requires: { bins } } })
    await put(api, 'has', needs('real', 'linked'))
    await put(api, 'lacks', needs('real', 'later'))
    await put(api, 'no-program', needs('data'))
    await put(api, 'a-folder', needs('folder'))
    await put(api, 'any', { requires: { anyBins: ['later', 'linked'] } })
    expect(await reasons(api)).toEqual({
      has: null,
      lacks: 'requires the program later',
      'no-program': 'requires the program data',
      'a-folder': 'requires the program folder',
      any: null,
    })
    expect(await used(api, 'lacks')).toContain('requires the program later')
    expect(offered(api)).toEqual([true, false])
    // Installed meanwhile: no file of the tenant has changed.
    program('later')
    // A look at the path is remembered for some seconds.
    await eventually(async () => expect((await reasons(api)).lacks).toBeNull())
    expect(await used(api, 'lacks')).toContain('The words of lacks.')
  })

  it('is available for no required system or the current one, but not for another [MC-37]', async () => {
    const api = await startNodeApi()
    const other = process.platform === 'darwin' ? 'linux' : 'darwin'
    await put(api, 'everywhere', { openclaw: { os: [] } })
    await put(api, 'here', { openclaw: { os: [process.platform] } })
    await put(api, 'elsewhere', { openclaw: { os: [other] } })
    expect(await reasons(api)).toEqual({
      everywhere: null,
      here: null,
      elsewhere: `requires the operating system ${other}`,
    })
  })
})

describe('skill invocation', () => {
  const put = (api: NodeApi, name: string, head: string) =>
    putFile(
      api,
      `base/.agents/skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: does ${name}\n${head}\n---\nThe words of ${name}.\n`,
    )
  const byName = async (api: NodeApi, name: string) =>
    ask(api, 'POST', '/v1/runs', { input: `/${name} now` })

  it('by a model is refused with the reason under disable-model-invocation; a person uses /name', async () => {
    const api = await startNodeApi({})
    await put(api, 'has', 'license: MIT')
    await put(api, 'lacks', 'disable-model-invocation: true')
    expect(await used(api, 'has')).toContain('The words of has.')
    expect(await used(api, 'lacks')).toMatch(/is unavailable: only a user can open it/)
    expect(offered(api)).toEqual([true, false])
    await runToEnd(api, { input: '/lacks now' })
    const said = JSON.stringify(api.model.requests.at(-1)?.body.messages)
    expect(said).toContain('The words of lacks.')
    expect(said).toMatch(/Arguments:(?:\\n)+now/)
  })

  it('through the task of a subagent is also refused under disable-model-invocation', async () => {
    const api = await startNodeApi({})
    await put(api, 'lacks', 'disable-model-invocation: true')
    const input = '@call sessions_spawn {"task":"/lacks now"}\n@await\n@say over'
    await runToEnd(api, { input })
    const said = JSON.stringify(api.model.requests.map(({ body }) => body.messages))
    expect(said).not.toContain('The words of lacks.')
    expect(said).toContain('/lacks now')
  })

  it('by /name is refused with the reason under user-invocable: false; the model opens the skill', async () => {
    const api = await startNodeApi({})
    await put(api, 'has', 'user-invocable: false')
    expect(await used(api, 'has')).toContain('The words of has.')
    const { status, body } = await byName(api, 'has')
    expect([status, body.code]).toEqual([422, 'skill_unavailable'])
    expect(body.detail).toContain('only the model can open it (user-invocable: false)')
    await put(api, 'nobody', 'user-invocable: false\ndisable-model-invocation: true')
    expect(await used(api, 'nobody')).toContain('only a user can open it')
    expect((await byName(api, 'nobody')).status).toBe(422)
  })
})
