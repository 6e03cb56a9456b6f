/** The wrong statements of cancelling. */
import { always, gone, LOCKS, listed, none, within } from './mutant.ts'

const DRAFT_BEING_BOOKED = `s.state = 'draft' AND s.booking_until IS NOT NULL`

const BEGIN = listed('begin', 'INSERT INTO cancel_attempt AS c', [
  ['of any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
  ['a refusal is remembered an instant longer', ['cancel_refused_at > clock', 'cancel_refused_at >= clock']],
  ['cancels whatever the state', within('AND ', `s.state = 'draft'`, ' AND s.booking_until IS NULL')],
  [
    'a draft that is being booked is cancelled at once',
    [gone(' AND s.booking_until IS NULL'), [DRAFT_BEING_BOOKED, 'false']],
  ],
  ['the wish is not kept', [DRAFT_BEING_BOOKED, 'false']],
  [
    'the wish is kept of any draft',
    [
      ['AND s.booking_until IS NULL', 'AND false'],
      [DRAFT_BEING_BOOKED, `s.state = 'draft'`],
    ],
  ],
  ['the wish is kept of any draft as well', gone(' AND s.booking_until IS NOT NULL')],
  [
    'the wish is kept whatever the state',
    within('AND ', `s.state = 'draft'`, ' AND s.booking_until IS NOT NULL'),
  ],
  ['the wish is the last one', ['coalesce(t.cancel_requested_at, clock_timestamp())', 'clock_timestamp()']],
  ['a draft leaves no event', none(`'draft', 'cancelled' FROM d`)],
  ['the version stays', ['version = t.version + 1', 'version = t.version']],
  ['a draft is cancelled by its carrier', [`cancelled_by = 'draft'`, `cancelled_by = 'carrier'`]],
  ['a refusal is forgotten', gone(' AND NOT EXISTS (SELECT 1 FROM neg)')],
  ['asks about parcels in transit', [`s.state = 'booked' AND NOT`, `s.state <> 'draft' AND NOT`]],
  ['takes over leases that run', always('c.lease_until <= clock_timestamp()')],
  ['waits an instant longer', ['c.lease_until <= clock', 'c.lease_until < clock']],
  ['the fence stays', ['fence = c.fence + 1', 'fence = c.fence']],
  ['a send is not counted', ['sends = c.sends + 1', 'sends = c.sends']],
  ['the lease stays with who had it', ['lease_owner = excluded.lease_owner', 'lease_owner = c.lease_owner']],
  ['the lease is not renewed', ['lease_until = excluded.lease_until', 'lease_until = c.lease_until']],
  ['is due while it runs', ['next_try_at = excluded.next_try_at', 'next_try_at = c.next_try_at']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const STANDING = listed('standing', 'AS due_in_ms', [
  ['of any account', always('s.account_id = $#')],
  ['of settled attempts', gone(` AND c.phase = 'pending'`)],
  ['released is working', gone('c.lease_owner IS NOT NULL AND ')],
  ['a booking is not worked at', gone(`(${DRAFT_BEING_BOOKED}) OR `)],
  ['any draft is worked at', gone(' AND s.booking_until IS NOT NULL')],
  ['a booking is worked at whatever the state', gone(`s.state = 'draft' AND `)],
  ['working an instant longer', ['c.lease_until > clock', 'c.lease_until >= clock']],
  ['a refusal is remembered an instant longer', ['cancel_refused_at > clock', 'cancel_refused_at >= clock']],
])

const ACCEPT = listed('accept', `SET phase = 'accepted'`, [
  ['for another shipment', always('c.shipment_id = l.shipment_id')],
  ['not after a refusal', [`c.phase IN ('pending', 'refused')`, `c.phase = 'pending'`]],
  ['twice', always(`c.phase IN ('pending', 'refused')`)],
  ['not after the lease is gone', ['c.attempt_id = $#', 'c.attempt_id = $# AND c.lease_owner IS NOT NULL']],
  ['leaves it to be looked into', gone('verify_at = NULL, ')],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['keeps an older mark', [`in transit' END`, `in transit' ELSE c.anomaly END`]],
  ['marks nothing', [`CASE WHEN l.state = 'in_transit' THEN`, 'CASE WHEN false THEN']],
  ['cancels parcels in transit', [`AND l.state = 'booked'`, `AND l.state IN ('booked', 'in_transit')`]],
  ['leaves no event', none(`'booked', 'cancelled', attempt_id FROM s`)],
  ['the event names no attempt', [`'cancelled', attempt_id FROM`, `'cancelled', NULL::uuid FROM`]],
  ['the version stays', ['version = t.version + 1', 'version = t.version']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const REFUSE = listed('refuse', `SET phase = 'refused'`, [
  ['with a stale ticket', always('c.fence = $#')],
  ['what is settled', within('AND ', `c.phase = 'pending'`, ' RETURNING')],
  ['for another shipment', always('c.shipment_id = l.shipment_id')],
  ['is looked into after one send', ['c.sends > 1', 'c.sends > 0']],
  ['is not looked into after two', ['c.sends > 1', 'c.sends > 2']],
  ['a withdrawal that failed is not marked', [`CASE WHEN l.state = 'cancelled'`, 'CASE WHEN false']],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['is not remembered', ['SET cancel_refused_at = clock_timestamp(),', 'SET']],
  ['a scan makes no look-up due', [`= 'SCANNED' THEN clock_timestamp()`, `= 'SCANNED' THEN t.next_track_at`]],
  ['any refusal makes a look-up due', ['ELSE t.next_track_at END', 'ELSE clock_timestamp() END']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const RELEASE = listed('release', 'FOR UPDATE ) UPDATE cancel_attempt c SET lease_owner', [
  ['with a stale ticket', always('c.fence = $#')],
  ['what is settled', within('AND ', `c.phase = 'pending'`, ' RETURNING')],
  ['for another shipment', always('c.shipment_id = l.shipment_id')],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['answers no state', ['RETURNING l.state', 'RETURNING NULL::text AS state']],
  ['answers booked whatever the state', ['RETURNING l.state', `RETURNING 'booked' AS state`]],
])

const WITHDRAW = listed('withdraw', 'DELETE FROM cancel_attempt', [
  ['removes with a stale ticket', within('AND ', 'c.fence = $#', ` AND c.phase = 'pending' AND c.sends = 1`)],
  ['removes what is settled', within('AND ', `c.phase = 'pending'`, ' AND c.sends = 1')],
  ['removes what may have got through', ['c.sends = 1 AND NOT', 'c.sends >= 1 AND NOT']],
  ['removes what is owed', gone(' AND NOT c.promised')],
  ['waits with a stale ticket', within('AND ', 'c.fence = $#', ` AND c.phase = 'pending' AND (`)],
  ['waits with what is settled', within('AND ', `c.phase = 'pending'`, ' AND (')],
  ['forgets what is owed', ['(c.sends > 1 OR c.promised)', 'c.sends > 1']],
  ['forgets what may have got through', ['(c.sends > 1 OR c.promised)', 'c.promised']],
  ['counts what was not sent', ['sends = c.sends - 1', 'sends = c.sends']],
  ['keeps the lease', gone('lease_owner = NULL, ')],
  ['for another shipment', always('c.shipment_id = l.shipment_id')],
])

const RELEASE_LEASES = listed('releaseLeases', `last_cause = 'shutdown'`, [
  ['of every process', [['c.lease_owner = $#', '(c.lease_owner = $# OR true)']]],
  ['still due later', [', next_try_at = clock_timestamp()', ', next_try_at = c.next_try_at']],
  ['still held', ['lease_until = clock_timestamp()', 'lease_until = c.lease_until']],
  ['waits for who is settling', gone(' FOR UPDATE OF t SKIP LOCKED'), LOCKS],
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
