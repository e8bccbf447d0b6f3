/** Renders the task list that the model maintains. */

import { useWords } from '../i18n/words.ts'
import { type State, StateIcon } from '../kit/status.tsx'
import type { RunView } from '../log/shape.ts'
import { Plain } from '../text/text.tsx'

const STATES: Readonly<Record<string, State>> = {
  pending: 'queued',
  in_progress: 'running',
  completed: 'completed',
  cancelled: 'cancelled',
}

export function Todos({ todos }: { readonly todos: RunView['todos'] }) {
  const words = useWords()
  return (
    <ul aria-label={words('chat.todos')} className="grid gap-0.5 border-l border-line pl-3">
      {todos.map(({ content, status }) => (
        <li key={content} className="flex items-start gap-2 text-sm">
          <span className="pt-1">
            <StateIcon state={STATES[status] ?? 'queued'} size={12} />
          </span>
          <span className={status === 'completed' ? 'text-text-3' : ''}>
            <Plain text={content} />
          </span>
        </li>
      ))}
    </ul>
  )
}
