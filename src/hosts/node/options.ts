/** What a deployment on Node may set, read from the environment once. Names stand in README. */

import type { Lane } from '../../ports/world.ts'
import type { ModelConfig } from '../web/model-config.ts'
import { modelConfigFromEnv } from '../web/model-config.ts'

export interface NodeOptions {
  /** Holds the database, the files and the master key. */
  readonly dataDir: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly widths: Readonly<Record<Lane, number>>
  readonly maxLiveChildren: number
  readonly maxDepth: number
  readonly allowStdioMcp: boolean
  readonly allowLoopback: boolean
  readonly model: ModelConfig
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Throws a sentence for people when a variable is not what it must be. */
export function nodeOptions(env: Readonly<Record<string, string | undefined>>): NodeOptions {
  const whole = (name: string, fallback: number, least: number, most: number): number => {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return fallback
    const value = Number(text)
    if (Number.isInteger(value) && value >= least && value <= most) return value
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${text}`)
  }
  const flag = (name: string): boolean => env[name]?.trim().toLowerCase() === 'true'
  return {
    dataDir: env.DATA_DIR?.trim() || '.data',
    host: env.HOST?.trim() || '127.0.0.1',
    port: whole('PORT', 8787, 0, 65_535),
    widths: {
      main: whole('LANE_MAIN', 4, 1, 1_000),
      subagent: whole('LANE_SUBAGENT', 8, 1, 1_000),
      background: whole('LANE_BACKGROUND', 4, 1, 1_000),
    },
    maxLiveChildren: whole('MAX_LIVE_CHILDREN', 32, 1, 1_000),
    maxDepth: whole('MAX_DEPTH', 1, 0, 2),
    allowStdioMcp: flag('ALLOW_STDIO_MCP'),
    allowLoopback: flag('ALLOW_LOOPBACK'),
    model: modelConfigFromEnv(env),
    env,
  }
}
