/** Lines about a run that waits, printed by `strata run` and `strata tail`. */

import { oneLine } from '../lib/invisible-characters.ts'
import { bodyText, cut, type LogEvent } from './event-text.ts'

/**
 * Returns the line for an event after which the run waits: the reason, the deadline, and the
 * command that continues the run. Returns undefined for other events.
 */
export function waitingLine({ type, run_id, data }: LogEvent): string | undefined {
  if (type === 'run.waiting' && data.on === 'model') return outageLine(run_id, data)
  if (type === 'subagent.waiting' && data.on === 'model') {
    return oneLine(
      `     a subagent waits for its model${endOf(data.until)}; for details, run strata ` +
        `tail ${data.run_id}`,
    )
  }
  if (type === 'subagent.waiting') {
    return (
      '     a subagent waits for a person; run strata approvals or strata tail ' +
      `${oneLine(String(data.run_id))}`
    )
  }
  if (type === 'question.asked') return questionLine(run_id, data)
  if (type !== 'approval.requested') return undefined
  const id = oneLine(String(data.id))
  const call = `${String(data.tool)} ${cut(bodyText(data.arguments))}`
  return oneLine(`     ${call} waits for approval; run strata approve ${id} or strata deny ${id}`)
}

const clock = (at: unknown): string => String(at).slice(11, 19)
const endOf = (at: unknown): string => (at == null ? '' : `, gives up at ${clock(at)}`)

/** The event's own line contains the reason. */
function outageLine(run: unknown, { until, gives_up_at, attempt }: LogEvent['data']): string {
  const seconds = Math.ceil((Date.parse(String(until)) - Date.now()) / 1_000)
  const remaining = seconds > 0 ? ` (in ${seconds} s)` : ''
  const now = `to retry now, run strata retry ${oneLine(String(run))}`
  const failed = `attempt ${attempt} of the model call failed`
  return oneLine(
    `     ${failed}; retries at ${clock(until)}${remaining}${endOf(gives_up_at)}; ${now}`,
  )
}

interface AskedQuestion {
  readonly question: string
  readonly choices?: readonly { readonly label: string }[]
  readonly schema?: { readonly properties?: Readonly<Record<string, unknown>> }
}

function questionLine(run: unknown, { questions }: LogEvent['data']): string {
  const texts = (questions as readonly AskedQuestion[]).map(({ question, choices, schema }) => {
    const fields = Object.keys(schema?.properties ?? {}).map((name) => `${name}: …`)
    const labels = (choices?.map(({ label }) => label) ?? fields).join(', ')
    return labels === '' ? question : `${question} (${labels})`
  })
  return oneLine(
    `     ${cut(texts.join(' '))} To answer, run strata send ${oneLine(String(run))} TEXT`,
  )
}
