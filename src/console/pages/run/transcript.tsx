/** The conversation of a run as the model saw it, part by part. */

import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Loading } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Code, Prose } from '../../ui/text.tsx'

type Message = Schemas['TranscriptMessage']
const EVERY_MS = 3_000

interface Shown {
  readonly role: string
  readonly text?: string
  readonly parts?: readonly {
    readonly type: string
    readonly text?: string
    readonly tool?: string
    readonly arguments?: string
  }[]
  readonly results?: readonly {
    readonly tool: string
    readonly status?: string
    readonly text: string
  }[]
}

export default function Transcript({ id, live }: { readonly id: string; readonly live: boolean }) {
  const found = usePages<Message>(
    ['runs', id, 'transcript'],
    () => api.runs.transcript(id),
    live ? EVERY_MS : undefined,
  )
  return (
    <div className="max-w-4xl">
      {found.isPending && <Loading />}
      {found.items.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added.
        <MessageCard key={at} of={message as Shown} />
      ))}
      <More of={found} />
    </div>
  )
}

function MessageCard({ of }: { readonly of: Shown }) {
  const words = useWords()
  const { role, text, parts = [], results = [] } = of
  const name = {
    user: 'role.user',
    assistant: 'role.assistant',
    tool: 'role.tool',
    system: 'role.system',
  } as const
  return (
    <Card title={role in name ? words(name[role as keyof typeof name]) : role}>
      <div className="grid gap-3 text-sm">
        {text !== undefined && (
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
        )}
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message stay where they are.
          <div key={at} className="grid gap-1">
            {part.tool !== undefined && (
              <>
                <span>
                  <Badge tone="busy">{part.tool}</Badge>
                </span>
                <Code value={part.arguments ?? ''} label={part.tool} />
              </>
            )}
            {part.tool === undefined && part.type === 'reasoning' && (
              <p className="whitespace-pre-wrap text-muted italic">{part.text}</p>
            )}
            {part.tool === undefined && part.type !== 'reasoning' && (
              <Prose text={part.text ?? ''} />
            )}
          </div>
        ))}
        {results.map((result, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: results of a message stay where they are.
          <div key={at} className="grid gap-1">
            <span>
              <Badge tone={result.status === 'error' ? 'bad' : 'neutral'}>{result.tool}</Badge>
            </span>
            <Code value={result.text} label={result.tool} />
          </div>
        ))}
      </div>
    </Card>
  )
}
