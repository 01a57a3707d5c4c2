// The few signs on buttons, drawn by hand as lines on a 24 × 24 ground. They are for the eye alone.
const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pass: "M5 12h13M13 6l6 6-6 6",
  undo: "M9 7 4 12l5 5M4 12h11a5 5 0 0 1 0 10h-2",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.700 1-2.5A6 6 0 0 0 12 3z",
  flag: "M6 21V4M6 5h11l-2 4 2 4H6",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  open: "M4 19V6a1 1 0 0 1 1-1h4l2 2h8a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z",
  first: "M18 5l-8 7 8 7zM6 5v14",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M6 5l8 7-8 7zM18 5v14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 13l4 4L19 7",
  stop: "M7 7h10v10H7z",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  star: "M12 4v16M4 12h16M6.5 6.5l11 11M17.5 6.5l-11 11",
  up: "M6 14l6-6 6 6",
  tree: "M12 5v5M12 10l-6 5M12 10l6 5M12 10v9",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
