import type { Window } from '../auth/plan.js';

export const WINDOW_SECONDS: Readonly<Record<Window, number>> = {
  minute: 60,
  hour: 3_600,
  day: 86_400,
};
