/** The CDK app: one stack, checked by cdk-nag at every synth. */

import { join } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { settingsOf } from './settings.ts'
import { StrataStack } from './stack.ts'

const app = new App()
const settings = settingsOf(app)
new StrataStack(app, settings.stage === undefined ? 'Strata' : `Strata-${settings.stage}`, {
  settings,
  bundle: join(import.meta.dirname, 'cdk.out/lambda'),
})
Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
app.synth()
