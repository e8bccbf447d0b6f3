/** The run as a command or as a program: what somebody else would send to get it. */

import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Code, CopyButton } from '../../ui/text.tsx'
import { curlOf, typescriptOf } from './as-text.ts'
import { LeftOut } from './left-out.tsx'
import { type RunRequest, useRequest } from './request.ts'

export function CopyAs({ id }: { readonly id: string }) {
  const words = useWords()
  const [open, setOpen] = useState(false)
  const found = useRequest(id, open)
  return (
    <>
      <Button icon="copy" onClick={() => setOpen(true)}>
        {words('run.copy')}
      </Button>
      <Dialog title={words('run.copy')} open={open} onClose={() => setOpen(false)} wide>
        {found.isPending && <Loading />}
        <Problem error={found.error} onRetry={() => void found.refetch()} />
        {found.data && <Texts of={found.data} />}
      </Dialog>
    </>
  )
}

function Texts({ of: { request, left_out } }: { readonly of: RunRequest }) {
  const words = useWords()
  const texts = [
    ['curl', curlOf(location.origin, request)],
    ['TypeScript', typescriptOf(location.origin, request)],
  ] as const
  return (
    <div className="grid gap-5">
      {texts.map(([name, text]) => (
        <div key={name} className="grid min-w-0 gap-2">
          <div className="flex items-center justify-between">
            <h3 className="text-sm font-medium">{name}</h3>
            <CopyButton text={text} label={`${words('copy')}: ${name}`} />
          </div>
          <Code value={text} label={name} />
        </div>
      ))}
      {left_out.length > 0 && (
        <div className="grid gap-2 rounded-lg bg-warn-soft p-3">
          <p className="text-sm text-warn">{words('copy.left')}</p>
          <LeftOut of={left_out} />
        </div>
      )}
    </div>
  )
}
