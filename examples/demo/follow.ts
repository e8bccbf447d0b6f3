/**
 * The live tree of a run: its events by server-sent events, and those of each subagent as soon as
 * it is spawned, printed below each other as they happen.
 */

export interface Api {
  readonly url: string
  readonly key: string
}

export interface Event {
  readonly type: string
  readonly run_id: string
  readonly seq: number
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

const TERMINAL = /^run\.(completed|failed|cancelled|timed_out)$/

/** Prints the tree until its root and every subagent have ended; returns all events seen. */
export async function followTree(
  api: Api,
  run: string,
  print: (line: string) => void,
): Promise<Event[]> {
  const seen: Event[] = []
  const follow = async (id: string, name: string, depth: number): Promise<void> => {
    const below: Promise<void>[] = []
    for await (const event of events(api, id)) {
      seen.push(event)
      print(line(event, name, depth))
      if (event.type !== 'subagent.spawned') continue
      const { run_id, label, agent } = event.data as Record<string, string>
      const child = follow(run_id ?? '', label ?? agent ?? '', depth + 1)
      // The failure is reported below; until then there is no listener, which Node would take for a
      // crash.
      child.catch(() => undefined)
      below.push(child)
    }
    await Promise.all(below)
  }
  await follow(run, 'run', 0)
  return seen
}

/** The events of one run; a connection that breaks is taken up where it broke. */
async function* events(api: Api, id: string): AsyncGenerator<Event> {
  let last = 0
  for (;;) {
    const response = await fetch(`${api.url}/v1/runs/${id}/events`, {
      headers: {
        authorization: `Bearer ${api.key}`,
        accept: 'text/event-stream',
        'last-event-id': String(last),
      },
    })
    if (response.status === 204) return
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        // Deltas of the answer that is being written carry no id; they are not part of the log.
        if (!/^id: /m.test(block)) continue
        const event = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '') as Event
        last = event.seq
        yield event
        if (TERMINAL.test(event.type)) return
      }
    }
  }
}

const WIDTH = 100

function line(event: Event, name: string, depth: number): string {
  const time = event.created_at.slice(11, 23)
  const branch = depth === 0 ? '' : `${'  '.repeat(depth)}└ `
  const text = `${time} ${branch}${name}#${event.seq} ${event.type} ${summary(event)}`
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text.trimEnd()
}

interface Shown {
  readonly agent?: string
  readonly label?: string
  readonly tool?: string
  readonly status?: string
  readonly on?: string
  readonly missing?: readonly string[]
  readonly calls?: readonly (string | { readonly tool: string })[]
  readonly parts?: readonly { readonly type: string; readonly text?: string }[]
  readonly text?: string
  readonly output?: { readonly text: string }
  readonly error?: { readonly message: string }
  readonly announce?: { readonly label: string; readonly status: string; readonly result: string }
}

/** Summarizes an event on one line. */
function summary({ type, data }: Event): string {
  const shown = data as Shown
  const said = (shown.parts ?? []).find((part) => part.type === 'text')?.text ?? ''
  const tools = (shown.calls ?? []).map((call) => (typeof call === 'string' ? call : call.tool))
  const words: Record<string, string | undefined> = {
    'run.started': shown.agent,
    'run.waiting': `on ${shown.on}`,
    'assistant.message': [said, tools.join(', ')].filter(Boolean).join(' → '),
    'tool.call': shown.tool,
    'tool.result': `${shown.tool} ${shown.status}: ${shown.text}`,
    'subagent.spawned': `${shown.label} (${shown.agent})`,
    'subagent.announced': `${shown.announce?.label}: ${shown.announce?.result}`,
    'subagent.failed': `${shown.announce?.label} ${shown.announce?.status}`,
    'barrier.released': `${shown.calls?.length} joined, ${shown.missing?.length} missing`,
    'run.completed': shown.output?.text,
    'run.failed': shown.error?.message,
  }
  return (words[type] ?? '').replaceAll(/\s+/g, ' ')
}
