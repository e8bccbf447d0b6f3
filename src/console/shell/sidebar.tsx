/** Sidebar: search, conversations by day, and settings of this browser. */

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useSession } from '../data/session.ts'
import { signOut } from '../data/sign-in.ts'
import { chooseLanguage, LANGUAGES, type Language, useLanguage, useWords } from '../i18n/words.ts'
import { INPUT } from '../kit/field.tsx'
import { Icon } from '../kit/icons.tsx'
import { Menu, MenuItem, MenuLink, MenuTitle } from '../kit/menu.tsx'
import { Plain } from '../text/text.tsx'
import { Conversations } from './conversations.tsx'
import { toggleNotifications, useNotifying } from './notifications.ts'
import { PageLinks } from './page-links.tsx'
import { useSettled } from './settled-text.ts'
import { applyTheme, THEMES, useTheme } from './theme.ts'

interface SidebarProps {
  /** Whether links to all pages are shown. */
  readonly isUnfolded?: boolean
}

export function Sidebar({ isUnfolded = false }: SidebarProps) {
  const words = useWords()
  const [text, setText] = useState('')
  const search = useSettled(text.trim())
  return (
    <div className="flex h-full min-h-0 flex-col gap-2">
      <div className="flex items-center gap-2 px-3 pt-3">
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" className="size-5" />
        <span className="flex-1 font-semibold">{words('app.name')}</span>
        <Link
          to="/"
          aria-label={words('sessions.new')}
          title={`${words('sessions.new')} (n)`}
          className="inline-flex size-7 items-center justify-center rounded-md text-text-2 hover:bg-sunken hover:text-text pointer-coarse:size-11"
        >
          <Icon name="plus" />
        </Link>
      </div>
      <div className="px-3">
        <input
          id="search"
          type="search"
          aria-label={words('sessions.search')}
          placeholder={words('sessions.search')}
          title={`${words('sessions.search')} (/)`}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`${INPUT} w-full`}
        />
      </div>
      <PageLinks isUnfolded={isUnfolded} />
      <Conversations search={search} />
      <Account />
    </div>
  )
}

function Account() {
  const words = useWords()
  const { session } = useSession()
  const theme = useTheme()
  const language = useLanguage()
  return (
    <div className="flex items-center gap-1.5 border-t border-line px-3 py-2 text-xs text-text-2">
      <Icon name="key" size={14} />
      <span className="min-w-0 flex-1 truncate">
        <Plain text={session?.key_name ?? session?.key_id ?? ''} />
      </span>
      <Menu icon="dots" label={words('nav.account')}>
        <MenuTitle>{words('theme.label')}</MenuTitle>
        {THEMES.map((option) => (
          <MenuItem key={option} checked={option === theme} onChoose={() => applyTheme(option)}>
            {words(`theme.${option}`)}
          </MenuItem>
        ))}
        <MenuTitle>{words('language.label')}</MenuTitle>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <MenuItem
            key={code}
            checked={code === language}
            onChoose={() => void chooseLanguage(code as Language)}
          >
            {name}
          </MenuItem>
        ))}
        <hr className="my-1 border-line" />
        <Notifications />
        <MenuLink href="/docs">{words('nav.docs')}</MenuLink>
        <MenuItem onChoose={() => void signOut()}>{words('signout')}</MenuItem>
      </Menu>
    </div>
  )
}

function Notifications() {
  const words = useWords()
  const mayRead = useMay('approvals:read')
  const state = useNotifying()
  if (!mayRead) return null
  return state === 'on' || state === 'off' ? (
    <MenuItem checked={state === 'on'} isMultiple onChoose={() => void toggleNotifications()}>
      {words('notify.label')}
    </MenuItem>
  ) : (
    <MenuTitle>{words(`notify.${state}`)}</MenuTitle>
  )
}
