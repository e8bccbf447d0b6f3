/**
 * Renders a model's Markdown as React elements from a fixed set of node types. HTML is shown as
 * text; only `http`, `https`, and `mailto` URLs are linked; images are not loaded.
 */

import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { memo, type ReactNode } from 'react'
import remend from 'remend'
import { say } from '../i18n/words.ts'
import { blocksOf } from './blocks.ts'
import { isBareWord, linkTarget } from './links.ts'
import { Plain } from './text.tsx'

/** Maximum length of formatted text in characters; longer text is shown without formatting. */
const MOST_CHARACTERS = 100_000
/** Maximum nesting depth of Markdown; deeper content is shown as an ellipsis. */
const MOST_DEPTH = 40

interface Props {
  readonly text: string
  /** Whether the model is still writing the Markdown text. */
  readonly live?: boolean
}

export function Prose({ text, live = false }: Props) {
  if (text.length > MOST_CHARACTERS) {
    return (
      <p dir="auto" className="prose-strata whitespace-pre-wrap">
        <Plain text={text} />
      </p>
    )
  }
  const blocks = live ? blocksOf(text) : [text]
  const last = blocks.length - 1
  return (
    <div dir="auto" className="prose-strata">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end.
        <Block key={at} text={live && at === last ? remend(block) : block} />
      ))}
      {live && <span aria-hidden="true" className="inline-block h-4 w-1.5 bg-text" />}
    </div>
  )
}

const Block = memo(function Block({ text }: { readonly text: string }) {
  const { children } = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  })
  const definitions = new Map(
    children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node]] : [])),
  )
  return <Nodes of={children} context={{ definitions, depth: 0 }} />
})

type Node = ReturnType<typeof fromMarkdown>['children'][number]
type NodeOf<T> = Extract<Node, { type: T }>
type Definition = NodeOf<'definition'>
type PhrasingContent = NodeOf<'paragraph'>['children'][number]

interface Context {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly depth: number
}

function Nodes({
  of: nodes,
  context,
}: {
  readonly of: readonly Node[]
  readonly context: Context
}) {
  const { depth } = context
  if (depth > MOST_DEPTH) return '…'
  const below = { ...context, depth: depth + 1 }
  // biome-ignore lint/suspicious/noArrayIndexKey: nodes of a text have no other name.
  return nodes.map((node, at) => <NodeView key={at} node={node} context={below} />)
}

const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

function NodeView({
  node,
  context,
}: {
  readonly node: Node
  readonly context: Context
}): ReactNode {
  const inner = 'children' in node && <Nodes of={node.children as Node[]} context={context} />
  switch (node.type) {
    case 'text':
    case 'html':
      return <Plain text={node.value} />
    case 'paragraph':
      return <p>{inner}</p>
    case 'heading': {
      const Heading = HEADINGS[node.depth - 1] ?? 'h6'
      return <Heading>{inner}</Heading>
    }
    case 'emphasis':
      return <em>{inner}</em>
    case 'strong':
      return <strong>{inner}</strong>
    case 'delete':
      return <del>{inner}</del>
    case 'break':
      return <br />
    case 'inlineCode':
      return (
        <code>
          <Plain text={node.value} />
        </code>
      )
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>
            <Plain text={node.value} />
          </code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{inner}</blockquote>
    case 'thematicBreak':
      return <hr />
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{inner}</ol> : <ul>{inner}</ul>
    case 'listItem':
      return (
        <li>
          {node.checked != null && <span>{node.checked ? '☑ ' : '☐ '}</span>}
          {inner}
        </li>
      )
    default:
      return <Special node={node} context={context} inner={inner} />
  }
}

/** Renders Markdown links, images, tables, and footnotes. */
function Special({
  node,
  context,
  inner,
}: {
  readonly node: Node
  readonly context: Context
  readonly inner: ReactNode
}): ReactNode {
  switch (node.type) {
    case 'link':
      return (
        <Link to={node.url} text={textOf(node.children)}>
          {inner}
        </Link>
      )
    case 'linkReference': {
      const to = context.definitions.get(node.identifier)?.url ?? ''
      return (
        <Link to={to} text={textOf(node.children)}>
          {inner}
        </Link>
      )
    }
    case 'image':
      return <Image from={node.url} alt={node.alt} />
    case 'imageReference':
      return <Image from={context.definitions.get(node.identifier)?.url ?? ''} alt={node.alt} />
    case 'table': {
      const [head, ...rows] = node.children
      return (
        <table>
          {head && (
            <thead>
              <Row cells={head.children} context={context} isHead />
            </thead>
          )}
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text have no other name.
              <Row key={at} cells={row.children} context={context} />
            ))}
          </tbody>
        </table>
      )
    }
    case 'footnoteReference':
      return <sup>{node.identifier}</sup>
    case 'footnoteDefinition':
      return (
        <div className="text-text-2">
          {node.identifier}: {inner}
        </div>
      )
    default:
      // Definitions of links and footnotes are rendered where they are referenced.
      return null
  }
}

function Row({
  cells,
  context,
  isHead,
}: {
  readonly cells: readonly { readonly children: PhrasingContent[] }[]
  readonly context: Context
  readonly isHead?: boolean
}) {
  const Cell = isHead ? 'th' : 'td'
  return (
    <tr>
      {cells.map((cell, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells of a text have no other name.
        <Cell key={at}>
          <Nodes of={cell.children} context={context} />
        </Cell>
      ))}
    </tr>
  )
}

const textOf = (nodes: readonly PhrasingContent[]): string =>
  nodes.map((node) => ('value' in node ? node.value : '')).join('')

/** Renders a Markdown link, followed by its host if the link text does not show the host. */
function Link({
  to,
  text,
  children,
}: {
  readonly to: string
  readonly text: string
  readonly children: ReactNode
}) {
  const target = isBareWord(text, to) ? undefined : linkTarget(to)
  if (!target) return children
  return (
    <>
      <a href={target.href} rel="noopener noreferrer nofollow" target="_blank">
        {children}
      </a>
      {!text.includes(target.host) && <span className="text-xs text-text-3"> ({target.host})</span>}
    </>
  )
}

function Image({ from, alt }: { readonly from: string; readonly alt?: string | null | undefined }) {
  const host = linkTarget(from)?.host ?? '?'
  return (
    <span className="rounded border border-line bg-subtle px-1 text-xs text-text-2">
      {alt && (
        <>
          <Plain text={alt} />
          {' · '}
        </>
      )}
      {say('chat.image', { host })}
    </span>
  )
}
