/** Inbound hooks as the page edits them: their form, the changes to send, and a pasted payload. */

import type { components } from '../../client/index.ts'

export type Hook = components['schemas']['Hook']
type Input = components['schemas']['HookInput']
type Patch = components['schemas']['HookPatch']
type PreviewInput = components['schemas']['HookPreviewInput']
export type Scheme = Hook['scheme']

export const SCHEMES = ['standard', 'svix', 'github', 'slack', 'stripe', 'linear'] as const

/** Members of the run that the form edits as texts. */
export const RUN_FIELDS = ['role', 'repo_dir', 'session_id', 'model', 'label', 'subject'] as const
type RunField = (typeof RUN_FIELDS)[number]

/** Values of the form. */
export type Draft = Readonly<Record<RunField | 'agent' | 'template' | 'description', string>> & {
  /** Event types, separated by spaces or commas. */
  readonly events: string
}

export const draftOf = (hook: Hook | undefined): Draft => ({
  template: hook?.template ?? '{{$}}',
  events: hook?.events?.join(' ') ?? '',
  description: hook?.description ?? '',
  agent: hook?.run.agent ?? '',
  role: hook?.run.role ?? '',
  repo_dir: hook?.run.repo_dir ?? '',
  session_id: hook?.run.session_id ?? '',
  model: hook?.run.model ?? '',
  label: hook?.run.label ?? '',
  subject: hook?.run.subject ?? '',
})

const eventsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)

const NAMES = ['description', 'agent', ...RUN_FIELDS] as const

export function inputOf(draft: Draft, scheme: Scheme, secret: string): Input {
  const events = eventsOf(draft.events)
  const texts = NAMES.map((name) => [name, draft[name].trim()] as const)
  return {
    scheme,
    template: draft.template,
    ...(secret.trim() && { secret: secret.trim() }),
    ...(events.length > 0 && { events: [...events] }),
    ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
  }
}

/**
 * Returns only the changed members, so that a change by another person stays. An empty field
 * removes a member; the agent has no empty value, so it then stays unchanged.
 */
export function patchOf(hook: Hook, draft: Draft): Patch {
  const previous = draftOf(hook)
  const events = eventsOf(draft.events)
  const texts = NAMES.map((name) => [name, draft[name].trim()] as const)
    .filter(([name, text]) => text !== previous[name] && (name !== 'agent' || text !== ''))
    .map(([name, text]) => [name, text === '' ? null : text] as const)
  return {
    ...(draft.template !== previous.template && { template: draft.template }),
    ...(events.join(' ') !== previous.events && {
      events: events.length > 0 ? [...events] : null,
    }),
    ...Object.fromEntries(texts),
  }
}

/** Returns the message of a pasted payload: JSON, or a form if the text is not JSON. */
export function messageOf(text: string, event: string): PreviewInput {
  const isJson = /^\s*[[{]/.test(text)
  const headers = {
    ...(event.trim() && { 'x-github-event': event.trim() }),
    ...(!isJson && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  return { payload: text, ...(Object.keys(headers).length > 0 && { headers }) }
}
