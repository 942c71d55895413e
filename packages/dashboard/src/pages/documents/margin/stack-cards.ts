/** Distance between two cards, in px. */
const GAP = 8;

/** A card and the top of its line within the text, in px; undefined if its passage is gone. */
interface PlacedCard {
  id: string;
  top: number | undefined;
}

/**
 * Puts each card beside its line, below the card before. The picked card stands exactly at its line; those before it make
 * room.
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

/** Returns the tops of the cards. `picked` is the index of the card that stands at its line, or -1. */
export function topsOf(
  wanted: readonly number[],
  heights: readonly number[],
  picked: number,
): number[] {
  const tops: number[] = [];
  wanted.forEach((top, index) => {
    const before = index === 0 ? 0 : (tops[index - 1] ?? 0) + (heights[index - 1] ?? 0) + GAP;
    tops.push(Math.max(top, before));
  });
  const excess = picked === -1 ? 0 : (tops[picked] ?? 0) - (wanted[picked] ?? 0);
  if (excess === 0) return tops;
  // The cards before the picked one move up, as far as there is room.
  const raised = [...tops];
  raised[picked] = wanted[picked] ?? 0;
  for (let index = picked - 1; index >= 0; index -= 1) {
    const limit = (raised[index + 1] ?? 0) - GAP - (heights[index] ?? 0);
    raised[index] = Math.min(tops[index] ?? 0, limit);
  }
  if ((raised[0] ?? 0) < 0) return tops;
  for (let index = picked + 1; index < wanted.length; index += 1) {
    const before = (raised[index - 1] ?? 0) + (heights[index - 1] ?? 0) + GAP;
    raised[index] = Math.max(wanted[index] ?? 0, before);
  }
  return raised;
}
