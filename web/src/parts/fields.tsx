// Labelled controls of forms: a choice, a number, a switch, and a few words side by side of which one is chosen.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useWords } from "../words/words";

export interface Choice<T extends string | number> {
  value: T;
  label: string;
}

interface FieldProps {
  label: string;
  help?: string | undefined;
  children: (id: string) => ComponentChildren;
}

export function Field({ label, help, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      {help && <p class="help">{help}</p>}
    </div>
  );
}

interface SelectProps<T extends string | number> {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  help?: string | undefined;
}

export function Select<T extends string | number>({ label, value, choices, onChange, help }: SelectProps<T>) {
  const chosen = (text: string) => choices.find((choice) => String(choice.value) === text)?.value;
  return (
    <Field label={label} help={help}>
      {(id) => (
        <select
          id={id}
          value={String(value)}
          onChange={(event) => {
            const found = chosen(event.currentTarget.value);
            if (found !== undefined) onChange(found);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={String(choice.value)}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface NumberProps {
  label: string;
  /** null: the usual, which the field names without writing it. */
  value: number | null;
  onChange: (value: number) => void;
  min: number;
  max: number;
  step?: number;
  help?: string | undefined;
}

/** A number between bounds; what is not one is not taken. */
export function NumberField({ label, value, onChange, min, max, step = 1, help }: NumberProps) {
  const words = useWords();
  const take = (text: string) => {
    const read = Number(text);
    if (text.trim() !== "" && Number.isFinite(read)) onChange(Math.max(min, Math.min(max, read)));
  };
  return (
    <Field label={label} help={help}>
      {(id) => (
        <input
          id={id}
          type="number"
          inputMode="decimal"
          value={value ?? ""}
          placeholder={value === null ? words.say("option.usual") : undefined}
          min={min}
          max={max}
          step={step}
          onChange={(event) => take(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function Switch(props: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="switch">
      <input type="checkbox" checked={props.on} onChange={(event) => props.onChange(event.currentTarget.checked)} />
      <span>{props.label}</span>
    </label>
  );
}

export function Segments<T extends string | number>({ label, value, choices, onChange }: SelectProps<T>) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend>{label}</legend>
      <div>
        {choices.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
