/** Actions on a fan-out: cancel it while it runs, seal it while it is open, delete it afterwards. */

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, ProblemError, queries, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'

interface Props {
  readonly fanout: Schemas['FanoutBase']
}

export function Actions({ fanout }: Props) {
  const words = useWords()
  const may = useMay('runs:write')
  const [open, setOpen] = useState<'cancel' | 'seal' | 'delete'>()
  const close = (): void => setOpen(undefined)
  const canChange = may && fanout.status === 'running'
  return (
    <span className="flex items-center gap-1.5">
      <IconButton
        icon="copy"
        label={words('run.copy.id')}
        onClick={() => void navigator.clipboard.writeText(fanout.id)}
      />
      {canChange && fanout.open && (
        <Button onClick={() => setOpen('seal')}>{words('fanouts.seal')}</Button>
      )}
      {canChange && (
        <Button icon="stop" onClick={() => setOpen('cancel')}>
          {words('cancel')}
        </Button>
      )}
      {may && fanout.status !== 'running' && (
        <Button icon="trash" onClick={() => setOpen('delete')}>
          {words('fanouts.delete')}
        </Button>
      )}
      <Dialog open={open === 'delete'} title={words('fanouts.delete.title')} onClose={close}>
        <Delete fanout={fanout} onClose={close} />
      </Dialog>
      <Dialog open={open === 'cancel'} title={words('fanouts.cancel')} onClose={close}>
        <Cancel fanout={fanout} onClose={close} />
      </Dialog>
      <Dialog open={open === 'seal'} title={words('fanouts.seal.title')} onClose={close}>
        <Seal fanout={fanout} onClose={close} />
      </Dialog>
    </span>
  )
}

interface ActionProps extends Props {
  readonly onClose: () => void
}

const refresh = (id: string) => queries.invalidateQueries({ queryKey: ['fanouts', id] })

function Cancel({ fanout: { id, children }, onClose }: ActionProps) {
  const words = useWords()
  const n = children.queued + children.live
  const cancel = useMutation({
    mutationFn: () => api.fanouts.cancel(id, {}),
    onSuccess: onClose,
    onSettled: () => refresh(id),
  })
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        {n === 0 ? words('fanouts.cancel.none') : words('fanouts.cancel.sure', { n })}
      </p>
      <Problem error={cancel.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words('fanouts.keep')}</Button>
        <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {words('fanouts.cancel')}
        </Button>
      </div>
    </div>
  )
}

function Delete({ fanout: { id }, onClose }: ActionProps) {
  const words = useWords()
  const navigate = useNavigate()
  const remove = useMutation({
    // Another person may have deleted it first.
    mutationFn: () =>
      api.fanouts.delete(id).catch((error: unknown) => {
        const isGone = error instanceof ProblemError && [404, 410].includes(error.status)
        if (!isGone) throw error
      }),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['fanouts', id] })
      void navigate({ to: '/fanouts' })
    },
  })
  return (
    <div className="grid gap-4">
      <p className="text-sm">{words('fanouts.delete.sure')}</p>
      <Problem error={remove.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words('cancel')}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {words('fanouts.delete')}
        </Button>
      </div>
    </div>
  )
}

function Seal({ fanout, onClose }: ActionProps) {
  const words = useWords()
  const [text, setText] = useState(String(fanout.pages ?? 0))
  const pages = /^\d{1,6}$/.test(text) ? Number(text) : undefined
  const seal = useMutation({
    mutationFn: (pages: number) => api.fanouts.seal(fanout.id, { pages }),
    onSuccess: onClose,
    onSettled: () => refresh(fanout.id),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (pages !== undefined) seal.mutate(pages)
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p className="text-sm">{words('fanouts.seal.text')}</p>
      <Input
        label={words('fanouts.seal.pages')}
        hint={words('fanouts.open', { n: fanout.pages ?? 0 })}
        wrong={pages === undefined ? words('form.number') : undefined}
        inputMode="numeric"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Problem error={seal.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words('cancel')}</Button>
        <Button look="primary" type="submit" busy={seal.isPending} disabled={pages === undefined}>
          {words('fanouts.seal')}
        </Button>
      </div>
    </form>
  )
}
