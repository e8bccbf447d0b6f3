import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Machine } from '../../../../src/core/config/skill/gating.ts'
import { machineOf } from '../../../../src/hosts/node/machine.ts'
import { nodeOptions } from '../../../../src/hosts/node/options.ts'
import { putFiles } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'

const needs = (lines: string): string =>
  `---\nname: s\ndescription: d\nmetadata:\n  requires:\n    ${lines}\n---\nx`
const reasonOn = async (machine: Machine | undefined, head: string): Promise<string | null> => {
  const api = await testApi(machine ? { machine } : {})
  await putFiles(api.world, { 'base/.agents/skills/s/SKILL.md': head })
  return (await api.call('POST', '/v1/resolve', { json: {} })).body.skills[0].reason
}

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'strata-machine-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

describe('the machine of a Node server', () => {
  it('finds the programs on its path, as currently installed', async () => {
    const machine = machineOf({ PATH: dir }, new Map())
    expect(await reasonOn(machine, needs('bins: [tool-a]'))).toBe('requires the program tool-a')
    writeFileSync(join(dir, 'tool-a'), '#!/bin/sh\n')
    chmodSync(join(dir, 'tool-a'), 0o644)
    expect(machineOf({ PATH: dir }, new Map()).has('tool-a')).toBe(false)
    chmodSync(join(dir, 'tool-a'), 0o755)
    const after = machineOf({ PATH: dir }, new Map())
    expect(await reasonOn(after, needs('bins: [tool-a]'))).toBeNull()
    expect(after.has('./tool-a', dir)).toBe(true)
  })

  it('reports its operating system and the operator’s settings', async () => {
    const { skillConfig } = nodeOptions({
      STRATA_SKILL_CONFIG: 'browser.enabled, region=eu,off=false',
    })
    const machine = machineOf({ PATH: dir }, skillConfig)
    const other = '---\nname: s\ndescription: d\nmetadata:\n  os: [plan9]\n---\nx'
    expect(await reasonOn(machine, other)).toBe('requires the operating system plan9')
    expect(await reasonOn(machine, other.replace('plan9', process.platform))).toBeNull()
    expect(await reasonOn(machine, needs('config: [browser.enabled, region]'))).toBeNull()
    expect(await reasonOn(machine, needs('config: [off]'))).toBe('requires the configuration off')
    expect(() => nodeOptions({ STRATA_SKILL_CONFIG: '=x' })).toThrow('STRATA_SKILL_CONFIG')
  })

  it('a cloud has neither programs nor an operating system, and reports it', async () => {
    expect(await reasonOn(undefined, needs('bins: [git]'))).toBe('requires the program git')
    const linux = '---\nname: s\ndescription: d\nmetadata:\n  os: [linux]\n---\nx'
    expect(await reasonOn(undefined, linux)).toBe(
      'requires the operating system linux, and programs are not available here',
    )
    expect(await reasonOn(undefined, needs('config: [a]'))).toBe('requires the configuration a')
  })

  it('a server whose command does not exist is reported as such at once, until it exists', async () => {
    let there = false
    const machine: Machine = { os: 'linux', has: () => there, config: new Map() }
    const api = await testApi({ machine, settings: { allowStdioMcp: true } })
    await putFiles(api.world, {
      'base/.agents/config.toml': '[mcp_servers.a]\ncommand = "no-such"\n',
    })
    const unavailable = async () =>
      (await api.call('POST', '/v1/resolve', { json: {} })).body.unavailable
    expect(await unavailable()).toEqual([
      {
        name: 'a',
        code: 'command_not_found',
        message: 'program not found on this host: "no-such"',
      },
    ])
    const { body } = await api.call('POST', '/v1/runs', { json: { input: '@say x' } })
    await api.settle()
    const run = (await api.call('GET', `/v1/runs/${body.id}`)).body
    expect(run.warnings).toMatchObject([{ code: 'command_not_found' }])
    there = true
    expect(await unavailable()).toEqual([])
  })
})
