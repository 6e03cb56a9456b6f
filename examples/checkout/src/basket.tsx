/** The basket, beside the steps: articles with their number, and the total as far as it is known. */
import type { Dispatch } from 'react'
import { Button, Group, Input, NumberField } from 'react-aria-components'
import { ARTICLES, type Article, type Cart, goodsCents, linesOf } from './catalogue.ts'
import { money, moneyOfCents } from './money.ts'
import { Picture } from './picture.tsx'
import type { Change } from './state.ts'
import { type Choice, type RateOption, useLandedCost } from './waybill.ts'

type Props = {
  readonly cart: Cart
  readonly choice: Choice | undefined
  readonly option: RateOption | undefined
  readonly dispatch: Dispatch<Change>
}

export function Basket({ cart, choice, option, dispatch }: Props) {
  const others = ARTICLES.filter(({ sku }) => !linesOf(cart).some(({ article }) => article.sku === sku))
  return (
    <aside className="card basket" aria-labelledby="basket">
      <h2 id="basket">Your basket</h2>
      <ul>
        {linesOf(cart).map(({ article, count }) => (
          <li key={article.sku}>
            <Picture sku={article.sku} />
            <div>
              <b>{article.name}</b>
              <span>{article.detail}</span>
              <Quantity
                {...{ article, count }}
                onChange={(next) => dispatch({ kind: 'cart', sku: article.sku, count: next })}
              />
            </div>
            <span className="amount">{moneyOfCents(article.priceCents * count)}</span>
          </li>
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
      <dl className="sums">
        <dt>Goods</dt>
        <dd className="amount">{moneyOfCents(goodsCents(cart))}</dd>
        <dt>Shipping</dt>
        <dd className="amount">{option === undefined ? <i>after the address</i> : money(option.price)}</dd>
        {choice === undefined ? <Imports /> : <ImportsOf choice={choice} />}
      </dl>
    </aside>
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
  const { duties, total } = data
  return (
    <>
      <dt>Duties and taxes{duties.complete ? '' : ', incomplete'}</dt>
      <dd className="amount" aria-busy={isPlaceholderData}>
        {money(duties.total)}
      </dd>
      <dt className="grand">Total on arrival</dt>
      <dd className="amount grand" aria-busy={isPlaceholderData}>
        {money(total)}
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
