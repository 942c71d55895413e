/** Units of a drawing. The SVG stretches it to its container. */
export const WIDTH = 1_000;
export const HEIGHT = 100;

/** Share of a step that stays empty, so that bars do not touch. */
const GAP = 0.18;

/** Returns the end of an axis: the smallest 1, 2 or 5 times a power of ten that is not below the largest value. */
export function axisEnd(values: readonly (number | null)[]): number {
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  if (largest <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 5, 10].find((times) => times * power >= largest) ?? 10;
  return step * power;
}

/** Returns the sums of the stacked series. */
export function stackHeights(stack: readonly (readonly (number | null)[])[]): number[] {
  const length = Math.max(0, ...stack.map((values) => values.length));
  return Array.from({ length }, (_, index) =>
    stack.reduce((sum, values) => sum + (values[index] ?? 0), 0),
  );
}

/** Returns one path per series with all its bars. The first series is at the bottom. */
export function barPaths(stack: readonly (readonly (number | null)[])[], end: number): string[] {
  const reached: number[] = [];
  return stack.map((values) => {
    const place = WIDTH / Math.max(1, values.length);
    return values
      .map((value, index) => {
        const below = reached[index] ?? 0;
        const height = ((value ?? 0) / end) * HEIGHT;
        if (height === 0) return '';
        reached[index] = below + height;
        const [x, width] = [index * place + (place * GAP) / 2, place * (1 - GAP)];
        return `M${short(x)} ${short(HEIGHT - below)}v${short(-height)}h${short(width)}v${short(height)}z`;
      })
      .join('');
  });
}

/** Returns a line through the middle of each step. It breaks where there is no value; a single value becomes a dash. */
export function linePath(values: readonly (number | null)[], end: number): string {
  const place = WIDTH / Math.max(1, values.length);
  return values
    .map((value, index) => {
      if (value === null) return '';
      const y = short(HEIGHT - (Math.min(value, end) / end) * HEIGHT);
      const hasNeighbour = isNumber(values[index - 1]) || isNumber(values[index + 1]);
      if (!hasNeighbour) return `M${short((index + 0.2) * place)} ${y}h${short(place * 0.6)}`;
      return `${isNumber(values[index - 1]) ? 'L' : 'M'}${short((index + 0.5) * place)} ${y}`;
    })
    .join('');
}

function isNumber(value: number | null | undefined): boolean {
  return typeof value === 'number';
}

/** Two digits, which is finer than a pixel. */
function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
