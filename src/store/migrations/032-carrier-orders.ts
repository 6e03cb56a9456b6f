/** The number of a shipment's order at its carrier. See docs/connectors.md#order-numbers. */
export const CARRIER_ORDERS = [
  // Null for carriers that cancel by the tracking number. Not unique: a carrier may put two shipments into one order.
  `ALTER TABLE shipment ADD COLUMN carrier_order_ref text CHECK (carrier_order_ref <> '')`,
]
