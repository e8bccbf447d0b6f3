/** Light or dark: as the system has it, unless the reader chose. */

import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const KEPT = 'strata.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

const themeOf = (): Theme => (localStorage.getItem(KEPT) as Theme | null) ?? 'system'

export function applyTheme(chosen?: Theme): void {
  if (chosen) localStorage.setItem(KEPT, chosen)
  const theme = themeOf()
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}
dark.addEventListener('change', () => applyTheme())

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, themeOf)
