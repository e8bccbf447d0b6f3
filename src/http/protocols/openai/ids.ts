/**
 * Encodes IDs for OpenAI's API. A response is a section of a run's log: `resp_` with the run's ID.
 * Sections after client results or an answer get the suffix `_1`, `_2` …. A call ID names the run,
 * step, and index, so results from stateless clients find the run.
 */

import { isId } from '../../../lib/id.ts'

/** Run ID, and the index of the response's section in the run, from 0. */
export interface ResponseName {
  readonly run: string
  readonly turn: number
}

const restOf = (run: string): string => run.slice('run_'.length)
const suffix = (turn: number): string => (turn === 0 ? '' : `_${turn}`)

export const responseId = ({ run, turn }: ResponseName): string =>
  `resp_${restOf(run)}${suffix(turn)}`
export const completionId = ({ run, turn }: ResponseName): string =>
  `chatcmpl-${restOf(run)}${suffix(turn)}`
export const messageId = (run: string, place: string | number): string =>
  `msg_${restOf(run)}_${place}`

const RESPONSE = /^resp_([a-z0-9]+)(?:_([1-9]\d{0,4}))?$/

/** Parses a response ID; returns undefined if its format is invalid. */
export function responseName(id: string): ResponseName | undefined {
  const [, tail, turn = '0'] = RESPONSE.exec(id) ?? []
  const run = `run_${tail}`
  return tail !== undefined && isId('run', run) ? { run, turn: Number(turn) } : undefined
}

export interface CallName {
  readonly run: string
  readonly step: number
  readonly index: number
}

export const callName = ({ run, step, index }: CallName): string =>
  `call_${restOf(run)}_${step}_${index}`
export const itemName = ({ run, step, index }: CallName): string =>
  `fc_${restOf(run)}_${step}_${index}`

const CALL = /^call_([a-z0-9]+)_(\d{1,5})_(\d{1,4})$/

/** Parses a call ID; returns undefined for calls from other systems. */
export function namedCall(id: string): CallName | undefined {
  const [, tail, step, index] = CALL.exec(id) ?? []
  const run = `run_${tail}`
  if (tail === undefined || !isId('run', run)) return undefined
  return { run, step: Number(step), index: Number(index) }
}
