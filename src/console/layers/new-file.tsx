/** Dialog of a new file, which begins as a draft; the first save creates it and replaces no file. */

import { type FormEvent, useEffect, useState } from 'react'
import { api, ProblemError } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { inputOf } from '../effective/state.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input, Select } from '../kit/field.tsx'
import { Forbidden } from '../kit/notice.tsx'
import { fileDraftOf, keepFileDraft } from './drafts.ts'
import { choiceFor, layerOf, TEMPLATES, type Template } from './state.ts'
import { suggestedPath, templateText } from './templates.ts'

interface Props {
  readonly template: Template
  readonly layer: string
  /** Keys of the listed files. */
  readonly paths: readonly string[]
  readonly onTemplate: (template: Template) => void
  readonly onCreate: (path: string) => void
  readonly onClose: () => void
}

export function NewFile(props: Props) {
  const words = useWords()
  return (
    <Dialog title={words('layers.new')} open onClose={props.onClose}>
      <Form key={props.template} {...props} />
    </Dialog>
  )
}

function Form({ template, layer, paths, onTemplate, onCreate, onClose }: Props) {
  const words = useWords()
  const isRaw = useMay('config:raw')
  const [path, setPath] = useState(() => suggestedPath(template, layer))
  const reason = usePathReason(path)
  const isStored = paths.includes(path) || fileDraftOf(path) !== undefined
  const wrong = isStored ? words('layers.new.exists') : reason
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (path === '' || wrong !== undefined) return
    const text = templateText(template, path)
    keepFileDraft(path, { text, etag: null, at: new Date().toISOString() })
    onCreate(path)
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Select
        label={words('layers.new.template')}
        value={template}
        options={TEMPLATES.map((name) => [name, words(`layers.new.${name}`)] as const)}
        onChange={({ target }) => onTemplate(target.value as Template)}
      />
      <Input
        label={words('layers.new.path')}
        hint={words('layers.new.path.hint')}
        wrong={wrong}
        required
        spellCheck={false}
        autoComplete="off"
        value={path}
        onChange={({ target }) => setPath(target.value)}
      />
      {!isRaw && ['config', 'empty'].includes(template) && <Forbidden scope="config:raw" />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words('cancel')}</Button>
        <Button look="primary" type="submit" disabled={path === '' || wrong !== undefined}>
          {words('layers.new.create')}
        </Button>
      </div>
    </form>
  )
}

const PAUSE_MS = 200

/** Returns the reason for which the server refuses a path. The server checks it after a pause. */
function usePathReason(path: string): string | undefined {
  const may = useMay('layers:read')
  const [refused, setRefused] = useState<{ readonly path: string; readonly reason: string }>()
  useEffect(() => {
    if (!may || path === '') return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      void reasonOf(path, controller.signal).then((reason) => {
        if (!controller.signal.aborted)
          setRefused(reason === undefined ? undefined : { path, reason })
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [may, path])
  return refused?.path === path ? refused.reason : undefined
}

const POINTER = '/overlay/files/0/path'

async function reasonOf(path: string, signal: AbortSignal): Promise<string | undefined> {
  const input = inputOf(choiceFor(layerOf(path)))
  try {
    await api.layers.resolve({ ...input, overlay: { files: [{ path, text: '' }] } }, { signal })
  } catch (error) {
    // Other refusals are about the layers and do not prevent the file.
    if (!(error instanceof ProblemError)) return undefined
    const fault = error.errors.find(({ pointer }) => pointer === POINTER)
    if (fault && /^Invalid path/.test(fault.message)) return fault.message
  }
  return undefined
}
