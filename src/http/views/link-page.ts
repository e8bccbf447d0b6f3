/**
 * Renders the pages of signed links: an approval with its form, a run, or an error. Plain HTML
 * without scripts works in the browser of any mail program. All texts are escaped, and invisible
 * characters are made visible.
 */

import { html, raw } from 'hono/html'
import type { RunView } from '../../core/run/views/view.ts'
import type { ApprovalView } from '../../engine/logs/approval-rows.ts'
import { sha256 } from '../../lib/digest.ts'
import { visible } from '../../lib/invisible-characters.ts'

const STYLE = `
:root{color-scheme:light dark;
--line:#e2e2e8;--soft:#696973;--tint:#f7f7f8;--accent:#3451c6;--on:#fff}
@media(prefers-color-scheme:dark){
:root{--line:#2a2c33;--soft:#9092a0;--tint:#16171b;--accent:#93a8ff;--on:#101114}
body{background:#101114;color:#ecedf0}}
body{font:14px/22px system-ui,"PingFang SC","Microsoft YaHei",sans-serif;
margin:0 auto;max-width:640px;padding:32px 16px}
h1{font-size:20px;line-height:28px;margin:0 0 16px;overflow-wrap:anywhere}
p{margin:0 0 16px}
.soft,dt{color:var(--soft)}
.above{margin:0 0 4px}
dl{display:grid;gap:4px 16px;grid-template-columns:max-content 1fr;margin:0 0 16px}
dd{margin:0;overflow-wrap:anywhere}
pre{background:var(--tint);border:1px solid var(--line);border-radius:6px;
font:13px/20px ui-monospace,monospace;margin:0 0 16px;overflow-wrap:anywhere;padding:12px;
white-space:pre-wrap}
label{display:block;margin:0 0 4px}
textarea{background:none;border:1px solid #85858f;border-radius:6px;box-sizing:border-box;
color:inherit;font:inherit;font-size:16px;margin:0 0 16px;padding:8px;width:100%}
button{background:none;border:1px solid #85858f;border-radius:6px;color:inherit;cursor:pointer;
font:inherit;margin:0 8px 0 0;min-height:44px;padding:0 24px}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on)}
a{color:var(--accent);display:inline-block;padding:11px 0}`

/**
 * Content security policy that allows only the page's inline style and form submissions to this
 * deployment; all other resources are blocked.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${Buffer.from(sha256(STYLE), 'hex').toString('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
}

type Html = ReturnType<typeof html>

const visibleText = (text: string): string => visible(text).text

const layout = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${visibleText(title)}</title>
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<style>${raw(STYLE)}</style></head><body><main>${body}</main></body></html>
`

const block = (title: string, text: string): Html =>
  html`<p class="soft above">${title}</p><pre>${visibleText(text)}</pre>`

const facts = (pairs: readonly (readonly [string, string | null | undefined])[]): Html =>
  html`<dl>${pairs.flatMap(([name, value]) =>
    value == null ? [] : [html`<dt>${name}</dt><dd>${visibleText(value)}</dd>`],
  )}</dl>`

/** Formats a time as in RFC 3339, but without the `T` and fractions of a second. */
const time = (at: string | null): string | null =>
  at === null ? null : `${at.slice(0, 19).replace('T', ' ')} UTC`

const STATES = {
  pending: 'is waiting for a decision',
  approved: 'was approved',
  denied: 'was denied',
  expired: 'expired without a decision',
  closed: 'no longer needs a decision; its run has ended',
} as const

/** Renders the page of an approval; with `mayDecide`, the page of a pending approval has a form. */
export function approvalPage(approval: ApprovalView, mayDecide: boolean): Html {
  const { tool, status, decision, hidden } = approval
  const path = approval.path.map(({ agent, label }) =>
    label === null ? agent : `${agent} (${label})`,
  )
  return layout(
    `${tool} ${STATES[status]}`,
    html`<h1>${visibleText(tool)} ${STATES[status]}</h1>
${facts([
  ['Agent', path.join(' › ')],
  ['Rule', approval.reason],
  ['Requested', time(approval.requested_at)],
  ['Expires', status === 'pending' ? time(approval.expires_at) : null],
  ['Decided', decision && time(decision.decided_at)],
  ['By', decision?.by],
  ['Reason', decision?.reason],
])}
${block('Arguments of the call', indented(approval.arguments))}
${
  hidden === undefined
    ? ''
    : html`<p><strong>Hidden:</strong> ${hidden}, written as escapes above.</p>`
}
${
  decision?.arguments == null
    ? ''
    : block('Approved with these arguments instead', indented(decision.arguments))
}
${status === 'pending' && mayDecide ? form(approval) : ''}`,
  )
}

const form = ({ args_hash }: ApprovalView): Html => html`<form method="post">
<input type="hidden" name="args_hash" value="${args_hash}">
<label for="reason">Reason (the model reads it when you deny)</label>
<textarea id="reason" name="reason" rows="3" maxlength="2000"></textarea>
<button class="main" name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</form>`

/** Renders a page with the run's current state. */
export function runPage(run: RunView): Html {
  const { status, children, error, output, partial } = run
  const state = run.waiting_on === null ? status : `${status} (${run.waiting_on})`
  const money = run.cost === null ? null : `$${run.cost.toFixed(4)}`
  const subagents = children.total === 0 ? null : `${children.total} (${children.live} live)`
  const answer = output?.text ?? partial
  return layout(
    `${run.agent}: ${status}`,
    html`<h1>${visibleText(run.agent)}: ${state}</h1>
<p class="soft">${run.id}</p>
${facts([
  ['Model', run.model],
  ['Created', time(run.created_at)],
  ['Started', time(run.started_at)],
  ['Ended', time(run.ended_at)],
  ['Steps', String(run.steps)],
  ['Subagents', subagents],
  ['Cost', money],
  ['Error', error && `${error.code}: ${error.message}`],
])}
${block('Input', run.input)}
${answer === undefined ? '' : block(output ? 'Answer' : 'Answer so far', answer)}
${
  output?.structured == null
    ? ''
    : block('Structured output', JSON.stringify(output.structured, null, 2))
}
${run.ended_at === null ? html`<p class="soft">Reload this page to see it go on.</p>` : ''}`,
  )
}

interface Refusal {
  readonly title: string
  readonly detail: string
  readonly request_id: string
}

/** Renders an error as a page; `back` is the path of the link's page, if any. */
export const refusalPage = ({ title, detail, request_id }: Refusal, back?: string): Html =>
  layout(
    title,
    html`<h1>${title}</h1>
<p>${visibleText(detail)}</p>
<p class="soft">Request ${request_id}</p>
${back === undefined ? '' : html`<p><a href="${back}">Show it as it is now</a></p>`}`,
  )

/** Indents JSON text with one member or item per line; strings and numbers stay unchanged. */
function indented(json: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return json.replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[{]\s*|\s*[\]}]|,\s*|:\s*/g, (token) => {
    const text = token.trim()
    if (text.startsWith('"') || text.length > 1) return text
    if (text === ',') return `,${line()}`
    if (text === ':') return ': '
    depth += '[{'.includes(text) ? 1 : -1
    return '[{'.includes(text) ? `${text}${line()}` : `${line()}${text}`
  })
}
