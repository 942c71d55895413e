export const SDK_OPERATIONS: Record<string, string>;
export function pythonName(name: string): string;
export function callsOf(operationId: string): { typescript: string; python: string };
