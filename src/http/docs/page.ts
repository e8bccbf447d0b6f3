/**
 * Renders the API contract as a page for search and test requests, with RapiDoc, which reads
 * `/docs/openapi.json`. RapiDoc is one file of 863 KB, so it is served as a separate file that only
 * this page loads.
 */

import { RENDERER } from '../assets.ts'

const SETTINGS: Readonly<Record<string, string>> = {
  'spec-url': '/docs/openapi.json',
  'render-style': 'focused',
  'show-header': 'false',
  'allow-spec-file-load': 'false',
  'allow-server-selection': 'false',
  'allow-spec-file-download': 'false',
  'show-method-in-nav-bar': 'as-colored-text',
  'nav-item-spacing': 'compact',
  'use-path-in-nav-bar': 'false',
  'schema-style': 'table',
  'schema-description-expanded': 'true',
  'allow-schema-description-expand-toggle': 'false',
  'default-schema-tab': 'example',
  'load-fonts': 'false',
  'regular-font': 'system-ui, sans-serif',
  'mono-font': 'ui-monospace, monospace',
  'primary-color': '#2563eb',
  'update-route': 'true',
}

const attributes = Object.entries(SETTINGS)
  .map(([name, value]) => `${name}="${value}"`)
  .join(' ')

export const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width,initial-scale=1">' +
  '<title>Strata API</title><link rel="icon" href="data:,">' +
  '<style>html{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}</style>' +
  '<script src="/docs/theme.js"></script>' +
  `<script type="module" src="/docs/${RENDERER}"></script>` +
  `<rapi-doc ${attributes}></rapi-doc>` +
  '<noscript><p><a href="/docs/plain">The same without scripts</a></p></noscript></html>'

/** CSS rules for RapiDoc's shadow trees, which otherwise hide or cut text on a narrow page. */
const STYLE = `
  #api-info { margin-left: 0 }
  .summary .title { word-break: normal }
  .m-markdown a { color: var(--primary-color) }
  .m-markdown pre { margin: 8px 0 }
  .m-markdown pre, .m-markdown pre code { white-space: pre-wrap; overflow-wrap: anywhere }
  @media (max-width: 767px) {
    .section-gap { padding: 0 }
    .m-endpoint > .endpoint-head { flex-wrap: wrap; padding: 8px }
    .m-endpoint .endpoint-body { position: relative; padding-top: 32px }
    .endpoint-head .path { flex: 1; min-width: 0 }
    .endpoint-head .descr { display: block; flex: 1 0 100%; padding-top: 4px; word-break: normal }
    .tr { flex-wrap: wrap }
    .table .key { flex: 1 1 auto; width: 55% }
    .table .key-type { width: 45%; flex: 0 1 auto }
    .tr > .key-descr, .expanded-descr .key-descr {
      display: block; flex: 1 0 100%; padding: 0 8px 6px 24px; overflow-wrap: anywhere
    }
    :not(.tr) > .key-descr { display: none }
  }
`

/**
 * Script that follows the reader's light or dark theme and the page width. A narrow page shows its
 * operations as a collapsible list instead of a sidebar.
 */
export const THEME = `{
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const narrow = matchMedia('(max-width: 767px)')
  const pages = document.getElementsByTagName('rapi-doc')
  const follow = () => {
    for (const page of pages) {
      page.setAttribute('render-style', narrow.matches ? 'view' : 'focused')
      page.setAttribute('theme', dark.matches ? 'dark' : 'light')
      page.setAttribute('bg-color', dark.matches ? '#181818' : '#ffffff')
      page.setAttribute('text-color', dark.matches ? '#dddddd' : '#222222')
      page.setAttribute('primary-color', dark.matches ? '#7aa2ff' : '#2563eb')
      page.setAttribute('nav-bg-color', dark.matches ? '#202020' : '#f5f6f8')
      page.setAttribute('nav-text-color', dark.matches ? '#cccccc' : '#333333')
    }
  }
  dark.addEventListener('change', follow)
  narrow.addEventListener('change', follow)
  addEventListener('DOMContentLoaded', follow)

  const style = new CSSStyleSheet()
  style.replaceSync(${JSON.stringify(STYLE)})
  for (const name of ['api-request', 'api-response', 'schema-table', 'schema-tree'])
    customElements.whenDefined(name).then((made) => made.elementStyles.push(style))
  customElements.whenDefined('rapi-doc').then(() => {
    for (const { shadowRoot } of pages) shadowRoot.adoptedStyleSheets.push(style)
  })
}
`
