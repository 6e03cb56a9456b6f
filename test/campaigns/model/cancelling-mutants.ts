/** The wrong statements of cancelling. */
import { always, gone, LOCKS, listed, none, within } from './mutant.ts'

const DRAFT_BEING_BOOKED = `locked.state = 'draft' AND locked.booking_until IS NOT NULL`

const BEGIN = listed('begin', 'INSERT INTO cancel_attempt AS attempt', [
  ['of any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
  ['a refusal is remembered an instant longer', ['cancel_refused_at > clock', 'cancel_refused_at >= clock']],
  [
    'cancels whatever the state',
    within('AND ', `locked.state = 'draft'`, ' AND locked.booking_until IS NULL'),
  ],
  [
    'a draft that is being booked is cancelled at once',
    [gone(' AND locked.booking_until IS NULL'), [DRAFT_BEING_BOOKED, 'false']],
  ],
  ['the wish is not kept', [DRAFT_BEING_BOOKED, 'false']],
  [
    'the wish is kept of any draft',
    [
      ['AND locked.booking_until IS NULL', 'AND false'],
      [DRAFT_BEING_BOOKED, `locked.state = 'draft'`],
    ],
  ],
  ['the wish is kept of any draft as well', gone(' AND locked.booking_until IS NOT NULL')],
  [
    'the wish is kept whatever the state',
    within('AND ', `locked.state = 'draft'`, ' AND locked.booking_until IS NOT NULL'),
  ],
  [
    'the wish is the last one',
    ['coalesce(shipment.cancel_requested_at, clock_timestamp())', 'clock_timestamp()'],
  ],
  ['a draft leaves no event', none(`'draft', 'cancelled' FROM cancelled`)],
  ['the version stays', ['version = shipment.version + 1', 'version = shipment.version']],
  ['a draft is cancelled by its carrier', [`cancelled_by = 'draft'`, `cancelled_by = 'carrier'`]],
  ['a refusal is forgotten', gone(' AND NOT EXISTS (SELECT 1 FROM recent_refusal)')],
  ['asks about parcels in transit', [`locked.state = 'booked' AND NOT`, `locked.state <> 'draft' AND NOT`]],
  ['takes over leases that run', always('attempt.lease_until <= clock_timestamp()')],
  ['waits an instant longer', ['attempt.lease_until <= clock', 'attempt.lease_until < clock']],
  ['the fence stays', ['fence = attempt.fence + 1', 'fence = attempt.fence']],
  ['a send is not counted', ['sends = attempt.sends + 1', 'sends = attempt.sends']],
  [
    'the lease stays with who had it',
    ['lease_owner = excluded.lease_owner', 'lease_owner = attempt.lease_owner'],
  ],
  ['the lease is not renewed', ['lease_until = excluded.lease_until', 'lease_until = attempt.lease_until']],
  ['is due while it runs', ['next_try_at = excluded.next_try_at', 'next_try_at = attempt.next_try_at']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const STANDING = listed('standing', 'AS due_in_ms', [
  ['of any account', always('shipment.account_id = $#')],
  ['of settled attempts', gone(` AND attempt.phase = 'pending'`)],
  ['released is working', gone('attempt.lease_owner IS NOT NULL AND ')],
  [
    'a booking is not worked at',
    gone(`(shipment.state = 'draft' AND shipment.booking_until IS NOT NULL) OR `),
  ],
  ['any draft is worked at', gone(' AND shipment.booking_until IS NOT NULL')],
  ['a booking is worked at whatever the state', gone(`shipment.state = 'draft' AND `)],
  ['working an instant longer', ['attempt.lease_until > clock', 'attempt.lease_until >= clock']],
  ['a refusal is remembered an instant longer', ['cancel_refused_at > clock', 'cancel_refused_at >= clock']],
])

const ACCEPT = listed('accept', `SET phase = 'accepted'`, [
  ['for another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['not after a refusal', [`attempt.phase IN ('pending', 'refused')`, `attempt.phase = 'pending'`]],
  ['twice', always(`attempt.phase IN ('pending', 'refused')`)],
  [
    'not after the lease is gone',
    ['attempt.attempt_id = $#', 'attempt.attempt_id = $# AND attempt.lease_owner IS NOT NULL'],
  ],
  ['leaves it to be looked into', gone('verify_at = NULL, ')],
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
  ['what is settled', within('AND ', `attempt.phase = 'pending'`, ' RETURNING')],
  ['for another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['is looked into after one send', ['attempt.sends > 1', 'attempt.sends > 0']],
  ['is not looked into after two', ['attempt.sends > 1', 'attempt.sends > 2']],
  ['a withdrawal that failed is not marked', [`CASE WHEN locked.state = 'cancelled'`, 'CASE WHEN false']],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['is not remembered', ['SET cancel_refused_at = clock_timestamp(),', 'SET']],
  [
    'a scan makes no look-up due',
    [`= 'SCANNED' THEN clock_timestamp()`, `= 'SCANNED' THEN shipment.next_track_at`],
  ],
  ['any refusal makes a look-up due', ['ELSE shipment.next_track_at END', 'ELSE clock_timestamp() END']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const RELEASE = listed('release', 'FOR UPDATE ) UPDATE cancel_attempt AS attempt SET lease_owner', [
  ['with a stale ticket', always('attempt.fence = $#')],
  ['what is settled', within('AND ', `attempt.phase = 'pending'`, ' RETURNING')],
  ['for another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['answers no state', ['RETURNING locked.state', 'RETURNING NULL::text AS state']],
  ['answers booked whatever the state', ['RETURNING locked.state', `RETURNING 'booked' AS state`]],
])

const WITHDRAW = listed('withdraw', 'DELETE FROM cancel_attempt', [
  [
    'removes with a stale ticket',
    within('AND ', 'attempt.fence = $#', ` AND attempt.phase = 'pending' AND attempt.sends = 1`),
  ],
  ['removes what is settled', within('AND ', `attempt.phase = 'pending'`, ' AND attempt.sends = 1')],
  ['removes what may have got through', ['attempt.sends = 1 AND NOT', 'attempt.sends >= 1 AND NOT']],
  ['removes what is owed', gone(' AND NOT attempt.promised')],
  ['waits with a stale ticket', within('AND ', 'attempt.fence = $#', ` AND attempt.phase = 'pending' AND (`)],
  ['waits with what is settled', within('AND ', `attempt.phase = 'pending'`, ' AND (')],
  ['forgets what is owed', ['(attempt.sends > 1 OR attempt.promised)', 'attempt.sends > 1']],
  ['forgets what may have got through', ['(attempt.sends > 1 OR attempt.promised)', 'attempt.promised']],
  ['counts what was not sent', ['sends = attempt.sends - 1', 'sends = attempt.sends']],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['for another shipment', always('attempt.shipment_id = locked.shipment_id')],
])

const RELEASE_LEASES = listed('releaseLeases', `last_cause = 'shutdown'`, [
  ['of every process', [['attempt.lease_owner = $#', '(attempt.lease_owner = $# OR true)']]],
  ['still due later', [', next_try_at = clock_timestamp()', ', next_try_at = attempt.next_try_at']],
  ['still held', ['lease_until = clock_timestamp()', 'lease_until = attempt.lease_until']],
  ['waits for who is settling', gone(' FOR UPDATE OF shipment SKIP LOCKED'), LOCKS],
])

/** All of them. */
export const CANCELLING_MUTANTS = [
  ...BEGIN,
  ...STANDING,
  ...ACCEPT,
  ...REFUSE,
  ...RELEASE,
  ...WITHDRAW,
  ...RELEASE_LEASES,
]
