// The review of the whole game: begin it, watch it go on, and read what both sides lost and where.
import { useState } from "preact/hooks";
import { useBoard, usePage } from "../page_context";
import { Button } from "../parts/Button";
import { Select } from "../parts/fields";
import type { Fault, Position, ReviewFigures, ReviewSummary } from "../protocol";
import { colorWord, moveWord } from "../words/go_words";
import { useWords } from "../words/words";

const GRADES = ["best", "good", "inaccuracy", "mistake", "blunder"] as const;
const FAULTS = 12;
const VISITS = [50, 100, 200, 400, 800];
const USUAL_VISITS = 100;

export function ReviewCard({ position }: { position: Position }) {
  const { actions } = usePage();
  const { review, nodes } = useBoard("analyse");
  const words = useWords();
  const [visits, setVisits] = useState(USUAL_VISITS);
  const going = review !== null && !review.finished;
  if (Object.keys(nodes).length < 2) return null;
  return (
    <section class="card review" aria-label={words.say("review.title")}>
      {going ? (
        <div class="row">
          <progress value={review.done} max={Math.max(1, review.total)} aria-label={words.say("review.title")} />
          <span class="faint">
            {words.say("review.progress", { done: words.number(review.done), total: words.number(review.total) })}
          </span>
          <Button icon="stop" onClick={() => actions.stop("analyse")}>
            {words.say("review.stop")}
          </Button>
        </div>
      ) : (
        <div class="row">
          <Button icon="star" onClick={() => actions.review("analyse", visits)}>
            {words.say("review.begin")}
          </Button>
          <Select
            label={words.say("review.visits")}
            value={visits}
            choices={VISITS.map((value) => ({ value, label: words.number(value) }))}
            onChange={setVisits}
          />
        </div>
      )}
      {review?.summary && <Summary summary={review.summary} position={position} />}
    </section>
  );
}

function Summary({ summary, position }: { summary: ReviewSummary; position: Position }) {
  const words = useWords();
  const sides = [summary.black, summary.white];
  const share = (value: number | null) => (value === null ? "–" : words.percent(value));
  const row = (label: string, of: (figures: ReviewFigures) => string) => (
    <tr key={label}>
      <th scope="row">{label}</th>
      {sides.map((side) => (
        <td key={side === summary.black ? "B" : "W"}>{of(side)}</td>
      ))}
    </tr>
  );
  const points = sides.some((side) => side.points_lost !== null);
  return (
    <>
      <table>
        <caption class="said">{words.say("review.title")}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{summary.black.name || words.say("color.black")}</th>
            <th scope="col">{summary.white.name || words.say("color.white")}</th>
          </tr>
        </thead>
        <tbody>
          {points &&
            row(words.say("review.points_lost"), (side) =>
              side.points_lost === null ? "–" : words.number(side.points_lost, 1),
            )}
          {row(words.say("review.winrate_lost"), (side) =>
            side.winrate_lost === null ? "–" : words.percent(side.winrate_lost, 1),
          )}
          {row(words.say("review.first"), (side) => share(side.first))}
          {row(words.say("review.first_three"), (side) => share(side.first_three))}
          {GRADES.map((grade) => row(words.say(`grade.${grade}`), (side) => words.number(side.grades[grade])))}
        </tbody>
      </table>
      {summary.faults.length > 0 && <h3>{words.say("review.faults")}</h3>}
      <ol class="faults">
        {summary.faults.slice(0, FAULTS).map((fault) => (
          <FaultLine key={fault.node} fault={fault} position={position} />
        ))}
      </ol>
    </>
  );
}

function FaultLine({ fault, position }: { fault: Fault; position: Position }) {
  const { actions } = usePage();
  const words = useWords();
  const lost =
    fault.points_lost === null
      ? words.say("fault.winrate", { lost: words.percent(fault.winrate_lost) })
      : words.say("fault.points", { lost: words.number(fault.points_lost, 1) });
  return (
    <li>
      <button type="button" class="link" onClick={() => actions.go("analyse", fault.node)}>
        {words.say("fault.move", {
          number: words.number(fault.number),
          color: colorWord(words, fault.color),
          point: moveWord(words, fault.point, position),
        })}
      </button>{" "}
      <span class={`grade ${fault.grade}`}>{words.say(`grade.${fault.grade}`)}</span> <span class="faint">{lost}</span>
      {fault.best && (
        <span class="faint"> {words.say("fault.better", { point: moveWord(words, fault.best.point, position) })}</span>
      )}
    </li>
  );
}
