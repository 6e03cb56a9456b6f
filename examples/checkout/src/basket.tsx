/** The basket, beside the steps: articles with their number, and the total as far as it is known. */
import { type Dispatch, useState } from 'react'
import {
  Button,
  Disclosure,
  DisclosurePanel,
  Group,
  Heading,
  Input,
  NumberField,
} from 'react-aria-components'
import { ARTICLES, type Article, type Cart, goodsCents, linesOf } from './catalogue.ts'
import { Chevron } from './fields.tsx'
import { money, moneyOfCents } from './money.ts'
import { Picture } from './picture.tsx'
import type { Change } from './state.ts'
import { shippingPrice } from './vat.ts'
import { arrivalTotal } from './waterfall.ts'
import { type Choice, type RateOption, useLandedCost } from './waybill.ts'

type Props = {
  readonly cart: Cart
  readonly choice: Choice | undefined
  readonly option: RateOption | undefined
  readonly dispatch: Dispatch<Change>
}

/** Closed on phones at first, so that the steps are in sight. */
export function Basket({ cart, choice, option, dispatch }: Props) {
  const lines = linesOf(cart)
  const others = ARTICLES.filter(({ sku }) => !lines.some(({ article }) => article.sku === sku))
  const shipping = option && shippingPrice(option)
  const [isOpen, setIsOpen] = useState(() => matchMedia('(min-width: 56rem)').matches)
  return (
    <aside className="card basket" aria-label="Basket">
      <Disclosure isExpanded={isOpen} onExpandedChange={setIsOpen}>
        <Heading level={2}>
          <Button slot="trigger" className="trigger">
            <span>Your basket</span>
            <span className="count">{lines.reduce((sum, { count }) => sum + count, 0)}</span>
            <Chevron />
          </Button>
        </Heading>
        <DisclosurePanel>
          <ul>
            {lines.map(({ article, count }) => (
              <BasketLine key={article.sku} {...{ article, count, dispatch }} />
            ))}
          </ul>
          {others.map(({ sku, name, priceCents }) => (
            <div key={sku} className="suggestion">
              <Picture sku={sku} />
              <span>
                {name}, {moneyOfCents(priceCents)}
              </span>
              <Button
                className="link"
                aria-label={`Add ${name}`}
                onPress={() => dispatch({ kind: 'cart', sku, count: 1 })}
              >
                Add
              </Button>
            </div>
          ))}
        </DisclosurePanel>
      </Disclosure>
      <dl className="sums">
        <dt>Goods</dt>
        <dd className="amount">{moneyOfCents(goodsCents(cart))}</dd>
        <dt>Shipping{shipping && <small>, {shipping.note}</small>}</dt>
        <dd className="amount">
          {shipping === undefined ? <i>after the address</i> : money(shipping.amount)}
        </dd>
        {choice === undefined ? <Imports /> : <ImportsOf choice={choice} />}
      </dl>
    </aside>
  )
}

type LineProps = { readonly article: Article; readonly count: number; readonly dispatch: Dispatch<Change> }

function BasketLine({ article, count, dispatch }: LineProps) {
  const { sku, name, detail, priceCents } = article
  return (
    <li>
      <Picture sku={sku} />
      <div>
        <b>{name}</b>
        <span>{detail}</span>
        <Quantity {...{ article, count }} onChange={(next) => dispatch({ kind: 'cart', sku, count: next })} />
      </div>
      <span className="amount">{moneyOfCents(priceCents * count)}</span>
    </li>
  )
}

function Imports() {
  return (
    <>
      <dt>Duties and taxes</dt>
      <dd className="amount">
        <i>after the address</i>
      </dd>
    </>
  )
}

function ImportsOf({ choice }: { readonly choice: Choice }) {
  const { data, isPlaceholderData } = useLandedCost(choice)
  if (data === undefined) return <Imports />
  const { amount, isComplete } = arrivalTotal(data)
  return (
    <>
      <dt>Duties and taxes</dt>
      <dd className="amount" aria-busy={isPlaceholderData}>
        {money(data.duties.total)}
      </dd>
      <dt className="grand">{isComplete ? 'Total on arrival' : 'Total, as far as known'}</dt>
      <dd className="amount grand" aria-busy={isPlaceholderData}>
        {money(amount)}
      </dd>
    </>
  )
}

type QuantityProps = {
  readonly article: Article
  readonly count: number
  readonly onChange: (count: number) => void
}

function Quantity({ article, count, onChange }: QuantityProps) {
  return (
    <NumberField
      className="quantity"
      aria-label={`Quantity of ${article.name}`}
      value={count}
      // An empty field is not a number.
      onChange={(next) => onChange(Number.isNaN(next) ? count : next)}
      minValue={0}
      maxValue={9}
      isWheelDisabled
    >
      <Group>
        <Button slot="decrement">−</Button>
        <Input />
        <Button slot="increment">+</Button>
      </Group>
    </NumberField>
  )
}
