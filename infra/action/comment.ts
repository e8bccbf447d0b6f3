/** The report as a comment of the pull request: written once, replaced by later runs. */

import { readFileSync } from 'node:fs'
import { MARK } from './report.ts'

type Env = Readonly<Record<string, string | undefined>>

interface Comment {
  readonly id: number
  readonly body?: string
}

const PAGES = 10

/** Writes the comment and returns what was done, as a sentence. Throws when GitHub refuses. */
export async function comment(env: Env, text: string): Promise<string> {
  const number = pullRequest(env.GITHUB_EVENT_PATH)
  if (number === undefined) return 'no pull request: no comment'
  if (!env.GITHUB_TOKEN) throw new Error('a comment needs github-token')
  const issues = `/repos/${env.GITHUB_REPOSITORY}/issues`
  const before = await earlier(env, `${issues}/${number}/comments`)
  if (before === undefined) await github(env, 'POST', `${issues}/${number}/comments`, text)
  else await github(env, 'PATCH', `${issues}/comments/${before.id}`, text)
  return `the report is ${before === undefined ? 'a new comment' : 'the comment'} of #${number}`
}

function pullRequest(path: string | undefined): number | undefined {
  if (!path) return undefined
  const event = JSON.parse(readFileSync(path, 'utf8')) as { pull_request?: { number?: number } }
  return event.pull_request?.number
}

async function earlier(env: Env, path: string): Promise<Comment | undefined> {
  for (let page = 1; page <= PAGES; page += 1) {
    const comments = (await github(env, 'GET', `${path}?per_page=100&page=${page}`)) as Comment[]
    const found = comments.find(({ body }) => body?.startsWith(MARK))
    if (found || comments.length < 100) return found
  }
  return undefined
}

async function github(env: Env, method: string, path: string, body?: string): Promise<unknown> {
  const response = await fetch(`${env.GITHUB_API_URL ?? 'https://api.github.com'}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify({ body }) }),
  })
  if (response.ok) return response.json()
  throw new Error(`GitHub answers ${method} ${path.split('?')[0]} with ${response.status}`)
}
