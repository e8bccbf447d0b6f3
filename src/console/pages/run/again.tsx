/** Runs the same once more; what the new run will not have is said before it is started. */

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../../ui/notice.tsx'
import { LeftOut } from './left-out.tsx'
import { type RunRequest, readRequest } from './request.ts'

export function Again({ id }: { readonly id: string }) {
  const words = useWords()
  const navigate = useNavigate()
  const [open, setOpen] = useState<RunRequest>()
  const starting = useMutation({
    mutationFn: async (known: RunRequest | undefined) => {
      const found = known ?? (await readRequest(id))
      if (known || found.left_out.length === 0)
        return api.runs.create(found.request as Schemas['RunInput'])
      setOpen(found)
      return undefined
    },
    onSuccess: (run) => {
      if (!run) return
      setOpen(undefined)
      void navigate({ to: '/runs/$run', params: { run: run.id } })
    },
  })
  return (
    <>
      {!open && <Problem error={starting.error} />}
      <Button icon="retry" busy={starting.isPending} onClick={() => starting.mutate(undefined)}>
        {words('run.again')}
      </Button>
      <Dialog
        title={words('again.title')}
        open={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open && (
          <div className="grid gap-4">
            <LeftOut of={open.left_out} />
            <Problem error={starting.error} />
            <div className="flex justify-end gap-2">
              <Button onClick={() => setOpen(undefined)}>{words('cancel')}</Button>
              <Button
                look="primary"
                busy={starting.isPending}
                onClick={() => starting.mutate(open)}
              >
                {words('again.now')}
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </>
  )
}
