/** The user of the operating system, who is recorded with decisions of operators. */
import { userInfo } from 'node:os'

/** Some containers run under a number without a name. */
export function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
