/** Everything that the package exports. */
export {
  type CancelOptions,
  type CancelResult,
  cancelAndWait,
  type PendingCancellation,
} from './cancellation.ts'
export {
  createWaybillClient,
  type RequestOptions,
  type WaybillClient,
  type WaybillClientOptions,
} from './client.ts'
export type { TypedDocument, TypedDocumentString } from './document.ts'
export {
  type ApiErrorCode,
  type GraphQLResponseError,
  type TransportErrorCode,
  WaybillError,
  type WaybillErrorCode,
} from './error.ts'
export * from './generated.ts'
export {
  assertNever,
  isProblem,
  ProblemError,
  type ProblemIn,
  type ProblemTypename,
  type SuccessIn,
  type SuccessTypename,
  unknownValue,
  unwrap,
} from './results.ts'
export { codegenScalars } from './scalars.ts'
