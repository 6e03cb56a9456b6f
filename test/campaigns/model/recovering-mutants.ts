/** Mutants of the statements that book, claim work and track. */
import {
  always,
  gone,
  LOCKS,
  listed,
  type MutantEntry,
  none,
  nothing,
  ONCE,
  parcelsOfTicket,
  within,
} from './mutant.ts'

const DUE_WORK = listed('dueWork', 'AS first GROUP BY', [
  [
    'counts settled attempts',
    [` AND queued.phase = 'pending'`, ` AND queued.phase IN ('pending', 'refused', 'accepted')`],
  ],
  ['counts attempts a millisecond too late', ['"queued"."next_try_at" <=', '"queued"."next_try_at" <']],
  ['counts refusals a millisecond too late', ['"queued"."verify_at" <=', '"queued"."verify_at" <']],
  ['counts bookings a millisecond too late', ['booking_until <=', 'booking_until <']],
  ['counts lookups a millisecond too late', ['"queued"."due_at" <=', '"queued"."due_at" <']],
  ['counts rows of any carrier', always('queued.carrier_code = carrier.carrier_code')],
])

const CLAIM_ATTEMPTS = listed(
  'claimAttempts',
  'ORDER BY attempt.next_try_at LIMIT room.count',
  [
    [
      'claims attempts with a lease of another process',
      [
        gone(' AND attempt.lease_until <= (SELECT clock_timestamp())'),
        gone(' AND attempt.lease_until <= clock_timestamp()'),
      ],
    ],
    [
      'claims attempts that are not due',
      [
        gone('attempt.next_try_at <= (SELECT clock_timestamp()) AND '),
        gone('attempt.next_try_at <= clock_timestamp() AND '),
      ],
    ],
    ['claims a millisecond too late', [[`attempt.next_try_at <=`, 'attempt.next_try_at <']]],
    ['claims an expired lease a millisecond too late', [['attempt.lease_until <=', 'attempt.lease_until <']]],
    ['claims more than the room allows', ['LIMIT room.count', 'LIMIT 100']],
    ['claims the newest first', ['ORDER BY attempt.next_try_at', 'ORDER BY attempt.next_try_at DESC']],
    ['claims for any carrier', always('attempt.carrier_code = room.carrier_code')],
    ['claims for any account', always('attempt.account_id = room.account_id')],
    [
      'lets settled attempts take room',
      within('AND ', `attempt.phase = 'pending'`, ' AND attempt.next_try_at <= ('),
    ],
    [
      'claims settled attempts of the same shipment',
      within('AND ', `attempt.phase = 'pending'`, ' AND attempt.next_try_at <= clock_timestamp()'),
    ],
    ['does not increment the fence', ['fence = attempt.fence + 1', 'fence = attempt.fence']],
    ['does not count a send', ['sends = attempt.sends + CASE', 'sends = attempt.sends + 0 * CASE']],
    [
      'counts a lookup as a send',
      ['attempt.doubted_at IS NULL THEN 1 ELSE 0', 'attempt.doubted_at IS NULL THEN 1 ELSE 1'],
    ],
    [
      'does not check again that a claimed attempt is due',
      gone(' AND attempt.next_try_at <= clock_timestamp() AND attempt.lease_until <= clock_timestamp()'),
      'a found attempt stays due unless another process claims it at the same time',
    ],
    ...parcelsOfTicket('locked', 'attempt'),
    ['waits for the lock of a settlement', gone(' SKIP LOCKED'), LOCKS],
  ],
  ['begin', 'clock', 'recordParcel'],
)

const CLAIM_VERIFICATIONS = listed(
  'claimVerifications',
  'lookups = attempt.lookups + 1',
  [
    ['claims more than the room allows', ['LIMIT room.count', 'LIMIT 100']],
    ['claims for any carrier', always('attempt.carrier_code = room.carrier_code')],
    ['claims for any account', always('attempt.account_id = room.account_id')],
    ['claims a millisecond too late', ['attempt.verify_at <=', 'attempt.verify_at <']],
    ['claims all attempts of the same shipment', always('attempt.attempt_id = due.attempt_id')],
    ['does not count a lookup', ['lookups = attempt.lookups + 1', 'lookups = attempt.lookups']],
    [
      'leaves the verification due',
      [
        "verify_at = clock_timestamp() + $#::double precision * interval '1 ms', lookups",
        "verify_at = coalesce(attempt.verify_at, clock_timestamp() + $#::double precision * interval '1 ms'), lookups",
      ],
    ],
    [
      'claims attempts in any phase',
      gone(` AND attempt.phase IN ('accepted', 'refused')`),
      'only settled attempts have a verification time',
    ],
    ...parcelsOfTicket('locked', 'attempt'),
    ['waits for the lock of a settlement', gone(' SKIP LOCKED'), LOCKS],
  ],
  ['clock'],
)

const SETTLE_VERIFICATION = listed('settleVerification', '::text, attempt.anomaly)', [
  ['changes an attempt that was accepted meanwhile', always('attempt.phase = $#')],
  ['works with the id of another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['removes an anomaly', ['coalesce($#::text, attempt.anomaly)', '$#::text']],
  [
    'records no anomaly',
    ['coalesce($#::text, attempt.anomaly)', `coalesce(attempt.anomaly, left($#::text, 0))`],
  ],
  ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
])

const BEGIN_BOOKING = listed(
  'beginBooking',
  'begun.booking_tries AS tries',
  [
    ['works for any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
    ['books shipments in any state', within('AND ', `locked.state = 'draft'`, ' AND (')],
    ['books while another process is booking', always('locked.booking_until <= clock_timestamp()')],
    [
      'takes over a booking a millisecond too late',
      ['locked.booking_until <= clock', 'locked.booking_until < clock'],
    ],
    ['returns a shipment without its parcels', ['"locked"."parcel_refs"', 'NULL::text[] AS parcel_refs']],
    ['does not begin a first booking', gone('locked.booking_until IS NULL OR ')],
    [
      'does not count a try',
      ['booking_tries = shipment.booking_tries + 1', 'booking_tries = shipment.booking_tries'],
    ],
    [
      'books although another booking has begun since',
      always('locked.booking_no = coalesce($#::integer, locked.booking_no)'),
    ],
    [
      'does not count a booking',
      ['booking_no = shipment.booking_no + 1', 'booking_no = shipment.booking_no'],
    ],
    ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
  ],
  ['clock'],
)

const TOO_LATE = `FROM locked WHERE shipment.account_id = $# AND shipment.shipment_id = locked.shipment_id AND locked.state = 'cancelled'`

/** Keeps the parameter. */
const NO_PARCELS = 'CASE WHEN false THEN $#::text[] END'

const MARK_BOOKED = listed('markBooked', `interval '15 minutes'`, [
  ['works for any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
  [
    'books shipments in any state',
    within('AND ', `locked.state = 'draft'`, ' RETURNING', `locked.state <> 'cancelled'`),
  ],
  ['records no event', none(`'draft', 'booked' FROM booked`)],
  ['replaces a tracking number', within('AND ', 'locked.carrier_ref IS NULL', ' RETURNING')],
  ['withdraws drafts', within('AND ', `locked.state = 'cancelled'`, ' AND')],
  ['leaves the booking in progress', ['booking_until = NULL, cancel_requested_at', 'cancel_requested_at']],
  [
    'schedules the first lookup immediately',
    [`clock_timestamp() + interval '15 minutes'`, 'clock_timestamp()'],
  ],
  ['does not record the booking time', ['booked_at = clock_timestamp(), ', '']],
  [
    'books without the parcels',
    ['parcel_refs = $#::text[], booked_at', `parcel_refs = ${NO_PARCELS}, booked_at`],
  ],
  [
    'records a late booking without its parcels',
    [
      'parcel_refs = $#::text[], carrier_order_ref = $#::text, booking_until',
      `parcel_refs = ${NO_PARCELS}, carrier_order_ref = $#::text, booking_until`,
    ],
  ],
  [
    'withdraws a booking without its parcels',
    ['WHEN EXISTS (SELECT 1 FROM booked) OR EXISTS (SELECT 1 FROM late)', 'WHEN EXISTS (SELECT 1 FROM late)'],
  ],
  [
    'withdraws a late booking without its parcels',
    [
      'WHEN EXISTS (SELECT 1 FROM booked) OR EXISTS (SELECT 1 FROM late)',
      'WHEN EXISTS (SELECT 1 FROM booked)',
    ],
  ],
  [
    'returns no parcels of an earlier booking',
    ['ELSE locked.parcel_refs END', 'END'],
    'only a ticket has parcels, and it is issued only after a booking by this statement',
  ],
  ['does not withdraw a late booking', gone('EXISTS (SELECT 1 FROM late) OR ')],
  [
    'does not increment the version for a late booking',
    [`version = shipment.version + 1 ${TOO_LATE}`, `version = shipment.version ${TOO_LATE}`],
  ],
  ['allows an older version to delete the attempt', [', true FROM locked', ', false FROM locked']],
  ['ignores a waiting cancellation', gone(' OR (locked.cancel_requested AND EXISTS (SELECT 1 FROM booked))')],
  ['keeps the waiting cancellation', gone('cancel_requested_at = NULL, ')],
  ['opens an attempt without a request', gone('locked.cancel_requested AND ')],
  [
    'opens an attempt although nothing was booked',
    gone(' AND EXISTS (SELECT 1 FROM booked)'),
    'a constraint allows waiting cancellations only for drafts, and this statement books a draft',
  ],
  ['does not increment the version', ['version = shipment.version + 1', 'version = shipment.version']],
  ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
])

const BOOKING_LEASE = `(extract(epoch FROM "shipment"."booking_until") * 1000000)::bigint::text = $#`
const NO_NUMBER = 'a constraint allows no tracking number during a booking'

const END_BOOKING = listed('settleBooking', 'NOT locked.cancel_requested', [
  [
    'ends bookings of any account',
    [within('AND ', 'account_id = $#', ' AND carrier_ref'), always('shipment.account_id = $#')],
  ],
  ['ends a booking that another process has tried since', always(BOOKING_LEASE)],
  [
    'ends a booking and leaves it in progress',
    ['booking_until = NULL, booking_tries = 0 FROM', 'booking_tries = 0 FROM'],
  ],
  [
    'ends a booking and keeps its tries',
    ['booking_until = NULL, booking_tries = 0 FROM', 'booking_until = NULL FROM'],
  ],
  [
    'ends a booking and drops a waiting cancellation',
    [
      ['cancel_requested_at IS NOT NULL AS cancel_requested', 'false AS cancel_requested'],
      ['booking_tries = 0 FROM', 'booking_tries = 0, cancel_requested_at = NULL FROM'],
    ],
  ],
  [
    'ends a booking and leaves the cancellation waiting',
    ['cancel_requested_at IS NOT NULL AS cancel_requested', 'false AS cancel_requested'],
  ],
  [
    'cancels without a request',
    ['cancel_requested_at IS NOT NULL AS cancel_requested', 'true AS cancel_requested'],
  ],
  ['cancels and keeps the request', gone('cancel_requested_at = NULL, ')],
  [
    'cancels and leaves the booking in progress',
    [
      'booking_until = NULL, booking_tries = 0, cancel_requested_at',
      'booking_tries = 0, cancel_requested_at',
    ],
  ],
  ['cancels and keeps the tries', ['booking_tries = 0, cancel_requested_at', 'cancel_requested_at']],
  ['cancels without a time', ['cancelled_at = clock_timestamp()', 'cancelled_at = NULL']],
  ['cancels without recording who cancelled', gone(`cancelled_by = 'draft', `)],
  ['cancels without an event', none(`'draft', 'cancelled' FROM cancelled`)],
  [
    'cancels without incrementing the version',
    ['version = shipment.version + 1', 'version = shipment.version'],
  ],
  ['also ends bookings with a waiting cancellation', gone(' AND NOT locked.cancel_requested'), ONCE],
  ['ends bookings with a tracking number', gone(' AND carrier_ref IS NULL'), NO_NUMBER],
  ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
])

const POSTPONE_BOOKING = listed('settleBooking', `interval '1 ms' WHERE shipment_id = `, [
  ['postpones bookings of any account', always('account_id = $#')],
  ['postpones a booking that another process has tried since', always(BOOKING_LEASE)],
  ['postpones and resets the tries', ['SET booking_until', 'SET booking_tries = 0, booking_until']],
  [
    'postpones and drops a waiting cancellation',
    ['SET booking_until', 'SET cancel_requested_at = NULL, booking_until'],
  ],
  ['postpones bookings with a tracking number', gone(' AND carrier_ref IS NULL'), NO_NUMBER],
])

const CLAIM_BOOKINGS = listed(
  'claimBookings',
  'ORDER BY queued.booking_until',
  [
    ['claims more than the room allows', ['LIMIT room.count', 'LIMIT 100']],
    ['claims for any carrier', always('queued.carrier_code = room.carrier_code')],
    ['claims for any account', always('queued.account_id = room.account_id')],
    ['claims a millisecond too late', ['booking_until <=', 'booking_until <']],
    ['claims the newest first', ['ORDER BY queued.booking_until', 'ORDER BY queued.booking_until DESC']],
    [
      'does not count a try',
      ['booking_tries = shipment.booking_tries + 1', 'booking_tries = shipment.booking_tries'],
    ],
    ['claims bookings with a tracking number', gone(' AND shipment.carrier_ref IS NULL'), NO_NUMBER],
  ],
  ['beginBooking', 'clock'],
)

const CLAIM_LOOKUPS = listed(
  'claimLookups',
  'ORDER BY queued.due_at',
  [
    ['claims more than the room allows', ['LIMIT room.count', 'LIMIT 100']],
    ['claims for any carrier', always('queued.carrier_code = room.carrier_code')],
    ['claims for any account', always('queued.account_id = room.account_id')],
    ['claims a millisecond too late', ['due_at <=', 'due_at <']],
    ['claims the newest first', ['ORDER BY queued.due_at', 'ORDER BY queued.due_at DESC']],
    ['returns only one of several parcels', nothing('shipment.parcel_refs', 'text[]')],
    ['returns cancelled parcels', nothing('shipment.cancelled_refs', 'text[]')],
  ],
  ['clock'],
)

const OVERDUE = listed(
  'overdueAttempts',
  'AND alerted_at IS NULL AND NOT EXISTS',
  [
    ['reports an attempt that operators know', gone('AND alerted_at IS NULL ')],
    ['reports a millisecond too late', ['begun_at <=', 'begun_at <']],
    ['reports settled attempts', [`phase = 'pending' AND`, 'true AND']],
  ],
  ['clock', 'recordOverdueAlerts'],
)

const OVERDUE_ALERTS = listed(
  'recordOverdueAlerts',
  'SET alerted_at',
  [
    ['replaces the time of the first alert', gone(' AND attempt.alerted_at IS NULL')],
    [
      'records it for all attempts of the shipment',
      [' AND attempt.attempt_id = ANY ($#::uuid[])', ' AND $#::uuid[] IS NOT NULL'],
    ],
    ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
  ],
  ['clock'],
)

const CLAIM_REPORTS = listed(
  'claimReports',
  'UPDATE lookup_report AS report SET verify_at = clock_timestamp()',
  [
    ['claims more than the room allows', ['LIMIT room.count', 'LIMIT 100']],
    ['claims for any carrier', always('queued.carrier_code = room.carrier_code')],
    ['claims for any account', always('queued.account_id = room.account_id')],
    ['claims a millisecond too late', ['verify_at <=', 'verify_at <']],
    ['claims the newest first', ['ORDER BY queued.verify_at', 'ORDER BY queued.verify_at DESC']],
    ['does not count the lookup', ['lookups = report.lookups + 1', 'lookups = report.lookups']],
    [
      'looks up the first number instead of the scanned one',
      ['coalesce(report.carrier_ref, shipment.carrier_ref)', 'shipment.carrier_ref'],
    ],
    [
      'looks up all numbers of a scanned shipment',
      ['CASE WHEN report.carrier_ref IS NULL THEN shipment.parcel_refs END', 'shipment.parcel_refs'],
    ],
    [
      'looks up one number of a cancelled shipment',
      ['CASE WHEN report.carrier_ref IS NULL THEN shipment.parcel_refs END', 'NULL::text[]'],
    ],
  ],
  ['recordScan', 'recordCancelledAtCarrier', 'clock'],
)

const SETTLE_REPORT = listed(
  'settleReport',
  'UPDATE lookup_report SET verify_at',
  [
    ['settles another kind of report', always('reported = $#')],
    ['forgets an earlier contradiction', ['coalesce($#::text, contradiction)', '$#::text']],
    [
      'replaces the time of an earlier contradiction',
      [
        'THEN contradicted_at ELSE',
        'THEN CASE WHEN contradicted_at IS NOT NULL THEN clock_timestamp() END ELSE',
      ],
    ],
  ],
  ['recordScan', 'recordCancelledAtCarrier', 'clock'],
)

const NUMBER_OF_SEVERAL = 'parcel_refs @> ARRAY[$#::text]'

/** The condition that locks the shipment with a number. */
const LOCK_PARCEL: readonly MutantEntry[] = [
  ['locks only the first parcel', [NUMBER_OF_SEVERAL, `(${NUMBER_OF_SEVERAL} AND false)`]],
  ['locks only parcels of several', ['(carrier_ref = $# OR', '((carrier_ref = $# AND false) OR']],
]

const OWNERS_OF = listed(
  'recordScan',
  'FROM carrier_number',
  [
    [
      'uses the oldest shipment with the number',
      ['(ORDER BY created_at DESC, shipment_id DESC', '(ORDER BY created_at, shipment_id'],
    ],
    ['uses shipments of any carrier', within('FROM carrier_number WHERE ', 'carrier_code = $#', ' AND')],
    ['uses shipments with any number', within('AND ', 'carrier_ref = $#', ' ORDER BY place')],
    ['does not look for waiting scans', [' AS unmatched', ' AND false AS unmatched']],
  ],
  ['markBooked'],
)

const RECORD_SCAN = listed('recordScan', 'RETURNING scan.receipts = 1 AS is_new', [
  [
    'assigns a known scan to another shipment',
    ['coalesce(scan.shipment_id, excluded.shipment_id)', 'excluded.shipment_id'],
  ],
  [
    'does not assign a known scan to its shipment',
    ['coalesce(scan.shipment_id, excluded.shipment_id)', 'scan.shipment_id'],
  ],
  ['verifies the scan of an event', within('FROM moved WHERE ', '$#::boolean', ' AND NOT EXISTS')],
  [
    'verifies a scan beside another one',
    ['AND other.shipment_id = moved.shipment_id', 'AND false AND other.shipment_id = moved.shipment_id'],
  ],
  [
    'does not end the verification by another scan',
    ['(stored.is_new AND NOT $#::boolean)', '(false AND NOT $#::boolean)'],
  ],
  [
    'does not end the verification by an event',
    ['(NOT $#::boolean OR (stored', '((NOT $#::boolean AND false) OR (stored'],
  ],
  ['ends the verification of a cancellation', gone(` AND report.reported = 'scanned'`)],
  [
    'ends an attempt that was not partly cancelled',
    gone('moved.cancelled_refs IS NOT NULL AND '),
    'NULL contains nothing, so that the next condition is not true either',
  ],
  [
    'ends the attempt when a cancelled parcel is scanned',
    gone('AND NOT moved.cancelled_refs @> ARRAY[$#::text] '),
  ],
  ['ends an attempt with an open parcel', [`attempt.parcels -> number -> 'refusal' IS NULL`, 'false']],
  ['does not end the attempt', ['refused.answer IS NOT NULL', 'false']],
  ['uses the creation time instead of the booking time', ['coalesce(booked_at, created_at)', 'created_at']],
  ['requires a booking time', ['coalesce(booked_at, created_at)', 'booked_at']],
  ['accepts a scan of exactly ninety days before', [`> since -`, `>= since -`]],
  ['assigns scans of an earlier parcel', always("$#::timestamptz > since - interval '90 days'")],
  ['changes the state from any state', within('AND ', `scanned.state = 'booked'`, ' AND stored.')],
  ['changes the state of a shipment without the scan', gone(' AND stored.shipment_id = scanned.shipment_id')],
  ['changes the state without an event', none(`'booked', 'in_transit' FROM moved`)],
  ['does not increment the version', ['version = shipment.version + 1', 'version = shipment.version']],
  [
    'counts a scan that is received again as new',
    ['receipts = scan.receipts + 1', 'receipts = scan.receipts'],
  ],
  ['reports an anomaly repeatedly', gone('stored.is_new AND ')],
  ['uses drafts', gone(` AND state <> 'draft'`), 'a constraint allows no tracking number for drafts'],
  ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
])

const APPLY_UNMATCHED = listed(
  'applyUnmatchedScans',
  'FROM jsonb_to_recordset(',
  [
    ['assigns scans of an earlier parcel', gone(` WHERE given.occurred_at > since - interval '90 days'`)],
    [
      'accepts a scan of exactly ninety days before',
      ['given.occurred_at > since', 'given.occurred_at >= since'],
    ],
    ['changes the state from any state', gone(` AND locked.state = 'booked'`)],
    ['changes the state without a scan', gone(' AND EXISTS (SELECT 1 FROM matched)')],
    ['changes the state without an event', none(`'booked', 'in_transit' FROM moved`)],
    ...LOCK_PARCEL,
  ],
  ['recordScan', 'markBooked'],
)

const TAKE_UNMATCHED = listed(
  'applyUnmatchedScans',
  'DELETE FROM carrier_scan AS scan WHERE',
  [
    ['takes scans of any carrier', within('AND ', 'carrier_code = $#', ' AND')],
    ['takes scans of any number', within('AND ', 'carrier_ref = $#', ' AND')],
  ],
  ['recordScan', 'markBooked'],
)

const FOUND_CANCELLED = listed('recordCancelledAtCarrier', `'found cancelled at the carrier'`, [
  ['cancels a shipment with another number', within('AND ', 'shipment.carrier_ref = $#', ' AND')],
  ['cancels shipments in any state', gone(` AND shipment.state = 'booked'`)],
  ['cancels despite an open attempt', [`AND attempt.phase = 'pending'`, 'AND false']],
  ['does not cancel after a settled attempt', gone(` AND attempt.phase = 'pending'`)],
  ['counts a send', [`'accepted', 0,`, `'accepted', 1,`]],
  ['plans no verification', none('SELECT *, NULL AS carrier_ref FROM settled')],
  ['records no event', none(`'booked', 'cancelled', attempt_id FROM cancelled`)],
  ['does not record who cancelled', [`cancelled_by = 'carrier', `, '']],
  ['does not record that all parcels are cancelled', gone('cancelled_refs = shipment.parcel_refs, ')],
])

const FOUND_CANCELLED_LOCK = listed('recordCancelledAtCarrier', 'SELECT 1 FROM shipment WHERE', [
  ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
])

const BOOKED_AFTER = listed('bookedAfter', `ORDER BY scheduled.account_id, scheduled.shipment_id LIMIT`, [
  ['returns only one of several parcels', nothing(' parcel_refs', 'text[]')],
  ['returns cancelled parcels', nothing(' cancelled_refs', 'text[]')],

  ['returns the last one again', ['scheduled.shipment_id) > (', 'scheduled.shipment_id) >= (']],
])

const FORGET = listed(
  'forgetUnmatchedScans',
  'FROM carrier_scan WHERE shipment_id IS NULL AND received_at',
  [
    ['deletes scans of a shipment', gone('shipment_id IS NULL AND ')],
    ['deletes a millisecond too early', ['received_at <', 'received_at <=']],
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
  ...OVERDUE_ALERTS,
  ...CLAIM_REPORTS,
  ...SETTLE_REPORT,
  ...RECORD_SCAN,
  ...OWNERS_OF,
  ...TAKE_UNMATCHED,
  ...APPLY_UNMATCHED,
  ...FOUND_CANCELLED,
  ...FOUND_CANCELLED_LOCK,
  ...BOOKED_AFTER,
  ...FORGET,
]
