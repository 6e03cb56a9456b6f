/** Step 1: the address. Errors are shown beside their fields. */
import { zodResolver } from '@hookform/resolvers/zod'
import type { Dispatch } from 'react'
import { Button, Form } from 'react-aria-components'
import { useForm } from 'react-hook-form'
import { addressSchema, COUNTRIES, countryName, EMPTY_ADDRESS } from './address.ts'
import { SelectInput, TextInput } from './fields.tsx'
import { Step } from './parts.tsx'
import type { Change, ShopState } from './state.ts'

type Props = { readonly state: ShopState; readonly dispatch: Dispatch<Change> }

const CHOICES = COUNTRIES.map(({ code }) => ({ id: code, text: countryName(code) })).sort((one, other) =>
  one.text.localeCompare(other.text),
)

export function AddressStep({ state: { step, address }, dispatch }: Props) {
  const { control, handleSubmit } = useForm({
    resolver: zodResolver(addressSchema),
    defaultValues: address ?? EMPTY_ADDRESS,
    mode: 'onTouched',
  })
  const summary = address && (
    <p>
      {address.name}, {address.street}, {address.postalCode} {address.city}, {countryName(address.country)}
    </p>
  )
  return (
    <Step
      {...{ name: 'address', current: step, title: 'Address', summary }}
      onChange={() => dispatch({ kind: 'step', step: 'address' })}
    >
      <Form
        className="address"
        onSubmit={handleSubmit((valid) => dispatch({ kind: 'address', address: valid }))}
        validationBehavior="aria"
      >
        <TextInput {...{ control, name: 'name', label: 'Name', autoComplete: 'name' }} />
        <TextInput {...{ control, name: 'email', label: 'E-mail', autoComplete: 'email', type: 'email' }} />
        <SelectInput {...{ control, name: 'country', label: 'Country', choices: CHOICES }} />
        <TextInput
          {...{ control, name: 'street', label: 'Street and number', autoComplete: 'street-address' }}
        />
        <TextInput {...{ control, name: 'postalCode', label: 'Postal code', autoComplete: 'postal-code' }} />
        <TextInput {...{ control, name: 'city', label: 'City', autoComplete: 'address-level2' }} />
        <Button type="submit" className="primary">
          Show delivery options
        </Button>
      </Form>
    </Step>
  )
}
