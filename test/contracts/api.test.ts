import { setImmediate } from 'node:timers/promises'
import { apiContract } from './api/contract.ts'
import { embeddedHost } from './api/embedded.ts'

apiContract('the embedded server in memory', embeddedHost, () => setImmediate())
