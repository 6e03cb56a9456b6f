/** Why no process requests an access token of a carrier at the moment. See docs/carriers.md#access-tokens. */
export const TOKEN_PAUSES = [
  // The HTTP status of the reply to the token request.
  'ALTER TABLE carrier_token ADD COLUMN pause_status smallint',
]
