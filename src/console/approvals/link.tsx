/** Button that makes a signed link for one approval and copies it. */

import { useMutation } from '@tanstack/react-query'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Problem } from '../kit/notice.tsx'
import { exactTime } from '../text/format.ts'
import { Code } from '../text/text.tsx'

export function CopyLink({ id }: { readonly id: string }) {
  const words = useWords()
  const make = useMutation({
    mutationFn: async () => {
      const { url, expires_at } = await api.accessLinks.create({ for: { approval: id } })
      const isCopied = await navigator.clipboard.writeText(url).then(
        () => true,
        () => false,
      )
      return { url, isCopied, time: exactTime(expires_at) }
    },
  })
  return (
    <div className="grid justify-items-start gap-2">
      <Button icon="copy" busy={make.isPending} onClick={() => make.mutate()}>
        {words('approvals.link')}
      </Button>
      <Problem error={make.error} />
      {make.data && (
        <p role="status" className="text-xs text-text-2">
          {words(make.data.isCopied ? 'approvals.link.copied' : 'approvals.link.manual', {
            time: make.data.time,
          })}
        </p>
      )}
      {make.data && !make.data.isCopied && (
        <Code text={make.data.url} label={words('approvals.link')} />
      )}
    </div>
  )
}
