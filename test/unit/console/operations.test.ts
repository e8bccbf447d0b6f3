/**
 * Every operation of openapi.yaml is on a page of the console or in its palette, or on the list of
 * operations for other programs, with the reason.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLIENT_CALLS } from '../../../src/http/docs/client-calls.ts'

/** Reasons why operations are not on a page. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  'Programs of other protocols use it': [
    ...['callMcp', 'createChatCompletion', 'createResponse', 'getResponse', 'deleteResponse'],
    ...['listResponseInputItems', 'cancelResponse', 'getPublicAgentCard', 'listAgentCards'],
    ...['getAgentCard', 'callAgent', 'runAgUi'],
  ],
  'Monitoring reads it': ['getMetrics'],
  'Programs that start work use it; the console shows the result': [
    ...['createFanout', 'addFanoutTasks', 'answerFunctionCall', 'receiveHook'],
  ],
  'The chat creates sessions with their first run': ['createSession'],
  'It makes credentials for programs in browsers': ['createToken'],
  'It is the address of a link, which has a page of its own': [
    ...['showAccessLink', 'decideByAccessLink', 'finishAuthorization', 'downloadFile'],
  ],
  'The list of models already has its answer': ['getModel'],
  'The comparison of versions already has its texts': [
    ...['getAgentVersion', 'getSkillVersion', 'getMcpServerVersion'],
  ],
  'The form of a schedule changes members, and replaces none': ['putSchedule'],
  'The page of layers changes the file itself': [
    ...['updateAgent', 'putMcpServer', 'deleteMcpServer', 'deleteSkill'],
  ],
  'Browser sessions may not use it': ['createSignInLink'],
  'The list of secrets already has its answer': ['getSecret'],
  'The command line encrypts data again, after the operator has changed keys': ['resealSecrets'],
  'The list of runs cancels the selected runs': ['cancelRuns'],
  'The command line sends large files': ['importTenant'],
}

const operations = [
  ...readFileSync('openapi.yaml', 'utf8')
    // Events of webhooks are requests to other servers.
    .split(/^webhooks:$/m)[0]!
    .matchAll(/operationId: (\w+)/g),
].map(([, id = '']) => id)

const files = readdirSync('src/console', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(`src/console/${file}`, 'utf8'))

const isForeign = (id: string): boolean => Object.values(FOREIGN).some((ids) => ids.includes(id))

/** Whether the console calls an operation, or links to its path. */
function isOnPage(id: string): boolean {
  const path = LINKS[id]
  if (path !== undefined) return files.some((code) => code.includes(path))
  const [group = '', method = ''] = CLIENT_CALLS[id]?.split('.') ?? []
  if (method === '') return false
  const direct = new RegExp(`\\bapi\\s*\\.\\s*${group}\\s*\\.\\s*${method}\\b`)
  // A table of groups, such as `{ agent: api.agents, skill: api.skills }`.
  const inTable = new RegExp(`\\bapi\\.${group}\\b(?!\\s*\\.)`)
  const called = new RegExp(`\\.${method}\\(`)
  return files.some((code) => direct.test(code) || (inTable.test(code) && called.test(code)))
}

/** Operations that links of the console open, with a part of their paths. */
const LINKS: Readonly<Record<string, string>> = {
  exportAudit: '/v1/audit/export',
  exportSession: '/export?',
  exportTenant: '/v1/tenants/$',
  getPolicy: 'api.policy.getVersion(',
  getSchedule: 'api.schedules.getWithEtag(',
}

it('each operation is on a page, or has a reason why it is not', () => {
  expect(operations.length).toBeGreaterThan(150)
  const missing = operations.filter((id) => !isForeign(id) && !isOnPage(id))
  expect(missing).toEqual([])
})

it('each operation with a reason exists and is on no page', () => {
  const listed = Object.values(FOREIGN).flat()
  expect(listed.filter((id) => !operations.includes(id))).toEqual([])
  expect(listed.filter((id) => isOnPage(id))).toEqual([])
})
