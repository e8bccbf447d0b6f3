/** Objects in memory keep the promises of their port. */

import { memoryObjects } from '../../../../src/hosts/memory/objects.ts'
import { objectsContract } from '../../../contract/objects.ts'

objectsContract('memory', memoryObjects)
