/** The service as `npm start` runs it, but it ends with its parent process. */
import { endWithParent } from './child.ts'

endWithParent()
await import('../../../src/main.ts')
