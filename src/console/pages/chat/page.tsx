/** The chat: conversations on the left, the one that is open, and the panel beside it. */

import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTitle } from '../../app/title.ts'
import { useWords } from '../../app/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { keepChoice, useChoice } from './choice.ts'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation-view.tsx'
import { useOpen } from './open.ts'
import { Sidebar } from './sidebar.tsx'

export default function Chat() {
  const words = useWords()
  const { session } = useParams({ strict: false })
  const { opened } = useOpen()
  const [drawer, setDrawer] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer.
  useEffect(() => setDrawer(false), [session])
  const menu = () => setDrawer(true)
  return (
    <div className="relative flex h-full min-h-0">
      <div
        className={`hidden w-64 shrink-0 border-r border-line bg-surface ${opened ? '2xl:block' : 'lg:block'}`}
      >
        <Sidebar chosen={session} />
      </div>
      {drawer && (
        <div className="absolute inset-0 z-20 flex">
          <div className="flex w-72 max-w-[85vw] min-w-0 flex-col border-r border-line bg-surface shadow-float">
            <div className="flex justify-end p-1">
              <IconButton icon="close" label={words('close')} onClick={() => setDrawer(false)} />
            </div>
            <div className="min-h-0 flex-1">
              <Sidebar chosen={session} />
            </div>
          </div>
          <button
            type="button"
            aria-label={words('close')}
            className="flex-1 bg-black/40"
            onClick={() => setDrawer(false)}
          />
        </div>
      )}
      {session ? (
        <Conversation key={session} id={session} onMenu={menu} />
      ) : (
        <Fresh onMenu={menu} />
      )}
    </div>
  )
}

function Fresh({ onMenu }: { readonly onMenu: () => void }) {
  const words = useWords()
  const navigate = useNavigate()
  const [choice, choose] = useChoice('new')
  useTitle(words('nav.chat'))
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-12 items-center px-2 lg:hidden">
        <IconButton icon="menu" label={words('chat.sessions')} onClick={onMenu} />
      </header>
      <div className="grid min-h-0 flex-1 content-center justify-items-center gap-3 overflow-y-auto px-6 text-center">
        <h1 className="text-xl font-semibold">{words('chat.fresh')}</h1>
        <p className="max-w-md text-sm text-muted">{words('chat.fresh.hint')}</p>
        <pre className="max-w-full overflow-x-auto rounded-lg border border-line bg-sunken px-4 py-2 text-left font-mono text-xs">
          strata run "Say hello."
        </pre>
      </div>
      <Composer
        session={undefined}
        current={undefined}
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
