/** Strings that would become a program, a request, or another text if a page interpreted them. */

/** Runs in the page when a string is taken for a program. */
export const CALL = 'globalThis.__broken=1'

const HANDLERS = [
  ...['img src=x onerror', 'svg onload', 'body onload', 'video src=x onerror'],
  ...['audio src=x onerror', 'details open ontoggle', 'input autofocus onfocus'],
  ...['marquee onstart', 'object data=x onerror'],
]
const ADDRESSES = [
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  ` javascript:${CALL}`,
  `java\tscript:${CALL}`,
  `javascript&colon;${CALL}`,
  `vbscript:${CALL}`,
  `data:text/html,<script>${CALL}</script>`,
  `data:image/svg+xml,<svg onload=${CALL}>`,
  'file:///etc/passwd',
  `blob:https://evil.example/${CALL}`,
]

export const INJECTIONS: readonly string[] = [
  ...HANDLERS.map((one) => `<${one}="${CALL}">`),
  ...['a', 'div', 'button', 'math', 'form'].map(
    (tag) => `<${tag} onpointerenter="${CALL}" onfocus="${CALL}" tabindex=0 autofocus>x</${tag}>`,
  ),
  `<script>${CALL}</script>`,
  `<ScRiPt>${CALL}</sCrIpT>`,
  `"><script>${CALL}</script>`,
  `'><img src=x onerror=${CALL}>`,
  ...['textarea', 'title', 'style', 'pre', 'template', 'noscript'].map(
    (tag) => `</${tag}><img src=x onerror=${CALL}>`,
  ),
  `<scr<script>ipt>${CALL}</scr</script>ipt>`,
  `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`,
  `<iframe src="javascript:${CALL}"></iframe>`,
  `<embed src="javascript:${CALL}">`,
  `<base href="https://evil.example/${CALL}">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/${CALL}">`,
  `<link rel="stylesheet" href="https://evil.example/${CALL}.css">`,
  `<style>body{background:url(https://evil.example/${CALL})}</style>`,
  `<img src="https://evil.example/${CALL}.png">`,
  `<svg><script>${CALL}</script></svg>`,
  `<svg><a xlink:href="javascript:${CALL}"><text y="20">x</text></a></svg>`,
  `<math><mtext></mtext><mglyph><style><img src=x onerror=${CALL}></style></mglyph></math>`,
  `<!--><img src=x onerror=${CALL}>-->`,
  `<![CDATA[<img src=x onerror=${CALL}>]]>`,
  ...ADDRESSES.flatMap((url) => [`[press](${url})`, `![picture](${url})`, `<${url}>`]),
  `![pixel](https://evil.example/pixel.png "${CALL}")`,
  `![pixel][p] ${CALL}\n\n[p]: https://evil.example/pixel.png`,
  `[x](https://evil.example "\\"onmouseover=\\"${CALL}")`,
  `[bank.example](https://xn--evl-pla.example/${CALL})`,
  `www.evil.example/${CALL}`,
  `\`\`\`html\n</code></pre><img src=x onerror=${CALL}>\n\`\`\``,
  `| a |\n|---|\n| <img src=x onerror=${CALL}> |`,
  `&lt;img src=x onerror=${CALL}&gt;`,
  `&#60;img src=x onerror=${CALL}&#62;`,
  `{{constructor.constructor('${CALL}')()}}`,
  `\${${CALL}}`,
  `{n, plural, one {${CALL}} other {#}} {text} {name}`,
  `%3Cimg%20src=x%20onerror=${CALL}%3E`,
  `\u202e<img src=x onerror=${CALL}>`,
  `\u200b\u2066${CALL}\u2069`,
  `\u0007\u009b31m${CALL}`,
  `__proto__ constructor toString ${CALL}`,
  `$& $1 $\` ${CALL}`,
]
