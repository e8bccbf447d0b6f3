/**
 * Text of models as Markdown. HTML in it stays text, addresses of other schemes are no links, and
 * nothing from elsewhere is loaded: a picture becomes a link to it.
 */

import Markdown, { type Components } from 'react-markdown'
import gfm from 'remark-gfm'

const SAFE = /^(?:https?:|mailto:)/i

const safe = (url: string): string => (SAFE.test(url.trim()) ? url.trim() : '')

function Outward({
  href = '',
  children,
}: {
  readonly href?: string
  readonly children?: React.ReactNode
}) {
  if (href === '') return <span>{children}</span>
  return (
    <a href={href} rel="noopener noreferrer nofollow ugc" target="_blank">
      {children}
    </a>
  )
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <Outward href={href ?? ''}>{children}</Outward>,
  img: ({ src, alt }) => (
    <Outward href={typeof src === 'string' ? src : ''}>{alt || String(src ?? '')}</Outward>
  ),
  // Boxes of task lists are pictures of a state, nothing to press.
  input: ({ checked }) => <span aria-hidden="true">{checked ? '☑' : '☐'} </span>,
}

export default function MarkdownText({ text }: { readonly text: string }) {
  return (
    <div className="prose-strata">
      <Markdown components={COMPONENTS} remarkPlugins={[gfm]} skipHtml={false} urlTransform={safe}>
        {text}
      </Markdown>
    </div>
  )
}
