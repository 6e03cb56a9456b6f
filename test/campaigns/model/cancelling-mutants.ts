/** Mutants of the statements that cancel. */
import { always, gone, LOCKS, listed, none, within } from './mutant.ts'

const DRAFT_BEING_BOOKED = `locked.state = 'draft' AND locked.booking_until IS NOT NULL`

const BEGIN = listed('begin', 'INSERT INTO cancel_attempt AS attempt', [
  ['for any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
  ['a refusal is remembered a moment too long', ['cancel_refused_at > clock', 'cancel_refused_at >= clock']],
  ['cancels in any state', within('AND ', `locked.state = 'draft'`, ' AND locked.booking_until IS NULL')],
  [
    'a draft that is being booked is cancelled at once',
    [gone(' AND locked.booking_until IS NULL'), [DRAFT_BEING_BOOKED, 'false']],
  ],
  ['the request is not recorded', [DRAFT_BEING_BOOKED, 'false']],
  [
    'the request is recorded for any draft',
    [
      ['AND locked.booking_until IS NULL', 'AND false'],
      [DRAFT_BEING_BOOKED, `locked.state = 'draft'`],
    ],
  ],
  ['the request is recorded for every other draft too', gone(' AND locked.booking_until IS NOT NULL')],
  [
    'the request is recorded in any state',
    within('AND ', `locked.state = 'draft'`, ' AND locked.booking_until IS NOT NULL'),
  ],
  [
    'a repeated request replaces the first',
    ['coalesce(shipment.cancel_requested_at, clock_timestamp())', 'clock_timestamp()'],
  ],
  ['a draft leaves no event', none(`'draft', 'cancelled' FROM cancelled`)],
  ['the version stays', ['version = shipment.version + 1', 'version = shipment.version']],
  ['a draft is cancelled by its carrier', [`cancelled_by = 'draft'`, `cancelled_by = 'carrier'`]],
  ['a refusal is forgotten', gone(' AND NOT EXISTS (SELECT 1 FROM recent_refusal)')],
  ['asks about parcels in transit', [`locked.state = 'booked' AND $#`, `locked.state <> 'draft' AND $#`]],
  ['takes over leases that run', always('attempt.lease_until <= clock_timestamp()')],
  ['waits a moment too long', ['attempt.lease_until <= clock', 'attempt.lease_until < clock']],
  ['the fence stays', ['fence = attempt.fence + 1', 'fence = attempt.fence']],
  ['a send is not counted', ['sends = attempt.sends + CASE', 'sends = attempt.sends + 0 * CASE']],
  [
    'a lookup counts as a send',
    ['attempt.doubted_at IS NULL THEN 1 ELSE 0', 'attempt.doubted_at IS NULL THEN 1 ELSE 1'],
  ],
  ['opens without permission', always('$#::boolean')],
  ['a new attempt may be deleted by an older version', [', true FROM locked', ', false FROM locked']],
  ['a free lease counts as held', [`THEN 'working' ELSE 'waiting'`, `THEN 'working' ELSE 'working'`]],
  ['a held lease counts as free', [`THEN 'working' ELSE 'waiting'`, `THEN 'waiting' ELSE 'waiting'`]],
  ['is held a moment too long', ['attempt.lease_until > clock', 'attempt.lease_until >= clock']],
  ['a settled attempt counts as open', within('AND ', `attempt.phase = 'pending'`, `), 'none')`)],
  [
    'the lease keeps its old owner',
    ['lease_owner = excluded.lease_owner', 'lease_owner = attempt.lease_owner'],
  ],
  ['the lease is not renewed', ['lease_until = excluded.lease_until', 'lease_until = attempt.lease_until']],
  ['is due while it runs', ['next_try_at = excluded.next_try_at', 'next_try_at = attempt.next_try_at']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const STANDING = listed('cancelProgress', 'AS due_in_ms', [
  ['for any account', always('shipment.account_id = $#')],
  ['includes settled attempts', gone(` AND attempt.phase = 'pending'`)],
  ['a released attempt counts as working', gone('attempt.lease_owner IS NOT NULL AND ')],
  [
    'a booking does not count as working',
    gone(`(shipment.state = 'draft' AND shipment.booking_until IS NOT NULL) OR `),
  ],
  ['any draft counts as working', gone(' AND shipment.booking_until IS NOT NULL')],
  ['a booking counts as working in any state', gone(`shipment.state = 'draft' AND `)],
  ['works a moment too long', ['attempt.lease_until > clock', 'attempt.lease_until >= clock']],
  ['a refusal is remembered a moment too long', ['cancel_refused_at > clock', 'cancel_refused_at >= clock']],
])

const ACCEPT = listed('accept', `SET phase = 'accepted'`, [
  ['for another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['not after a refusal', [`attempt.phase IN ('pending', 'refused')`, `attempt.phase = 'pending'`]],
  ['twice', always(`attempt.phase IN ('pending', 'refused')`)],
  [
    'not after the lease is gone',
    ['attempt.attempt_id = $#', 'attempt.attempt_id = $# AND attempt.lease_owner IS NOT NULL'],
  ],
  ['leaves it to be verified', gone('verify_at = NULL, ')],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['keeps an older mark', [`in transit' END`, `in transit' ELSE attempt.anomaly END`]],
  ['marks nothing', [`CASE WHEN locked.state = 'in_transit' THEN`, 'CASE WHEN false THEN']],
  [
    'cancels parcels in transit',
    [`AND locked.state = 'booked'`, `AND locked.state IN ('booked', 'in_transit')`],
  ],
  ['leaves no event', none(`'booked', 'cancelled', attempt_id FROM cancelled`)],
  ['the event names no attempt', [`'cancelled', attempt_id FROM`, `'cancelled', NULL::uuid FROM`]],
  ['the version stays', ['version = shipment.version + 1', 'version = shipment.version']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const REFUSE = listed('refuse', `SET phase = 'refused'`, [
  ['with a stale ticket', always('attempt.fence = $#')],
  ['a settled attempt', within('AND ', `attempt.phase = 'pending'`, ' RETURNING')],
  ['for another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['is verified after one send', ['attempt.sends > 1', 'attempt.sends > 0']],
  ['is not verified after two', ['attempt.sends > 1', 'attempt.sends > 2']],
  ['a withdrawal that failed is not marked', [`CASE WHEN locked.state = 'cancelled'`, 'CASE WHEN false']],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['is not remembered', ['SET cancel_refused_at = clock_timestamp(),', 'SET']],
  [
    'a scan makes no lookup due',
    [`= 'SCANNED' THEN clock_timestamp()`, `= 'SCANNED' THEN shipment.next_track_at`],
  ],
  ['any refusal makes a lookup due', ['ELSE shipment.next_track_at END', 'ELSE clock_timestamp() END']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const RELEASE = listed('release', 'FOR UPDATE ) UPDATE cancel_attempt AS attempt SET lease_owner', [
  ['with a stale ticket', always('attempt.fence = $#')],
  ['a settled attempt', within('AND ', `attempt.phase = 'pending'`, ' RETURNING')],
  ['for another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  [
    'counts a request that was not sent',
    ['lease_owner IS NOT NULL THEN 1', 'lease_owner IS NOT NULL THEN 0'],
  ],
  ['subtracts a request twice', gone(' AND attempt.lease_owner IS NOT NULL')],
  ['replaces the code of a doubt', ['coalesce(attempt.doubt_code, $#)', 'coalesce($#, attempt.doubt_code)']],
  ['forgets a doubt', ['ELSE attempt.doubted_at END', 'ELSE NULL END']],
  ['renews a doubt', ['coalesce(attempt.doubted_at, clock_timestamp())', 'clock_timestamp()']],
  ['answers no state', ['RETURNING locked.state', 'RETURNING NULL::text AS state']],
  ['answers booked in any state', ['RETURNING locked.state', `RETURNING 'booked' AS state`]],
])

const RELEASE_LEASES = listed('releaseLeases', `last_cause = 'shutdown'`, [
  ['for every process', [['attempt.lease_owner = $#', '(attempt.lease_owner = $# OR true)']]],
  ['still due later', [', next_try_at = clock_timestamp()', ', next_try_at = attempt.next_try_at']],
  ['still held', ['lease_until = clock_timestamp()', 'lease_until = attempt.lease_until']],
  ['waits for a running settlement', gone(' FOR UPDATE OF shipment SKIP LOCKED'), LOCKS],
])

export const CANCELLING_MUTANTS = [...BEGIN, ...STANDING, ...ACCEPT, ...REFUSE, ...RELEASE, ...RELEASE_LEASES]
