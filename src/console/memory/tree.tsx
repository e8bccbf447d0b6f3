/** Memory files by scope and folder. */

import type { Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { Ago, Plain } from '../text/text.tsx'
import { useHasDraft } from './drafts.ts'
import { type Folder, type ScopeGroup, scopedPath } from './state.ts'

export type MemoryFileEntry = Schemas['MemoryFile']

interface Props {
  readonly groups: readonly ScopeGroup<MemoryFileEntry>[]
  /** Path of the open file. */
  readonly open: string | undefined
  readonly onOpen: (path: string) => void
}

export function Tree({ groups, open, onOpen }: Props) {
  const words = useWords()
  return (
    <nav aria-label={words('memory.files')} className="grid grid-cols-[minmax(0,1fr)] gap-3 py-2">
      {groups.map(({ scope, folders }) => (
        <section key={scope} aria-labelledby={`scope-${scope}`}>
          <h2 id={`scope-${scope}`} className="px-4 py-1 text-xs font-medium text-text-2">
            {words(`memory.scope.${scope}`)}
          </h2>
          {folders.map((folder) =>
            folder.owner === '' ? (
              <Files key="" {...{ folder, open, onOpen }} />
            ) : (
              <details key={folder.owner} open={folders.length <= OPEN || hasFile(folder, open)}>
                <summary className="min-h-7 cursor-pointer px-4 py-1 text-sm font-medium [overflow-wrap:anywhere] hover:bg-subtle pointer-coarse:py-2.5">
                  <Plain text={folder.owner} />{' '}
                  <span className="text-xs font-normal text-text-2">{folder.files.length}</span>
                </summary>
                <Files {...{ folder, open, onOpen }} />
              </details>
            ),
          )}
        </section>
      ))}
    </nav>
  )
}

/** Number of folders of a scope that are open at first. */
const OPEN = 8

const hasFile = ({ files }: Folder<MemoryFileEntry>, open: string | undefined): boolean =>
  files.some(({ path }) => path === open)

interface FilesProps {
  readonly folder: Folder<MemoryFileEntry>
  readonly open: string | undefined
  readonly onOpen: (path: string) => void
}

function Files({ folder, open, onOpen }: FilesProps) {
  return (
    <ul>
      {folder.files.map((file) => (
        <FileRow
          key={file.path}
          file={file}
          isOpen={file.path === open}
          onOpen={() => onOpen(file.path)}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  readonly file: MemoryFileEntry
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function FileRow({ file: { path, modified_at }, isOpen, onOpen }: RowProps) {
  const words = useWords()
  const hasDraft = useHasDraft(path)
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen}
        title={path}
        onClick={onOpen}
        className={`flex min-h-7 w-full items-center gap-2 px-4 text-left text-sm -outline-offset-2 pointer-coarse:min-h-11 ${isOpen ? 'bg-selected' : 'hover:bg-subtle'}`}
      >
        <Icon name="file" size={14} />
        <span className="min-w-0 flex-1 truncate">
          <Plain text={scopedPath(path).name} />
        </span>
        {hasDraft && (
          <span title={words('memory.unsaved')} className="text-asks">
            <span aria-hidden="true">●</span>
            <span className="sr-only">{words('memory.unsaved')}</span>
          </span>
        )}
        <span className="text-xs text-text-2">
          <Ago at={modified_at} />
        </span>
      </button>
    </li>
  )
}
