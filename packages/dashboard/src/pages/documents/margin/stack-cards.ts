/** Distance between two cards, in px. */
const GAP = 8;

/** A card and the top of its line in the text, in px; undefined if its passage is gone. */
interface PlacedCard {
  id: string;
  top: number | undefined;
}

/**
 * Puts each card next to its line or below the previous card. The picked card is exactly at its line; those before it
 * move up.
 */
export function stackCards(
  list: HTMLElement,
  text: HTMLElement,
  cards: readonly PlacedCard[],
  picked: string | undefined,
): void {
  const elements = [...list.querySelectorAll<HTMLElement>('[data-card]')];
  const heights = elements.map(({ offsetHeight }) => offsetHeight);
  const offset = text.getBoundingClientRect().top - list.getBoundingClientRect().top;
  const wanted = cards.map(({ top }) => (top === undefined ? 0 : Math.max(0, top + offset)));
  const tops = topsOf(
    wanted,
    heights,
    cards.findIndex(({ id }) => id === picked),
  );
  elements.forEach((element, index) => {
    element.style.top = `${String(Math.round(tops[index] ?? 0))}px`;
  });
  const bottom = (tops.at(-1) ?? 0) + (heights.at(-1) ?? 0);
  list.style.minHeight = `${String(Math.round(bottom))}px`;
}

/** Returns the tops of the cards. `picked` is the index of the card that is exactly at its line, or -1. */
export function topsOf(
  wanted: readonly number[],
  heights: readonly number[],
  picked: number,
): number[] {
  const tops = stacked(wanted, heights, 0, 0);
  const line = wanted[picked];
  if (line === undefined || tops[picked] === line) return tops;
  // The cards before the picked one move up, if there is space.
  let limit = line;
  for (let index = picked - 1; index >= 0; index -= 1) {
    limit -= GAP + (heights[index] ?? 0);
    limit = Math.min(tops[index] ?? 0, limit);
    tops[index] = limit;
  }
  if (limit < 0) return stacked(wanted, heights, 0, 0);
  return [...tops.slice(0, picked), ...stacked(wanted, heights, picked, line)];
}

/**
 * Returns the tops of the cards from `first` on, each at its line or below the previous card. `top` is the minimum of
 * the first.
 */
function stacked(
  wanted: readonly number[],
  heights: readonly number[],
  first: number,
  top: number,
): number[] {
  let least = top;
  return wanted.slice(first).map((line, index) => {
    const at = Math.max(line, least);
    least = at + (heights[first + index] ?? 0) + GAP;
    return at;
  });
}
