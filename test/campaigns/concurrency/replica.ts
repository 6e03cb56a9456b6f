/** The service itself, as `npm start` runs it, but that it ends with the process that started it. */
import { endWithParent } from './child.ts'

endWithParent()
await import('../../../src/main.ts')
