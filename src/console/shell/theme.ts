/** Color theme, light or dark: the reader's choice, or else the system setting. */

import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'strata.theme'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function themeOf(): Theme {
  const stored = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

export function applyTheme(choice?: Theme): void {
  if (choice) localStorage.setItem(KEY, choice)
  const theme = themeOf()
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}
systemIsDark.addEventListener('change', () => applyTheme())

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, themeOf)
