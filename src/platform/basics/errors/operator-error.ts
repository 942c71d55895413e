/** A failure foreseen while starting or administering; the message tells the operator in one sentence what to do. */
export class OperatorError extends Error {}
