/** A queue on this machine, in a process of its own (`tick-cost.ts`): prints where it is. */

import { CreateQueueCommand } from '@aws-sdk/client-sqs'
import { sqsClient, startSqs } from '../support/aws/sqs.ts'

const { url } = await startSqs()
const command = new CreateQueueCommand({ QueueName: 'resume' })
const { QueueUrl } = await sqsClient(url).send(command)
process.stdout.write(`${JSON.stringify({ url, queue: QueueUrl })}\n`)
