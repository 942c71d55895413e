export interface Operation {
  operationId: string;
  method: string;
  path: string;
  summary: string;
  tag: string;
  scopes: string[] | undefined;
  responses: { status: string; description: string }[];
}

export type Api = Readonly<Record<string, unknown>>;
export function readApiDocument(): Api;
export function operationsOf(api: Api): Operation[];
export function operationPageFile(operationId: string): string;
