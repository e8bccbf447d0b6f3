/** The stack, on one page: storage, lanes, functions, clock, alarms. */

import { CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import * as events from 'aws-cdk-lib/aws-events'
import * as targets from 'aws-cdk-lib/aws-events-targets'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import type { Construct } from 'constructs'
import { createAlarms } from './alarms.ts'
import { createDistribution } from './cdn.ts'
import { createFunction, type HandlerName, type Storage } from './functions.ts'
import { camel, createQueues, urlsOf } from './lanes.ts'
import { MEMORY } from './memory.ts'
import { LANES, type Settings } from './settings.ts'
import { createBucket, createTable } from './storage.ts'

export interface StrataProps {
  readonly settings: Settings
  /** The folder that infra/bundle.ts has filled. */
  readonly bundle: string
}

export class StrataStack extends Stack {
  constructor(scope: Construct, id: string, { settings, bundle }: StrataProps) {
    super(scope, id, { description: 'Strata: runs agents from files' })
    const storage: Storage = {
      table: createTable(this),
      bucket: createBucket(this),
      queues: createQueues(this, settings.lanes),
    }
    const code = lambda.Code.fromAsset(bundle)
    const make = (name: string, handler: HandlerName, reserved?: number): lambda.Function =>
      createFunction(this, name, {
        handler,
        code,
        settings,
        storage,
        memory: MEMORY[handler],
        ...(reserved === undefined || !settings.reserve ? {} : { reserved }),
      })

    const http = make('Http', 'http', settings.http)
    const url = http.addFunctionUrl({
      // The program's own API keys decide who may come in.
      authType: lambda.FunctionUrlAuthType.NONE,
      invokeMode: lambda.InvokeMode.RESPONSE_STREAM,
    })
    const dead = make('Dead', 'dead')
    const workers = LANES.map((lane) => {
      const width = settings.lanes[lane]
      const worker = make(`Lane${camel(lane)}`, 'work', width)
      for (const { queue, dead: letters, width: maxConcurrency } of storage.queues[lane]) {
        const one = { batchSize: 1, maxConcurrency, reportBatchItemFailures: true }
        worker.addEventSource(new SqsEventSource(queue, one))
        dead.addEventSource(new SqsEventSource(letters, { batchSize: 10 }))
      }
      return [worker.node.id, worker] as const
    })
    const clock = make('Clock', 'clock', 1)
    new events.Rule(this, 'EachMinute', {
      schedule: events.Schedule.rate(Duration.minutes(1)),
      targets: [new targets.LambdaFunction(clock, { retryAttempts: 0 })],
    })
    createAlarms(this, {
      storage,
      functions: { Http: http, ...Object.fromEntries(workers), Clock: clock },
      http,
      dead,
      email: settings.email,
    })
    const { firewall } = settings
    const front = firewall && createDistribution(this, url, { ...settings, firewall })
    const entrance = front ? `https://${front.distributionDomainName}/` : url.url
    new CfnOutput(this, 'Url', { value: entrance })
    new CfnOutput(this, 'TableName', { value: storage.table.tableName })
    new CfnOutput(this, 'BucketName', { value: storage.bucket.bucketName })
    for (const lane of LANES)
      new CfnOutput(this, `Queue${camel(lane)}`, { value: urlsOf(storage.queues[lane]) })
  }
}
