/** The prefix of a layer, typed or chosen of those that have files. */

import { useId } from 'react'
import { Input } from '../../ui/field.tsx'
import { useFiles } from './files.ts'
import { layersIn } from './paths.ts'

interface Props {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export function LayerInput({ label, hint, value, onChange }: Props) {
  const id = useId()
  const { data } = useFiles()
  return (
    <>
      <Input
        label={label}
        hint={hint}
        spellCheck={false}
        list={id}
        placeholder="base/"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={id}>
        {layersIn(data?.entries ?? []).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}
