/** The page: the steps of the checkout beside the basket, and the order once it is booked. */
import { useReducer, useState } from 'react'
import { AddressStep } from './address-step.tsx'
import { Basket } from './basket.tsx'
import { linesOf } from './catalogue.ts'
import { DeliveryStep } from './delivery-step.tsx'
import { DutiesStep } from './duties-step.tsx'
import { OrderPage } from './order-page.tsx'
import { ReviewStep } from './review-step.tsx'
import { SandboxMenu } from './sandbox-menu.tsx'
import { change, newShop } from './state.ts'
import { useOptions } from './waybill.ts'

export function Shop() {
  const [state, dispatch] = useReducer(change, undefined, newShop)
  const [sandbox, setSandbox] = useState('SBX-OK')
  const { cart, address, productId, hsCodes, orderId, trackingNumber } = state
  const options = useOptions(cart, address)
  const option = options.data?.options.find(({ product }) => product.id === productId)
  const choice = address && option && { cart, address, hsCodes, productId: option.product.id }
  return (
    <>
      <header className="top">
        <a className="brand" href="./">
          Noord
        </a>
        <p>Things made to last. From Amsterdam.</p>
        <SandboxMenu value={sandbox} onChange={setSandbox} isDisabled={trackingNumber !== undefined} />
      </header>
      {trackingNumber !== undefined && choice !== undefined && option !== undefined ? (
        <OrderPage
          {...{ choice, option, orderId, trackingNumber }}
          onAgain={() => dispatch({ kind: 'again' })}
        />
      ) : (
        <main className="checkout">
          <h1>Checkout</h1>
          <Basket {...{ cart, choice, option, dispatch }} />
          <div className="steps">
            {linesOf(cart).length === 0 ? (
              <p className="card">Your basket is empty. Add an article to continue.</p>
            ) : (
              <>
                <AddressStep {...{ state, dispatch }} />
                <DeliveryStep {...{ state, dispatch, options }} />
                <DutiesStep {...{ state, dispatch, choice }} />
                <ReviewStep {...{ state, dispatch, choice, sandbox }} option={option} />
              </>
            )}
          </div>
        </main>
      )}
      <footer>
        An example shop for <a href="../">Waybill</a>. Carriers and prices are invented, and nothing is sold.
      </footer>
    </>
  )
}
