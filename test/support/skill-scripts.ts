/** A skill with scripts, and what a run that has opened it sees of it in a shell. */

import { expect } from 'vitest'
import { type NodeApi, startNodeApi } from './node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from './node-client.ts'

export const FOLDER = 'base/.agents/skills/fix'
export const FILES = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder as people write it
  'SKILL.md': '---\nname: fix\ndescription: d\n---\nRun ${CLAUDE_SKILL_DIR}/scripts/a.sh.\n',
  'scripts/a.sh': '#!/bin/bash\necho "ran $1 with $(cat "$CLAUDE_SKILL_DIR/data.txt")"\n',
  'scripts/plain.sh': 'echo plain\n',
  'scripts/p.py': '#!/usr/bin/env python3\nprint("from python")\n',
  'data.txt': 'its data',
}

export async function withSkill(env: Readonly<Record<string, string>> = {}): Promise<NodeApi> {
  const api = await startNodeApi(env)
  const { body, headers } = await ask(api, 'GET', '/v1/policy')
  const policy = { ...body, approvals: { ...body.approvals, shell_execute: 'allow' } }
  const condition = { 'if-match': headers.get('etag') ?? '' }
  expect((await ask(api, 'PUT', '/v1/policy', policy, condition)).status).toBe(200)
  for (const [path, text] of Object.entries(FILES)) await putFile(api, `${FOLDER}/${path}`, text)
  return api
}

export async function resultsOf(api: NodeApi, first: string, commands: readonly string[]) {
  const calls = commands.map((command) => `@call shell_execute ${JSON.stringify({ command })}`)
  const input = [first, ...calls.flatMap((call) => [call, '@then']), '@say x'].join('\n')
  const events = await eventsOf(api, (await runToEnd(api, { input })).id)
  const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data)
  return { results: of('tool.result'), activated: of('skill.activated') }
}
export const OPEN = '@call skill {"name":"fix"}\n@then'

/** In either shell. */
export async function seen(api: NodeApi): Promise<void> {
  const { results } = await resultsOf(api, OPEN, [
    `${FOLDER}/scripts/a.sh one`,
    'mkdir -p sub && cd sub && "$CLAUDE_SKILL_DIR/scripts/a.sh" two',
    'cd /work; cd base/.agents/skills && ls fix/scripts && bash fix/scripts/plain.sh',
    'cd /work; find . -name "plain.sh" -exec cat {} \\;',
    `echo changed > ${FOLDER}/data.txt`,
    `rm -rf ${FOLDER}; cat ${FOLDER}/data.txt`,
    `cd /work; ls -d sub; env | grep -c SKILL_DIR`,
  ])
  const [opened, one, two, listed, found, written, removed] = results.map(({ text }) => text)
  for (const path of ['scripts/a.sh', 'scripts/plain.sh', 'scripts/p.py', 'data.txt'])
    expect(opened).toContain(`\n- ${FOLDER}/${path}`)
  expect(opened).toContain(`Run ${FOLDER}/scripts/a.sh.`)
  expect(one).toContain('ran one with its data')
  expect(two).toContain('ran two with its data')
  expect(listed).toContain('plain.sh\nplain')
  expect(found).toContain('echo plain')
  expect(written).toMatch(/read-only file system/i)
  expect(removed).toContain('its data')
  expect(removed).not.toContain('removed')
  const { text } = await ask(api, 'GET', `/v1/files/${FOLDER}/data.txt`)
  expect(text).toBe('its data')
}
