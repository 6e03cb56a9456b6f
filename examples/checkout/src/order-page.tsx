/** The booked order, and its cancellation until the carrier has confirmed or refused it. */
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { linesOf } from './catalogue.ts'
import { arrival, money } from './money.ts'
import { Notice, Trouble } from './parts.tsx'
import type { ShippingPrice } from './vat.ts'
import { arrivalTotal } from './waterfall.ts'
import { type CancelResult, type Choice, type RateOption, useCancellation, useLandedCost } from './waybill.ts'

type Props = {
  readonly choice: Choice
  readonly option: RateOption
  readonly orderId: string
  readonly trackingNumber: string
  readonly shipping: ShippingPrice
  readonly onAgain: () => void
}

export function OrderPage({ choice, option, orderId, trackingNumber, shipping, onAgain }: Props) {
  const [isCancelling, setIsCancelling] = useState(false)
  const cancellation = useCancellation(orderId, isCancelling)
  const { data: cost } = useLandedCost(choice)
  const heading = useRef<HTMLHeadingElement>(null)
  const progress = useRef<HTMLHeadingElement>(null)
  // What had the keyboard's focus before is gone.
  useEffect(() => (isCancelling ? progress : heading).current?.focus(), [isCancelling])
  const result = cancellation.data
  const isCancelled = result?.__typename === 'ShipmentCancelled'
  return (
    <main className="order">
      <section className="card" aria-labelledby="order">
        <h1 id="order" ref={heading} tabIndex={-1}>
          {isCancelled ? 'Your order is cancelled' : 'Thank you, your order is booked'}
        </h1>
        <dl className="facts">
          <dt>Order</dt>
          <dd>{orderId.slice(0, 8)}</dd>
          <dt>Delivery</dt>
          <dd>
            {option.product.carrier.name} {option.product.name}
            {!isCancelled && `, arrives ${arrival(option)}`}
          </dd>
          <dt>Shipping</dt>
          <dd>
            {money(shipping.amount)} {shipping.note}
          </dd>
          <dt>Parcel</dt>
          <dd>{trackingNumber}</dd>
          <dt>To</dt>
          <dd>
            {choice.address.name}, {choice.address.city}
          </dd>
          <dt>Articles</dt>
          <dd>
            {linesOf(choice.cart)
              .map(({ article, count }) => `${count} × ${article.name}`)
              .join(', ')}
          </dd>
          {cost !== undefined && (
            <>
              <dt>{arrivalTotal(cost).isComplete ? 'Total on arrival' : 'Total, as far as known'}</dt>
              <dd>{money(arrivalTotal(cost).amount)}</dd>
            </>
          )}
        </dl>
        <div aria-live="polite" className="progress">
          {isCancelling && (
            <>
              <h2 ref={progress} tabIndex={-1}>
                Cancellation
              </h2>
              <Progress result={result} isAsking={cancellation.isFetching} />
            </>
          )}
          {cancellation.error !== null && (
            <Trouble error={cancellation.error} onRetry={() => cancellation.refetch()} />
          )}
        </div>
        <div className="actions">
          {!isCancelling && (
            <Button className="quiet danger" onPress={() => setIsCancelling(true)}>
              Cancel order
            </Button>
          )}
          <Button className="quiet" onPress={onAgain}>
            Start again
          </Button>
        </div>
      </section>
    </main>
  )
}

type ProgressProps = { readonly result: CancelResult | undefined; readonly isAsking: boolean }

/** The steps of a cancellation, so that a buyer sees that it continues. */
function Progress({ result, isAsking }: ProgressProps) {
  const isSettled = result !== undefined && result.__typename !== 'CancellationPending'
  return (
    <>
      <ol className="timeline">
        <li data-state="done">Booked with the carrier</li>
        <li data-state="done">Cancellation requested</li>
        <li data-state={isSettled ? 'done' : 'active'}>
          {isSettled ? 'Answer of the carrier' : waiting(result, isAsking)}
        </li>
      </ol>
      {result !== undefined && <Outcome result={result} />}
    </>
  )
}

function waiting(result: CancelResult | undefined, isAsking: boolean): string {
  if (result?.__typename !== 'CancellationPending') return 'Asking the carrier'
  return isAsking
    ? 'Asking the carrier again'
    : `Waiting for the carrier, next try in ${result.retryAfterSeconds} s`
}

function Outcome({ result }: { readonly result: CancelResult }) {
  switch (result.__typename) {
    case 'CancellationPending':
      return (
        <Notice tone="info">
          <p>The carrier has not confirmed yet. You can close this page: the cancellation continues.</p>
        </Notice>
      )
    case 'ShipmentCancelled':
      return (
        <Notice tone="good">
          <p>
            <b>The carrier has confirmed.</b> You will not be charged for shipping.
          </p>
        </Notice>
      )
    case 'ShipmentNotCancelled':
      return (
        <Notice tone="warning">
          <p>
            <b>It is too late to cancel.</b> The carrier says: “{result.carrierReason ?? result.message}”. You
            can send the parcel back after it has arrived.
          </p>
        </Notice>
      )
    case 'ShipmentNotFound':
      return (
        <Notice tone="error">
          <p>We cannot find this order. Please contact us.</p>
        </Notice>
      )
  }
}
