import { expect, it } from 'vitest'
import { judgeTasks } from '../../../../src/engine/fanout/judge.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import { fileKey } from '../../../../src/lib/key.ts'
import { TENANT, testWorld } from '../../../support/drive.ts'

it('warnings about a workspace’s files are collected once for all of its tasks', async () => {
  const { objects } = memoryWorld()
  const broken = encode('---\nname: [\n---\nx\n')
  for (let index = 0; index < 20; index += 1) {
    const key = fileKey(TENANT, `base/.agents/agents/a${index}.md`)
    await objects.put(key, broken, 'any')
  }
  await objects.put(fileKey(TENANT, 'repos/app/readme.md'), broken, 'any')
  const tasks = Array.from({ length: 1_000 }, (_, index) => ({
    task: `part ${index}`,
    ...(index % 2 === 0 ? {} : { repo_dir: 'repos/app' }),
  }))
  const judged = await judgeTasks(testWorld({ objects }), TENANT, { tasks })
  if (!judged.ok) throw new Error(judged.error.detail)
  const lists = judged.value.tasks.map(({ warnings }) => warnings)
  expect(lists[0]).toHaveLength(17)
  expect(new Set(lists).size).toBe(2)
})
