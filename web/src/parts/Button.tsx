// A button with a sign and a word; `keys` is the key that does the same.
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icons";

interface Props {
  onClick: () => void;
  children: ComponentChildren;
  icon?: IconName;
  keys?: string;
  kind?: "primary" | "plain" | "quiet";
  disabled?: boolean;
  pressed?: boolean;
  /** What it does, where its word alone does not say it. */
  label?: string;
}

export function Button({ onClick, children, icon, keys, kind = "plain", disabled = false, pressed, label }: Props) {
  return (
    <button
      type="button"
      class={`button ${kind}`}
      onClick={onClick}
      disabled={disabled}
      aria-pressed={pressed}
      aria-keyshortcuts={keys}
      title={label}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {label && <span class="said">{label}</span>}
      {keys && (
        <span class="key" aria-hidden="true">
          {keys}
        </span>
      )}
    </button>
  );
}

/** A button that shows only its sign; the word is for a screen reader and the pointer that rests on it. */
export function IconButton(props: {
  icon: IconName;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  keys?: string;
}) {
  return (
    <button
      type="button"
      class="button icon-only"
      onClick={props.onClick}
      disabled={props.disabled}
      aria-label={props.label}
      aria-keyshortcuts={props.keys}
      title={props.keys ? `${props.label} (${props.keys})` : props.label}
    >
      <Icon name={props.icon} />
    </button>
  );
}
