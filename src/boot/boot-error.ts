/** Why the service cannot start, in one sentence that says what to do. */
export class BootError extends Error {}
