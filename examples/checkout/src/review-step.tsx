/** Step 4: the order. If the price has ended, both prices are shown before anything is booked. */
import type { Dispatch } from 'react'
import { Button } from 'react-aria-components'
import { goodsCents } from './catalogue.ts'
import { centsOf, money, moneyOfCents } from './money.ts'
import { Notice, Step, Trouble } from './parts.tsx'
import type { Change, ShopState } from './state.ts'
import { type ShippingPrice, shippingPrice, withVat } from './vat.ts'
import { arrivalTotal } from './waterfall.ts'
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
  const order = usePlaceOrder((trackingNumber, shipping) =>
    dispatch({ kind: 'booked', booked: { choice, option, trackingNumber, shipping } }),
  )
  const { data: cost } = useLandedCost(choice)
  const place = (optionToken: string, shipping: ShippingPrice) => {
    if (!order.isPending) order.mutate({ ...choice, orderId, sandbox, optionToken, shipping })
  }
  const shown = shippingPrice(option)
  const expired = order.data?.__typename === 'OptionExpired' ? order.data : undefined
  const renewed = expired && renewedOffer(expired)
  return (
    <>
      <p>
        You pay us {moneyOfCents(goodsCents(choice.cart) + centsOf(shown.amount))} for goods and shipping (
        {money(shown.amount)} {shown.note}).
        {cost !== undefined &&
          cost.duties.taxes.length > 0 &&
          ` With duties and taxes, your order costs ${money(arrivalTotal(cost).amount)} on arrival.`}
      </p>
      {order.error !== null && (
        <>
          <Trouble error={order.error} />
          <p className="fine">You can try again: an order is never placed twice.</p>
        </>
      )}
      {renewed === undefined && order.data !== undefined && <Refusal result={order.data} />}
      {renewed !== undefined && order.variables !== undefined ? (
        <Notice tone="warning">
          <p>
            <b>
              {renewed.shipping.amount.amount === order.variables.shipping.amount.amount
                ? 'The price of this delivery has ended, and the new one is the same.'
                : 'The price of this delivery has changed.'}
            </b>{' '}
            Nothing was ordered yet.
          </p>
          <dl className="prices">
            <dt>You saw</dt>
            <dd className="amount">
              <s>{money(order.variables.shipping.amount)}</s>
            </dd>
            <dt>Price now, {renewed.shipping.note}</dt>
            <dd className="amount">
              <b>{money(renewed.shipping.amount)}</b>
            </dd>
          </dl>
          <div className="actions">
            <Button className="primary" onPress={() => place(renewed.token, renewed.shipping)}>
              Order with delivery for {money(renewed.shipping.amount)}
            </Button>
            <Button className="quiet" onPress={() => dispatch({ kind: 'step', step: 'delivery' })}>
              Choose another delivery
            </Button>
          </div>
        </Notice>
      ) : (
        <Button className="primary" isDisabled={isStale} onPress={() => place(option.token, shown)}>
          {order.isPending ? 'Placing your order' : 'Place order'}
        </Button>
      )}
    </>
  )
}

type Expired = Extract<OrderResult, { readonly __typename: 'OptionExpired' }>

/** What the delivery costs now. Undefined if it is not offered any more. */
function renewedOffer({ currentPrice, currentPriceIn, currentToken }: Expired) {
  if (currentPrice === null || currentPriceIn === null || currentToken === null) return undefined
  return { shipping: withVat(currentPrice, currentPriceIn), token: currentToken }
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
