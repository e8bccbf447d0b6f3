/** Pictures and files on every host: what the caller sends reaches the model's wire. */

import { expect } from 'vitest'
import { type Client, runToEnd } from '../support/launch.ts'
import type { ModelServer } from '../support/model-server.ts'
import { dataUrl, PNG } from '../support/pictures.ts'
import { PDF } from '../support/site.ts'

const bytesOf = (bytes: Buffer) => bytes.toString('base64')

interface Output {
  readonly output: { readonly attachments: readonly { readonly download: { path: string } }[] }
}

/** `models`: entries of STRATA_PROVIDERS under which the scripted model sees and is blind. */
export async function seesPictures(
  client: Client,
  model: ModelServer,
  { seeing, blind }: { readonly seeing: string; readonly blind: string },
): Promise<void> {
  const input = [
    { type: 'text', text: '@say done' },
    { type: 'image', data: bytesOf(PNG), name: 'red.png' },
    { type: 'file', data: bytesOf(PDF), name: 'paper.pdf' },
  ]
  const saw = await runToEnd(client, { input, model: seeing })
  expect(saw).toMatchObject({ status: 'completed' })
  const shown = JSON.stringify(model.requests.at(-1)!.body)
  expect(shown).toContain(dataUrl(PNG))
  expect(shown).toContain('Paws of otters')
  const [said] = (
    await client.get<{ data: { media: { digest: string }[] }[] }>(`/v1/runs/${saw.id}/transcript`)
  ).data
  const kept = await client.ask(`/v1/runs/${saw.id}/media/${said!.media[0]!.digest}`)
  expect(Buffer.from(await kept.arrayBuffer())).toEqual(PNG)

  const told = await runToEnd(client, { input, model: blind })
  expect(told).toMatchObject({ status: 'completed' })
  const { warnings } = told as unknown as { warnings: { code: string; message: string }[] }
  const about = warnings.filter(({ code }) => code === 'media_not_taken')
  expect(about.map(({ message }) => message)).toEqual([
    `the model ${blind} does not support images`,
    `the model ${blind} does not support PDF files; it receives the extracted text`,
  ])
  expect(JSON.stringify(model.requests.at(-1)!.body)).toContain(`${blind} does not support images`)

  const put = { method: 'PUT', body: '# A', headers: { 'content-type': 'text/markdown' } }
  expect((await client.ask('/v1/files/repos/notes/a.md', put)).status).toBeLessThan(300)
  const wrote = await runToEnd(client, {
    input: '@call attach_file {"path":"a.md"}\n@say done',
    repo_dir: 'repos/notes',
  })
  const { output } = wrote as unknown as Output
  const file = { media_type: 'text/markdown', bytes: 3 }
  expect(output.attachments).toMatchObject([file])
  const link = output.attachments[0]!.download.path
  const downloaded = await fetch(`${client.url}${link}`)
  expect([downloaded.status, await downloaded.text()]).toEqual([200, '# A'])
}
