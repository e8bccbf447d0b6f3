/** The title of the browser's tab: how many approvals wait, the page, and whose it is. */

import { useEffect } from 'react'
import { say } from './words.ts'

/** Pages inside pages: the innermost that has a name counts. */
let names: readonly { readonly name: string }[] = []
let waiting = ''

function write(): void {
  const name = names.at(-1)?.name
  const parts = name ? [name, say('app.name')] : [say('app.name')]
  document.title = `${waiting && `(${waiting}) `}${parts.join(' · ')}`
}

/** Undefined: this part of the page has no name of its own. */
export function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    const own = { name: name.trim() }
    names = [...names, own]
    write()
    return () => {
      names = names.filter((one) => one !== own)
      write()
    }
  }, [name])
}

/** Empty: none waits. */
export function setWaiting(text: string): void {
  waiting = text
  write()
}
