/** The wrong statements of booking, of the sweeper's claims, and of tracking. */
import { always, gone, LOCKS, listed, none, within } from './mutant.ts'

const DUE_WORK = listed('dueWork', 'WITH RECURSIVE heads', [
  ['settled attempts', [` AND q.phase = 'pending'`, ` AND q.phase IN ('pending', 'refused', 'accepted')`]],
  ['attempts an instant later', ['"q"."next_try_at" <=', '"q"."next_try_at" <']],
  ['refusals an instant later', ['"q"."verify_at" <=', '"q"."verify_at" <']],
  ['bookings an instant later', ['"q"."booking_until" <=', '"q"."booking_until" <']],
  ['look-ups an instant later', ['"q"."next_track_at" <=', '"q"."next_track_at" <']],
  ['look-ups of what is not booked', gone(` AND q.state = 'booked'`)],
  ['counts rows of any carrier', always('q.carrier_code = h.carrier_code')],
  ['counts rows of any account', always('q.account_id = h.account_id')],
  ['only the first account of each carrier', ['q.account_id > p.account_id', 'false']],
  ['only the accounts from the second on', ['LIMIT 1)', 'OFFSET 1 LIMIT 1)']],
  ['any work an instant later', ['h.due_at <=', 'h.due_at <']],
  ['counts beyond the limit', ['LIMIT $#', 'LIMIT $# + 100']],
  [
    'the latest due row of each account',
    ['q.account_id, "q"."next_track_at" LIMIT', 'q.account_id, "q"."next_track_at" DESC LIMIT'],
  ],
])

const CLAIM_ATTEMPTS = listed(
  'claimAttempts',
  'ORDER BY c.next_try_at LIMIT f.room',
  [
    [
      'that another holds',
      [
        gone(' AND c.lease_until <= (SELECT clock_timestamp())'),
        gone(' AND c.lease_until <= clock_timestamp()'),
      ],
    ],
    [
      'that are not due',
      [
        gone('c.next_try_at <= (SELECT clock_timestamp()) AND '),
        gone('c.next_try_at <= clock_timestamp() AND '),
      ],
    ],
    ['an instant late', [[`c.next_try_at <=`, 'c.next_try_at <']]],
    ['held an instant longer', [['c.lease_until <=', 'c.lease_until <']]],
    ['beyond the room', ['LIMIT f.room', 'LIMIT 100']],
    ['the newest first', ['ORDER BY c.next_try_at', 'ORDER BY c.next_try_at DESC']],
    ['of any carrier', always('c.carrier_code = f.carrier_code')],
    ['of any account', always('c.account_id = f.account_id')],
    ['settled ones take room', within('AND ', `c.phase = 'pending'`, ' AND c.next_try_at <= (')],
    [
      'settled ones of the same shipment',
      within('AND ', `c.phase = 'pending'`, ' AND c.next_try_at <= clock_timestamp()'),
    ],
    ['the fence stays', ['fence = c.fence + 1', 'fence = c.fence']],
    ['a send is not counted', ['sends = c.sends + 1', 'sends = c.sends']],
    [
      'looked at once',
      gone(' AND c.next_try_at <= clock_timestamp() AND c.lease_until <= clock_timestamp()'),
      'what was due when it was found is due, unless another process was faster',
    ],
    ['waits for who is settling', gone(' SKIP LOCKED'), LOCKS],
  ],
  ['begin', 'clock'],
)

const CLAIM_VERIFICATIONS = listed(
  'claimVerifications',
  'lookups = c.lookups + 1',
  [
    ['beyond the room', ['LIMIT f.room', 'LIMIT 100']],
    ['of any carrier', always('c.carrier_code = f.carrier_code')],
    ['of any account', always('c.account_id = f.account_id')],
    ['an instant late', ['c.verify_at <=', 'c.verify_at <']],
    ['those of the same shipment as well', always('c.attempt_id = due.attempt_id')],
    ['a look is not counted', ['lookups = c.lookups + 1', 'lookups = c.lookups']],
    [
      'is due again at once',
      [
        "verify_at = clock_timestamp() + $#::double precision * interval '1 ms', lookups",
        "verify_at = coalesce(c.verify_at, clock_timestamp() + $#::double precision * interval '1 ms'), lookups",
      ],
    ],
    ['of any phase', gone(` AND c.phase = 'refused'`), 'only a refusal has a time to be looked into'],
    ['waits for who is settling', gone(' SKIP LOCKED'), LOCKS],
  ],
  ['clock'],
)

const SETTLE_VERIFICATION = listed('settleVerification', '::text, c.anomaly)', [
  ['of what was accepted since', gone(` AND c.phase = 'refused'`)],
  ['for another shipment', always('c.shipment_id = l.shipment_id')],
  ['takes marks away', ['coalesce($#::text, c.anomaly)', '$#::text']],
  ['marks nothing', ['coalesce($#::text, c.anomaly)', `coalesce(c.anomaly, left($#::text, 0))`]],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const BEGIN_BOOKING = listed(
  'beginBooking',
  'b.booking_tries AS tries',
  [
    ['of any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
    ['whatever the state', within('AND ', `s.state = 'draft'`, ' AND (')],
    ['while another is at it', always('s.booking_until <= clock_timestamp()')],
    ['an instant late', ['s.booking_until <= clock', 's.booking_until < clock']],
    ['never for the first time', gone('s.booking_until IS NULL OR ')],
    ['a try is not counted', ['booking_tries = t.booking_tries + 1', 'booking_tries = t.booking_tries']],
    ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
  ],
  ['clock'],
)

const TOO_LATE = `FROM s WHERE t.shipment_id = s.shipment_id AND s.state = 'cancelled'`

const MARK_BOOKED = listed('markBooked', `interval '15 minutes'`, [
  ['of any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
  ['whatever the state', within('AND ', `s.state = 'draft'`, ' RETURNING', `s.state <> 'cancelled'`)],
  ['leaves no event', none(`'draft', 'booked' FROM b`)],
  ['a number is not for good', within('AND ', 's.carrier_ref IS NULL', ' RETURNING')],
  ['drafts are withdrawn', within('AND ', `s.state = 'cancelled'`, ' AND')],
  ['stays under way', ['booking_until = NULL, cancel_requested_at', 'cancel_requested_at']],
  ['is looked up at once', [`clock_timestamp() + interval '15 minutes'`, 'clock_timestamp()']],
  ['does not say when', ['booked_at = clock_timestamp(), ', '']],
  ['what came too late is not withdrawn', gone('EXISTS (SELECT 1 FROM w) OR ')],
  [
    'the version of what came too late stays',
    [`version = t.version + 1 ${TOO_LATE}`, `version = t.version ${TOO_LATE}`],
  ],
  ['what is opened is not owed', [', true FROM s', ', false FROM s']],
  ['the wish is forgotten', gone(' OR (s.wanted AND EXISTS (SELECT 1 FROM b))')],
  ['the wish is not cleared', gone('cancel_requested_at = NULL, ')],
  ['an attempt without a wish', gone('s.wanted AND ')],
  [
    'an attempt for a wish that is not booked',
    gone(' AND EXISTS (SELECT 1 FROM b)'),
    'a check allows wishes of drafts alone, and a draft is booked here',
  ],
  ['the version stays', ['version = t.version + 1', 'version = t.version']],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const NO_NUMBER = 'a check allows no booking under way with a number'

const END_BOOKING = listed('settleBooking', 'NOT s.wanted', [
  ['ends of any account', always('account_id = $#')],
  ['ends though another has tried since', always('booking_tries = $#')],
  ['ends and stays under way', ['booking_until = NULL, booking_tries = 0 FROM', 'booking_tries = 0 FROM']],
  [
    'ends and tries are not forgotten',
    ['booking_until = NULL, booking_tries = 0 FROM', 'booking_until = NULL FROM'],
  ],
  [
    'ends and ignores the wish',
    [
      ['cancel_requested_at IS NOT NULL AS wanted', 'false AS wanted'],
      ['booking_tries = 0 FROM', 'booking_tries = 0, cancel_requested_at = NULL FROM'],
    ],
  ],
  ['ends and leaves the wish', ['cancel_requested_at IS NOT NULL AS wanted', 'false AS wanted']],
  ['cancels without a wish', ['cancel_requested_at IS NOT NULL AS wanted', 'true AS wanted']],
  ['cancels and leaves the wish', gone('cancel_requested_at = NULL, ')],
  [
    'cancels and stays under way',
    [
      'booking_until = NULL, booking_tries = 0, cancel_requested_at',
      'booking_tries = 0, cancel_requested_at',
    ],
  ],
  ['cancels and tries are not forgotten', ['booking_tries = 0, cancel_requested_at', 'cancel_requested_at']],
  ['cancels and does not say when', ['cancelled_at = clock_timestamp()', 'cancelled_at = NULL']],
  ['cancels and does not say who', gone(`cancelled_by = 'draft', `)],
  ['cancels and leaves no event', none(`'draft', 'cancelled' FROM d`)],
  ['cancels and the version stays', ['version = t.version + 1', 'version = t.version']],
  ['ends what is to be cancelled as well', gone(' AND NOT s.wanted')],
  [
    'ends what was never begun',
    gone(' AND booking_until IS NOT NULL'),
    'what is not under way has no tries and no wish to forget',
  ],
  ['ends with a number', gone(' AND carrier_ref IS NULL'), NO_NUMBER],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const POSTPONE_BOOKING = listed('settleBooking', 'UPDATE shipment SET booking_until', [
  ['postpones of any account', always('account_id = $#')],
  ['postpones what was never begun', gone(' AND booking_until IS NOT NULL')],
  ['postpones though another has tried since', always('booking_tries = $#')],
  ['postpones and forgets the tries', ['SET booking_until', 'SET booking_tries = 0, booking_until']],
  ['postpones and forgets the wish', ['SET booking_until', 'SET cancel_requested_at = NULL, booking_until']],
  ['postpones with a number', gone(' AND carrier_ref IS NULL'), NO_NUMBER],
])

const CLAIM_BOOKINGS = listed(
  'claimBookings',
  'ORDER BY s.booking_until',
  [
    ['beyond the room', ['LIMIT f.room', 'LIMIT 100']],
    ['of any carrier', always('s.carrier_code = f.carrier_code')],
    ['of any account', always('s.account_id = f.account_id')],
    ['an instant late', ['booking_until <=', 'booking_until <']],
    ['the newest first', ['ORDER BY s.booking_until', 'ORDER BY s.booking_until DESC']],
    ['a try is not counted', ['booking_tries = t.booking_tries + 1', 'booking_tries = t.booking_tries']],
    ['with a number', gone(' AND t.carrier_ref IS NULL'), NO_NUMBER],
  ],
  ['beginBooking', 'clock'],
)

const CLAIM_LOOKUPS = listed(
  'claimLookups',
  'ORDER BY s.next_track_at',
  [
    ['beyond the room', ['LIMIT f.room', 'LIMIT 100']],
    ['of any carrier', always('s.carrier_code = f.carrier_code')],
    ['of any account', always('s.account_id = f.account_id')],
    ['an instant late', ['next_track_at <=', 'next_track_at <']],
    ['the newest first', ['ORDER BY s.next_track_at', 'ORDER BY s.next_track_at DESC']],
    ['whatever the state', [gone(` AND s.state = 'booked'`), gone(` AND t.state = 'booked'`)]],
  ],
  ['clock'],
)

const OVERDUE = listed(
  'overdueAttempts',
  'SET alerted_at',
  [
    ['told again and again', [gone('c.alerted_at IS NULL AND '), gone(' AND c.alerted_at IS NULL')]],
    ['an instant late', ['c.begun_at <=', 'c.begun_at <']],
    ['settled ones', gone(` AND c.phase = 'pending'`)],
  ],
  ['clock'],
)

const RECORD_SCAN = listed('recordScan', 'INSERT INTO carrier_scan AS c', [
  [
    'goes over to another shipment',
    ['coalesce(c.shipment_id, excluded.shipment_id)', 'excluded.shipment_id'],
  ],
  ['stays with nobody', ['coalesce(c.shipment_id, excluded.shipment_id)', 'c.shipment_id']],
  ['by the time of the draft', ['coalesce(booked_at, created_at)', 'created_at']],
  ['not without the time of booking', ['coalesce(booked_at, created_at)', 'booked_at']],
  ['ninety days and an instant', [`> since -`, `>= since -`]],
  ['of an earlier parcel', always("$#::timestamptz > since - interval '90 days'")],
  ['moves whatever the state', within('AND ', `own.state = 'booked'`, ' AND k.')],
  ['moves whomever the scan was about', gone(' AND k.shipment_id = own.shipment_id')],
  ['moves without an event', none(`'booked', 'in_transit' FROM m`)],
  ['the version stays', ['version = t.version + 1', 'version = t.version']],
  ['moves the oldest', ['ORDER BY created_at DESC, shipment_id DESC', 'ORDER BY created_at, shipment_id']],
  ['of any carrier', within('AND ', 'carrier_code = $#', ' AND state')],
  ['an anomaly again and again', gone('k.is_new AND ')],
  ['of drafts', gone(` AND state <> 'draft'`), 'a check allows no draft with a number'],
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const APPLY_KEPT = listed(
  'applyUnmatchedScans',
  'UPDATE carrier_scan c SET shipment_id = s.shipment_id',
  [
    ["takes others' scans", gone(' AND c.shipment_id IS NULL')],
    ['of an earlier parcel', gone(` AND c.occurred_at > s.since - interval '90 days'`)],
    ['ninety days and an instant', ['c.occurred_at > s', 'c.occurred_at >= s']],
    ['of any carrier', within('AND ', 'c.carrier_code = $#', ' AND')],
    ['moves whatever the state', gone(` AND s.state = 'booked'`)],
    ['moves without a scan', gone(' AND EXISTS (SELECT 1 FROM k)')],
    ['moves without an event', none(`'booked', 'in_transit' FROM m`)],
    ['moves the oldest', ['ORDER BY created_at DESC, shipment_id DESC', 'ORDER BY created_at, shipment_id']],
  ],
  ['recordScan', 'markBooked'],
)

const FOUND_CANCELLED = listed('recordCancelledAtCarrier', `'found cancelled at the carrier'`, [
  ['under another number', within('AND ', 't.carrier_ref = $#', ' AND')],
  ['whatever the state', gone(` AND t.state = 'booked'`)],
  ['beside an open attempt', [`AND c.phase = 'pending'`, 'AND false']],
  ['a settled attempt is in the way', gone(` AND c.phase = 'pending'`)],
  ['counts a send', [`'accepted', 0,`, `'accepted', 1,`]],
  ['leaves no event', none(`'booked', 'cancelled', attempt_id FROM s`)],
  ['does not say who', [`cancelled_by = 'carrier', `, '']],
])

const FOUND_CANCELLED_LOCK = listed('recordCancelledAtCarrier', 'SELECT 1 FROM shipment WHERE', [
  ['locks no shipment', gone(' FOR UPDATE'), LOCKS],
])

const BOOKED_AFTER = listed('bookedAfter', 'AS "shipmentId"', [
  ['whatever the state', [`state = 'booked'`, 'carrier_ref IS NOT NULL']],
  ['the last one again', ['shipment_id > $#', 'shipment_id >= $#']],
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

/** All of them. */
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
