/** Inbound hooks: an address that others send to, each message a run. */

import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWish } from '../../app/wish.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Empty, Loading } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Code, CopyButton } from '../../ui/text.tsx'
import { EditHook, type Hook, HOOKS as KEY, NewHook } from './hook-form.tsx'
import { HookTrial } from './hook-trial.tsx'

export function Hooks() {
  const words = useWords()
  const may = useMay('hooks:write')
  const [open, setOpen] = useState(false)
  useWish('hooks.new', () => setOpen(true))
  const found = usePages<Hook>(KEY, (cursor) => api.hooks.list({ cursor, limit: 50 }))
  return (
    <div className="grid gap-3">
      {may && (
        <div>
          <Button look="primary" icon="plus" onClick={() => setOpen(true)}>
            {words('hooks.new')}
          </Button>
        </div>
      )}
      {found.isPending && <Loading />}
      {found.isSuccess && found.items.length === 0 && (
        <Empty title={words('hooks.empty')} command="strata hooks create --scheme github">
          {words('hooks.empty.hint')}
        </Empty>
      )}
      {found.items.map((one) => (
        <One key={one.id} of={one} may={may} />
      ))}
      <More of={found} />
      <Dialog title={words('hooks.new')} open={open} onClose={() => setOpen(false)}>
        <NewHook onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function One({ of, may }: { readonly of: Hook; readonly may: boolean }) {
  const words = useWords()
  const [secret, setSecret] = useState<string>()
  const [trying, setTrying] = useState(false)
  const [editing, setEditing] = useState(false)
  const { id, url_path, scheme, template, description, run } = of
  const url = `${location.origin}${url_path}`
  const rotate = async (): Promise<void> => {
    const rotated = await api.hooks.rotateSecret(id, {})
    setSecret(rotated.secret ?? undefined)
  }
  return (
    <section
      aria-label={url_path}
      className="grid gap-3 rounded-xl border border-line bg-surface p-4 text-sm"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Badge>{scheme}</Badge>
        <h2 className="font-mono text-xs font-semibold [overflow-wrap:anywhere]">{url}</h2>
        <CopyButton text={url} />
      </div>
      {description && <p className="text-muted">{description}</p>}
      {template && <Code value={template} label={words('hooks.template')} />}
      <p className="text-xs text-muted">
        {words('runs.agent')}: {String((run as { agent?: string }).agent ?? 'general')}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setTrying(true)}>{words('hooks.try')}</Button>
        {may && (
          <>
            <Button onClick={() => setEditing(true)}>{words('edit')}</Button>
            <Confirm
              word={words('endpoints.rotate')}
              question={words('hooks.rotate.sure')}
              act={rotate}
              touches={KEY}
            />
            <Confirm
              word={words('delete')}
              question={words('hooks.delete.sure')}
              act={() => api.hooks.delete(id)}
              touches={KEY}
            />
          </>
        )}
      </div>
      <Dialog title={words('hooks.edit')} open={editing} onClose={() => setEditing(false)}>
        <EditHook of={of} onClose={() => setEditing(false)} />
      </Dialog>
      <Dialog title={words('hooks.try')} open={trying} onClose={() => setTrying(false)} wide>
        <HookTrial of={of} />
      </Dialog>
      <Dialog
        title={words('endpoints.secret')}
        open={secret !== undefined}
        onClose={() => setSecret(undefined)}
      >
        <ShownOnce
          sentence={words('endpoints.once')}
          label={words('endpoints.secret')}
          text={secret ?? ''}
        />
      </Dialog>
    </section>
  )
}
