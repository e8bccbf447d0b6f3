/** Field that filters the entries by their texts. */

import { useEffect, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { INPUT } from '../kit/field.tsx'

const MOST_CHARACTERS = 200

interface Props {
  readonly text: string
  /** Applies the text; typing continues one step of the history. */
  readonly onChange: (text: string, isTyping: boolean) => void
}

export function Find({ text, onChange }: Props) {
  const words = useWords()
  const [draft, setDraft] = useState(text)
  // Back changes the address.
  useEffect(() => setDraft((draft) => (draft.trim() === text ? draft : text)), [text])
  return (
    <input
      id="filter"
      type="search"
      aria-label={words('effective.find')}
      placeholder={words('effective.find')}
      maxLength={MOST_CHARACTERS}
      value={draft}
      onChange={({ target: { value } }) => {
        setDraft(value)
        onChange(value.trim(), text !== '')
      }}
      onKeyDown={(event) => {
        const { key, nativeEvent, currentTarget } = event
        if (nativeEvent.isComposing || !['Escape', 'Enter'].includes(key)) return
        // The browser would empty the field, and the page would close the open entry.
        event.preventDefault()
        currentTarget.blur()
      }}
      className={`${INPUT} my-1 min-w-0 flex-1 md:w-48 md:flex-none`}
    />
  )
}
