/** Memory: what agents keep beyond a session, as files to read, search and change. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { hasDraft } from '../../ui/form-draft.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { amount, Prose } from '../../ui/text.tsx'
import { MemoryFile } from './file.tsx'
import { draftName, MEMORY as KEY } from './names.ts'
import { NewMemory } from './new.tsx'

export default function Memory() {
  const words = useWords()
  const may = useMay('memory:write')
  const [path, setPath] = useState<string>()
  const [isNew, setNew] = useState(false)
  const [text, setText] = useState('')
  const files = useQuery({ queryKey: [...KEY, 'files'], queryFn: () => api.memory.list() })
  const found = useQuery({
    queryKey: [...KEY, 'search', text],
    queryFn: () => api.memory.search({ query: text, limit: 20 }),
    enabled: text.trim() !== '',
  })
  const list = files.data?.files ?? []
  return (
    <Page
      title={words('nav.memory')}
      wide
      actions={
        may && (
          <Button look="primary" icon="plus" onClick={() => setNew(true)}>
            {words('memory.new')}
          </Button>
        )
      }
    >
      <Dialog title={words('memory.new')} open={isNew} onClose={() => setNew(false)} wide>
        <NewMemory
          onDone={(made) => {
            setNew(false)
            setText('')
            setPath(made)
          }}
        />
      </Dialog>
      <div className="grid gap-5 lg:grid-cols-[20rem_1fr]">
        <div className="grid content-start gap-4">
          <Input
            label={words('memory.search')}
            type="search"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {files.isPending && <Loading />}
          <Problem error={files.error ?? found.error} />
          {(files.data?.notes ?? []).map((note) => (
            <p key={note} className="text-xs text-muted">
              {note}
            </p>
          ))}
          <ul className="grid gap-1">
            {list.map((file) => (
              <li key={file.path}>
                <button
                  type="button"
                  aria-current={file.path === path ? 'true' : undefined}
                  onClick={() => setPath(file.path)}
                  className={`flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm ${file.path === path ? 'bg-accent-soft text-accent' : 'hover:bg-raised'}`}
                >
                  <span className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">
                    {file.path}
                  </span>
                  {hasDraft(draftName(file.path)) && (
                    <Badge tone="warn">{words('layers.unsaved')}</Badge>
                  )}
                  <span className="text-xs text-muted">{amount(file.size)} B</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
        <div className="min-w-0">
          {found.data?.passages.map((one) => (
            <Card
              key={`${one.path} ${one.lines.from}`}
              title={
                <button
                  type="button"
                  className="font-mono text-xs text-accent underline"
                  onClick={() => setPath(one.path)}
                >
                  {one.path}:{one.lines.from}
                </button>
              }
            >
              <Prose text={one.text} />
            </Card>
          ))}
          {found.data?.passages.length === 0 && (
            <p className="text-sm text-muted">{words('palette.empty')}</p>
          )}
          {text.trim() === '' && path && (
            <MemoryFile key={path} path={path} onGone={() => setPath(undefined)} />
          )}
          {text.trim() === '' && !path && list.length > 0 && (
            <Empty title={words('memory.choose')}>{words('memory.choose.hint')}</Empty>
          )}
          {files.data && list.length === 0 && (
            <Empty
              title={words('memory.empty')}
              command="strata memory write shared/MEMORY.md 'Answer in short sentences.'"
            >
              {words('memory.empty.hint')}
            </Empty>
          )}
        </div>
      </div>
    </Page>
  )
}
