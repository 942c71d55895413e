/** Returns the time left like a clock: 0:41, 12:05, 3:12:05. */
export function countdown(until: Date, now: Date): string {
  const left = Math.max(0, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  const [hours, minutes, seconds] = [left / 3_600, (left / 60) % 60, left % 60].map(Math.floor) as [
    number,
    number,
    number,
  ];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0
    ? `${String(hours)}:${two(minutes)}:${two(seconds)}`
    : `${String(minutes)}:${two(seconds)}`;
}
