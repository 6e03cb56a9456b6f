/** Mutants of the statements that cancel. */
import { always, gone, LOCKS, listed, none, ONCE, parcelsOfTicket, within } from './mutant.ts'

const DRAFT_BEING_BOOKED = `locked.state = 'draft' AND locked.booking_until IS NOT NULL`

const BEGIN = listed('begin', 'INSERT INTO cancel_attempt AS attempt', [
  ['works for any account', within('AND ', 'account_id = $#', ' FOR UPDATE')],
  [
    'a refusal is remembered a millisecond too long',
    ['cancel_refused_at > clock', 'cancel_refused_at >= clock'],
  ],
  [
    'cancels shipments in any state',
    within('AND ', `locked.state = 'draft'`, ' AND locked.booking_until IS NULL'),
  ],
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
  [
    'the request is recorded also for drafts that are not being booked',
    gone(' AND locked.booking_until IS NOT NULL'),
    `${ONCE}; a constraint refuses it for suspect drafts, which the model does not have`,
  ],
  [
    'the request is recorded in any state',
    within('AND ', `locked.state = 'draft'`, ' AND locked.booking_until IS NOT NULL'),
  ],
  [
    'a repeated request replaces the first',
    ['coalesce(shipment.cancel_requested_at, clock_timestamp())', 'clock_timestamp()'],
  ],
  ['records no event for a cancelled draft', none(`'draft', 'cancelled' FROM cancelled`)],
  ['does not increment the version', ['version = shipment.version + 1', 'version = shipment.version']],
  ['records that the carrier cancelled a draft', [`cancelled_by = 'draft'`, `cancelled_by = 'carrier'`]],
  ['ignores a remembered refusal', gone(' AND NOT EXISTS (SELECT 1 FROM recent_refusal)')],
  [
    'opens an attempt for a parcel in transit',
    [`locked.state = 'booked' AND $#`, `locked.state <> 'draft' AND $#`],
  ],
  ['takes over leases that have not expired', always('attempt.lease_until <= clock_timestamp()')],
  [
    'takes over an expired lease a millisecond too late',
    ['attempt.lease_until <= clock', 'attempt.lease_until < clock'],
  ],
  ['does not increment the fence', ['fence = attempt.fence + 1', 'fence = attempt.fence']],
  ['does not count a send', ['sends = attempt.sends + CASE', 'sends = attempt.sends + 0 * CASE']],
  [
    'counts a lookup as a send',
    ['attempt.doubted_at IS NULL THEN 1 ELSE 0', 'attempt.doubted_at IS NULL THEN 1 ELSE 1'],
  ],
  ['opens an attempt without permission', always('$#::boolean')],
  [
    'has an effect although it is late',
    always('(extract(epoch FROM clock_timestamp()) * 1000)::double precision < $#::double precision'),
  ],
  ['is late a millisecond too late', ['* 1000)::double precision < $#', '* 1000)::double precision <= $#']],
  ['a new attempt may be deleted by an older version', [', true, nullif(', ', false, nullif(']],
  ['reports an expired lease as held', [`THEN 'working' ELSE 'waiting'`, `THEN 'working' ELSE 'working'`]],
  ['reports a held lease as expired', [`THEN 'working' ELSE 'waiting'`, `THEN 'waiting' ELSE 'waiting'`]],
  [
    'reports a lease as held a millisecond too long',
    ['attempt.lease_until > clock', 'attempt.lease_until >= clock'],
  ],
  ['reports a settled attempt as open', within('AND ', `attempt.phase = 'pending'`, `), 'none')`)],
  [
    'does not change the owner of the lease',
    ['lease_owner = excluded.lease_owner', 'lease_owner = attempt.lease_owner'],
  ],
  ['does not renew the lease', ['lease_until = excluded.lease_until', 'lease_until = attempt.lease_until']],
  [
    'leaves the attempt due during its lease',
    ['next_try_at = excluded.next_try_at', 'next_try_at = attempt.next_try_at'],
  ],
  ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
])

const BEGIN_PARCELS = listed(
  'begin',
  'INSERT INTO cancel_attempt AS attempt',
  parcelsOfTicket('locked', 'leased'),
  ['recordParcel', 'release', 'clock'],
)

const PROGRESS = listed('cancelProgress', 'AS due_in_ms', [
  ['works for any account', always('shipment.account_id = $#')],
  ['includes settled attempts', gone(` AND attempt.phase = 'pending'`)],
  ['reports a released attempt as working', gone('attempt.lease_owner IS NOT NULL AND ')],
  [
    'does not report a running booking as working',
    gone(`(shipment.state = 'draft' AND shipment.booking_until IS NOT NULL) OR `),
  ],
  ['reports any draft as working', gone(' AND shipment.booking_until IS NOT NULL')],
  ['reports a booking as working in any state', gone(`shipment.state = 'draft' AND `)],
  [
    'reports a lease as working a millisecond too long',
    ['attempt.lease_until > clock', 'attempt.lease_until >= clock'],
  ],
  [
    'a refusal is remembered a millisecond too long',
    ['cancel_refused_at > clock', 'cancel_refused_at >= clock'],
  ],
])

const ACCEPT = listed('accept', `SET phase = 'accepted'`, [
  ['works with the id of another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['has no effect after a refusal', [`attempt.phase IN ('pending', 'refused')`, `attempt.phase = 'pending'`]],
  ['has an effect twice', always(`attempt.phase IN ('pending', 'refused')`)],
  [
    'has no effect after the lease was released',
    ['attempt.attempt_id = $#', 'attempt.attempt_id = $# AND attempt.lease_owner IS NOT NULL'],
  ],
  [
    'leaves a verification due',
    [
      "verify_at = clock_timestamp() + $#::double precision * interval '1 ms', lease_owner",
      "verify_at = coalesce(clock_timestamp() + $#::double precision * interval '1 ms', attempt.verify_at), lease_owner",
    ],
  ],
  ['does not end the lease', gone('lease_owner = NULL, ')],
  ['keeps an earlier anomaly', [`as refused' END`, `as refused' ELSE attempt.anomaly END`]],
  ['records no anomaly', [`CASE WHEN locked.state = 'in_transit' THEN`, 'CASE WHEN false THEN']],
  [
    'cancels parcels in transit',
    [`AND locked.state = 'booked'`, `AND locked.state IN ('booked', 'in_transit')`],
  ],
  ['does not record that all parcels are cancelled', gone('cancelled_refs = shipment.parcel_refs, ')],
  ['verifies what the carrier has answered', within('FROM cancelled WHERE ', '$#::boolean', ')')],
  [
    'plans no verification of a lookup',
    [
      `SELECT *, NULL AS carrier_ref FROM cancelled WHERE`,
      'SELECT *, NULL AS carrier_ref FROM cancelled WHERE false AND',
    ],
  ],
  ['records no event', none(`'booked', 'cancelled', attempt_id FROM cancelled`)],
  ['records an event without its attempt', [`'cancelled', attempt_id FROM`, `'cancelled', NULL::uuid FROM`]],
  ['does not increment the version', ['version = shipment.version + 1', 'version = shipment.version']],
  ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
])

const REFUSE = listed('refuse', `SET phase = 'refused', reason`, [
  ['accepts a stale ticket', always('attempt.fence = $#')],
  ['changes a settled attempt', within('AND ', `attempt.phase = 'pending'`, ' AND locked.is_ticket_current')],
  ['works with the id of another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['refuses although a parcel was cancelled meanwhile', gone(' AND locked.is_ticket_current')],
  ['verifies a refusal after one send', ['attempt.sends > 1', 'attempt.sends > 0']],
  ['does not verify a refusal after two sends', ['attempt.sends > 1', 'attempt.sends > 2']],
  [
    'does not record the anomaly of a failed withdrawal',
    [`CASE WHEN locked.state = 'cancelled'`, 'CASE WHEN false'],
  ],
  ['does not end the lease', gone('lease_owner = NULL, ')],
  ['does not remember the refusal', ['SET cancel_refused_at = clock_timestamp(),', 'SET']],
  [
    'schedules no lookup after a refusal because of a scan',
    [`= 'SCANNED' THEN clock_timestamp()`, `= 'SCANNED' THEN shipment.next_track_at`],
  ],
  ['schedules a lookup after any refusal', ['ELSE shipment.next_track_at END', 'ELSE clock_timestamp() END']],
  ['does not lock the shipment', gone(' FOR UPDATE'), LOCKS],
])

const RELEASE = listed('release', 'FOR UPDATE ) UPDATE cancel_attempt AS attempt SET lease_owner', [
  ['accepts a stale ticket', always('attempt.fence = $#')],
  ['changes a settled attempt', within('AND ', `attempt.phase = 'pending'`, ' RETURNING')],
  ['works with the id of another shipment', always('attempt.shipment_id = locked.shipment_id')],
  ['does not end the lease', gone('lease_owner = NULL, ')],
  [
    'counts a request that was not sent',
    ['lease_owner IS NOT NULL THEN 1', 'lease_owner IS NOT NULL THEN 0'],
  ],
  ['subtracts a request twice', gone(' AND attempt.lease_owner IS NOT NULL')],
  [
    'replaces the refusal code of a doubt',
    ['coalesce(attempt.doubt_code, $#)', 'coalesce($#, attempt.doubt_code)'],
  ],
  ['forgets a doubt', ['ELSE attempt.doubted_at END', 'ELSE NULL END']],
  ['replaces the time of a doubt', ['coalesce(attempt.doubted_at, clock_timestamp())', 'clock_timestamp()']],
  ['returns no state', ['RETURNING locked.state', 'RETURNING NULL::text AS state']],
  ['returns "booked" in any state', ['RETURNING locked.state', `RETURNING 'booked' AS state`]],
])

const NOT_RECORDED = `NOT coalesce(shipment.cancelled_refs, '{}') @> ARRAY[$#::text]`
const RECORDED = 'coalesce(attempt.parcels -> $#::text'

const RECORD_PARCEL = listed(
  'recordParcel',
  'SET cancelled_refs = array_append(',
  [
    [
      'records every parcel as cancelled',
      within('AND shipment.shipment_id = locked.shipment_id AND ', '$#::boolean', ' AND'),
    ],
    ['records no parcel as cancelled', ['AND $#::boolean AND', 'AND $#::boolean AND false AND']],
    ['records cancelled parcels of other shipments', always('shipment.parcel_refs @> ARRAY[$#::text]')],
    ['records a cancelled parcel repeatedly', always(NOT_RECORDED)],
    [
      'forgets the other cancelled parcels',
      [`array_append(coalesce(shipment.cancelled_refs, '{}'), $#::text)`, 'ARRAY[$#::text]'],
    ],
    [
      'records no cancelled parcel once the attempt has ended',
      [
        NOT_RECORDED,
        `${NOT_RECORDED} AND EXISTS (SELECT 1 FROM cancel_attempt AS ended
          WHERE ended.shipment_id = locked.shipment_id AND ended.phase = 'pending')`,
      ],
    ],
    [
      'records a cancelled parcel with the id of another shipment',
      always('named.shipment_id = locked.shipment_id'),
    ],
    ['records a parcel with the id of another shipment', always('attempt.shipment_id = locked.shipment_id')],
    ['accepts a stale ticket for a parcel', ['attempt.fence <> $#', '(attempt.fence <> $# AND false)']],
    ['requires the ticket for a cancelled parcel', ['AND NOT $#::boolean', 'AND (NOT $#::boolean OR true)']],
    ['changes parcels of a settled attempt', [`attempt.phase <> 'pending'`, 'false']],
    ['forgets the records of other parcels', [`coalesce(attempt.parcels, '{}') ||`, '']],
    ['forgets the earlier record of the parcel', [RECORDED, `coalesce(attempt.parcels -> ($#::text || '-')`]],
    [
      'returns "pending" for a parcel in any phase',
      ['RETURNING attempt.phase', `RETURNING 'pending' AS phase`],
    ],
    ['does not lock the shipment of a parcel', gone(' FOR UPDATE'), LOCKS],
  ],
  ['release'],
)

/** The statement for a refusal in doubt. */
const RECORD_DOUBT = listed(
  'recordParcel',
  `'doubtedAtAgeMs'`,
  [
    ['replaces the doubt about a parcel', [`-> 'doubt' IS NOT NULL`, `-> 'doubt' IS NOT NULL AND false`]],
    ['never records a doubt about a parcel', [`-> 'doubt' IS NOT NULL`, `-> 'doubt' IS NOT NULL OR true`]],
    [
      'records the wrong age of a doubt about a parcel',
      [`'doubtedAtAgeMs', (extract`, `'doubtedAtAgeMs', 0 * (extract`],
    ],
  ],
  ['release'],
)

const RELEASE_LEASES = listed('releaseLeases', `last_cause = 'shutdown'`, [
  [
    'releases the leases of every process',
    [['attempt.lease_owner = $#', '(attempt.lease_owner = $# OR true)']],
  ],
  [
    'does not make the attempts due',
    [', next_try_at = clock_timestamp()', ', next_try_at = attempt.next_try_at'],
  ],
  ['does not end the leases', ['lease_until = clock_timestamp()', 'lease_until = attempt.lease_until']],
  ['waits for the lock of a running settlement', gone(' FOR UPDATE OF shipment SKIP LOCKED'), LOCKS],
])

export const CANCELLING_MUTANTS = [
  ...BEGIN,
  ...BEGIN_PARCELS,
  ...PROGRESS,
  ...ACCEPT,
  ...REFUSE,
  ...RELEASE,
  ...RECORD_PARCEL,
  ...RECORD_DOUBT,
  ...RELEASE_LEASES,
]
