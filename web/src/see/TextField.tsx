// A field for a few words or numbers; what is written counts when the field is left, or with Enter.
import { Field } from "../parts/fields";

export function TextField({
  label,
  example,
  onChange,
}: {
  label: string;
  example: string;
  onChange: (text: string) => void;
}) {
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          type="text"
          dir="ltr"
          autocomplete="off"
          placeholder={example}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      )}
    </Field>
  );
}
