// Loaded before the program with --import. Shifts its clock by CLOCK_SHIFT_MS. SIGUSR2 shifts it by CLOCK_STEP_MS while
// it runs. The monotonic clock, and thus timers, are not affected.
const RealDate = Date;
let shift = Number(process.env.CLOCK_SHIFT_MS);
process.on('SIGUSR2', () => {
  shift += Number(process.env.CLOCK_STEP_MS);
});

const now = () => RealDate.now() + shift;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
