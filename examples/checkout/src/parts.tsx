/** Parts that several steps use: a step with its heading, text fields, notices, and errors in plain words. */
import { ProblemError, WaybillError } from '@waybill/client'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import { STEPS, type Step as StepName } from './state.ts'
import { isTemporary } from './waybill.ts'

type StepProps = {
  readonly name: StepName
  readonly current: StepName
  readonly title: string
  /** What was chosen, once the step is done. */
  readonly summary?: ReactNode
  readonly onChange: () => void
  readonly children: ReactNode
}

export function Step({ name, current, title, summary, onChange, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const number = STEPS.indexOf(name) + 1
  const isCurrent = name === current
  const isDone = number <= STEPS.indexOf(current)
  const wasCurrent = useRef(isCurrent)
  // Moves the keyboard and screen readers to the step that has opened.
  useEffect(() => {
    if (isCurrent && !wasCurrent.current) heading.current?.focus()
    wasCurrent.current = isCurrent
  }, [isCurrent])
  return (
    <section
      className="card step"
      aria-labelledby={`step-${name}`}
      data-state={isCurrent ? 'current' : 'other'}
    >
      <div className="step-head">
        <span className="number" aria-hidden="true" data-done={isDone || undefined}>
          {isDone ? '✓' : number}
        </span>
        <h2 id={`step-${name}`} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {isDone && (
          <Button className="link" onPress={onChange} aria-label={`Change ${title.toLowerCase()}`}>
            Change
          </Button>
        )}
      </div>
      {isCurrent && <div className="step-body">{children}</div>}
      {isDone && <div className="summary">{summary}</div>}
    </section>
  )
}

type NoticeProps = { readonly tone: 'info' | 'warning' | 'error' | 'good'; readonly children: ReactNode }

export function Notice({ tone, children }: NoticeProps) {
  return (
    <div
      className="notice"
      data-tone={tone}
      role={tone === 'error' || tone === 'warning' ? 'alert' : undefined}
    >
      {children}
    </div>
  )
}

/** What went wrong, and what the buyer can do. */
export function Trouble({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <Notice tone="error">
      <p>{wordsFor(error)}</p>
      {onRetry !== undefined && (
        <Button className="quiet" onPress={onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  )
}

function wordsFor(error: unknown): string {
  if (error instanceof ProblemError) return `Please check your input: ${error.message}.`
  if (error instanceof WaybillError && error.code === 'NETWORK_ERROR')
    return 'We cannot reach the shipping service. Check your connection.'
  if (isTemporary(error)) return 'The service is busy at the moment. Please try again shortly.'
  return 'Something went wrong on our side.'
}

/** Grey lines in the place of what is loading, so that nothing moves when it arrives. */
export function Skeleton({ lines, label }: { readonly lines: number; readonly label: string }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are equal
        <div key={line} className="skeleton-line" aria-hidden="true" />
      ))}
    </div>
  )
}
