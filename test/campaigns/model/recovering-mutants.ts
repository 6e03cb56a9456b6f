/** Mutants of the statements that book, claim work and track. */
import { always, gone, LOCKS, listed, none, within } from './mutant.ts'

const DUE_WORK = listed('dueWork', 'WITH RECURSIVE heads', [
  [
    'settled attempts',
    [` AND queued.phase = 'pending'`, ` AND queued.phase IN ('pending', 'refused', 'accepted')`],
  ],
  ['attempts a moment later', ['"queued"."next_try_at" <=', '"queued"."next_try_at" <']],
  ['refusals a moment later', ['"queued"."verify_at" <=', '"queued"."verify_at" <']],
  ['bookings a moment later', ['"queued"."booking_until" <=', '"queued"."booking_until" <']],
  ['lookups a moment later', ['"queued"."next_track_at" <=', '"queued"."next_track_at" <']],
  ['lookups of shipments that are not booked', gone(` AND queued.state = 'booked'`)],
  ['counts rows of any carrier', always('queued.carrier_code = head.carrier_code')],
  ['counts rows for any account', always('queued.account_id = head.account_id')],
  ['only the first account of each carrier', ['queued.account_id > previous.account_id', 'false']],
  ['only the accounts from the second on', ['LIMIT 1)', 'OFFSET 1 LIMIT 1)']],
  ['any work a moment later', ['head.due_at <=', 'head.due_at <']],
  ['counts beyond the limit', ['LIMIT $#', 'LIMIT $# + 100']],
  [
    'the latest due row of each account',
    [
      'queued.account_id, "queued"."next_track_at" LIMIT',
      'queued.account_id, "queued"."next_track_at" DESC LIMIT',
    ],
  ],
])

const CLAIM_ATTEMPTS = listed(
  'claimAttempts',
  'ORDER BY attempt.next_try_at LIMIT room.count',
  [
    [
      'that another holds',
      [
        gone(' AND attempt.lease_until <= (SELECT clock_timestamp())'),
        gone(' AND attempt.lease_until <= clock_timestamp()'),
      ],
    ],
    [
      'that are not due',
      [
        gone('attempt.next_try_at <= (SELECT clock_timestamp()) AND '),
        gone('attempt.next_try_at <= clock_timestamp() AND '),
      ],
    ],
    ['an instant late', [[`attempt.next_try_at <=`, 'attempt.next_try_at <']]],
    ['held an instant longer', [['attempt.lease_until <=', 'attempt.lease_until <']]],
    ['beyond the room', ['LIMIT room.count', 'LIMIT 100']],
    ['the newest first', ['ORDER BY attempt.next_try_at', 'ORDER BY attempt.next_try_at DESC']],
    ['of any carrier', always('attempt.carrier_code = room.carrier_code')],
    ['for any account', always('attempt.account_id = room.account_id')],
    ['settled ones take room', within('AND ', `attempt.phase = 'pending'`, ' AND attempt.next_try_at <= (')],
    [
      'settled ones of the same shipment',
      within('AND ', `attempt.phase = 'pending'`, ' AND attempt.next_try_at <= clock_timestamp()'),
    ],
    ['the fence stays', ['fence = attempt.fence + 1', 'fence = attempt.fence']],
    ['a send is not counted', ['sends = attempt.sends + CASE', 'sends = attempt.sends + 0 * CASE']],
    [
      'a lookup counts as a send',
      ['attempt.doubted_at IS NULL THEN 1 ELSE 0', 'attempt.doubted_at IS NULL THEN 1 ELSE 1'],
    ],
    [
      'verifies at once',
      gone(' AND attempt.next_try_at <= clock_timestamp() AND attempt.lease_until <= clock_timestamp()'),
      'what was due when it was found is due, unless another process was faster',
    ],
    ['waits for who is settling', gone(' SKIP LOCKED'), LOCKS],
  ],
  ['begin', 'clock'],
)

const CLAIM_VERIFICATIONS = listed(
  'claimVerifications',
  'lookups = attempt.lookups + 1',
  [
    ['beyond the room', ['LIMIT room.count', 'LIMIT 100']],
    ['of any carrier', always('attempt.carrier_code = room.carrier_code')],
    ['for any account', always('attempt.account_id = room.account_id')],
    ['an instant late', ['attempt.verify_at <=', 'attempt.verify_at <']],
    ['those of the same shipment as well', always('attempt.attempt_id = due.attempt_id')],
    ['a lookup is not counted', ['lookups = attempt.lookups + 1', 'lookups = attempt.lookups']],
    [
      'is due again at once',
      [
        "verify_at = clock_timestamp() + $#::double precision * interval '1 ms', lookups",
        "verify_at = coalesce(attempt.verify_at, clock_timestamp() + $#::double precision * interval '1 ms'), lookups",
      ],
    ],
    ['of any phase', gone(` AND attempt.phase = 'refused'`), 'only a refusal has a time of verification'],
    ['waits for who is settling', gone(' SKIP LOCKED'), LOCKS],
  ],
  ['clock'],
)

const SETTLE_VERIFICATION = listed('settleVerification', '::text, attempt.anomaly)', [
  ['for an attempt accepted meanwhile', gone(` AND attempt.phase = 'refused'`)],
  ['for another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['removes marks', ['coalesce($#::text, attempt.anomaly)', '$#::text']],
  ['marks nothing', ['coalesce($#::text, attempt.anomaly)', `coalesce(attempt.anomaly, left($#::text, 0))`]],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const BEGIN_BOOKING = listed(
  'beginBooking',
  'begun.booking_tries AS tries',
  [
    ['for any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
    ['in any state', within('AND ', `locked.state = 'draft'`, ' AND (')],
    ['while another is at it', always('locked.booking_until <= clock_timestamp()')],
    ['an instant late', ['locked.booking_until <= clock', 'locked.booking_until < clock']],
    ['never for the first time', gone('locked.booking_until IS NULL OR ')],
    [
      'a try is not counted',
      ['booking_tries = shipment.booking_tries + 1', 'booking_tries = shipment.booking_tries'],
    ],
    ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
  ],
  ['clock'],
)

const TOO_LATE = `FROM locked WHERE shipment.shipment_id = locked.shipment_id AND locked.state = 'cancelled'`

const MARK_BOOKED = listed('markBooked', `interval '15 minutes'`, [
  ['for any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
  ['in any state', within('AND ', `locked.state = 'draft'`, ' RETURNING', `locked.state <> 'cancelled'`)],
  ['leaves no event', none(`'draft', 'booked' FROM booked`)],
  ['replaces a tracking number', within('AND ', 'locked.carrier_ref IS NULL', ' RETURNING')],
  ['drafts are withdrawn', within('AND ', `locked.state = 'cancelled'`, ' AND')],
  ['stays in progress', ['booking_until = NULL, cancel_requested_at', 'cancel_requested_at']],
  ['is looked up at once', [`clock_timestamp() + interval '15 minutes'`, 'clock_timestamp()']],
  ['does not record the time', ['booked_at = clock_timestamp(), ', '']],
  ['a late booking is not withdrawn', gone('EXISTS (SELECT 1 FROM late) OR ')],
  [
    'a late booking does not change the version',
    [`version = shipment.version + 1 ${TOO_LATE}`, `version = shipment.version ${TOO_LATE}`],
  ],
  ['the opened attempt is not promised', [', true FROM locked', ', false FROM locked']],
  ['ignores a waiting cancellation', gone(' OR (locked.cancel_requested AND EXISTS (SELECT 1 FROM booked))')],
  ['keeps the waiting cancellation', gone('cancel_requested_at = NULL, ')],
  ['opens an attempt without a request', gone('locked.cancel_requested AND ')],
  [
    'opens an attempt for a request that is not booked',
    gone(' AND EXISTS (SELECT 1 FROM booked)'),
    'a check allows waiting cancellations only for drafts, and a draft is booked here',
  ],
  ['the version stays', ['version = shipment.version + 1', 'version = shipment.version']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const NO_NUMBER = 'a check allows no booking under way with a number'

const END_BOOKING = listed('settleBooking', 'NOT locked.cancel_requested', [
  ['ends for any account', always('account_id = $#')],
  ['ends although another process has tried since', always('booking_tries = $#')],
  ['ends and stays in progress', ['booking_until = NULL, booking_tries = 0 FROM', 'booking_tries = 0 FROM']],
  ['ends and keeps the tries', ['booking_until = NULL, booking_tries = 0 FROM', 'booking_until = NULL FROM']],
  [
    'ends and ignores a waiting cancellation',
    [
      ['cancel_requested_at IS NOT NULL AS cancel_requested', 'false AS cancel_requested'],
      ['booking_tries = 0 FROM', 'booking_tries = 0, cancel_requested_at = NULL FROM'],
    ],
  ],
  [
    'ends and keeps a waiting cancellation',
    ['cancel_requested_at IS NOT NULL AS cancel_requested', 'false AS cancel_requested'],
  ],
  [
    'cancels without a request',
    ['cancel_requested_at IS NOT NULL AS cancel_requested', 'true AS cancel_requested'],
  ],
  ['cancels and keeps the request', gone('cancel_requested_at = NULL, ')],
  [
    'cancels and stays in progress',
    [
      'booking_until = NULL, booking_tries = 0, cancel_requested_at',
      'booking_tries = 0, cancel_requested_at',
    ],
  ],
  ['cancels and keeps the tries', ['booking_tries = 0, cancel_requested_at', 'cancel_requested_at']],
  ['cancels and does not record the time', ['cancelled_at = clock_timestamp()', 'cancelled_at = NULL']],
  ['cancels and does not record who cancelled', gone(`cancelled_by = 'draft', `)],
  ['cancels and leaves no event', none(`'draft', 'cancelled' FROM cancelled`)],
  ['cancels and the version stays', ['version = shipment.version + 1', 'version = shipment.version']],
  ['also ends bookings with a waiting cancellation', gone(' AND NOT locked.cancel_requested')],
  [
    'ends a booking that was never begun',
    gone(' AND booking_until IS NOT NULL'),
    'a shipment that is not being booked has no tries and no request',
  ],
  ['ends with a tracking number', gone(' AND carrier_ref IS NULL'), NO_NUMBER],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const POSTPONE_BOOKING = listed('settleBooking', `interval '1 ms' WHERE shipment_id = `, [
  ['postpones for any account', always('account_id = $#')],
  ['postpones a booking that was never begun', gone(' AND booking_until IS NOT NULL')],
  ['postpones although another process has tried since', always('booking_tries = $#')],
  ['postpones and resets the tries', ['SET booking_until', 'SET booking_tries = 0, booking_until']],
  [
    'postpones and drops a waiting cancellation',
    ['SET booking_until', 'SET cancel_requested_at = NULL, booking_until'],
  ],
  ['postpones with a tracking number', gone(' AND carrier_ref IS NULL'), NO_NUMBER],
])

const CLAIM_BOOKINGS = listed(
  'claimBookings',
  'ORDER BY queued.booking_until',
  [
    ['beyond the room', ['LIMIT room.count', 'LIMIT 100']],
    ['of any carrier', always('queued.carrier_code = room.carrier_code')],
    ['for any account', always('queued.account_id = room.account_id')],
    ['an instant late', ['booking_until <=', 'booking_until <']],
    ['the newest first', ['ORDER BY queued.booking_until', 'ORDER BY queued.booking_until DESC']],
    [
      'a try is not counted',
      ['booking_tries = shipment.booking_tries + 1', 'booking_tries = shipment.booking_tries'],
    ],
    ['with a tracking number', gone(' AND shipment.carrier_ref IS NULL'), NO_NUMBER],
  ],
  ['beginBooking', 'clock'],
)

const CLAIM_LOOKUPS = listed(
  'claimLookups',
  'ORDER BY queued.next_track_at',
  [
    ['beyond the room', ['LIMIT room.count', 'LIMIT 100']],
    ['of any carrier', always('queued.carrier_code = room.carrier_code')],
    ['for any account', always('queued.account_id = room.account_id')],
    ['an instant late', ['next_track_at <=', 'next_track_at <']],
    ['the newest first', ['ORDER BY queued.next_track_at', 'ORDER BY queued.next_track_at DESC']],
    ['in any state', [gone(` AND queued.state = 'booked'`), gone(` AND shipment.state = 'booked'`)]],
  ],
  ['clock'],
)

const OVERDUE = listed(
  'overdueAttempts',
  'SET alerted_at',
  [
    [
      'reported repeatedly',
      [gone('attempt.alerted_at IS NULL AND '), gone(' AND attempt.alerted_at IS NULL')],
    ],
    ['an instant late', ['attempt.begun_at <=', 'attempt.begun_at <']],
    ['settled ones', gone(` AND attempt.phase = 'pending'`)],
  ],
  ['clock'],
)

const RECORD_SCAN = listed('recordScan', 'INSERT INTO carrier_scan AS scan', [
  ['moves to another shipment', ['coalesce(scan.shipment_id, excluded.shipment_id)', 'excluded.shipment_id']],
  ['stays without a shipment', ['coalesce(scan.shipment_id, excluded.shipment_id)', 'scan.shipment_id']],
  ['uses the time of the draft', ['coalesce(booked_at, created_at)', 'created_at']],
  ['requires a time of booking', ['coalesce(booked_at, created_at)', 'booked_at']],
  ['allows a moment more than ninety days', [`> since -`, `>= since -`]],
  ['of an earlier parcel', always("$#::timestamptz > since - interval '90 days'")],
  ['moves in any state', within('AND ', `scanned.state = 'booked'`, ' AND stored.')],
  ['moves a shipment that the scan is not about', gone(' AND stored.shipment_id = scanned.shipment_id')],
  ['moves without an event', none(`'booked', 'in_transit' FROM moved`)],
  ['the version stays', ['version = shipment.version + 1', 'version = shipment.version']],
  ['moves the oldest', ['ORDER BY created_at DESC, shipment_id DESC', 'ORDER BY created_at, shipment_id']],
  ['of any carrier', within('AND ', 'carrier_code = $#', ' AND state')],
  ['reports an anomaly repeatedly', gone('stored.is_new AND ')],
  ['of drafts', gone(` AND state <> 'draft'`), 'a check allows no draft with a number'],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const APPLY_KEPT = listed(
  'applyUnmatchedScans',
  'UPDATE carrier_scan AS scan SET shipment_id = locked.shipment_id',
  [
    ["takes others' scans", gone(' AND scan.shipment_id IS NULL')],
    ['of an earlier parcel', gone(` AND scan.occurred_at > locked.since - interval '90 days'`)],
    ['allows a moment more than ninety days', ['scan.occurred_at > locked', 'scan.occurred_at >= locked']],
    ['of any carrier', within('AND ', 'scan.carrier_code = $#', ' AND')],
    ['moves in any state', gone(` AND locked.state = 'booked'`)],
    ['moves without a scan', gone(' AND EXISTS (SELECT 1 FROM matched)')],
    ['moves without an event', none(`'booked', 'in_transit' FROM moved`)],
    ['moves the oldest', ['ORDER BY created_at DESC, shipment_id DESC', 'ORDER BY created_at, shipment_id']],
  ],
  ['recordScan', 'markBooked'],
)

const FOUND_CANCELLED = listed('recordCancelledAtCarrier', `'found cancelled at the carrier'`, [
  ['under another number', within('AND ', 'shipment.carrier_ref = $#', ' AND')],
  ['in any state', gone(` AND shipment.state = 'booked'`)],
  ['beside an open attempt', [`AND attempt.phase = 'pending'`, 'AND false']],
  ['a settled attempt prevents it', gone(` AND attempt.phase = 'pending'`)],
  ['counts a send', [`'accepted', 0,`, `'accepted', 1,`]],
  ['leaves no event', none(`'booked', 'cancelled', attempt_id FROM cancelled`)],
  ['does not record who cancelled', [`cancelled_by = 'carrier', `, '']],
])

const FOUND_CANCELLED_LOCK = listed('recordCancelledAtCarrier', 'SELECT 1 FROM shipment WHERE', [
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const BOOKED_AFTER = listed('bookedAfter', 'AS "shipmentId"', [
  ['in any state', [`state = 'booked'`, 'carrier_ref IS NOT NULL']],
  ['returns the last one again', ['shipment_id > $#', 'shipment_id >= $#']],
])

const FORGET = listed(
  'forgetUnmatchedScans',
  'DELETE FROM carrier_scan',
  [
    ['scans that belong to somebody', gone('shipment_id IS NULL AND ')],
    ['an instant early', ['received_at <', 'received_at <=']],
  ],
  ['clock'],
)

export const RECOVERING_MUTANTS = [
  ...DUE_WORK,
  ...CLAIM_ATTEMPTS,
  ...CLAIM_VERIFICATIONS,
  ...SETTLE_VERIFICATION,
  ...BEGIN_BOOKING,
  ...MARK_BOOKED,
  ...END_BOOKING,
  ...POSTPONE_BOOKING,
  ...CLAIM_BOOKINGS,
  ...CLAIM_LOOKUPS,
  ...OVERDUE,
  ...RECORD_SCAN,
  ...APPLY_KEPT,
  ...FOUND_CANCELLED,
  ...FOUND_CANCELLED_LOCK,
  ...BOOKED_AFTER,
  ...FORGET,
]
