// What can be done during a game. Each button has a key; `keys.ts` holds them.
import { useEffect, useRef, useState } from "preact/hooks";
import { useBoard, usePage } from "../page_context";
import { Button } from "../parts/Button";
import { saveFile } from "../parts/save_file";
import type { Position } from "../protocol";
import { useWords } from "../words/words";
import { MoveField } from "./MoveField";
import { turn } from "./turn";

export function GameButtons({ position }: { position: Position }) {
  const { actions } = usePage();
  const { hint } = useBoard("play");
  const words = useWords();
  const [resigning, setResigning] = useState(false);
  const mine = turn(position) === "person";
  if (resigning) return <ResignQuestion close={() => setResigning(false)} />;
  return (
    <>
      <div class="buttons">
        <Button icon="pass" keys="P" disabled={!mine} onClick={() => actions.pass("play")}>
          {words.say("game.pass")}
        </Button>
        <Button icon="undo" keys="U" disabled={position.move_number === 0} onClick={() => actions.undo("play")}>
          {words.say("game.undo")}
        </Button>
        <Button
          icon="hint"
          keys="H"
          disabled={!mine || hint?.node === position.node}
          onClick={() => actions.hint("play")}
        >
          {words.say("game.hint")}
        </Button>
        <Button icon="flag" disabled={!mine} onClick={() => setResigning(true)}>
          {words.say("game.resign")}
        </Button>
        {!mine && (
          <Button icon="forward" keys="M" onClick={() => actions.moveNow("play")}>
            {words.say("game.move_now")}
          </Button>
        )}
      </div>
      {mine && <MoveField position={position} />}
      <Leaving />
    </>
  );
}

function ResignQuestion({ close }: { close: () => void }) {
  const { actions } = usePage();
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector("button")?.focus(), []);
  return (
    <div class="ask" role="group" aria-label={words.say("resign.sure")} ref={place}>
      <p>{words.say("resign.sure")}</p>
      <div class="row">
        <Button kind="primary" icon="flag" onClick={() => actions.resign("play")}>
          {words.say("resign.yes")}
        </Button>
        <Button onClick={close}>{words.say("resign.no")}</Button>
      </div>
    </div>
  );
}

/** What is rarely wanted in the middle of a game. */
function Leaving() {
  const { actions } = usePage();
  const words = useWords();
  return (
    <div class="row quiet-row">
      <SaveButton />
      <Button kind="quiet" icon="search" onClick={() => void actions.studyGame()}>
        {words.say("game.analyse")}
      </Button>
      <Button kind="quiet" icon="plus" onClick={() => actions.leave("play")}>
        {words.say("game.new")}
      </Button>
    </div>
  );
}

export function SaveButton() {
  const { actions } = usePage();
  const words = useWords();
  const save = async () => {
    const record = await actions.record("play");
    if (record) saveFile(record.name, record.text);
  };
  return (
    <Button kind="quiet" icon="save" onClick={() => void save()}>
      {words.say("game.save")}
    </Button>
  );
}
