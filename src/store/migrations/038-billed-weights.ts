/**
 * Steps of heavy weights, and smallest billed weights, of products. See docs/rate-card-files.md#carriers-and-products.
 */
export const BILLED_WEIGHTS = [
  `ALTER TABLE product
    ADD COLUMN heavy_over_grams integer CHECK (heavy_over_grams > 0 AND heavy_over_grams % weight_step_grams = 0),
    ADD COLUMN heavy_step_grams integer CHECK (heavy_step_grams > 0),
    ADD COLUMN min_billed_unit_grams integer CHECK (min_billed_unit_grams > 0),
    ADD COLUMN shipment_step_grams integer CHECK (shipment_step_grams > 0),
    ADD COLUMN min_billed_shipment_grams integer CHECK (min_billed_shipment_grams > 0),
    ADD CONSTRAINT product_heavy_check CHECK ((heavy_over_grams IS NULL) = (heavy_step_grams IS NULL))`,
]
