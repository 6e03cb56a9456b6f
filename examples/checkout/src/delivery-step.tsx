/** Step 2: the shipping options as cards, each with its arrival, its price, and what the price is made of. */
import { type Dispatch, useEffect } from 'react'
import { Button, Disclosure, DisclosurePanel, Heading, Radio, RadioGroup } from 'react-aria-components'
import { Chevron } from './fields.tsx'
import { arrival, money, moneyOfCents } from './money.ts'
import { Notice, Skeleton, Step } from './parts.tsx'
import type { Change, ShopState } from './state.ts'
import { type ShippingPrice, shippingPrice } from './vat.ts'
import type { RateOption, useOptions } from './waybill.ts'

type Props = {
  readonly state: ShopState
  readonly dispatch: Dispatch<Change>
  readonly options: ReturnType<typeof useOptions>
}

const BADGES = { CHEAPEST: 'Cheapest', FASTEST: 'Fastest', BEST_VALUE: 'Best value' } as const

export function DeliveryStep({ state: { step, productId }, dispatch, options }: Props) {
  const { data, error, isPlaceholderData } = options
  const offered = data?.options
  const chosen = offered?.find(({ product }) => product.id === productId)
  const [first] = offered ?? []
  // The cheapest option is chosen until the buyer chooses another one, also if that one is not offered any more.
  useEffect(() => {
    if (chosen === undefined && first !== undefined) dispatch({ kind: 'option', productId: first.product.id })
  }, [chosen, first, dispatch])
  const summary = chosen && (
    <p>
      {chosen.product.carrier.name} {chosen.product.name}, arrives {arrival(chosen)}
    </p>
  )
  return (
    <Step
      {...{ name: 'delivery', current: step, title: 'Delivery', summary }}
      onChange={() => dispatch({ kind: 'step', step: 'delivery' })}
    >
      {error === null && offered === undefined && <Skeleton lines={3} label="Loading delivery options" />}
      {offered?.length === 0 && (
        <Notice tone="warning">
          <p>No carrier delivers this basket to your address.</p>
        </Notice>
      )}
      {offered !== undefined && offered.length > 0 && (
        <>
          <RadioGroup
            aria-labelledby="step-delivery"
            className="options"
            aria-busy={isPlaceholderData}
            value={productId ?? null}
            onChange={(id) => dispatch({ kind: 'option', productId: id })}
          >
            {offered.map((option) => (
              <OptionCard key={option.product.id} option={option} />
            ))}
          </RadioGroup>
          <p className="fine">Days are estimates and leave out customs clearance.</p>
          <Button
            className="primary"
            isDisabled={isPlaceholderData || chosen === undefined}
            onPress={() => dispatch({ kind: 'step', step: 'duties' })}
          >
            Continue
          </Button>
        </>
      )}
    </Step>
  )
}

function OptionCard({ option }: { readonly option: RateOption }) {
  const { product, price, badges, breakdown } = option
  const shown = shippingPrice(option)
  return (
    <div className="option">
      <Radio value={product.id} className="option-choice">
        <span className="dot" aria-hidden="true" />
        <span className="option-name">
          <b>Arrives {arrival(option)}</b>
          <span>
            {product.carrier.name} {product.name}
          </span>
        </span>
        <span className="badges">
          {badges.map((badge) => (
            <span key={badge} className="badge" data-badge={badge}>
              {BADGES[badge]}
            </span>
          ))}
        </span>
        <span className="amount">
          <b>{money(shown.amount)}</b>
          <small className="vat">{shown.note}</small>
        </span>
      </Radio>
      <Disclosure>
        <Heading level={3}>
          <Button
            slot="trigger"
            className="trigger"
            aria-label={`What the price of ${product.name} is made of`}
          >
            What the price is made of
            <Chevron />
          </Button>
        </Heading>
        <DisclosurePanel>
          <table className="lines">
            <tbody>
              {breakdown.map(({ name, reason, amount }) => (
                <tr key={`${name} ${reason}`}>
                  <th scope="row">{name}</th>
                  <td className="amount">{money(amount)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Shipping without VAT</th>
                <td className="amount">{money(price)}</td>
              </tr>
              <VatLines shown={shown} />
            </tfoot>
          </table>
        </DisclosurePanel>
      </Disclosure>
    </div>
  )
}

function VatLines({ shown: { amount, vat } }: { readonly shown: ShippingPrice }) {
  if (vat === undefined)
    return (
      <tr>
        <th scope="row">VAT</th>
        <td className="amount">Not known</td>
      </tr>
    )
  return (
    <>
      <tr>
        <th scope="row">VAT {vat.percent}%</th>
        <td className="amount">{moneyOfCents(vat.cents)}</td>
      </tr>
      <tr>
        <th scope="row">Shipping with VAT</th>
        <td className="amount">{money(amount)}</td>
      </tr>
    </>
  )
}
