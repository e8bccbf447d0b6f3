/** Settings of a deployment on AWS, by `-c name=value` on the command line of the CDK. */

import type { App } from 'aws-cdk-lib'
import { stageOf } from '../src/cli/deploy/command.ts'
import { commonOptions } from '../src/hosts/shared/options.ts'

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
  /** Models of Bedrock that runs may ask, `*` at the end of one for more; empty: none. */
  readonly bedrock: readonly string[]
  /** Traces of X-Ray, one request a second and one of twenty beyond: they are paid by the trace. */
  readonly tracing: boolean
  /** The ARN of the web ACL of the distribution in front of `Http`; undefined: there is none. */
  readonly firewall: string | undefined
  /** How many requests of one address the web ACL lets through within five minutes. */
  readonly rate: number
}

/** Widths of lanes on a server. */
const DEFAULTS: Readonly<Record<Lane, number>> = commonOptions({}).widths
const VARIABLES = 'STRATA_MASTER_KEY,STRATA_ADMIN_KEY,OPENAI_API_KEY'

/** A server of a caller that asks 30 times a second, all day. */
const RATE = 10_000
const WEB_ACL = /^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/

const BEDROCK_MODEL = /^[a-z][\w.:-]*\*?$/

/** A model as in STRATA_PROVIDERS; a wildcard for all models is not allowed. */
function bedrockModel(id: string): string {
  if (BEDROCK_MODEL.test(id)) return id
  throw new Error(`bedrock must be ids of models, separated by commas, not ${id}`)
}

export function settingsOf(app: App): Settings {
  const text = (name: string): string | undefined => {
    const value: unknown = app.node.tryGetContext(name)
    return value === undefined ? undefined : String(value)
  }
  const whole = (name: string, least: number, most: number): number | undefined => {
    const given = text(name)
    if (given === undefined) return undefined
    const value = Number(given)
    if (Number.isInteger(value) && value >= least && value <= most) return value
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${given}`)
  }
  const flag = (name: string, fallback: boolean): boolean => {
    const given = text(name) ?? String(fallback)
    if (/^(?:true|false)$/.test(given)) return given === 'true'
    throw new Error(`${name} must be true or false, not ${given}`)
  }
  // AWS takes no smaller maximum for an event source.
  const width = (lane: Lane): number => whole(`lane-${lane}`, 2, 1_000) ?? DEFAULTS[lane]
  const stage = stageOf(text('stage'))
  const list = (value: string): string[] => value.split(',').filter((name) => name !== '')
  const pairs = list(text('plain') ?? '').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    if (at < 1) throw new Error(`plain must be NAME=value, separated by commas, not ${pair}`)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  const firewall = text('firewall')
  if (firewall !== undefined && !WEB_ACL.test(firewall))
    throw new Error(`firewall must be the ARN of a web ACL of CloudFront, not ${firewall}`)
  if (flag('cdn', firewall !== undefined) !== (firewall !== undefined))
    throw new Error('cdn=true and the ARN of a web ACL go together: strata deploy aws makes one')
  return {
    lanes: {
      main: width('main'),
      subagent: width('subagent'),
      background: width('background'),
      resume: width('resume'),
    },
    stage,
    http: whole('reserve-http', 1, 1_000),
    reserve: flag('reserve', true),
    secretName: text('secret') ?? (stage === undefined ? 'strata/settings' : `strata/${stage}`),
    variables: list(text('variables') ?? VARIABLES),
    plain: Object.fromEntries(pairs),
    revision: text('revision') ?? '1',
    email: text('email'),
    bedrock: list(text('bedrock') ?? '').map(bedrockModel),
    tracing: flag('tracing', false),
    firewall,
    // AWS takes no fewer.
    rate: whole('rate', 10, 2_000_000_000) ?? RATE,
  }
}
