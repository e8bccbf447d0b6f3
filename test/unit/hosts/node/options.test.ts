/** What a Node deployment may set, and which combinations make no sense. */

import { describe, expect, it } from 'vitest'
import { nodeOptions } from '../../../../src/hosts/node/options.ts'

describe('where things are kept', () => {
  it('is this machine unless something else is said', () => {
    expect(nodeOptions({})).toMatchObject({ store: 'sqlite', objects: 'files', queue: 'memory' })
  })

  it('may be a cloud, whole or in part', () => {
    const cloud = { STORE: 'dynamodb', OBJECTS: 's3', QUEUE: 'sqs' }
    expect(nodeOptions(cloud)).toMatchObject({ store: 'dynamodb', objects: 's3', queue: 'sqs' })
    expect(nodeOptions({ OBJECTS: 'S3' })).toMatchObject({ store: 'sqlite', objects: 's3' })
  })

  it('is refused with a sentence where one process would name what others cannot reach', () => {
    expect(() => nodeOptions({ STORE: 'dynamodb' })).toThrow(/requires OBJECTS=s3/)
    expect(() => nodeOptions({ QUEUE: 'sqs' })).toThrow(/requires STORE=dynamodb/)
    expect(() => nodeOptions({ STORE: 'postgres' })).toThrow(/sqlite, dynamodb, not postgres/)
  })
})

it('lanes are as wide as a server bears unless something else is said', () => {
  const { main, subagent, background, resume } = nodeOptions({ LANE_BACKGROUND: '4' }).widths
  expect({ main, subagent, background, resume }).toEqual({
    main: 64,
    subagent: 128,
    background: 4,
    resume: 128,
  })
})

it('a number out of its bounds is named with them', () => {
  expect(() => nodeOptions({ LANE_RESUME: '0' })).toThrow(/LANE_RESUME .* from 1 to 1000, not 0/)
})

it('a permission that is spelled otherwise is refused, not taken for a no', () => {
  expect(nodeOptions({ ALLOW_STDIO_MCP: 'True' }).limits.allowStdioMcp).toBe(true)
  expect(nodeOptions({ ALLOW_STDIO_MCP: '' }).limits.allowStdioMcp).toBe(false)
  expect(() => nodeOptions({ ALLOW_STDIO_MCP: 'yes' })).toThrow(/ALLOW_STDIO_MCP .* not yes/)
})
