/**
 * What services of rate cards state about their inputs, and the inputs of the services of each shipment. The former
 * version reads neither. See docs/rate-cards.md#inputs-of-services.
 */
export const SERVICE_INPUTS = [
  // In the order in which an import and a draft write them.
  `LOCK TABLE service, shipment IN ACCESS EXCLUSIVE MODE`,
  `ALTER TABLE service
    ADD COLUMN slot text,
    ADD COLUMN weekdays integer[],
    ADD COLUMN max_collected_cents integer CHECK (max_collected_cents > 0),
    ADD COLUMN un_numbers text[],
    ADD COLUMN refused_un_numbers text[]`,
  // The form is that of ServiceInputs in src/core/rating/service-inputs.ts. Null: none of the services has inputs.
  `ALTER TABLE shipment ADD COLUMN service_inputs jsonb`,
]
