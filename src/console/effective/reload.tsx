/** Button that clears caches of files and tool lists, and reads the configuration again. */

import { useMutation } from '@tanstack/react-query'
import { api, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { Problem } from '../kit/notice.tsx'
import { RESOLVE } from './use-effective.ts'

export function Reload() {
  const words = useWords()
  const mayWrite = useMay('layers:write')
  const reload = useMutation({
    mutationFn: () => api.layers.reload({}),
    onSuccess: () => queries.invalidateQueries({ queryKey: [RESOLVE] }),
  })
  if (!mayWrite) return null
  return (
    <span className="inline-flex items-center gap-1 font-sans">
      <IconButton
        icon="retry"
        label={words('effective.reload')}
        disabled={reload.isPending}
        onClick={() => reload.mutate()}
      />
      {reload.isSuccess && <span role="status">{words('effective.reloaded')}</span>}
      <Problem error={reload.error} />
    </span>
  )
}
