/** What a deployment on AWS may choose, by `-c name=value` on the command line of the CDK. */

import type { App } from 'aws-cdk-lib'
import { stageOf } from './command.ts'

export const LANES = ['main', 'subagent', 'background', 'resume'] as const
export type Lane = (typeof LANES)[number]

export interface Settings {
  /** How many runs of a lane move at once: reserved concurrency and `MaximumConcurrency`. */
  readonly lanes: Readonly<Record<Lane, number>>
  /** Names this deployment beside others of the account. */
  readonly stage: string | undefined
  /** How many requests are answered at once at the most; undefined: as many as the account allows. */
  readonly http: number | undefined
  /** False in an account that is too small to set executions aside: `MaximumConcurrency` remains. */
  readonly reserve: boolean
  /** A secret of Secrets Manager, made beforehand: a JSON object of variables. */
  readonly secretName: string
  /** Which variables the functions get from it. */
  readonly variables: readonly string[]
  /** Plain variables, `NAME=value` separated by commas. */
  readonly plain: Readonly<Record<string, string>>
  /** Raise it after changing the secret: functions read it only when they are updated. */
  readonly revision: string
  /** Told when an alarm rings. */
  readonly email: string | undefined
}

const DEFAULTS: Readonly<Record<Lane, number>> = {
  main: 64,
  subagent: 128,
  background: 16,
  resume: 128,
}
const VARIABLES = 'STRATA_MASTER_KEY,STRATA_ADMIN_KEY,OPENAI_API_KEY'

export function settingsOf(app: App): Settings {
  const text = (name: string): string | undefined => {
    const value: unknown = app.node.tryGetContext(name)
    return value === undefined ? undefined : String(value)
  }
  const width = (lane: Lane): number => {
    const given = text(`lane-${lane}`)
    const value = given === undefined ? DEFAULTS[lane] : Number(given)
    // AWS takes no smaller maximum for an event source.
    if (!Number.isInteger(value) || value < 2 || value > 1_000)
      throw new Error(`lane-${lane} must be a whole number from 2 to 1000, not ${given}`)
    return value
  }
  const http = text('reserve-http') === undefined ? undefined : Number(text('reserve-http'))
  if (http !== undefined && (!Number.isInteger(http) || http < 1 || http > 1_000))
    throw new Error(
      `reserve-http must be a whole number from 1 to 1000, not ${text('reserve-http')}`,
    )
  const stage = stageOf(text('stage'))
  const list = (value: string): string[] => value.split(',').filter((name) => name !== '')
  const pairs = list(text('plain') ?? '').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    if (at < 1) throw new Error(`plain must be NAME=value, separated by commas, not ${pair}`)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  const reserve = text('reserve') ?? 'true'
  if (!/^(?:true|false)$/.test(reserve))
    throw new Error(`reserve must be true or false, not ${reserve}`)
  return {
    lanes: {
      main: width('main'),
      subagent: width('subagent'),
      background: width('background'),
      resume: width('resume'),
    },
    stage,
    http,
    reserve: reserve !== 'false',
    secretName: text('secret') ?? (stage === undefined ? 'strata/settings' : `strata/${stage}`),
    variables: list(text('variables') ?? VARIABLES),
    plain: Object.fromEntries(pairs),
    revision: text('revision') ?? '1',
    email: text('email'),
  }
}
