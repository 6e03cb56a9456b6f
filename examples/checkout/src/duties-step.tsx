/** Step 3: what the destination charges on import, as a waterfall, and the question that decides the customs code. */
import type { Dispatch } from 'react'
import { Button, Disclosure, DisclosurePanel, Heading, Label, Radio, RadioGroup } from 'react-aria-components'
import { countryName } from './address.ts'
import { Chevron } from './fields.tsx'
import { money, moneyOfCents } from './money.ts'
import { Notice, Skeleton, Step, Trouble } from './parts.tsx'
import type { Change, ShopState } from './state.ts'
import { arrivalTotal, type Row, rowsOf } from './waterfall.ts'
import { type Choice, type LandedCost, type Question, useLandedCost, useQuestions } from './waybill.ts'

type Props = {
  readonly state: ShopState
  readonly dispatch: Dispatch<Change>
  readonly choice: Choice | undefined
  /** Whether the options are those of an earlier basket. */
  readonly isStale: boolean
}

export function DutiesStep({ state: { step }, dispatch, choice, isStale }: Props) {
  return (
    <Step
      {...{ name: 'duties', current: step, title: 'Duties and taxes' }}
      summary={choice && <DutiesSummary choice={choice} />}
      onChange={() => dispatch({ kind: 'step', step: 'duties' })}
    >
      {choice && <Duties {...{ choice, dispatch, isStale }} />}
    </Step>
  )
}

function DutiesSummary({ choice }: { readonly choice: Choice }) {
  const { data } = useLandedCost(choice)
  if (data === undefined) return null
  return (
    <p>
      {money(data.duties.total)} on import
      {data.duties.complete ? '' : ', as far as known'}
    </p>
  )
}

type DutiesProps = Pick<Props, 'dispatch' | 'isStale'> & { readonly choice: Choice }

function Duties({ choice, dispatch, isStale }: DutiesProps) {
  const { data, error, isPlaceholderData, refetch } = useLandedCost(choice)
  const questions = useQuestions(choice.cart)
  const isTaxed = data !== undefined && data.duties.taxes.length > 0
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={6} label="Calculating duties and taxes" />
    ) : (
      <Trouble error={error} onRetry={() => refetch()} />
    )
  return (
    <>
      {isTaxed &&
        questions.map((question) => (
          <CodeQuestion
            key={question.sku}
            question={question}
            answer={choice.hsCodes[question.sku]}
            onAnswer={(hsCode) => dispatch({ kind: 'answer', sku: question.sku, hsCode })}
          />
        ))}
      <Waterfall cost={data} isBusy={isPlaceholderData} country={choice.address.country} />
      <Button
        className="primary"
        isDisabled={isPlaceholderData || isStale}
        onPress={() => dispatch({ kind: 'step', step: 'review' })}
      >
        Continue to review
      </Button>
    </>
  )
}

type CodeQuestionProps = {
  readonly question: Question
  readonly answer: string | undefined
  readonly onAnswer: (hsCode: string) => void
}

function CodeQuestion({ question: { name, text, answers }, answer, onAnswer }: CodeQuestionProps) {
  return (
    <RadioGroup className="question" value={answer ?? null} onChange={onAnswer}>
      <Label>
        <span>One question for customs about your {name}</span>
        <b>{text}</b>
      </Label>
      <div className="answers">
        {answers.map(({ hsCode, description }, place) => (
          <Radio key={hsCode} value={hsCode} className="answer">
            <span className="dot" aria-hidden="true" />
            <span>{description}</span>
            <small>{answer === undefined && place === 0 ? `${hsCode}, assumed for now` : hsCode}</small>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}

type WaterfallProps = { readonly cost: LandedCost; readonly isBusy: boolean; readonly country: string }

export function Waterfall({ cost, isBusy, country }: WaterfallProps) {
  const rows = rowsOf(cost)
  const { complete, taxes, date } = cost.duties
  const { amount, isComplete } = arrivalTotal(cost)
  const unknown = rows.filter(({ state }) => state === 'unknown')
  return (
    <div className="waterfall" aria-busy={isBusy}>
      <ol>
        {rows.map((row) => (
          <WaterfallRow
            key={row.name}
            row={row}
            totalCents={rows.reduce((sum, { cents }) => sum + cents, 0)}
          />
        ))}
        <li className="total">
          <span>{isComplete ? 'Total on arrival' : 'Total, as far as known'}</span>
          <span className="bar" aria-hidden="true">
            <i style={{ left: 0, width: '100%' }} />
          </span>
          <b className="amount">{money(amount)}</b>
        </li>
      </ol>
      <div aria-live="polite">
        {!isComplete && (
          <Notice tone="warning">
            <p>
              <b>This total is incomplete.</b> Not known for {countryName(country)}:{' '}
              {unknown.map(({ name }) => name).join(', ')}.
              {!complete && ' Customs may ask for more when the parcel arrives.'}
            </p>
          </Notice>
        )}
        {taxes.length === 0 && complete && (
          <Notice tone="good">
            <p>No customs duties and no import taxes are charged on this route.</p>
          </Notice>
        )}
      </div>
      {taxes.length > 0 && (
        <p className="fine">
          An estimate with the rules of {date}. {cost.clearanceFees.length === 0 && NO_FEE} Customs decides.
        </p>
      )}
    </div>
  )
}

const NO_FEE = 'A fee of the carrier for customs clearance is not known and not included.'

function WaterfallRow({ row, totalCents }: { readonly row: Row; readonly totalCents: number }) {
  const { name, cents, beforeCents, details, state } = row
  const percent = (part: number) => `${totalCents === 0 ? 0 : (100 * part) / totalCents}%`
  const amount = state === 'unknown' ? 'Not known' : state === 'free' ? 'Not charged' : moneyOfCents(cents)
  return (
    <li data-state={state}>
      {details.length === 0 ? (
        <span>{name}</span>
      ) : (
        <Disclosure>
          <Heading level={3}>
            <Button slot="trigger" className="trigger">
              {name}
              <Chevron />
            </Button>
          </Heading>
          <DisclosurePanel>
            {details.map((detail) => (
              <p key={detail}>{detail}</p>
            ))}
          </DisclosurePanel>
        </Disclosure>
      )}
      <span className="bar" aria-hidden="true">
        {cents > 0 && <i style={{ left: percent(beforeCents), width: percent(cents) }} />}
      </span>
      <b className="amount">{amount}</b>
    </li>
  )
}
