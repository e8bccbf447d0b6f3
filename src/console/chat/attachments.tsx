/** Files of a message that is being written. */

import { useRef } from 'react'
import { setFiles, useFiles } from '../data/draft.ts'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { Plain } from '../text/text.tsx'

export function AttachedFiles({ draft }: { readonly draft: string }) {
  const words = useWords()
  const files = useFiles(draft)
  if (files.length === 0) return null
  const remove = (key: string): void =>
    setFiles(
      draft,
      files.filter((one) => one.key !== key),
    )
  return (
    <div className="grid gap-1 px-1">
      <ul className="flex flex-wrap gap-1.5">
        {files.map(({ key, name }) => (
          <li
            key={key}
            className="inline-flex max-w-64 items-center gap-1 rounded-md border border-line pl-2 text-xs"
          >
            <Icon name="file" size={14} />
            <span className="truncate">
              <Plain text={name} />
            </span>
            <IconButton
              icon="close"
              size={12}
              label={words('chat.detach', { name })}
              onClick={() => remove(key)}
            />
          </li>
        ))}
      </ul>
      <p className="text-xs text-text-3">{words('chat.files.volatile')}</p>
    </div>
  )
}

interface AttachProps {
  readonly onFiles: (files: readonly File[]) => void
}

export function AttachButton({ onFiles }: AttachProps) {
  const words = useWords()
  const ref = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={ref}
        type="file"
        multiple
        hidden
        aria-label={words('chat.attach')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <IconButton icon="clip" label={words('chat.attach')} onClick={() => ref.current?.click()} />
    </>
  )
}
