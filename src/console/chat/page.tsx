/** Chat page: an existing conversation, or a new one. */

import { useNavigate, useParams } from '@tanstack/react-router'
import { NEW } from '../data/draft.ts'
import { useWords } from '../i18n/words.ts'
import { useTitle } from '../kit/title.ts'
import { keepChoice, useChoice } from './choice.ts'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'

export default function Chat() {
  const { session } = useParams({ strict: false })
  return session ? <Conversation key={session} id={session} /> : <Beginning />
}

function Beginning() {
  const words = useWords()
  const navigate = useNavigate()
  const [choice, choose] = useChoice(NEW)
  useTitle('')
  return (
    <div className="flex h-full min-h-0 flex-col justify-center pb-[12dvh]">
      <div className="mx-auto grid w-full max-w-3xl gap-1 px-4 pb-4 sm:px-6">
        <h1 className="text-xl font-semibold">{words('chat.fresh')}</h1>
        <p className="text-sm text-text-2">
          {words('chat.fresh.hint')}{' '}
          <code className="rounded bg-sunken px-1 font-mono text-xs">strata run "Say hello."</code>
        </p>
      </div>
      <Composer
        draft={NEW}
        choice={choice}
        onChoice={choose}
        onSession={(id) => {
          keepChoice(id, choice)
          void navigate({ to: '/chat/$session', params: { session: id } })
        }}
      />
    </div>
  )
}
