/**
 * The web ACL of the distribution, in a stack of its own because that of CloudFront lies in us-east-1
 * wherever the rest is. Bodies here are prompts, files and code: rules that look for attacks in them
 * only count, and so do those on long paths and queries, because keys of files stand there.
 */

import { CfnOutput, Stack } from 'aws-cdk-lib'
import * as wafv2 from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'
import { FIREWALL_ARN } from '../src/cli/deploy/command.ts'

const FIREWALL_REGION = 'us-east-1'
/** Rules of AWS's common set that valid requests would break. */
const COUNTED = [
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'SizeRestrictions_BODY',
  // `notes.log` and `server.ini` are files like others.
  'RestrictedExtensions_URIPATH',
  'RestrictedExtensions_QUERYARGUMENTS',
  'SizeRestrictions_URIPATH',
  'SizeRestrictions_QUERYSTRING',
  // Programs ask, and few of them say who they are.
  'NoUserAgent_HEADER',
]

/**
 * Declared lengths from 2,000,000 bytes on. A firewall sees the first 16 KB of a body and not its length;
 * what declares none is bounded by the function URL (6 MB) and by the program (1 MiB).
 */
export const TOO_LONG = '^0*([2-9][0-9]{6}|[0-9]{8,})$'

export class FirewallStack extends Stack {
  constructor(scope: Construct, id: string, { rate }: { readonly rate: number }) {
    const env = { region: FIREWALL_REGION }
    super(scope, id, { env, description: 'Strata: the web ACL of its distribution' })
    const acl = new wafv2.CfnWebACL(this, 'Firewall', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible(id),
      rules: [
        {
          name: 'Rate',
          statement: {
            rateBasedStatement: { limit: rate, aggregateKeyType: 'IP', evaluationWindowSec: 300 },
          },
          action: { block: { customResponse: TOO_MANY } },
        },
        {
          name: 'Length',
          statement: {
            regexMatchStatement: {
              fieldToMatch: { singleHeader: { Name: 'content-length' } },
              regexString: TOO_LONG,
              textTransformations: [{ priority: 0, type: 'NONE' }],
            },
          },
          action: { block: { customResponse: { responseCode: 413 } } },
        },
        managed('AWSManagedRulesAmazonIpReputationList', []),
        managed('AWSManagedRulesCommonRuleSet', COUNTED),
      ].map((rule, priority) => ({ ...rule, priority, visibilityConfig: visible(rule.name) })),
    })
    new CfnOutput(this, FIREWALL_ARN, { value: acl.attrArn })
  }
}

const TOO_MANY = {
  responseCode: 429,
  responseHeaders: [{ name: 'retry-after', value: '60' }],
}

const managed = (name: string, counted: readonly string[]) => ({
  name,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  overrideAction: { none: {} },
})

const visible = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Headers with API keys stand in samples.
  sampledRequestsEnabled: false,
})
