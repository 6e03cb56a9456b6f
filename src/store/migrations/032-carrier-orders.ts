/** The number of a shipment's order at its carrier. See docs/connectors.md#order-numbers. */
export const CARRIER_ORDERS = [
  // Null for carriers that cancel by the tracking number. Not unique: a carrier may put two shipments into one order.
  'ALTER TABLE shipment ADD COLUMN carrier_order_ref text',
  // Not checked for the rows that exist, which have none, so that requests do not wait for it.
  `ALTER TABLE shipment ADD CHECK (carrier_order_ref <> '') NOT VALID`,
]
