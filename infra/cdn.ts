/**
 * CloudFront in front of `Http`, when a web ACL is named: nothing is cached, everything except the
 * host name is passed on, and responses stream. The function URL itself then serves only requests
 * with the key that the distribution adds (src/hosts/aws/origin-key.ts says why it is no
 * signature).
 */

import { Duration, SecretValue, Validations } from 'aws-cdk-lib'
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront'
import { FunctionUrlOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import type * as lambda from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { ORIGIN_HEADER } from '../src/hosts/aws/origin-key.ts'
import type { Settings } from './settings.ts'

/** The field of the secret that both sides know. */
export const ORIGIN_KEY = 'STRATA_ORIGIN_KEY'

/** The most that CloudFront waits for an answer's first byte and between pieces: a stream has one every 15 s. */
const READ = Duration.seconds(120)

export function createDistribution(
  scope: Construct,
  url: lambda.FunctionUrl,
  { firewall, revision, secretName }: Settings & { readonly firewall: string },
): cloudfront.Distribution {
  const key = SecretValue.secretsManager(secretName, { jsonField: ORIGIN_KEY })
  const origin = new FunctionUrlOrigin(url, {
    readTimeout: READ,
    // There is no other way to hand it to CloudFront: who may read the distribution sees it.
    customHeaders: { [ORIGIN_HEADER]: key.unsafeUnwrap() },
  })
  const made = new cloudfront.Distribution(scope, 'Distribution', {
    // A secret is resolved anew only for what changes.
    comment: `Strata, revision ${revision}`,
    defaultBehavior: {
      origin,
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
      originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
      // A compressor would hold pieces of a stream back.
      compress: false,
    },
    httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
    webAclId: firewall,
  })
  Validations.of(made).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Callers may be anywhere: their API keys decide.' },
    { id: 'AwsSolutions-CFR3', reason: 'Each request stands in the log of the function Http.' },
    { id: 'AwsSolutions-CFR4', reason: "The name is CloudFront's own, and so is its certificate." },
  )
  return made
}
