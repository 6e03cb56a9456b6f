/** The page: the steps of the checkout beside the basket, and the order once it is booked. */
import { type Dispatch, useReducer } from 'react'
import { AddressStep } from './address-step.tsx'
import { Basket } from './basket.tsx'
import { linesOf } from './catalogue.ts'
import { DeliveryStep } from './delivery-step.tsx'
import { DutiesStep } from './duties-step.tsx'
import { OrderPage } from './order-page.tsx'
import { Trouble } from './parts.tsx'
import { ReviewStep } from './review-step.tsx'
import { SandboxMenu } from './sandbox-menu.tsx'
import { type Change, change, newShop, type ShopState } from './state.ts'
import { useOptions } from './waybill.ts'

export function Shop() {
  const [state, dispatch] = useReducer(change, undefined, () => newShop())
  const { booked, orderId, sandbox } = state
  return (
    <>
      <header className="top">
        <a className="brand" href="./">
          Noord
        </a>
        <p>Things made to last. From Amsterdam.</p>
        <SandboxMenu
          value={sandbox}
          onChange={(next) => dispatch({ kind: 'sandbox', sandbox: next })}
          isDisabled={booked !== undefined}
        />
      </header>
      {booked === undefined ? (
        <Checkout {...{ state, dispatch }} />
      ) : (
        <OrderPage {...{ ...booked, orderId }} onAgain={() => dispatch({ kind: 'again' })} />
      )}
      <footer>
        An example shop for <a href="../">Waybill</a>. Carriers and prices are invented, and nothing is sold.
      </footer>
    </>
  )
}

type CheckoutProps = { readonly state: ShopState; readonly dispatch: Dispatch<Change> }

function Checkout({ state, dispatch }: CheckoutProps) {
  const { cart, address, productId, hsCodes } = state
  const options = useOptions(cart, address)
  const option = options.data?.options.find(({ product }) => product.id === productId)
  const choice = address && option && { cart, address, hsCodes, productId: option.product.id }
  const isStale = options.isPlaceholderData
  return (
    <main className="checkout">
      <h1>Checkout</h1>
      <Basket {...{ cart, choice, option, dispatch }} />
      <div className="steps">
        {linesOf(cart).length === 0 ? (
          <p className="card">Your basket is empty. Add an article to continue.</p>
        ) : (
          <>
            {options.error !== null && options.data === undefined && (
              <Trouble error={options.error} onRetry={() => options.refetch()} />
            )}
            <AddressStep {...{ state, dispatch }} />
            <DeliveryStep {...{ state, dispatch, options }} />
            <DutiesStep {...{ state, dispatch, choice, isStale }} />
            <ReviewStep {...{ state, dispatch, choice, option, isStale }} />
          </>
        )}
      </div>
    </main>
  )
}
