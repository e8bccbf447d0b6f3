/** Files attached to the message being written. */

import { useRef } from 'react'
import { setFiles, useFiles } from '../data/draft.ts'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { Plain } from '../text/text.tsx'

export function AttachedFiles({ draft }: { readonly draft: string }) {
  const words = useWords()
  const { attached, unkept, lost: lostFiles } = useFiles(draft)
  const remove = (key: string): void =>
    setFiles(
      draft,
      attached.filter((file) => file.key !== key),
      lostFiles,
    )
  return (
    <div className="grid gap-1 px-1 empty:hidden">
      {lostFiles.length > 0 && (
        <p role="alert" className="flex items-start gap-1 text-xs text-late">
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            <Plain
              text={words('chat.files.lost', { n: lostFiles.length, names: lostFiles.join(', ') })}
            />
          </span>
          <IconButton
            icon="close"
            size={12}
            label={words('close')}
            onClick={() => setFiles(draft, attached)}
            className="-my-1.5"
          />
        </p>
      )}
      {attached.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {attached.map(({ key, name }) => (
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
      )}
      {unkept.length > 0 && (
        <p className="text-xs text-text-3 [overflow-wrap:anywhere]">
          <Plain text={words('chat.files.unkept', { names: unkept.join(', ') })} />
        </p>
      )}
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
