/** Share of a property's runs in `npm test`. */
const DEFAULT_SHARE = 0.1;

/**
 * Returns how often fast-check tries a property with the full count `full`: a tenth of it by default, all with
 * `PROPERTY_RUNS=full`, and `n` times as many with `PROPERTY_RUNS=n`.
 */
export function propertyRuns(full: number): number {
  const asked = process.env['PROPERTY_RUNS'] ?? DEFAULT_SHARE;
  const share = asked === 'full' ? 1 : Number(asked);
  if (!(share > 0)) throw new Error('PROPERTY_RUNS must be "full" or a positive number.');
  return Math.max(1, Math.round(full * share));
}
