/** Objects in a real S3 keep the promises of their port, conditions included. */

import { inject } from 'vitest'
import { s3Objects } from '../../../src/hosts/aws/s3.ts'
import { objectsContract } from '../../contract/objects.ts'
import { newPlace } from '../../support/aws/all.ts'
import { s3Client } from '../../support/aws/radosgw.ts'

const urls = inject('aws')
const { bucket } = await newPlace(urls)

objectsContract('S3', () => s3Objects(s3Client(urls.s3), bucket))
