/**
 * Chooses how the sandbox carrier answers a cancellation, so that every outcome can be seen. For demos only: the choice
 * is sent as the company of the recipient, which the sandbox reads. See docs/sandbox-carrier.md.
 */
import { Button, Label, Select, SelectValue } from 'react-aria-components'
import { Chevron, ChoiceList } from './fields.tsx'

const OUTCOMES = [
  { id: 'SBX-OK', text: 'Cancels at once' },
  { id: 'SBX-503-TWICE', text: 'Is down twice, then cancels' },
  { id: 'SBX-LOST', text: 'Cancels, answer is lost' },
  { id: 'SBX-WINDOW-CLOSED', text: 'Refuses: too late' },
  { id: 'SBX-SCANNED', text: 'Refuses: already picked up' },
] as const

type Props = {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The choice belongs to the booking. */
  readonly isDisabled: boolean
}

export function SandboxMenu({ value, onChange, isDisabled }: Props) {
  return (
    <Select
      className="sandbox"
      value={value}
      onChange={(key) => onChange(String(key))}
      isDisabled={isDisabled}
    >
      <Label>If you cancel, the carrier</Label>
      <Button>
        <SelectValue />
        <Chevron />
      </Button>
      <ChoiceList choices={OUTCOMES} />
    </Select>
  )
}
