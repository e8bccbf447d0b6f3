/** What a Node deployment may set, and which combinations make no sense. */

import { describe, expect, it } from 'vitest'
import { nodeOptions } from '../../../../src/hosts/node/options.ts'

describe('storage locations', () => {
  it('default to the local machine', () => {
    expect(nodeOptions({})).toMatchObject({ store: 'sqlite', objects: 'files', queue: 'memory' })
  })

  it('can be a cloud, entirely or in part', () => {
    const cloud = { STORE: 'dynamodb', OBJECTS: 's3', QUEUE: 'sqs' }
    expect(nodeOptions(cloud)).toMatchObject({ store: 'dynamodb', objects: 's3', queue: 'sqs' })
    expect(nodeOptions({ OBJECTS: 'S3' })).toMatchObject({ store: 'sqlite', objects: 's3' })
  })

  it('are refused with a sentence when one process would reference data that others cannot reach', () => {
    expect(() => nodeOptions({ STORE: 'dynamodb' })).toThrow(/requires OBJECTS=s3/)
    expect(() => nodeOptions({ QUEUE: 'sqs' })).toThrow(/requires STORE=dynamodb/)
    expect(() => nodeOptions({ STORE: 'postgres' })).toThrow(/sqlite, dynamodb, not postgres/)
  })
})

it('lane widths default to what one server can handle', () => {
  const { main, subagent, background, resume } = nodeOptions({ LANE_BACKGROUND: '4' }).widths
  expect({ main, subagent, background, resume }).toEqual({
    main: 64,
    subagent: 128,
    background: 4,
    resume: 128,
  })
})

it('an out-of-range number is refused with its bounds', () => {
  expect(() => nodeOptions({ LANE_RESUME: '0' })).toThrow(/LANE_RESUME .* from 1 to 1000, not 0/)
})

it('a misspelled permission is refused instead of being read as "no"', () => {
  expect(nodeOptions({ ALLOW_STDIO_MCP: 'True' }).limits.allowStdioMcp).toBe(true)
  expect(nodeOptions({ ALLOW_STDIO_MCP: '' }).limits.allowStdioMcp).toBe(false)
  expect(() => nodeOptions({ ALLOW_STDIO_MCP: 'yes' })).toThrow(/ALLOW_STDIO_MCP .* not yes/)
})
