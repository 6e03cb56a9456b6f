/** Form fields: react-aria-components with the state of react-hook-form. */

import {
  Button,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  TextField,
} from 'react-aria-components'
import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form'

type FieldProps<Values extends FieldValues> = {
  readonly control: Control<Values>
  readonly name: FieldPath<Values>
  readonly label: string
}

type TextProps<Values extends FieldValues> = FieldProps<Values> & {
  readonly autoComplete: string
  readonly type?: 'text' | 'email'
}

export function TextInput<Values extends FieldValues>({ control, name, label, ...input }: TextProps<Values>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, disabled, ...field }, fieldState: { invalid, error } }) => (
        <TextField
          {...field}
          {...input}
          className={`field field-${name}`}
          validationBehavior="aria"
          isRequired
          isInvalid={invalid}
        >
          <Label>{label}</Label>
          <Input ref={ref} />
          <FieldError>{error?.message}</FieldError>
        </TextField>
      )}
    />
  )
}

type Choice = { readonly id: string; readonly text: string }

type SelectProps<Values extends FieldValues> = FieldProps<Values> & { readonly choices: readonly Choice[] }

export function SelectInput<Values extends FieldValues>({
  control,
  name,
  label,
  choices,
}: SelectProps<Values>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, onBlur }, fieldState: { invalid, error } }) => (
        <Select
          className={`field field-${name}`}
          value={value === '' ? null : value}
          onChange={onChange}
          onBlur={onBlur}
          placeholder="Choose"
          autoComplete={name}
          validationBehavior="aria"
          isRequired
          isInvalid={invalid}
        >
          <Label>{label}</Label>
          <Button ref={ref}>
            <SelectValue />
            <Chevron />
          </Button>
          <FieldError>{error?.message}</FieldError>
          <ChoiceList choices={choices} />
        </Select>
      )}
    />
  )
}

export function ChoiceList({ choices }: { readonly choices: readonly Choice[] }) {
  return (
    <Popover>
      <ListBox items={choices}>{({ id, text }) => <ListBoxItem id={id}>{text}</ListBoxItem>}</ListBox>
    </Popover>
  )
}

export function Chevron() {
  return (
    <svg className="chevron" viewBox="0 0 16 16" aria-hidden="true">
      <path d="m4 6 4 4 4-4" />
    </svg>
  )
}
