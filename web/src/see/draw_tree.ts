// Draws a search tree on a canvas. Lines of one kind are one path, and what is out of sight is left out: 5,000 nodes stay smooth.
import type { SearchTree } from "../protocol";
import type { Layout, Spot } from "./tree_layout";
import type { View } from "./view";

export interface Colors {
  ink: string;
  faint: string;
  rule: string;
  card: string;
  /** Of the canvas itself. */
  ground: string;
  accent: string;
  orange: string;
}

export interface Scene {
  tree: SearchTree;
  layout: Layout;
  view: View;
  colors: Colors;
  width: number;
  height: number;
  /** The node that is pointed at. */
  aimed: number | null;
  nameOf: (index: number) => string;
}

/** From this radius on the screen a node has its move's name in it, and from the next one N and Q too. */
const NAMED = 8;
const NUMBERED = 24;
/** With so few nodes in sight those that are too small for words have them beside, in letters of so many pixels. */
const FEW = 90;
const LETTERS = 10;

export function drawTree(canvas: CanvasRenderingContext2D, scene: Scene): void {
  const { tree, layout, view, colors, width, height } = scene;
  canvas.clearRect(0, 0, width, height);
  canvas.save();
  canvas.translate(view.x, view.y);
  canvas.scale(view.scale, view.scale);
  const best = new Set(tree.best);
  const last = new Set(tree.last);
  canvas.textAlign = "center";
  canvas.textBaseline = "middle";
  canvas.lineJoin = "round";
  const seen = layout.spots.filter((spot) => inSight(spot, layout.spots[spot.parent], scene));
  strokeEdges(canvas, scene, seen, colors.rule, 1);
  strokeEdges(
    canvas,
    scene,
    seen.filter((spot) => last.has(spot.index)),
    colors.orange,
    3,
  );
  strokeEdges(
    canvas,
    scene,
    seen.filter((spot) => best.has(spot.index)),
    colors.accent,
    4,
  );
  for (const spot of seen) drawNode(canvas, spot, scene, best.has(spot.index), last.has(spot.index));
  const few = seen.length <= FEW;
  for (const spot of seen) {
    if (few || best.has(spot.index) || last.has(spot.index)) writeBeside(canvas, spot, scene);
  }
  canvas.restore();
}

/** Whether a node or the line to its parent may be in sight. */
function inSight(spot: Spot, parent: Spot | undefined, { view, width, height }: Scene): boolean {
  const other = parent ?? spot;
  const left = Math.min(spot.x - spot.radius, other.x) * view.scale + view.x;
  const right = Math.max(spot.x + spot.radius, other.x) * view.scale + view.x;
  const top = Math.min(spot.y - spot.radius, other.y) * view.scale + view.y;
  const bottom = Math.max(spot.y + spot.radius, other.y) * view.scale + view.y;
  return right > 0 && left < width && bottom > 0 && top < height;
}

/** Lines to the parents, so many pixels of the screen wide. */
function strokeEdges(
  canvas: CanvasRenderingContext2D,
  scene: Scene,
  spots: readonly Spot[],
  color: string,
  width: number,
): void {
  canvas.beginPath();
  for (const spot of spots) {
    const parent = scene.layout.spots[spot.parent];
    if (!parent) continue;
    canvas.moveTo(parent.x, parent.y);
    canvas.lineTo(spot.x, spot.y);
  }
  canvas.strokeStyle = color;
  canvas.lineWidth = width / scene.view.scale;
  canvas.stroke();
}

function drawNode(canvas: CanvasRenderingContext2D, spot: Spot, scene: Scene, best: boolean, last: boolean): void {
  const { view, colors, aimed } = scene;
  canvas.beginPath();
  canvas.arc(spot.x, spot.y, spot.radius, 0, 2 * Math.PI);
  canvas.fillStyle = best ? colors.accent : last ? colors.orange : colors.card;
  canvas.fill();
  canvas.strokeStyle = best ? colors.accent : last ? colors.orange : colors.faint;
  canvas.lineWidth = (aimed === spot.index ? 3 : 1) / view.scale;
  canvas.stroke();
  canvas.fillStyle = best || last ? colors.card : colors.ink;
  if (spot.radius * view.scale >= NAMED) write(canvas, spot, scene);
}

/** The move's name in the node, and where there is room its visits and its value. */
function write(canvas: CanvasRenderingContext2D, spot: Spot, { tree, view, nameOf }: Scene): void {
  const { x, y, radius } = spot;
  const roomy = radius * view.scale >= NUMBERED;
  const name = nameOf(spot.index);
  canvas.font = `600 ${radius * (roomy ? 0.55 : 0.8)}px system-ui, sans-serif`;
  canvas.fillText(name, x, roomy ? y - radius * 0.38 : y);
  if (!roomy) return;
  canvas.font = `${radius * 0.36}px system-ui, sans-serif`;
  canvas.fillText(`N ${tree.n[spot.index] ?? 0}`, x, y + radius * 0.12);
  canvas.fillText(`Q ${(tree.q[spot.index] ?? 0).toFixed(2)}`, x, y + radius * 0.52);
}

/** Name, visits and value beside a node that has no room for them, set off from what is below. */
function writeBeside(canvas: CanvasRenderingContext2D, spot: Spot, { tree, view, colors, nameOf }: Scene): void {
  const size = spot.radius * view.scale;
  if (size >= NUMBERED) return;
  const letters = LETTERS / view.scale;
  const name = size >= NAMED ? "" : `${nameOf(spot.index)} `;
  const lines = [`${name}N ${tree.n[spot.index] ?? 0}`, `Q ${(tree.q[spot.index] ?? 0).toFixed(2)}`];
  canvas.font = `${letters}px system-ui, sans-serif`;
  canvas.textAlign = "start";
  canvas.strokeStyle = colors.ground;
  canvas.lineWidth = 3 / view.scale;
  canvas.fillStyle = colors.ink;
  lines.forEach((line, index) => {
    const [x, y] = [spot.x + spot.radius + letters * 0.4, spot.y + (index - 0.5) * letters * 1.1];
    canvas.strokeText(line, x, y);
    canvas.fillText(line, x, y);
  });
  canvas.textAlign = "center";
}

/** The node at a place of the canvas, or null. */
export function nodeAt(layout: Layout, view: View, x: number, y: number): number | null {
  const [realX, realY] = [(x - view.x) / view.scale, (y - view.y) / view.scale];
  const reach = 5 / view.scale;
  let found: number | null = null;
  let nearest = Number.POSITIVE_INFINITY;
  for (const spot of layout.spots) {
    const far = Math.hypot(spot.x - realX, spot.y - realY);
    if (far < spot.radius + reach && far < nearest) {
      found = spot.index;
      nearest = far;
    }
  }
  return found;
}
