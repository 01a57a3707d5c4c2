// The controls of a picture: one for each option that it uses.
import { namedPoint } from "../go/points";
import { usePage } from "../page_context";
import { NumberField, Select, Switch } from "../parts/fields";
import type { PictureKind, PictureOptions, Position } from "../protocol";
import { playerName } from "../words/go_words";
import { useWords } from "../words/words";
import { ENCODERS, USUAL_NUMBERS } from "./option_table";
import { TextField } from "./TextField";

interface Props {
  kind: PictureKind;
  options: PictureOptions;
  change: (options: PictureOptions) => void;
  position: Position;
}

export function OptionFields(props: Props) {
  const { kind } = props;
  return (
    <div class="fields options">
      {kind.uses.includes("net") && <NetworkField {...props} />}
      {kind.uses.includes("encoder") && <ChoiceField {...props} name="encoder" values={ENCODERS} />}
      {kind.uses.includes("rule") && <ChoiceField {...props} name="rule" values={["ucb1", "puct", "mixed"]} />}
      {kind.uses.includes("player") && <PlayerField {...props} />}
      {(["visits", "simulation", "most", "seed"] as const).map(
        (name) => kind.uses.includes(name) && <CountField key={name} {...props} name={name} />,
      )}
      {(["layer", "only", "at", "temperature", "moves"] as const).map(
        (name) => isTyped(kind, name) && <TypedField key={name} {...props} name={name} />,
      )}
      {kind.uses.includes("numbers") && <NumbersField {...props} />}
    </div>
  );
}

/** Pictures of one position show the one on the board; only those of several positions are told which. */
function isTyped(kind: PictureKind, name: string): boolean {
  return kind.uses.includes(name) && (name !== "moves" || kind.name === "stages" || kind.name === "batch");
}

function NetworkField({ options, change }: Props) {
  const { state } = usePage();
  const words = useWords();
  const networks = state.welcome?.networks ?? [];
  const choices = [
    { value: "", label: words.say("form.usual_network") },
    ...networks.map(({ name }) => ({ value: name, label: name })),
  ];
  return (
    <Select
      label={words.say("form.network")}
      value={options.net ?? ""}
      choices={choices}
      onChange={(net) => change(withOption(options, "net", net || undefined))}
    />
  );
}

function PlayerField({ options, change }: Props) {
  const { state } = usePage();
  const words = useWords();
  const players = (state.welcome?.players ?? []).filter((player) => player.searches);
  const choices = [
    { value: "", label: words.say("option.usual") },
    ...players.map(({ name }) => ({ value: name, label: playerName(words, name) })),
  ];
  return (
    <Select
      label={words.say("option.player")}
      value={options.player ?? ""}
      choices={choices}
      onChange={(player) => change(withOption(options, "player", player || undefined))}
    />
  );
}

function ChoiceField({
  options,
  change,
  name,
  values,
}: Props & { name: "encoder" | "rule"; values: readonly string[] }) {
  const words = useWords();
  const choices = [
    { value: "", label: words.say("option.usual") },
    ...values.map((value) => ({ value, label: words.sayOr(`rule.${value}`, value) })),
  ];
  return (
    <Select
      label={words.say(`option.${name}`)}
      value={options[name] ?? ""}
      choices={choices}
      onChange={(value) => change(withOption(options, name, (value || undefined) as PictureOptions[typeof name]))}
    />
  );
}

function CountField({ options, change, name }: Props & { name: "visits" | "simulation" | "most" | "seed" }) {
  const words = useWords();
  const usual = USUAL_NUMBERS[name];
  return (
    <NumberField
      label={words.say(`option.${name}`)}
      value={options[name] ?? usual.value}
      min={usual.min}
      max={usual.max}
      onChange={(value) => change(withOption(options, name, Math.round(value)))}
    />
  );
}

function NumbersField({ options, change }: Props) {
  const words = useWords();
  return (
    <Switch
      label={words.say("option.numbers")}
      on={options.numbers ?? false}
      onChange={(on) => change(withOption(options, "numbers", on))}
    />
  );
}

function TypedField({
  options,
  change,
  position,
  name,
}: Props & { name: "layer" | "only" | "at" | "temperature" | "moves" }) {
  const words = useWords();
  const take = (text: string) => {
    if (name === "layer") return change(withOption(options, name, text || undefined));
    if (name === "at") return change(withOption(options, name, namedPoint(text, position) ?? undefined));
    const numbers = text
      .split(/[\s,;]+/)
      .filter((part) => part !== "")
      .map(Number)
      .filter(Number.isFinite);
    change(withOption(options, name, numbers.length > 0 ? numbers : undefined));
  };
  return (
    <TextField label={words.say(`option.${name}`)} example={words.say(`option.${name}.example`)} onChange={take} />
  );
}

/** The options with one of them set, or left out. */
export function withOption<K extends keyof PictureOptions>(
  options: PictureOptions,
  name: K,
  value: PictureOptions[K] | undefined,
): PictureOptions {
  const { [name]: _, ...rest } = options;
  return value === undefined ? rest : { ...rest, [name]: value };
}
