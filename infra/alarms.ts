/**
 * When operators must act: errors, functions that crash, 5xx, dead letters, wakes that are not
 * consumed, a clock that does not reach due runs, throttles; and when the sources of these alarms
 * are silent.
 */

import { Duration } from 'aws-cdk-lib'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions'
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import type * as lambda from 'aws-cdk-lib/aws-lambda'
import * as sns from 'aws-cdk-lib/aws-sns'
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import { type MetricName, NAMESPACE } from '../src/hosts/aws/metrics.ts'
import { tableDefinition } from '../src/hosts/aws/table.ts'
import type { Storage } from './functions.ts'
import { camel } from './lanes.ts'
import { FUNCTION_MINUTES } from './queues.ts'
import { LANES, type Lane } from './settings.ts'

/** Within five minutes; fewer are an unusual run. */
const MANY_ERRORS = 10
/** A partition is due again within a minute or so; five mean that the clock stands still. */
const OLDEST_SECONDS = 300
/**
 * The oldest message of a queue may be one that a function still works on, for as long as a function
 * lives; in the background runs may wait for each other for an hour besides.
 */
const WAITS_MINUTES: Readonly<Record<Lane, number>> = {
  main: 5,
  subagent: 5,
  resume: 5,
  background: 60,
}
/** Throttled requests are sent again by the SDK; so many in a minute mean that some run waits. */
const THROTTLED = 100

export interface Watched {
  readonly storage: Storage
  /** Functions by name that requests, wakes, and the clock call. */
  readonly functions: Readonly<Record<string, lambda.Function>>
  readonly http: lambda.Function
  readonly dead: lambda.Function
  readonly email: string | undefined
}

type Ring = (
  id: string,
  options: Omit<cloudwatch.AlarmProps, 'evaluationPeriods'> & {
    readonly evaluationPeriods?: number
  },
) => void

export function createAlarms(scope: Construct, watched: Watched): sns.Topic {
  const topic = new sns.Topic(scope, 'Alarms', { enforceSSL: true })
  if (watched.email) topic.addSubscription(new subscriptions.EmailSubscription(watched.email))
  const ring: Ring = (id, options) => {
    const all = { ...USUAL, ...options }
    new cloudwatch.Alarm(scope, id, all).addAlarmAction(new actions.SnsAction(topic))
  }
  ringForFailures(ring, watched)
  ringForDelays(ring, watched)
  ringForThrottles(ring, watched)
  return topic
}

/** Most ring for what happens: nothing written is nothing wrong. */
const USUAL = {
  evaluationPeriods: 1,
  comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
}

function ringForFailures(ring: Ring, watched: Watched): void {
  ring('DeadLetters', {
    alarmDescription: 'A message was given up: see the log of the function Dead.',
    metric: own('DeadLetters', 'Sum'),
    threshold: 1,
  })
  ring('Errors', {
    alarmDescription: 'The log has many errors: filter it by "Errors".',
    metric: own('Errors', 'Sum').with({ period: minutes(5) }),
    threshold: MANY_ERRORS,
  })
  ring('Crashes', {
    alarmDescription:
      'Functions die: they ran out of time or memory, or cannot start. See their logs.',
    // Who dies writes no line of its own.
    metric: sumOf(
      Object.values(watched.functions).map((one) => one.metricErrors({ period: minutes(5) })),
      minutes(5),
    ),
    threshold: MANY_ERRORS,
  })
  ring('Http5xx', {
    alarmDescription: 'Requests are answered with 5xx: see the log of the function Http.',
    // docs.aws.amazon.com/lambda/latest/dg/urls-monitoring.html
    metric: watched.http.metric('Url5xxCount', { period: minutes(5), statistic: 'Sum' }),
    threshold: MANY_ERRORS,
  })
  ring('DeadFails', {
    alarmDescription: 'The function that tells of dead letters fails: see its log.',
    metric: watched.dead.metricErrors({ period: minutes(5), statistic: 'Sum' }),
    threshold: 1,
  })
}

function ringForDelays(ring: Ring, watched: Watched): void {
  ring('OldestDue', {
    alarmDescription: 'What is due is not looked at: see the log of the function Clock.',
    metric: own('OldestDueSeconds', 'Maximum'),
    threshold: OLDEST_SECONDS,
    evaluationPeriods: 3,
  })
  for (const lane of LANES) {
    const seconds = (FUNCTION_MINUTES + WAITS_MINUTES[lane]) * 60
    ring(`OldestWake${camel(lane)}`, {
      alarmDescription: `Wakes of the lane ${lane} wait: it is full, or its function is not called.`,
      metric: watched.storage.queues[lane].queue.metricApproximateAgeOfOldestMessage({
        period: minutes(1),
        statistic: 'Maximum',
      }),
      threshold: seconds,
      evaluationPeriods: 3,
    })
  }
  ring('ClockStopped', {
    alarmDescription: 'The clock has not come to its end for five minutes: see its log.',
    // Its own word at its end: who is called and fails each time is called all the same.
    metric: own('Due', 'SampleCount').with({ period: minutes(5) }),
    threshold: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
  })
}

function ringForThrottles(ring: Ring, watched: Watched): void {
  ring('TableThrottles', {
    alarmDescription: 'DynamoDB refuses reads or writes: a partition is hot, or a limit was met.',
    metric: sumOf(throttlesOf(watched.storage.table), minutes(1)),
    threshold: THROTTLED,
    evaluationPeriods: 3,
  })
  for (const [name, made] of Object.entries(watched.functions)) {
    ring(`${name}Throttles`, {
      alarmDescription: `The function ${name} was refused: raise its lane or the account's limit.`,
      metric: made.metricThrottles({ period: minutes(5), statistic: 'Sum' }),
      threshold: 10,
      evaluationPeriods: 3,
    })
  }
}

const own = (metricName: MetricName, statistic: string): cloudwatch.Metric =>
  new cloudwatch.Metric({ namespace: NAMESPACE, metricName, statistic, period: minutes(1) })

/**
 * Throttles of the table and of each index, which refuses writes of its own. `UserErrors` has no
 * table name: our errors fail a request or a pass, and are counted in `Errors`.
 */
function throttlesOf(table: dynamodb.Table): cloudwatch.Metric[] {
  const { GlobalSecondaryIndexes } = tableDefinition('')
  const own = { TableName: table.tableName }
  const places = [
    own,
    ...GlobalSecondaryIndexes.map(({ IndexName }) => {
      return { ...own, GlobalSecondaryIndexName: IndexName }
    }),
  ]
  return places.flatMap((dimensionsMap) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((metricName) => {
      const of = { namespace: 'AWS/DynamoDB', metricName, dimensionsMap }
      return new cloudwatch.Metric({ ...of, statistic: 'Sum', period: minutes(1) })
    }),
  )
}

/** Sums metrics; missing data of one does not hide the others. */
function sumOf(metrics: readonly cloudwatch.Metric[], period: Duration): cloudwatch.MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const terms = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`)
  return new cloudwatch.MathExpression({ expression: terms.join(' + '), usingMetrics, period })
}

const minutes = (count: number): Duration => Duration.minutes(count)
