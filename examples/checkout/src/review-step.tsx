/** Step 4: the order. If the price has ended, both prices are shown before anything is booked. */
import type { Dispatch } from 'react'
import { Button } from 'react-aria-components'
import { goodsCents } from './catalogue.ts'
import { centsOf, money, moneyOfCents } from './money.ts'
import { Notice, Step, Trouble } from './parts.tsx'
import type { Change, ShopState } from './state.ts'
import { type Choice, type OrderResult, type RateOption, useLandedCost, usePlaceOrder } from './waybill.ts'

type Props = {
  readonly state: ShopState
  readonly dispatch: Dispatch<Change>
  readonly choice: Choice | undefined
  readonly option: RateOption | undefined
  /** Whether the options are those of an earlier basket. */
  readonly isStale: boolean
}

export function ReviewStep({ state, dispatch, choice, option, isStale }: Props) {
  const { step, orderId } = state
  return (
    <Step
      {...{ name: 'review', current: step, title: 'Review and order' }}
      onChange={() => dispatch({ kind: 'step', step: 'review' })}
    >
      {choice && option && <Review key={orderId} {...{ state, dispatch, choice, option, isStale }} />}
    </Step>
  )
}

type ReviewProps = Props & { readonly choice: Choice; readonly option: RateOption }

function Review({ state: { orderId, sandbox }, dispatch, choice, option, isStale }: ReviewProps) {
  const order = usePlaceOrder((trackingNumber) =>
    dispatch({ kind: 'booked', booked: { choice, option, trackingNumber } }),
  )
  const { data: cost } = useLandedCost(choice)
  const place = (optionToken: string) => {
    if (!order.isPending) order.mutate({ ...choice, orderId, sandbox, optionToken })
  }
  const expired = order.data?.__typename === 'OptionExpired' ? order.data : undefined
  return (
    <>
      <p>
        You pay us {moneyOfCents(goodsCents(choice.cart) + centsOf(option.price))} for goods and shipping,
        excluding VAT.
        {cost !== undefined && ` With duties and taxes, your order costs ${money(cost.total)} on arrival.`}
      </p>
      {order.error !== null && (
        <>
          <Trouble error={order.error} />
          <p className="fine">You can try again: an order is never placed twice.</p>
        </>
      )}
      {expired === undefined && order.data !== undefined && <Refusal result={order.data} />}
      {expired?.currentToken != null && expired.currentPrice !== null ? (
        <Notice tone="warning">
          <p>
            <b>
              {expired.currentPrice.amount === expired.quotedPrice.amount
                ? 'The price of this delivery has ended, and the new one is the same.'
                : 'The price of this delivery has changed.'}
            </b>{' '}
            Nothing was ordered yet.
          </p>
          <dl className="prices">
            <dt>You saw</dt>
            <dd className="amount">
              <s>{money(expired.quotedPrice)}</s>
            </dd>
            <dt>Price now</dt>
            <dd className="amount">
              <b>{money(expired.currentPrice)}</b>
            </dd>
          </dl>
          <div className="actions">
            <Button className="primary" onPress={() => place(expired.currentToken ?? '')}>
              Order with delivery for {money(expired.currentPrice)}
            </Button>
            <Button className="quiet" onPress={() => dispatch({ kind: 'step', step: 'delivery' })}>
              Choose another delivery
            </Button>
          </div>
        </Notice>
      ) : (
        <Button className="primary" isDisabled={isStale} onPress={() => place(option.token)}>
          {order.isPending ? 'Placing your order' : 'Place order'}
        </Button>
      )}
    </>
  )
}

/** Why nothing was booked. The messages of Waybill are written for people. */
function Refusal({ result }: { readonly result: OrderResult }) {
  switch (result.__typename) {
    case 'ShipmentBooked':
      return null
    case 'OptionExpired':
    case 'OptionNotAvailable':
      return <Explanation text="This delivery is not offered any more. Please choose another one." />
    case 'DraftPriceExpired':
      return <Explanation text="The price of this order has ended. Please choose the delivery again." />
    case 'ShipmentNotBooked':
      return (
        <Explanation
          text={`The carrier has not accepted the parcel: ${result.carrierReason ?? result.message}`}
        />
      )
    default:
      return <Explanation text={`Nothing was ordered: ${result.message}`} />
  }
}

function Explanation({ text }: { readonly text: string }) {
  return (
    <Notice tone="error">
      <p>{text}</p>
    </Notice>
  )
}
