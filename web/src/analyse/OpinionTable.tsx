// What an engine thinks, as numbers: of the position, and of each move it thought of. A move's name plays it.
import { forMover, short } from "../go/views";
import { usePage } from "../page_context";
import type { Analysis, Point, Position } from "../protocol";
import { colorWord, moveWord, playerName } from "../words/go_words";
import { useWords, type Words } from "../words/words";

const ROWS = 8;

export function OpinionTable({
  position,
  opinion,
  aim,
}: {
  position: Position;
  opinion: Analysis | null;
  aim: (point: Point | null) => void;
}) {
  const { state, actions } = usePage();
  const words = useWords();
  if (!state.preferences.analysing) return null;
  if (opinion === null) return <p class="card faint">{words.say("analyse.waiting")}</p>;
  const scored = opinion.black_lead !== null;
  return (
    <section class="card opinion">
      <h2>
        {playerName(words, opinion.engine.player)}{" "}
        <span class="faint">{words.say("seat.visits", { visits: words.number(opinion.visits) })}</span>
      </h2>
      <Balance winrate={opinion.black_winrate} lead={opinion.black_lead} />
      {state.preferences.layers.ownership && opinion.finished && opinion.black_ownership === null && (
        <p class="help">{words.say("analyse.no_ownership")}</p>
      )}
      <table>
        <caption class="said">{words.say("analyse.candidates", { color: colorWord(words, opinion.to_play) })}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say("table.move")}</th>
            <th scope="col">{words.say("table.winrate")}</th>
            {scored && <th scope="col">{words.say("table.lead")}</th>}
            <th scope="col">{words.say("table.visits")}</th>
            <th scope="col">{words.say("table.prior")}</th>
          </tr>
        </thead>
        <tbody>
          {opinion.moves.slice(0, ROWS).map((move) => {
            const view = forMover(move, opinion.to_play);
            return (
              <tr key={move.point} onMouseEnter={() => aim(move.point)} onMouseLeave={() => aim(null)}>
                <th scope="row">
                  <button
                    type="button"
                    class="link"
                    onFocus={() => aim(move.point)}
                    onBlur={() => aim(null)}
                    onClick={() => actions.play("analyse", move.point)}
                  >
                    {moveWord(words, move.point, position)}
                  </button>
                </th>
                <td>{words.percent(view.winrate, 1)}</td>
                {scored && <td>{view.lead === null ? "" : words.signed(view.lead)}</td>}
                <td>{short(move.visits)}</td>
                <td>{words.percent(move.prior, 1)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Both sides' chances as one bar. */
function Balance({ winrate, lead }: { winrate: number; lead: number | null }) {
  const words = useWords();
  const ahead = lead === null ? "" : aheadWords(words, lead);
  return (
    <div class="balance">
      <div class="bar" dir="ltr">
        <i style={{ width: `${winrate * 100}%` }} />
      </div>
      <p dir="auto">
        {words.say("balance.winrate", { black: words.percent(winrate, 1), white: words.percent(1 - winrate, 1) })}{" "}
        {ahead}
      </p>
    </div>
  );
}

function aheadWords(words: Words, lead: number): string {
  const points = words.number(Math.abs(lead), 1);
  if (Math.abs(lead) < 0.05) return words.say("balance.even");
  return words.say(lead > 0 ? "balance.black" : "balance.white", { points });
}
