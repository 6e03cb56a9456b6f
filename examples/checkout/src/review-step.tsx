/** Step 4: everything at a glance, and the order. If the price has changed, both prices are shown before anything is booked. */
import type { Dispatch } from 'react'
import { Button } from 'react-aria-components'
import { money } from './money.ts'
import { Notice, Step, Trouble } from './parts.tsx'
import type { Change, ShopState } from './state.ts'
import { type Choice, type OrderResult, type RateOption, useLandedCost, usePlaceOrder } from './waybill.ts'

type Props = {
  readonly state: ShopState
  readonly dispatch: Dispatch<Change>
  readonly choice: Choice | undefined
  readonly option: RateOption | undefined
  readonly sandbox: string
}

export function ReviewStep({ state: { step, orderId }, dispatch, choice, option, sandbox }: Props) {
  return (
    <Step
      {...{ name: 'review', current: step, title: 'Review and order' }}
      onChange={() => dispatch({ kind: 'step', step: 'review' })}
    >
      {choice && option && <Review key={orderId} {...{ choice, option, sandbox, orderId, dispatch }} />}
    </Step>
  )
}

type ReviewProps = {
  readonly choice: Choice
  readonly option: RateOption
  readonly sandbox: string
  readonly orderId: string
  readonly dispatch: Dispatch<Change>
}

function Review({ choice, option, sandbox, orderId, dispatch }: ReviewProps) {
  const order = usePlaceOrder()
  const { data: cost } = useLandedCost(choice)
  const place = (optionToken: string) => {
    if (order.isPending) return
    order.mutate(
      { ...choice, orderId, sandbox, optionToken },
      {
        onSuccess(result) {
          if (result.__typename !== 'ShipmentBooked') return
          dispatch({ kind: 'booked', trackingNumber: result.shipment.trackingNumber ?? '' })
        },
      },
    )
  }
  const expired = order.data?.__typename === 'OptionExpired' ? order.data : undefined
  return (
    <>
      <p>
        You pay the shop {money(option.price)} for shipping, and the goods.
        {cost !== undefined && ` Together with duties and taxes, this is ${money(cost.total)} on arrival.`}
      </p>
      {order.error !== null && <Trouble error={order.error} />}
      {expired === undefined && order.data !== undefined && <Refusal result={order.data} />}
      {expired?.currentToken != null && expired.currentPrice !== null ? (
        <Notice tone="warning">
          <p>
            <b>The price of this delivery has changed.</b> Nothing was ordered yet.
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
              Order for {money(expired.currentPrice)}
            </Button>
            <Button className="quiet" onPress={() => dispatch({ kind: 'step', step: 'delivery' })}>
              Choose another delivery
            </Button>
          </div>
        </Notice>
      ) : (
        <Button className="primary" onPress={() => place(option.token)}>
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
