/** Reading the events of accounts. Types only. See docs/events.md. */
import type { AccountEvent, EventPosition } from '../../core/shipments/event.ts'

/** The events of accounts, in the order of their numbers. */
export interface EventLog {
  /** The place of the newest event of the account, or `BEFORE_FIRST`. */
  newest(accountId: string): Promise<EventPosition>
  /**
   * Whether the account has this event. False if it was removed because of its age, and if the database was restored to
   * a state without it.
   */
  holds(accountId: string, position: EventPosition): Promise<boolean>
  /** The events after a number, at most `limit`. */
  after(accountId: string, sequence: number, limit: number): Promise<readonly AccountEvent[]>
}

/** Calls back when accounts have new events. */
export interface EventWatch {
  /**
   * Calls `onNews` after each new event of the account that this process learns of, and sometimes without one. Call the
   * returned function to stop.
   */
  subscribe(accountId: string, onNews: () => void): () => void
}
